"""`lighteval eval`, the route over inspect-ai: prompts, figures, failures, and what its log holds."""

import base64
import gc
import json
import logging
import zipfile

import pytest

from lighteval_tasks import data, figures
from sobench_metrics.errors import UsageError
from tests.engines.chat_server import ChatServer, Expect, Fault, FromRequest, digest
from tests.engines.prepared_home import SYSTEM, Sample, shape_samples, write_home
from tests.engines.prepared_set import edit_rows
from tests.lm_eval_tasks.conftest import GOOD_ANSWER

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # streams that inspect leaves open

MODEL = "openai-api/local/test-model"
SHAPES = shape_samples(20)
EMPTY, REFUSED = SHAPES[2], SHAPES[15]  # one in the middle of each domain


HARD_TEXT = " look at <image> {x}\u00e4\u2028\t<think>a</think> \n "


class Finished:
    """What is left of a run: inspect's logs, and what was printed."""

    def __init__(self, folder, printed):
        from inspect_ai.log import list_eval_logs, read_eval_log

        self.files = [log.name.removeprefix("file://") for log in list_eval_logs(str(folder))]
        self.logs = {log.eval.task: log for log in map(read_eval_log, self.files)}
        self.printed = printed

    def figures(self, task):
        return {name: metric.value for name, metric in self.logs[task].results.metrics.items()}

    def samples(self, task):
        return sorted(self.logs[task].samples, key=lambda sample: (sample.metadata["row"], sample.epoch))

    def row(self, task, name):
        """A figure of the printed table with its standard error."""
        cells = [[cell.strip() for cell in line.split("|")] for line in self.printed.splitlines()]
        return next((line[4], line[5]) for line in cells if line[1:4] == [MODEL, task, name])

    def patience(self, task):
        """The seconds that inspect gave its requests."""
        events = (event for sample in self.samples(task) for event in sample.events)
        return {event.config.timeout for event in events if event.event == "model"}

    def content(self):
        """Everything in the logs, unpacked."""
        found = b""
        for file in self.files:
            with zipfile.ZipFile(file) as packed:
                found += b"".join(packed.read(name) for name in packed.namelist())
        return found


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """`sobench lighteval eval` against a server in this process."""
    from lighteval_tasks.commands.run import run as command

    monkeypatch.setenv("LOCAL_API_KEY", "none")

    def call(server, tasks, *words, folder="log"):
        # not by environment: inspect keeps its client, and with it the server of the test before
        options = ["--log-dir", str(tmp_path / folder), "--display", "none", "--max-retries", "0"]
        options += ["--model-base-url", server.root]
        assert command(["eval", MODEL, tasks, *options, *words]) == 0
        return Finished(tmp_path / folder, capsys.readouterr().out)

    yield call
    gc.collect()  # what inspect leaves open belongs to this test


def answers(*, empty=None):
    """Answers that are all right but that to the sample `empty`; two of each domain come with thoughts."""
    targets = {digest(sample.image): json.dumps(sample.target) for sample in SHAPES}
    for place in (0, 12):
        targets[digest(SHAPES[place].image)] = "<think>{}?</think>" + json.dumps(SHAPES[place].target)
        targets[digest(SHAPES[place + 1].image)] = "{}?</think>" + json.dumps(SHAPES[place + 1].target)
    if empty:
        targets[digest(empty.image)] = ""
    return FromRequest(lambda request: targets[request.images[0].sha256] if request.images else GOOD_ANSWER)


def test_both_benchmarks_in_one_run_with_an_empty_answer_and_a_failing_request(run, shape_home, rows_file):
    expect = Expect(text_first=True, mime=("image/jpeg",))
    with ChatServer(answers(empty=EMPTY), expect=expect, faults=[Fault(500, only={digest(REFUSED.image)})]) as server:
        found = run(server, "sobench:ui,sobench:chart,ifstruct")

    # each row was asked with its own picture and, byte by byte, its own prompts
    asked = {(one.system or "", one.text, *(image.sha256 for image in one.images)) for one in server.requests}
    wanted = set()
    for name in ("sobench:ui", "sobench:chart", "ifstruct"):
        task = data.load(name)
        picture = ["image_sha256"] if task.prepared else []
        wanted |= {(*data.prompts_of(task.prepared, row), *(row[key] for key in picture)) for row in task.rows}
    assert asked == wanted
    assert all(one.settings["temperature"] == 0 for one in server.requests)
    sizes = {(len(one.images), one.settings["max_tokens"]) for one in server.requests}
    assert sizes == {(1, 4096), (0, 16_000)}

    # nobody's answer fell on a neighbour's place, and both faults count
    ui = found.figures("sobench:ui")
    assert ui["strict_full_match"] == pytest.approx(11 / 12)
    assert (ui["invalid"], ui["request_failed"]) == (pytest.approx(1 / 12), 0)
    assert found.samples("sobench:ui")[2].scores["sobench"].value["invalid"] == 1
    chart = found.figures("sobench:chart")
    assert chart["strict_full_match"] == pytest.approx(7 / 8)
    assert chart["request_failed"] == pytest.approx(1 / 8)
    failed = found.samples("sobench:chart")[3].scores["sobench"]
    assert "request.failed" in json.loads(failed.explanation)["codes"]
    assert "1 of 8 samples of sobench:chart have a failed request" in found.printed
    assert found.figures("ifstruct")["pass"] == 1

    # the same numbers as from the scorers directly, standard errors and all
    task = data.load("sobench:ui")
    tables = [figures.sobench_table(row, "" if n == 2 else row["target_json"]) for n, row in enumerate(task.rows)]
    assert ui == pytest.approx(figures.totals(tables))

    # the table shows every figure, and the group's are those of all samples: neither mean of 11/12 and 7/8
    assert found.row("sobench:ui", "strict_full_match")[0] == f"{11 / 12:.4f}"
    assert found.row("sobench", "strict_full_match")[0] == f"{18 / 20:.4f}"
    for n, row in enumerate(data.load("sobench:chart").rows):
        failing = n == 3
        tables.append(figures.sobench_table(row, None if failing else row["target_json"], failure="no" * failing))
    pooled = figures.totals(tables)
    for name in ("field_match", "strict_field_f1", "invalid"):
        shown = (f"{pooled[name]:.4f}", f"{pooled[f'{name}_stderr']:.4f}")
        assert found.row("sobench", name) == shown
    assert f"data={task.revision}|n=12/12|max_tokens=4096|decoding=greedy" in found.printed

    # no picture and no label lies in the log, whichever way inspect writes it
    content = found.content()
    for sample in SHAPES:
        assert base64.b64encode(sample.image)[:60] not in content
    assert b"evaluation_labels" not in content
    assert all(sample.target == "" for log in found.logs.values() for sample in log.samples)
    assert "base64-data-removed" in found.samples("sobench:ui")[0].messages[1].content[1].image


def test_the_users_settings_win_and_epochs_are_averaged_within_a_sample(run, shape_home, rows_file):
    first_right = FromRequest(lambda request: GOOD_ANSWER if request.attempt == 1 else "[]")
    words = ["--epochs", "2", "--max-tokens", "77", "--temperature", "0.5", "--max-samples", "3"]
    with ChatServer(first_right) as server:
        found = run(server, "ifstruct", *words, "--timeout", "60")
    assert found.patience("ifstruct") == {60}
    assert [one.settings["max_tokens"] for one in server.requests] == [77] * 6
    assert {one.settings["temperature"] for one in server.requests} == {0.5}
    assert found.figures("ifstruct")["pass"] == 0.5
    assert found.figures("ifstruct")["pass_stderr"] == 0  # each sample passed once of two times
    assert "n=3/6|max_tokens=77" in found.printed
    with ChatServer(first_right) as server:
        found = run(server, "ifstruct", *words, "--epochs-reducer", "pass_at_2", folder="again")
    assert found.figures("ifstruct")["pass"] == 1
    assert found.patience("ifstruct") == {1800}  # and not lighteval's 30


def test_a_reducer_other_than_the_mean_leaves_the_ratios_out(run, shape_home):
    first_right = FromRequest(lambda request: answers().function(request) if request.attempt == 1 else "{}")
    with ChatServer(first_right) as server:
        found = run(server, "sobench:chart", "--epochs", "2", "--epochs-reducer", "max")
    names = {name for name in found.figures("sobench:chart") if not name.endswith("_stderr")}
    assert names == {"schema_validity", "strict_full_match", "exact_match", "invalid", "request_failed"}
    assert found.figures("sobench:chart")["strict_full_match"] == 1


def test_a_finished_run_is_not_taken_for_one_on_other_data(run, shape_home, tmp_path, monkeypatch):
    with ChatServer(answers()) as server:
        run(server, "sobench:chart")
        assert len(server.requests) == 8
        run(server, "sobench:chart")  # finished: nothing is asked again
        assert len(server.requests) == 8
        server.expect = Expect(images=1, no_placeholder=False)
        changed = [Sample(one.doc_id, one.image, one.target, intent=HARD_TEXT) for one in SHAPES[12:]]
        monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "other", {"chart": changed})))
        run(server, "sobench:chart")
    assert len(server.requests) == 16
    task = data.load("sobench:chart")
    assert server.requests[-1].text == data.prompts_of(task.prepared, task.rows[0])[1]
    assert server.requests[-1].text.endswith(HARD_TEXT)


def test_another_model_behind_the_same_address_is_asked_itself(run, shape_home):
    with ChatServer(answers()) as server:
        assert run(server, "sobench:chart").figures("sobench:chart")["invalid"] == 0
        server.answer = FromRequest(lambda _request: "no")
        assert run(server, "sobench:chart", folder="other").figures("sobench:chart")["invalid"] == 1


def test_lm_eval_gives_the_same_figures(run, evaluate, shape_home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    wrong = {digest(sample.image) for sample in SHAPES[4:7]}
    right = answers(empty=EMPTY).function
    mixed = FromRequest(lambda request: '{"colour": "red"}' if request.images[0].sha256 in wrong else right(request))
    with ChatServer(mixed) as server:
        ours = run(server, "sobench_ui").figures("sobench_ui")
        options = f"model=test-model,base_url={server.url},num_concurrent=1,max_retries=1"
        theirs = evaluate("local-chat-completions", ["sobench_ui"], model_args=options)["results"]["sobench_ui"]
    numbers = {name.removesuffix(",none"): value for name, value in theirs.items() if isinstance(value, float)}
    assert 0 < ours["strict_field_f1"] < 1
    assert ours == pytest.approx({name: numbers[name] for name in ours})
    assert {name for name in numbers if not name.endswith("_stderr")} <= ours.keys()


def test_labels_and_pictures_are_logged_when_asked_and_the_users_system_message_stands_before_ours(
    run, shape_home, monkeypatch, caplog
):
    monkeypatch.setenv("SOBENCH_DETAILS_WITH_LABELS", "1")
    monkeypatch.setattr(logging.getLogger("lighteval"), "handlers", [caplog.handler])
    with ChatServer(answers()) as server:
        found = run(server, "sobench_chart", "--max-samples", "1", "--system-message", "Be brief.")
    (sample,) = found.samples("sobench_chart")
    assert json.loads(sample.target) == SHAPES[12].target
    assert json.loads(sample.metadata["evaluation_labels_json"]) == SHAPES[12].labels
    assert base64.b64encode(SHAPES[12].image) in found.content()
    assert server.requests[0].system.split() == ["Be", "brief.", *SYSTEM.split()]
    assert "numbers are no longer those of SO-Bench" in caplog.text


def test_mistakes_are_told_in_a_sentence(run, shape_home):
    with ChatServer(answers()) as server:
        with pytest.raises(UsageError, match="sobench:ui and sobench_ui are one task under two names"):
            run(server, "sobench:ui,sobench_ui")
        with pytest.raises(UsageError, match=r"write sobench:ui\|0"):
            run(server, "sobench:ui|2")
        damage = "data/chart/test-00000-of-00001.parquet"
        edit_rows(shape_home, damage, lambda rows: rows[1]["image"].update(bytes=b"x"), honest=False)
        with pytest.raises(UsageError, match="run `sobench prepare` again"):
            run(server, "sobench:chart")


@pytest.mark.parametrize("task", ["sobench:chart", "ifstruct"])
def test_a_run_in_which_every_request_failed_gives_no_numbers(run, shape_home, rows_file, task):
    with (
        ChatServer(answers(), faults=[Fault(500)]) as server,
        pytest.raises(UsageError, match="every request failed, nothing was measured"),
    ):
        run(server, task)


def test_a_text_of_the_servers_is_no_answer_of_the_models():
    from inspect_ai.model import ModelOutput

    from lighteval_tasks.inspect_tasks.solver import failure_of

    def said(text, reason):
        return failure_of(ModelOutput.from_content("test-model", text, stop_reason=reason))

    assert said("", "stop") == said('{"a":', "max_tokens") == ""
    assert said("I may not.", "content_filter") == "the server refused: I may not."
    assert said("9000 of 8192 tokens", "model_length").endswith("too long for the model: 9000 of 8192 tokens")
    assert failure_of(ModelOutput(model="test-model")) == "the server sent no answer"


def test_other_tasks_keep_their_table():
    from lighteval import main_inspect

    import lighteval_tasks.tasks  # noqa: F401 - puts the guards in place

    theirs = {"model": {"other": {"accuracy": 0.25}, "group:a": {"accuracy": 0.5}, "group:b": {"accuracy": 1.0}}}
    table = main_inspect.results_to_markdown_table(main_inspect.mean_metrics_by_prefix(theirs))
    assert "|Model|group|other|group:a|group:b|" in table.replace(" ", "")
    assert table.replace(" ", "").endswith("|model|0.75|0.25|0.5|1|\n")
