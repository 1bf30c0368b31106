"""Rows by content, docs without labels, and orders that are refused with a sentence."""

import json

import pytest
from lighteval.tasks.lighteval_task import LightevalTask

from lighteval_tasks import catalog, configs, data, docs, guards
from lighteval_tasks.guards import rows
from lm_eval_tasks import catalog as lm_eval_catalog
from sobench_metrics.errors import UsageError
from tests.engines.prepared_home import Sample, shape_samples, write_home


def config(name):
    return next(config for config in configs.table() if config.name == name)


def test_names_are_those_of_lm_eval_and_lightevals_own_form():
    names = {entry.name for entry in catalog.entries()}
    groups = {"sobench", "sobench_sample"}  # lighteval makes them of everything before a colon
    theirs = {name for name in lm_eval_catalog.task_names() if "constrained" not in name} - groups
    colons = {name for name in names if ":" in name}
    assert {name.partition(":")[0] for name in colons} == groups
    assert names - colons == theirs


def test_limits_are_those_of_lm_eval():
    import yaml

    from lm_eval_tasks.autoload import TASKS_DIR

    families = {"ifstruct": "ifstruct", "sobench_ui": "sobench", "ifstruct_sample": "ifstruct"}
    for name, family in (families | {"ifstruct_hard_sample": "ifstruct_hard"}).items():
        from pathlib import Path

        own = Path(TASKS_DIR) / family / f"{name}.yaml"
        texts = [own.read_text(), (own.parent / "_base.yaml").read_text()]
        found = [yaml.safe_load(text.replace("!function ", "")).get("generation_kwargs") for text in texts]
        assert config(name).generation_size == next(filter(None, found))["max_gen_toks"]


def test_a_limit_of_the_users_is_that_of_the_run_and_of_the_key(shape_home, monkeypatch):
    guards.install()
    seen = []
    for limit in ("77", "78", ""):  # three runs in one process, as from Python
        monkeypatch.setenv("SOBENCH_MAX_TOKENS", limit)
        asked = LightevalTask(config("sobench:ui"))
        LightevalTask.load_datasets({"sobench:ui": asked}, 1)
        seen.append(([doc.generation_size for doc in asked.get_docs(2)], asked.config.__str__(lite=True)))
    assert [sizes for sizes, _ in seen] == [[77, 77], [78, 78], [4096, 4096]]
    assert len({key for _, key in seen}) == 3


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_a_limit_that_is_no_number_is_told(shape_home, monkeypatch, value):
    monkeypatch.setenv("SOBENCH_MAX_TOKENS", value)
    with pytest.raises(UsageError, match="SOBENCH_MAX_TOKENS"):
        rows.rows_of(config("sobench:ui"))


def test_every_row_becomes_a_doc_that_names_it_and_holds_no_label(shape_home):
    found = data.load("sobench:ui")
    for number, row in enumerate(found.rows):
        doc = docs.doc_of(found, number)
        assert data.row_behind(doc) is row
        assert doc.instruction == "You read shapes."
        assert doc.query == f"Schema: {row['schema_json']}\nTask: {row['user_intent']}"
        assert doc.images == [f"sha256:{row['image_sha256']}"]
        assert row["target_json"] not in str(doc)
        assert all(isinstance(value, str) for value in doc.specific.values())


def test_labels_come_with_the_docs_when_asked(shape_home, monkeypatch):
    monkeypatch.setenv("SOBENCH_DETAILS_WITH_LABELS", "1")
    found = data.load("sobench:ui")
    assert docs.doc_of(found, 3).specific["target_json"] == found.rows[3]["target_json"]
    monkeypatch.setenv("SOBENCH_DETAILS_WITH_LABELS", "perhaps")
    with pytest.raises(UsageError, match="neither yes nor no"):
        docs.doc_of(found, 3)


def changed_homes():
    samples = shape_samples(4)
    yield "target", [*samples[:3], Sample(samples[3].doc_id, samples[3].image, {"colour": "red", "corners": 9})]
    yield (
        "image",
        [*samples[:3], Sample(samples[3].doc_id, samples[0].image, samples[3].target, labels=samples[3].labels)],
    )
    yield "intent", [*samples[:3], Sample(samples[3].doc_id, samples[3].image, samples[3].target, intent="Tell it.")]
    yield "fewer", samples[:3]


@pytest.mark.parametrize(("what", "samples"), changed_homes())
def test_whatever_changes_in_the_data_changes_the_key(tmp_path, monkeypatch, what, samples):
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "a", {"ui": shape_samples(4)})))
    before, same = config("sobench:ui"), config("sobench:ui")
    for one in (before, same):
        rows.rows_of(one)
    assert before.__str__(lite=True) == same.__str__(lite=True)  # of this text lighteval makes its key
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "b", {"ui": samples})))
    after = config("sobench:ui")
    rows.rows_of(after)
    assert after.hf_revision != before.hf_revision
    assert after.__str__(lite=True) != before.__str__(lite=True)


def test_a_merged_system_prompt_changes_the_key_and_the_prompt(shape_home, monkeypatch):
    plain = data.load("sobench:ui")
    monkeypatch.setenv("SOBENCH_MERGE_SYSTEM", "1")
    found = data.load("sobench:ui")
    assert found.revision != plain.revision
    doc = docs.doc_of(found, 0)
    assert doc.instruction is None
    assert doc.query.startswith("You read shapes.\n\nSchema: ")


def test_the_key_of_an_unchanged_task_is_the_same_in_another_process(shape_home):
    # a function or an object in it would be printed with its address, and no answer would ever be found again
    assert " at 0x" not in config("sobench:ui").__str__(lite=True)


def test_examples_are_refused(shape_home):
    asked = config("sobench:ui")
    asked.num_fewshots = 2
    with pytest.raises(UsageError, match=r"write sobench:ui\|0"):
        rows.rows_of(asked)


def test_two_spellings_of_one_task_are_refused(lighteval, shape_home, model_yaml):
    with pytest.raises(UsageError, match="one task under two names"):
        lighteval("accelerate", model_yaml("no/such-model"), "sobench:ui|0,sobench_ui|0", "--vision-model")


@pytest.mark.parametrize(
    ("task", "names", "sentence"),
    [
        ("sobench:ui|0", {"SOBENCH_HOME": "{}/nowhere"}, "no prepared SO-Bench data"),
        ("ifstruct|0", {"SOBENCH_IFSTRUCT": "{}/nowhere.jsonl"}, "does not exist"),
        ("sobench_ui_sample|1", {}, "asked without examples"),
    ],
)
def test_missing_data_is_one_sentence_before_a_model_is_loaded(
    lighteval, model_yaml, tmp_path, monkeypatch, task, names, sentence
):
    for name, value in names.items():
        monkeypatch.setenv(name, value.format(tmp_path))
    with pytest.raises(UsageError, match=sentence):
        lighteval("accelerate", model_yaml("no/such-model"), task, "--vision-model")


def test_data_that_changed_during_a_run_are_not_mixed(shape_home, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match="changed from an-older-one"):
        data.loaded("sobench:ui", "an-older-one")


def test_only_rows_of_the_asked_format(rows_file):
    mixed = [json.loads(line) for line in rows_file.read_text().splitlines()]
    for row in mixed[::2]:
        row["output_format"] = "yaml"
    rows_file.write_text("".join(json.dumps(row) + "\n" for row in mixed))
    assert [len(data.load(name).rows) for name in ("ifstruct", "ifstruct_json", "ifstruct_yaml")] == [6, 3, 3]
    rows_file.write_text("".join(json.dumps(row) + "\n" for row in mixed[::2]))
    with pytest.raises(UsageError, match="asks for json"):
        data.load("ifstruct_json")
