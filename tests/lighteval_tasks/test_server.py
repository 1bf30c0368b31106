"""`custom MODEL server`: both benchmarks through one chat server, asked and scored as lm-eval asks and scores them."""

import json
import os
import signal

import jsonschema
import pytest

from lighteval_tasks import data
from sobench_metrics.cli.main import main
from sobench_metrics.data import oracle
from sobench_metrics.errors import UsageError
from tests.engines.chat_server import ChatServer, Expect, Fault, FromRequest, digest
from tests.engines.prepared_home import SYSTEM, shape_samples

pytestmark = pytest.mark.engine
BOTH = "sobench_sample:ui|0,ifstruct_sample|0"
UI, ROWS = "sobench_sample:ui", "ifstruct_sample"


@pytest.fixture
def ask(lighteval, monkeypatch):
    """Run tasks on a test server with settings by their short names."""

    def run(server, tasks=BOTH, **settings):
        monkeypatch.setenv("SOBENCH_SERVER_URL", server.root)
        for name, value in settings.items():
            monkeypatch.setenv(f"SOBENCH_SERVER_{name.upper()}", str(value))
        return lighteval("custom", "test-model", "server", tasks)

    return run


def by_question(task_names=(UI, ROWS)):
    """Every row of the tasks by what tells its question from all others: the picture, or the whole text."""
    found = {}
    for name in task_names:
        loaded = data.load(name)
        for row in loaded.rows:
            found[row["image_sha256"] if loaded.prepared else digest(row["prompt"])] = row
    return found


def key_of(request):
    return request.images[0].sha256 if request.images else request.prompt_sha256


def right_answer(row):
    return oracle.sobench_answer(row) if "target_json" in row else oracle.ifstruct_answer(row)


def knowing(rows):
    return FromRequest(lambda request: right_answer(rows[key_of(request)]))


def mixed(rows):
    """Right, empty, no and smallest answers in turn, by the question alone."""

    def answer(request):
        row = rows[key_of(request)]
        smallest = (
            oracle.sobench_placeholder(row["schema_json"]) if request.images else oracle.ifstruct_placeholder(row)
        )
        replies = [right_answer(row), "", None, smallest, "no JSON here"]
        return replies[int(request.identity[:8], 16) % len(replies)]

    return FromRequest(answer)


def test_the_oracle_is_perfect_on_both_benchmarks_in_one_run(ask):
    rows = by_question()
    with ChatServer(knowing(rows), gather=6) as server:
        outcome = ask(server, concurrent=6)
    assert server.max_in_flight == 6
    assert len(server.requests) == len(rows)
    assert {key_of(request) for request in server.requests} == set(rows)
    for request in server.requests:
        assert request.settings == {"model": "test-model", "temperature": 0.0, "max_tokens": 1024}
        if request.images:
            assert Expect(images=1, text_first=True).problems(request) == []
            assert request.roles == ("system", "user")
        else:
            assert request.body["messages"] == [{"role": "user", "content": request.text}]
    assert outcome.figures(UI)["strict_full_match"] == outcome.figures(UI)["strict_field_f1"] == 1.0
    assert outcome.figures(UI)["request_failed"] == outcome.figures(UI)["invalid"] == 0.0
    assert outcome.figures(ROWS)["pass"] == 1.0
    assert outcome.signature(UI)["backend"] == "lighteval.ChatServer"


@pytest.mark.parametrize("status", [400, 500])
def test_a_run_without_a_single_answer_gives_no_numbers(ask, tmp_path, status):
    with (
        ChatServer(FromRequest(lambda _: status)) as server,
        pytest.raises(UsageError, match=f"nothing was measured .status {status}"),
    ):
        ask(server, ROWS, tries=1)
    assert not list(tmp_path.rglob("results_*.json"))


def test_questions_and_scores_are_those_of_lm_eval(ask, evaluate, monkeypatch):
    """The same messages byte by byte, pictures included, and the same figures for every sample of both benchmarks."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    answers = mixed(by_question())
    with ChatServer(answers) as server:
        ours = ask(server, concurrent=4)
    with ChatServer(answers) as reference:
        theirs = evaluate(
            "local-chat-completions",
            ["sobench_ui_sample", "ifstruct_sample"],
            model_args=f"model=test-model,base_url={reference.url},num_concurrent=4,max_retries=1",
        )
    assert messages(server) == messages(reference)
    assert len(messages(server)) == len(by_question())
    assert limits(server) == limits(reference)
    for task, name in ((UI, "sobench_ui_sample"), (ROWS, "ifstruct_sample")):
        samples = {sample["doc_id"]: sample for sample in theirs["samples"][name]}
        details = ours.details(task)
        assert details.keys() == samples.keys()
        for number, line in details.items():
            assert line["model_response"]["text"][0] == samples[number]["resps"][0][0]
            figures = next(iter(line["metric"].values()))["figures"]
            for figure, (above, below) in figures.items():
                if below and figure in samples[number]:
                    expected = samples[number][figure]
                    assert (
                        (above, below) == tuple(expected) if isinstance(expected, list | tuple) else above == expected
                    )
        totals = {key.removesuffix(",none"): value for key, value in theirs["results"][name].items()}
        shared = [key for key in ours.figures(task) if key in totals and not key.endswith("_stderr")]
        assert len(shared) > 3
        assert {key: ours.figures(task)[key] for key in shared} == {key: totals[key] for key in shared}
    assert 0 < ours.figures(UI)["strict_full_match"] < 1
    assert 0 < ours.figures(ROWS)["pass"] < 1


def messages(server):
    """All chats, in an order of their own; the plain text's `type` that lm-eval adds is no part of the format."""
    chats = []
    for request in server.requests:
        chat = [{key: value for key, value in one.items() if key != "type"} for one in request.body["messages"]]
        chats.append(json.dumps(chat))
    return sorted(chats)


def limits(server):
    return sorted((request.identity, request.settings["max_tokens"]) for request in server.requests)


def test_empty_answers_leave_all_others_on_their_own_docs(ask, shape_home):
    samples = shape_samples(12)
    silent = {3: "", 4: None, 8: ""}
    replies = {
        digest(sample.image): silent.get(number, json.dumps(sample.target)) for number, sample in enumerate(samples)
    }
    with ChatServer(FromRequest(lambda request: replies[request.images[0].sha256])) as server:
        outcome = ask(server, "sobench:ui|0")
    assert outcome.answers("sobench:ui") == [
        "" if number in silent else json.dumps(sample.target) for number, sample in enumerate(samples)
    ]
    assert outcome.figures("sobench:ui")["strict_full_match"] == pytest.approx(9 / 12)
    assert outcome.figures("sobench:ui")["request_failed"] == 0.0


@pytest.mark.parametrize("kind", ["json_schema", "vllm"])
def test_every_request_carries_the_schema_of_its_own_sample(ask, kind):
    rows = by_question()
    with ChatServer(knowing(rows), gather=8) as server:
        outcome = ask(server, schema=kind)
    free = 0
    for request in server.requests:
        row = rows[key_of(request)]
        if kind == "vllm":
            sent = request.body.get("structured_outputs", {}).get("json")
            assert "response_format" not in request.body
        else:
            form = request.body.get("response_format", {"json_schema": {"schema": None}})
            sent = form["json_schema"]["schema"]
            assert sent is None or form["json_schema"]["name"] == str(row["doc_id"])
            assert sent is None or (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
        if request.images:
            assert sent == json.loads(row["schema_json"])
        elif row["output_format"] == "yaml" or row["require_code_block"]:
            assert sent is None
            free += 1
        else:
            answer = json.loads(oracle.ifstruct_answer(row))
            jsonschema.validate(answer, sent)
            assert not jsonschema.Draft202012Validator(sent).is_valid(one_item_less(answer, row))
    assert 0 < free < len(data.load(ROWS).rows)
    assert outcome.results["config_general"]["model_config"]["constraint"] == kind
    assert outcome.figures(UI)["strict_full_match"] == outcome.figures(ROWS)["pass"] == 1.0


def one_item_less(answer, row):
    if row["require_wrapper_key"]:
        return {row["top_level_key"]: answer[row["top_level_key"]][:-1]}
    return answer[:-1]


def test_a_refused_request_costs_its_sample_and_says_why(ask, shape_home):
    samples = shape_samples(12)
    replies = {digest(sample.image): json.dumps(sample.target) for sample in samples}
    refused = Fault(400, only={digest(samples[3].image)})
    with ChatServer(FromRequest(lambda request: replies[request.images[0].sha256]), faults=[refused]) as server:
        outcome = ask(server, "sobench:ui|0")
    assert len(server.requests) == 12  # nor was it sent a second time
    figures = outcome.figures("sobench:ui")
    assert figures["request_failed"] == pytest.approx(1 / 12)
    assert figures["strict_full_match"] == pytest.approx(11 / 12)
    line = outcome.details("sobench:ui")[3]
    assert line["model_response"]["text"] == [""]
    diagnostics = json.loads(next(iter(line["metric"].values()))["diagnostics"])
    assert diagnostics["codes"][0] == "request.failed"
    assert "status 400: a failure made for the test" in json.dumps(diagnostics)


def test_settings_reach_the_requests_and_the_results_but_not_the_key(ask, shape_home, rows_file):
    expect = Expect(settings={"temperature": 0.5, "top_k": 20})
    with ChatServer(FromRequest(lambda _request: "{}"), expect=expect) as server:
        outcome = ask(
            server,
            "sobench:ui|0,ifstruct|0",
            system_prompt="Think first.",
            temperature="0.5",
            limit_field="max_completion_tokens",
            extra_body='{"top_k": 20}',
            key="a-secret",
        )
    limits = {(request.settings["max_completion_tokens"], len(request.images)) for request in server.requests}
    assert limits == {(4096, 1), (16_000, 0)}
    assert all("max_tokens" not in request.body for request in server.requests)
    systems = {bool(request.images): request.system for request in server.requests}
    assert systems == {True: f"Think first.\n\n{SYSTEM}", False: "Think first."}
    told = outcome.results["config_general"]["model_config"]
    assert told["system_prompt"] == "Think first."
    assert told["generation_parameters"]["temperature"] == 0.5
    assert json.loads(told["extra_body"]) == {"top_k": 20}
    assert "a-secret" not in json.dumps(outcome.results)
    assert server.root not in json.dumps(outcome.results)


@pytest.mark.parametrize(
    ("status", "variable"), [(401, "SOBENCH_SERVER_KEY"), (404, "SOBENCH_SERVER_URL"), ("gone", "SOBENCH_SERVER_URL")]
)
def test_a_server_that_answers_to_nothing_ends_the_run_with_a_sentence(
    capsys, tmp_path, monkeypatch, rows_file, shape_home, status, variable
):
    monkeypatch.setattr("lighteval_tasks.chat.client.wait_before", lambda _next_try, _asked: 0.0)
    with ChatServer(FromRequest(lambda _request: "{}"), faults=[Fault(401 if status == "gone" else status)]) as server:
        address = server.root
        if status != "gone":
            outcome = command(monkeypatch, address, tmp_path)
    if status == "gone":
        outcome = command(monkeypatch, address, tmp_path)
    assert outcome == 2
    sentence = capsys.readouterr().err.splitlines()[-1]
    assert sentence.startswith(f"sobench: no request to {address}/chat/completions succeeds (")
    assert variable in sentence
    assert len(server.requests) == (0 if status == "gone" else 4)  # of eighteen


def command(monkeypatch, address, folder):
    monkeypatch.setenv("SOBENCH_SERVER_URL", address)
    monkeypatch.setenv("SOBENCH_SERVER_CONCURRENT", "1")
    words = ["custom", "test-model", "server", "sobench:ui|0,ifstruct|0", "--output-dir", str(folder / "out")]
    return main(["lighteval", *words])


def test_without_an_address_the_variable_is_named(lighteval, rows_file, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="set SOBENCH_SERVER_URL"):
        lighteval("custom", "test-model", "server", "ifstruct|0")


def test_ctrl_c_ends_the_command_as_it_ends_any(capsys, tmp_path, monkeypatch, rows_file, shape_home):
    sent = []

    def interrupt(request):
        if not sent:  # a second one could hit whatever runs after the test
            sent.append(request)
            os.kill(os.getpid(), signal.SIGINT)
        return "{}"

    with ChatServer(FromRequest(interrupt)) as server:
        status = command(monkeypatch, server.root, tmp_path)
    assert status == 130
    told = capsys.readouterr().err
    assert told.splitlines()[-1] == "sobench: interrupted"
    assert "Traceback" not in told
    assert len(server.requests) < 18
    assert not list(tmp_path.glob("out/results/**/*.json"))
