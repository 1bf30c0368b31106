"""Each request to a server with its own schema, at the user's concurrency; what cannot be held is told by name."""

import json
import logging

import pytest

from sobench_metrics.constrained.plan import plan
from sobench_metrics.errors import UsageError
from tests.engines.chat_server import ChatServer, FromRequest, conforming
from tests.engines.prepared_home import Sample, shape_samples, write_home
from tests.lm_eval_tasks.conftest import ROW
from tests.lm_eval_tasks.test_chat_server import arguments

BROKEN_FOR_OPENAI = {"type": "object", "properties": {"a": {"type": "string"}}}  # not every property is required


def own_schema(number):
    """A schema that no other sample has."""
    return {
        "type": "object",
        "properties": {f"value_{number}": {"type": "integer"}},
        "required": [f"value_{number}"],
        "additionalProperties": False,
    }


@pytest.fixture
def own_schemas(tmp_path, monkeypatch):
    shapes = shape_samples(12)
    samples = [
        Sample(
            f"doc-{number:02}", shape.image, {f"value_{number}": 0}, own_schema(number), {f"value_{number}": "exact"}
        )
        for number, shape in enumerate(shapes)
    ]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "own", {"ui": samples})))
    return samples


def sent_schema(request):
    return request.body["response_format"]["json_schema"]["schema"]


def test_every_request_has_its_own_schema_at_full_concurrency(evaluate, own_schemas):
    with ChatServer(conforming(), gather=6) as server:
        results = evaluate(
            "local-chat-completions", ["sobench_ui_constrained"], model_args=arguments(server, num_concurrent=6)
        )
    assert server.max_in_flight == 6
    assert len(server.requests) == 12
    for request in server.requests:
        (schema,) = (sample.schema for sample in own_schemas if json.dumps(sample.schema) in request.text)
        assert sent_schema(request) == schema
        assert request.body["response_format"]["json_schema"]["strict"] is True
    figures = results["results"]["sobench_ui_constrained"]
    assert figures["schema_validity,none"] == 1.0
    assert (figures["free,none"], figures["skipped,none"]) == (0.0, 0.0)
    signature = results["configs"]["sobench_ui_constrained"]["metadata"]["signature"]
    assert "|constraint=xgrammar/json_schema|samples=constrained:12|" in signature


def test_the_prompt_is_that_of_the_free_task_and_both_run_together(evaluate, own_schemas):
    tasks = ["sobench_ui", "sobench_ui_constrained"]
    with ChatServer(conforming()) as server:
        results = evaluate("local-chat-completions", tasks, model_args=arguments(server, num_concurrent=4))
    prompts = [[line["arguments"][0][0] for line in results["samples"][task]] for task in tasks]
    assert prompts[0] == prompts[1]
    assert sum("response_format" in request.body for request in server.requests) == 12
    line = results["samples"]["sobench_ui_constrained"][0]
    assert line["diagnostics"]["generation"]["tokens"] > 0
    assert line["diagnostics"]["generation"]["limit"] is False
    assert line["diagnostics"]["generation"]["constrained"] == "constrained"
    assert results["samples"]["sobench_ui"][0]["diagnostics"]["generation"]["tokens"] > 0


def test_vllms_own_field_when_asked(evaluate, own_schemas):
    with ChatServer(conforming()) as server:
        evaluate(
            "local-chat-completions",
            ["sobench_ui_constrained"],
            model_args=arguments(server),
            metadata={"dialect": "vllm"},
        )
    assert all(set(request.body["structured_outputs"]) == {"json"} for request in server.requests)
    assert not any("response_format" in request.body for request in server.requests)


@pytest.mark.parametrize("choice", ["free", "skip"])
def test_what_an_engine_refuses_is_free_or_skipped_counted_and_listed(
    evaluate, own_schemas, tmp_path, monkeypatch, caplog, choice
):
    samples = [
        *own_schemas[:10],
        *(Sample(f"odd-{n}", own_schemas[n].image, {"a": "x"}, BROKEN_FOR_OPENAI) for n in (0, 1)),
    ]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "odd", {"ui": samples})))
    assert plan(BROKEN_FOR_OPENAI, "openai").state == "free"
    with caplog.at_level(logging.WARNING), ChatServer(conforming()) as server:
        results = evaluate(
            "local-chat-completions",
            ["sobench_ui_constrained"],
            model_args=arguments(server),
            metadata={"engine": "openai", "on_unsupported": choice},
        )
    held = [request for request in server.requests if "response_format" in request.body]
    assert len(held) == 10
    figures = results["results"]["sobench_ui_constrained"]
    if choice == "free":
        assert len(server.requests) == 12
        assert figures["free,none"] == pytest.approx(2 / 12)
        assert "samples=constrained:10,free:2" in results["configs"]["sobench_ui_constrained"]["metadata"]["signature"]
    else:
        assert len(server.requests) == 10
        assert figures["skipped,none"] == pytest.approx(2 / 12)
        assert figures["schema_validity,none"] == 1.0  # of the ten that were asked
        assert (
            "samples=constrained:10,skipped:2" in results["configs"]["sobench_ui_constrained"]["metadata"]["signature"]
        )
        states = [
            line["diagnostics"]["generation"]["constrained"] for line in results["samples"]["sobench_ui_constrained"]
        ]
        assert states.count("skipped") == 2
    assert "odd-0, odd-1" in caplog.text


def test_ifstruct_rows_that_no_schema_describes_are_excluded_by_name(evaluate, tmp_path, monkeypatch, caplog):
    rows = [
        {**ROW, "doc_id": 0, "prompt": "plain"},
        {**ROW, "doc_id": 1, "prompt": "yaml", "output_format": "yaml"},
        {**ROW, "doc_id": 2, "prompt": "fenced", "require_code_block": True},
        {**ROW, "doc_id": 3, "prompt": "wrapped", "require_wrapper_key": True, "top_level_key": "notes"},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(file))
    with caplog.at_level(logging.INFO), ChatServer(conforming()) as server:
        results = evaluate(
            "local-chat-completions", ["ifstruct_json_constrained"], model_args=arguments(server, num_concurrent=2)
        )
    schemas = {request.text: sent_schema(request) for request in server.requests}
    assert set(schemas) == {"plain", "wrapped"}
    assert schemas["plain"]["type"] == "array"
    assert schemas["wrapped"]["required"] == ["notes"]
    assert results["results"]["ifstruct_json_constrained"]["pass,none"] == 1.0
    signature = results["configs"]["ifstruct_json_constrained"]["metadata"]["signature"]
    assert "|rows=2/4|excluded=2|" in signature
    assert "constrained.yaml: 1" in caplog.text
    assert "constrained.code_block: 2" in caplog.text


@pytest.mark.parametrize(
    "metadata",
    [{"engine": "magic"}, {"dialect": "smoke"}, {"on_unsupported": "ignore"}],
    ids=lambda given: next(iter(given)),
)
def test_settings_that_are_not_known_are_told(evaluate, own_schemas, metadata):
    with ChatServer() as server, pytest.raises(UsageError, match=f"--metadata {next(iter(metadata))}="):
        evaluate("local-chat-completions", ["sobench_ui_constrained"], model_args=arguments(server), metadata=metadata)


@pytest.mark.parametrize("task", ["sobench_ui_constrained_sample", "ifstruct_json_constrained_sample"])
def test_the_oracle_scores_100_under_constraint_too(task):
    from lm_eval_tasks.commands.baseline import run_baseline

    results = run_baseline("oracle", [task])
    figures = results["results"][task]
    headline = "pass,none" if task.startswith("ifstruct") else "strict_full_match,none"
    assert figures[headline] == 1.0
    assert figures["skipped,none"] == figures["free,none"] == 0.0


def test_rows_of_one_name_are_counted_each(evaluate, tmp_path, monkeypatch):
    """A user's rows may share their ids; each keeps its own state, and the counts are those of samples."""
    loose = json.dumps({"type": "array", "items": BROKEN_FOR_OPENAI})
    tight = {**BROKEN_FOR_OPENAI, "required": ["a"], "additionalProperties": False}
    rows = [
        {**ROW, "doc_id": 7, "prompt": "held", "require_wrapper_key": True, "top_level_key": "a"},
        {**ROW, "doc_id": 7, "prompt": "free", "json_schema": loose},
        {**ROW, "doc_id": 7, "prompt": "held too", "require_wrapper_key": True, "top_level_key": "b"},
    ]
    rows[0]["json_schema"] = rows[2]["json_schema"] = json.dumps({"type": "array", "items": tight})
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(file))
    with ChatServer(conforming()) as server:
        results = evaluate(
            "local-chat-completions",
            ["ifstruct_json_constrained"],
            model_args=arguments(server),
            metadata={"engine": "openai"},
        )
    assert {request.text for request in server.requests if "response_format" in request.body} == {"held", "held too"}
    lines = results["samples"]["ifstruct_json_constrained"]
    states = {line["doc"]["prompt"]: line["diagnostics"]["generation"]["constrained"] for line in lines}
    assert states == {"held": "constrained", "free": "free", "held too": "constrained"}
    signature = results["configs"]["ifstruct_json_constrained"]["metadata"]["signature"]
    assert "|samples=constrained:2,free:1|" in signature


def test_requests_that_the_harness_kept_are_told_by_their_answers(evaluate, own_schemas, tmp_path, monkeypatch):
    from lm_eval.caching import cache

    monkeypatch.setattr(cache, "PATH", str(tmp_path / "kept"))
    signatures = []
    for _ in "ab":
        with ChatServer(conforming()) as server:
            results = evaluate(
                "local-chat-completions", ["sobench_ui_constrained"], model_args=arguments(server), cache_requests=True
            )
        assert all("response_format" in request.body for request in server.requests)
        signatures.append(results["configs"]["sobench_ui_constrained"]["metadata"]["signature"])
    assert list((tmp_path / "kept").iterdir())
    assert all("|constraint=xgrammar/json_schema|samples=constrained:12|" in signature for signature in signatures)


def test_requests_kept_for_another_backend_are_refused(own_schemas):
    from lm_eval_tasks import constraint

    constraints = constraint.Constraints({}, "task")
    part = {constraint.PART: {"state": "constrained", "schema": "{}", "backend": "HFLM", "engine": "guidance",
                              "dialect": "json_schema", "on_unsupported": "free", "reason": "", "codes": []}}  # fmt: skip
    kept = type("Kept", (), {"args": ("p", {}, part), "metadata": ("task", 0, 1), "doc": {"doc_id": "x"}})()
    constraint.tell(type("HFLM", (), {})(), [kept])
    assert constraints.signature()["samples"] == "none"
    with pytest.raises(UsageError, match="prepared for HFLM, not for VLLM"):
        constraint.tell(type("VLLM", (), {})(), [kept])


def test_notes_outlive_the_cache(tmp_path):
    import pickle

    from lm_eval_tasks.answer import FailedGeneration, Generation, Skipped

    for answer in (Generation("t", 3, 0.5, at_limit=True, fault="f"), Skipped(), FailedGeneration(reason="r")):
        answer.constraint = {"state": "free"}
        again = pickle.loads(pickle.dumps(answer))
        assert (type(again), str(again), vars(again)) == (type(answer), str(answer), vars(answer))


def test_requests_kept_under_other_settings_are_refused(evaluate, own_schemas, tmp_path, monkeypatch):
    from lm_eval.caching import cache

    monkeypatch.setattr(cache, "PATH", str(tmp_path / "kept"))
    options = {"cache_requests": True}
    with ChatServer(conforming()) as server:
        options["model_args"] = arguments(server)
        evaluate("local-chat-completions", ["sobench_ui_constrained"], **options)
        for metadata, words in [
            ({"dialect": "vllm"}, "prepared with engine=xgrammar, not vllm"),
            ({"engine": "openai"}, "prepared with engine=xgrammar, not openai"),
            ({"on_unsupported": "skip"}, "prepared with on_unsupported=free, not skip"),
        ]:
            with pytest.raises(UsageError, match=words):
                evaluate("local-chat-completions", ["sobench_ui_constrained"], metadata=metadata, **options)
        assert len(server.requests) == 12


@pytest.mark.parametrize("choice", ["free", "skip"])
def test_a_schema_that_the_server_refuses_goes_as_the_user_chose(evaluate, own_schemas, choice):
    """No table knows every server: its 400 costs the constraint and not the sample, and is not tried again."""
    answer = conforming()

    def picky(request):
        sent = request.body.get("response_format", {}).get("json_schema", {}).get("schema")
        return 400 if sent == own_schemas[3].schema else answer.function(request)

    with ChatServer(FromRequest(picky)) as server:
        results = evaluate(
            "local-chat-completions",
            ["sobench_ui_constrained"],
            model_args=arguments(server, max_retries=3),
            metadata={"on_unsupported": choice},
        )
    assert len(server.requests) == (13 if choice == "free" else 12)
    figures = results["results"]["sobench_ui_constrained"]
    assert figures["request_failed,none"] == 0.0
    line = results["samples"]["sobench_ui_constrained"][3]
    generation = line["diagnostics"]["generation"]
    assert generation["constrained"] == ("free" if choice == "free" else "skipped")
    assert "the server refused its schema" in generation["reason"]
    signature = results["configs"]["sobench_ui_constrained"]["metadata"]["signature"]
    assert f"samples=constrained:11,{generation['constrained']}:1" in signature


def test_a_group_pools_over_the_samples_that_were_asked(evaluate, tmp_path, monkeypatch):
    """One domain keeps one sample of four, the other all two: a mean over rows would weigh them 4 to 2."""
    shapes = shape_samples(6)
    kept = [
        Sample(f"k{n}", shapes[n].image, {f"value_{n}": 0}, own_schema(n), {f"value_{n}": "exact"}) for n in (0, 1, 2)
    ]
    odd = [Sample(f"o{n}", shapes[n].image, {"a": "x"}, BROKEN_FOR_OPENAI) for n in (3, 4, 5)]
    home = write_home(
        tmp_path / "two", {"ui": [kept[0], *odd], "natural": kept[1:], "document": kept[1:], "chart": kept[1:]}
    )
    monkeypatch.setenv("SOBENCH_HOME", str(home))
    answer = conforming()

    def wrong_in_ui(request):
        return "{}" if "value_0" in request.text else answer.function(request)

    with ChatServer(FromRequest(wrong_in_ui)) as server:
        results = evaluate(
            "local-chat-completions",
            ["sobench_constrained"],
            model_args=arguments(server),
            metadata={"engine": "openai", "on_unsupported": "skip"},
        )
    assert len(server.requests) == 7
    pooled = results["groups"]["sobench_constrained"]
    assert pooled["schema_validity,none"] == pytest.approx(6 / 7)
    assert pooled["skipped,none"] == pytest.approx(3 / 10)
    assert isinstance(results["results"]["sobench_natural_constrained"]["schema_validity_stderr,none"], float)
    (skipped, *_) = [line for line in results["samples"]["sobench_ui_constrained"] if line["doc"]["doc_id"] == "o3"]
    assert skipped["diagnostics"]["codes"] == []
    assert set(skipped["diagnostics"]) == {"codes", "slices", "generation"}


def test_a_text_that_no_file_can_hold_is_mended(evaluate, own_schemas):
    with ChatServer(FromRequest(lambda _: "half \ud83d of a pair")) as server:
        results = evaluate("local-chat-completions", ["sobench_ui_constrained"], model_args=arguments(server))
    said = {line["resps"][0][0] for line in results["samples"]["sobench_ui_constrained"]}
    assert said == {"half \ufffd of a pair"}
    from lm_eval_tasks.chat_server import whole_text

    assert whole_text("\ud83d\ude00 \ude00 x") == "\U0001f600 \ufffd x"


def test_a_chat_template_is_asked_for(evaluate, own_schemas):
    with ChatServer() as server, pytest.raises(UsageError, match="add --apply_chat_template"):
        evaluate(
            "local-chat-completions",
            ["ifstruct_json_constrained_sample"],
            model_args=arguments(server),
            apply_chat_template=False,
        )


@pytest.mark.parametrize(
    ("metadata", "words"), [({"Engine": "openai"}, "write engine"), ({"ON-UNSUPPORTED": 1}, "write")]
)
def test_a_setting_in_another_spelling_is_told(metadata, words):
    from lm_eval_tasks.constraint import settings_of

    with pytest.raises(UsageError, match=words):
        settings_of(metadata)


def test_a_model_of_this_process_has_its_own_engine():
    from lm_eval_tasks.constraint import Settings, engine_of

    model = type("HFLM", (), {})()
    assert engine_of(model, Settings()) == engine_of(model, Settings("guidance")) == "guidance"
    with pytest.raises(UsageError, match="HFLM has an engine of its own"):
        engine_of(model, Settings("openai"))
