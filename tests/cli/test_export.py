"""`sobench export` as a user types it: seen first, written or sent when asked, refused with every reason."""

import json

import pytest
import yaml

from sobench_metrics.cli.export import EXPORT
from tests.engines.model_hub import TOKEN, ModelHub
from tests.engines.upstream.faults import Fault
from tests.export.conftest import MODEL, published, story

__all__ = ["published", "story"]

EVAL_YAML = "name: IFStruct\ntasks:\n- {id: ifstruct_v1, config: default, split: test}\n"


@pytest.fixture
def export(typed):
    return typed("export", EXPORT)


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """A hub with the model, the benchmark and the store of results, at which the library is pointed."""
    from huggingface_hub import constants

    with ModelHub() as hub:
        hub.add(MODEL, {"README.md": "---\nlicense: mit\n---\n# A model\n"})
        hub.add("LiquidAI/ifstruct-v1.0", {"eval.yaml": EVAL_YAML})
        hub.add("evaleval/EEE_datastore", {"README.md": "---\n{}\n---\n"})
        monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no_token"))
        yield hub


def sent(hub):
    return [ask.path for ask in hub.requests if ask.method in ("POST", "PUT") and "validate-yaml" not in ask.path]


def test_the_file_is_shown_and_nothing_is_written(export, published, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = export(published, "--to", "hf-eval-results")
    assert (status, err) == (0, "")
    assert f"--- .eval_results/ifstruct.yaml in {MODEL}" in out
    assert "task_id: ifstruct_v1" in out
    assert out.startswith("Left out, for this target does not take them: sobench_ui (target.no_dataset, task.part), ")
    assert f"From {next(published.rglob('results_*.json'))} (lm-eval 0.4.13, 20" in out
    assert "--upload opens a pull request" in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["hf-eval-results", "model-index", "every-eval-ever", "open-llm-leaderboard"])
def test_what_is_shown_is_what_is_written(export, story, tmp_path, target):
    status, out, _ = export(story(), "--to", target, "--task", "ifstruct", "--out", tmp_path / "out")
    assert status == 0
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) == (2 if target == "open-llm-leaderboard" else 1)
    for file in files:
        assert f"wrote {file}" in out
        if "results_" not in file.name:
            assert file.read_text(encoding="utf-8") in out


def test_every_closed_gate_is_told_at_once(export, golden):
    status, out, err = export(golden["oracle"], "--to", "hf-eval-results", "--task", "ifstruct_json_sample")
    assert (status, out) == (2, "")
    head, *gates = err.splitlines()
    assert head == f"sobench: nothing was exported, {len(gates)} gates closed:"
    assert [gate.split("[")[1].split("]")[0] for gate in gates] == [
        "data.sample_set",
        "run.limited",
        "model.unnamed",
        "model.revision_unknown",
        "task.part",
    ]


def test_what_a_target_does_not_take_stays_out_and_is_named(export, story):
    """A run that asks more than the benchmark: the rest is exported, unless somebody asks for all by name."""
    folder = story(tasks=("ifstruct", "sobench_ui"))
    status, out, err = export(folder, "--to", "hf-eval-results")
    assert (status, err) == (0, "")
    assert "Left out, for this target does not take them: sobench_ui (target.no_dataset, task.part)." in out
    status, out, err = export(folder, "--to", "hf-eval-results", "--task", "sobench_ui,ifstruct")
    assert (status, out) == (2, "")
    assert "[task.part]" in err


def test_tables_are_printed_bare_and_never_refused(export, golden, tmp_path):
    status, out, err = export(golden["oracle"], "--to", "csv")
    assert (status, err) == (0, "")
    assert out.startswith("model,benchmark,score,")
    status, out, _ = export(golden["oracle"], "--to", "markdown", "--out", tmp_path)
    assert (status, out) == (0, f"wrote {tmp_path / 'results.md'}\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--to", "csv", "--upload"), "leave out --upload"),
        (("--to", "open-llm-leaderboard", "--upload"), "`hf upload` to your own"),
        (("--to", "model-index", "--task", "gsm8k"), "no task gsm8k"),
        (("--to", "hf-eval-results", "--source-name", "logs"), "--source-url"),
        (("--to", "model-index", "--task-id", "x", "--metric", "pass"), "no place for --task-id, --metric"),
        (("--to", "csv", "--samples"), "no place for --samples"),
        (("--to", "hf-eval-results", "--relationship", "first_party"), "no place for --relationship"),
    ],
)
def test_mistakes_are_one_sentence(export, story, words, told):
    status, out, err = export(story(), *words)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert told in err


# --- sent when asked


def test_a_pull_request_with_the_file_and_none_without_the_word(export, story, hub):
    words = story(), "--to", "hf-eval-results", "--task", "ifstruct"
    assert export(*words)[0] == 0
    assert hub.requests == []
    status, out, err = export(*words, "--upload")
    assert (status, err) == (0, "")
    assert f"opened {hub.endpoint}/{MODEL}/discussions/1" in out
    ((path, text),) = hub.proposed(MODEL).items()
    assert path == ".eval_results/ifstruct.yaml"
    assert text in out
    assert "verifyToken" not in text
    assert len(hub.main(MODEL).commits) == 1


def test_answers_go_with_their_record_in_one_pull_request(export, story, hub):
    status, out, _ = export(story(), "--to", "every-eval-ever", "--samples", "--upload")
    assert status == 0
    record, answers = sorted(hub.proposed("evaleval/EEE_datastore"))
    assert answers == record.replace(".json", "_samples.jsonl")
    assert "... 1,988 more lines" in out  # of two thousand
    (pull,) = hub.pulls["evaleval/EEE_datastore"]
    assert pull["title"].endswith("and 1 more file)")


def test_the_same_is_not_proposed_twice(export, story, hub):
    words = story(), "--to", "hf-eval-results", "--task", "ifstruct", "--upload"
    assert export(*words)[0] == 0
    before = len(sent(hub))
    status, _, err = export(*words)
    assert status == 2
    assert f"has that pull request already ({hub.endpoint}/{MODEL}/discussions/1)" in err
    (text,) = hub.proposed(MODEL).values()
    hub.pulls.clear()
    hub.add(MODEL, {".eval_results/ifstruct.yaml": text})  # merged
    status, _, err = export(*words)
    assert status == 2
    assert "holds these results already" in err
    assert len(sent(hub)) == before


def test_a_record_that_is_merged_is_not_proposed_again(export, story, hub, monkeypatch):
    from sobench_metrics.export import every_eval_ever

    words = story(), "--to", "every-eval-ever", "--upload"
    assert export(*words)[0] == 0
    hub.add("evaleval/EEE_datastore", hub.proposed("evaleval/EEE_datastore"))
    hub.pulls.clear()
    monkeypatch.setattr(every_eval_ever.time, "time", lambda: 1.9e9)  # much later
    assert "holds these results already" in export(*words)[2]
    assert hub.pulls == {}


@pytest.mark.parametrize(
    "change", [("value: 0.0", "value: 44.9"), ("- dataset", "- dataset: {id: a/b, task_id: c}\n  value: 1\n- dataset")]
)
def test_other_results_in_the_file_are_never_replaced_unseen(export, story, hub, change):
    words = story(), "--to", "hf-eval-results", "--upload"
    assert export(*words)[0] == 0
    (text,) = hub.proposed(MODEL).values()
    assert change[0] in text
    hub.add(MODEL, {".eval_results/ifstruct.yaml": text.replace(*change)})
    hub.pulls.clear()
    status, _, err = export(*words)
    assert status == 2
    assert f"{MODEL} has .eval_results/ifstruct.yaml already, and it says something else" in err
    assert hub.pulls == {}


@pytest.mark.parametrize(
    ("path", "method", "fault", "told"),
    [
        ("*/commit/*", "POST", Fault.status(412), "was changed while it was read: nothing was sent"),
        ("*/commit/*", "POST", Fault.status(403), "lets you open no pull request"),
        ("*/commit/*", "POST", Fault.status(500, None), "refuses ("),
        ("*/preupload/*", "POST", Fault.status(400), "refuses ("),
        ("*/discussions*", "GET", Fault.status(500, None), "refuses ("),
        ("*/discussions*", "GET", Fault.html(), "cannot reach"),
    ],
)
def test_a_hub_that_fails_half_way_has_got_nothing(export, story, hub, path, method, fault, told):
    hub.faults.add(path, fault, method=method)
    words = story(), "--to", "hf-eval-results", "--upload"
    status, _, err = export(*words)
    assert status == 2
    assert told in err
    assert "Traceback" not in err
    assert hub.pulls == {}
    hub.faults.clear()
    assert export(*words)[0] == 0
    assert len(hub.pulls[MODEL]) == 1


def test_a_task_that_the_benchmark_does_not_have_is_found_out_first(export, story, hub):
    status, _, err = export(story(), "--to", "hf-eval-results", "--task", "ifstruct", "--task-id", "v9", "--upload")
    assert status == 2
    assert "has no task v9 (but ifstruct_v1)" in err
    assert sent(hub) == []


def test_a_card_keeps_what_it_has(export, story, hub):
    words = story(), "--to", "model-index", "--task", "ifstruct", "--upload"
    assert export(*words)[0] == 0
    (text,) = hub.proposed(MODEL).values()
    _, head, body = text.split("---\n", 2)
    card = yaml.safe_load(head)
    assert card["license"] == "mit"
    assert body.strip() == "# A model"
    (result,) = card["model-index"][0]["results"]
    assert result["dataset"]["type"] == "LiquidAI/ifstruct-v1.0"
    hub.pulls.clear()
    hub.add(MODEL, {"README.md": text})
    assert "holds these results already" in export(*words)[2]
    hub.add(MODEL, {"README.md": text.replace("value: 0.0", "value: 0.5")})
    assert f"the card of {MODEL} has another value for pass" in export(*words)[2]
    assert hub.pulls == {}


def test_a_record_goes_to_the_common_store(export, published, hub):
    assert export(published, "--to", "every-eval-ever", "--task", "sobench", "--upload")[0] == 0
    ((path, text),) = hub.proposed("evaleval/EEE_datastore").items()
    assert path.startswith("data/sobench/lab/model-1/")
    record = json.loads(text)
    assert record["evaluation_results"]
    assert "detailed_evaluation_results" not in record  # samples would repeat SO-Bench's labels
    assert "doc_id" not in text


def test_a_closed_gate_sends_nothing(export, golden, hub):
    status, _, err = export(golden["oracle"], "--to", "model-index", "--upload")
    assert status == 2
    assert "gates closed" in err
    assert hub.requests == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda patch, hub: patch.delenv("HF_TOKEN"), "hf auth login"),
        (lambda patch, hub: patch.setenv("HF_TOKEN", "hf_wrong"), "lets you open no pull request"),
        (lambda patch, hub: patch.setenv("HF_ENDPOINT", "http://127.0.0.1:9"), "cannot reach http://127.0.0.1:9"),
        (lambda patch, hub: hub._hub.repos.pop(MODEL), f"has no {MODEL}"),
    ],
)
def test_what_the_hub_refuses_is_one_sentence(export, story, hub, monkeypatch, change, told):
    change(monkeypatch, hub)
    status, _, err = export(story(), "--to", "hf-eval-results", "--task", "ifstruct", "--upload")
    assert status == 2
    (sentence,) = [line for line in err.splitlines() if line.startswith("sobench: ")]
    assert told in sentence
    assert hub.pulls == {}


def test_a_place_that_cannot_be_written_is_told(export, story):
    status, _, err = export(story(), "--to", "model-index", "--out", "/dev/null/x")
    assert (status, err) == (2, "sobench: cannot make the folder /dev/null/x: name a folder that you may write.\n")


def test_a_missing_library_is_named_with_what_brings_it(export, story, monkeypatch):
    from sobench_metrics.cli import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    status, _, err = export(story(), "--to", "hf-eval-results", "--upload")
    assert (status, err) == (
        2,
        "sobench: `sobench export --upload` lacks huggingface_hub: `pip install huggingface_hub`.\n",
    )
