"""One pure function on a batch, and the engines that map it: the same numbers bit for bit."""

import json
from importlib.util import find_spec

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results import on_engines
from sobench_metrics.results.batches import COLUMNS, score_batch
from tests.results.prediction_files import LABELS, SCHEMA, ifstruct_row, mixed_rollouts, write
from tests.results.scoring import scored

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
SOBENCH = {
    "id": ["a", "b", "c"],
    "response": ['{"n": 3, "t": "RED"}', "no", None],
    "schema_json": [json.dumps(SCHEMA)] * 3,
    "target_json": ['{"n": 3, "t": "red"}'] * 3,
    "evaluation_labels_json": [json.dumps(LABELS)] * 3,
}


def as_table(lines):
    """Lines as the columns of a table, what is nested as JSON text."""
    lines = [{**line, "json_schema": json.dumps(line["json_schema"]), "top_level_count": "2"} for line in lines]
    return {name: [line[name] for line in lines] for name in lines[0]}


def test_a_batch_of_columns_becomes_a_batch_of_columns():
    found = score_batch(SOBENCH)
    assert tuple(found) == COLUMNS
    assert found["scored_id"] == ["a", "b", "c"]
    assert found["passed"] == [True, False, False]
    assert found["missing"] == [False, False, True]
    figures = [json.loads(text) for text in found["figures"]]
    assert [one["field_match"] for one in figures] == [[3, 3], [0, 0], [0, 0]]
    assert [one["invalid"] for one in figures] == [0.0, 1.0, 1.0]
    assert json.loads(found["diagnostics"][1])["codes"]
    assert score_batch({name: [] for name in SOBENCH}) == {name: [] for name in COLUMNS}


def test_a_null_column_is_one_that_the_row_lacks():
    row = as_table([{**ifstruct_row(0), "response": "[]"}])
    both = {name: [*SOBENCH.get(name, [None] * 3), *row.get(name, [None])] for name in {**SOBENCH, **row}}
    both["evaluation_labels_json"][0] = None
    found = score_batch(both)
    assert found["passed"] == [True, False, False, False]
    assert "pass" in json.loads(found["figures"][3])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"schema_json": [SCHEMA] * 3},
            "row 1 of a batch has schema_json as a column: give it as JSON text in schema_json",
        ),
        ({"evaluation_labels": [LABELS] * 3}, "has evaluation_labels as a column.*JSON text in evaluation_labels_json"),
        ({"target_json": [None] * 3}, "row 1 of a batch holds no row"),
        ({"response": [3, 4, 5]}, "row 1 of a batch has a response that is no text"),
    ],
)
def test_a_table_that_would_change_a_row_is_refused(change, words):
    """Tables merge the keys of nested values, and a schema with other keys is another schema."""
    with pytest.raises(UsageError, match=words):
        score_batch({**SOBENCH, **change})


def test_a_data_set_is_mapped_in_batches_of_any_size():
    import datasets

    lines = mixed_rollouts(90)
    table = datasets.Dataset.from_dict(as_table(lines))
    plain = score_batch(as_table(lines))
    for size in (7, 90):
        mapped = table.map(score_batch, batched=True, batch_size=size, keep_in_memory=True)
        assert {name: list(mapped[name]) for name in COLUMNS} == plain
    assert mapped["response"][0] == lines[0]["response"]


def test_the_datasets_engine_gives_the_same_numbers(tmp_path):
    file = write(tmp_path / "a.jsonl", mixed_rollouts(700))
    plain, mapped = [], []
    expected = scored(file, write=plain.append)
    assert scored(file, engine="datasets", workers=2, write=mapped.append) == expected
    assert plain == mapped
    rows = write(tmp_path / "rows.jsonl", [ifstruct_row(number) for number in range(300)])
    some = write(tmp_path / "some.jsonl", [{"id": number, "response": "[]"} for number in range(290)])
    joined = scored(some, engine="datasets", file=rows)
    assert (joined.tally.samples, joined.tally.missing) == (300, 10)


def test_an_engine_tells_a_mistake_as_the_command_does(tmp_path):
    file = write(tmp_path / "a.jsonl", [*mixed_rollouts(40), {"id": 3}])
    with pytest.raises(UsageError, match=rf"^{file}, line 41 holds no row"):
        scored(file, engine="datasets")
    file.write_bytes(file.read_bytes() + b"\xff\n")
    with pytest.raises(UsageError, match=rf"^{file}, line 42 is no text"):
        scored(file, engine="datasets")


@needs_ray
@pytest.mark.engine
@pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")
def test_ray_gives_the_same_numbers_and_mistakes(tmp_path):
    import ray

    file = write(tmp_path / "a.jsonl", mixed_rollouts(700))
    expected, found = scored(file), scored(file, engine="ray", workers=2)  # starts and ends a cluster of its own
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        table = ray.data.from_items(
            [dict(zip(SOBENCH, values, strict=True)) for values in zip(*SOBENCH.values(), strict=True)]
        )
        rows = sorted(table.map_batches(score_batch, batch_size=2).take_all(), key=lambda row: row["scored_id"])
        broken = write(tmp_path / "b.jsonl", [*mixed_rollouts(40), {"id": 3}])
        with pytest.raises(UsageError, match=rf"^{broken}, line 41 holds no row"):
            scored(broken, engine="ray")
    finally:
        ray.shutdown()
    assert found == expected
    assert [row["figures"] for row in rows] == score_batch(SOBENCH)["figures"]


@pytest.mark.parametrize("engine", ["datasets", "ray"])
def test_an_engine_that_is_not_installed_is_told(tmp_path, monkeypatch, engine):
    monkeypatch.setattr(on_engines, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="needs the library: `pip install"):
        scored(write(tmp_path / "a.jsonl", mixed_rollouts(2)), engine=engine)
