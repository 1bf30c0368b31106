"""Through an OpenAI-compatible server: pictures, order, MIME, concurrency, refusals."""

import json
import logging

import pytest

from sobench_metrics.errors import UsageError
from tests.engines import shapes
from tests.engines.chat_server import ChatServer, Expect, Fault, FromRequest, digest
from tests.engines.prepared_home import SYSTEM, Sample, shape_samples, write_home
from tests.lm_eval_tasks.conftest import GOOD_ANSWER, answers, scores

ONE_JPEG = {"images": 1, "text_first": True, "mime": ("image/jpeg",), "system": SYSTEM, "no_placeholder": False}


def oracle(samples):
    """The server's answers: the target of a picture's sample, a passing list where there is no picture."""
    targets = {digest(sample.image): json.dumps(sample.target) for sample in samples}
    return FromRequest(lambda request: targets[request.images[0].sha256] if request.images else GOOD_ANSWER)


def arguments(server, **more):
    options = {"model": "test-model", "base_url": server.url, "num_concurrent": 1, "max_retries": 1, **more}
    return ",".join(f"{key}={value}" for key, value in options.items())


@pytest.mark.parametrize("order", [["sobench_ui", "ifstruct"], ["ifstruct", "sobench_ui"]])
def test_every_image_arrives_in_both_orders(evaluate, shape_home, rows_file, order):
    with ChatServer(oracle(shape_samples(20))) as server:
        results = evaluate("local-chat-completions", order, model_args=arguments(server, num_concurrent=3))
    with_image = [request for request in server.requests if request.images]
    assert len(with_image) == 12
    assert len(server.requests) == 18
    for request in with_image:
        assert Expect(**ONE_JPEG).problems(request) == []
        assert request.parts == ("text", "image")
        assert request.settings["max_tokens"] == 4096
    assert {digest(sample.image) for sample in shape_samples(12)} == {
        request.images[0].sha256 for request in with_image
    }
    assert results["results"]["sobench_ui"]["strict_field_f1,none"] == 1.0
    assert results["results"]["ifstruct"]["pass,none"] == 1.0


def test_concurrency_is_the_users_and_the_answers_stay_in_place(evaluate, shape_home):
    samples = shape_samples(12)
    with ChatServer(oracle(samples), gather=4) as server:
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server, num_concurrent=4))
    assert server.max_in_flight == 4
    assert answers(results, "sobench_ui") == [json.dumps(sample.target) for sample in samples]


@pytest.mark.parametrize("status", [500, 400, "drop"])
def test_a_refused_image_costs_its_sample_and_the_run_goes_on(evaluate, shape_home, caplog, status):
    samples = shape_samples(12)
    refused = digest(samples[3].image)
    fault = Fault(status, only={refused})
    with caplog.at_level(logging.ERROR), ChatServer(oracle(samples), faults=[fault]) as server:
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server, num_concurrent=2))
    line = next(line for line in results["samples"]["sobench_ui"] if line["doc_id"] == 3)
    assert line["diagnostics"]["codes"][0] == "request.failed"
    assert line["diagnostics"]["findings"][0]["message"]
    figures = results["results"]["sobench_ui"]
    assert figures["request_failed,none"] == pytest.approx(1 / 12)
    assert figures["invalid,none"] == pytest.approx(1 / 12)
    assert figures["strict_full_match,none"] == pytest.approx(11 / 12)
    assert results["n-samples"]["sobench_ui"] == {"original": 12, "effective": 12}
    assert "1 of 12 requests failed" in caplog.text
    assert "sobench_ui/3" in caplog.text


def test_a_passing_fault_is_retried(evaluate, shape_home):
    with ChatServer(oracle(shape_samples(12)), faults=[Fault(503, tries=1, share=0.3)]) as server:
        model_args = arguments(server, max_retries=3, num_concurrent=12)
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=model_args)
    assert any(request.status == 503 for request in server.requests)
    assert results["results"]["sobench_ui"]["strict_full_match,none"] == 1.0


def test_a_failure_is_not_cached_and_is_asked_again(evaluate, shape_home, tmp_path):
    samples = shape_samples(12)
    options = {"use_cache": str(tmp_path / "cache")}
    with ChatServer(oracle(samples), faults=[Fault(500, only={digest(samples[0].image)})]) as server:
        evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server), **options)
    with ChatServer(oracle(samples)) as server:
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server), **options)
    assert [request.images[0].sha256 for request in server.requests] == [digest(samples[0].image)]
    assert results["results"]["sobench_ui"]["strict_full_match,none"] == 1.0


def test_a_null_answer_is_an_invalid_answer(evaluate, shape_home):
    with ChatServer(lambda _text, _images: None) as server:
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server), limit=2)
    assert results["results"]["sobench_ui"]["invalid,none"] == 1.0
    assert results["results"]["sobench_ui"]["strict_field_recall,none"] == 0.0


def test_the_placeholder_in_schema_and_intent_reaches_a_server_unchanged(evaluate, tmp_path, monkeypatch):
    schema = {**shapes.SCHEMA, "description": "see <image>"}
    samples = [Sample("a", s.image, s.target, schema, s.labels, "look at <image>") for s in shape_samples(2)]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "home", {"ui": samples})))
    with ChatServer(oracle(samples), expect=Expect(images=1, no_placeholder=False)) as server:
        evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server))
    assert all(request.text.count("<image>") == 2 for request in server.requests)


def test_png_data_is_declared_as_png(evaluate, tmp_path, monkeypatch):
    shape = shapes.series(1)[0]
    samples = [Sample("a", shape.png(), shape.value)]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "home", {"ui": samples})))
    with ChatServer(oracle(samples), expect=Expect(images=1, mime=("image/png",))) as server:
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server))
    assert results["results"]["sobench_ui"]["exact_match,none"] == 1.0


def test_reasoning_is_removed_and_the_switch_is_in_the_signature(evaluate, shape_home):
    samples = shape_samples(12)
    targets = {digest(sample.image): json.dumps(sample.target) for sample in samples}

    def think(_text, images):
        return f"<think>{{a draft}}</think>{targets[images[0].sha256]}"

    with ChatServer(think) as server:
        removed = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server))
        kept = evaluate(
            "local-chat-completions", ["sobench_ui"], model_args=arguments(server), metadata={"reasoning": "keep"}
        )
    assert scores(removed, "sobench_ui")["strict_full_match,none"] == 1.0
    assert scores(kept, "sobench_ui")["invalid,none"] == 1.0
    line = removed["samples"]["sobench_ui"][0]["diagnostics"]
    assert line["reasoning"]["removed"] == ["block"]
    assert "reasoning=removed" in removed["configs"]["sobench_ui"]["metadata"]["signature"]
    assert "reasoning=kept" in kept["configs"]["sobench_ui"]["metadata"]["signature"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("<think>still at it", "response.reasoning_unclosed"), ('{"colour": "re', "response.truncated")],
)
def test_an_answer_that_was_cut_has_a_code_of_its_own(evaluate, shape_home, text, code):
    with ChatServer(lambda _text, _images: text) as server:
        results = evaluate("local-chat-completions", ["sobench_ui"], model_args=arguments(server), limit=1)
    assert code in results["samples"]["sobench_ui"][0]["diagnostics"]["codes"]


def test_a_server_kind_that_cannot_take_images_is_told(evaluate, shape_home):
    with ChatServer(lambda _text, _images: "{}") as server, pytest.raises(UsageError, match="local-chat-completions"):
        evaluate(
            "local-completions",
            ["sobench_ui"],
            model_args=arguments(server, tokenizer_backend="none"),
        )
