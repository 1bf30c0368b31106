"""The rows of the task `ifstruct_hard`: made by settings, or those of a file that the user names."""

import json

import pytest

from sobench_metrics.data.hard_rows import OWN_FILE, load_hard_rows
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct import Spec, validate
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, LEVELS, files, hard_row
from sobench_metrics.ifstruct.hard.figures import hard_figures
from tests.ifstruct.hard.faults import faulty_answers

NUMBERS = [level.number for level in LEVELS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("made")
    files.write_hard_set(made, NUMBERS, 1, 3)
    files.write_hard_table(made)
    return made


@pytest.fixture
def own(tmp_path, monkeypatch):
    def write(*rows):
        file = tmp_path / "own.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        monkeypatch.setenv(OWN_FILE, str(file))
        return file

    return write


@pytest.mark.parametrize("name", [files.FILE, files.TABLE])
def test_what_was_generated_is_asked_as_it_was_made(folder, monkeypatch, name):
    monkeypatch.setenv(OWN_FILE, str(folder / name))
    found = load_hard_rows(sample=False)
    assert found.rows == tuple(hard_row(number, 0, 3) for number in NUMBERS)
    assert found.revision.startswith("file:")


def test_the_sample_is_never_replaced(folder, monkeypatch):
    monkeypatch.setenv(OWN_FILE, str(folder / files.FILE))
    assert load_hard_rows(sample=True).revision.startswith("ifstruct-hard-1.0:seed7:")


def test_rows_of_ones_own_need_no_level_and_may_hold_decoded_columns(own):
    row = hard_row(3, 0, 1)
    (answer, *_) = faulty_answers(row, "strict.content.key_order")
    bare = {name: row[name] for name in row if name not in ("level", "style", "oracle_answer")}
    own({**bare, "content_rules": json.loads(row["content_rules"])}, {**bare, "doc_id": 2, "content_rules": None})
    one, other = load_hard_rows(sample=False).rows
    assert (one["content_rules"], other["content_rules"]) == (row["content_rules"], None)
    assert [hard_figures(each, answer).values["pass_strict"] for each in (one, other)] == [0.0, 1.0]
    assert not any(inside for name, inside in hard_figures(one, answer).inside.items() if "level" in name)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"level": 6}, "row 0 of .* has the level 6: need 1 to 5, or none"),
        ({"level": True}, "has the level True"),
        ({"content_rules": [{"rule": ["lines"]}]}, "row 0 of .* 'content_rules' cannot be read"),
        ({"prompt": ""}, "row 0 of .* has no prompt"),
    ],
)
def test_a_row_that_cannot_be_asked_is_named(own, change, told):
    own(hard_row(1, 0, 1) | change)
    with pytest.raises(UsageError, match=told):
        load_hard_rows(sample=False)


def test_a_file_that_holds_no_rows_is_told_with_the_variable_that_names_it(own, monkeypatch, tmp_path):
    own()
    with pytest.raises(UsageError, match=f"holds no rows: point {OWN_FILE}"):
        load_hard_rows(sample=False)
    monkeypatch.setenv(OWN_FILE, str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match=f"does not exist: {OWN_FILE} must name"):
        load_hard_rows(sample=False)


def test_a_seed_is_of_no_use_with_a_file(own):
    own(hard_row(1, 0, 1))
    with pytest.raises(UsageError, match=f"hard_seed is of no use with the rows of .*unset {OWN_FILE}"):
        load_hard_rows(sample=False, settings={"hard_seed": 4})


def test_plain_ifstruct_keeps_content_rules_for_its_diagnostics(folder, tmp_path):
    row = load_rows(folder / files.FILE).rows[2]
    (answer, *_) = faulty_answers(hard_row(3, 0, 3), "strict.content.key_order")
    verdict = validate(answer, Spec.from_row(row))
    assert (verdict.passed, verdict.strict[0].code) == (True, "strict.content.key_order")
    plain = {name: value for name, value in row.items() if name != "content_rules"}
    (tmp_path / "plain.jsonl").write_text(json.dumps(plain))
    assert load_rows(tmp_path / "plain.jsonl").rows == (plain,)


def test_another_seed_is_another_set():
    rows = load_hard_rows(sample=True, settings={"hard_seed": 3, "hard_rows": 1})
    assert rows.revision.startswith("ifstruct-hard-1.0:seed3:")
    assert [row["level"] for row in rows.rows] == NUMBERS
    assert load_hard_rows(sample=False, settings={"hard_rows": 1}).rows[2] == hard_row(3, 0, DEFAULT_SEED)


@pytest.mark.parametrize(
    "settings", [{"hard_seed": "3"}, {"hard_rows": 0}, {"hard_rows": True}, {"hard_rows": 1.5}, {"hard_rows": 10_001}]
)
def test_settings_that_are_no_numbers_are_told(settings):
    with pytest.raises(UsageError, match="must be whole numbers"):
        load_hard_rows(sample=False, settings=settings)
