"""A sample stands in one group of every dimension, whatever its row says or leaves out."""

import json

import pytest

from sobench_metrics.report.figures import figures_of, headline
from sobench_metrics.report.slice_figures import dimensions
from sobench_metrics.report.slices import cluster_of, kind_of_row, ordered, slices_of
from tests.lm_eval_tasks.conftest import ROW

SHAPE = {
    "doc_id": "a", "domain": "ui", "source": "rico", "image_sha256": "0" * 64, "target_json": "{}",
    "schema_json": json.dumps({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}),
}  # fmt: skip


def test_what_a_row_of_each_benchmark_says():
    assert kind_of_row(SHAPE) == "sobench"
    assert slices_of(SHAPE) == {
        "domain": "ui", "source": "rico", "schema depth": "up to 4", "schema width (fields)": "up to 10",
    }  # fmt: skip
    assert kind_of_row(ROW) == "ifstruct"
    assert slices_of(ROW) == {
        "format": "json", "wrapper": "bare list", "fence": "no fence asked for", "commentary": "forbidden",
        "items": "1 or 2", "entity family": "escaping", "entity": "note",
    }  # fmt: skip
    assert kind_of_row({"question": "?"}) == "other"
    assert slices_of({"question": "?"}) == {}


@pytest.mark.parametrize(
    ("count", "group"),
    [
        ("3", "3 to 5"), ("10", "6 to 10"), ("11", "11 or more"), ("[2, 4]", "a range"), (7, "6 to 10"),
        ("null", "not told"), (None, "not told"), ("many", "not told"), ("true", "not told"),
    ],
)  # fmt: skip
def test_numbers_of_items(count, group):
    assert slices_of({**ROW, "top_level_count": count})["items"] == group


def test_a_presentation_is_a_dimension_where_rows_name_one():
    assert slices_of({**ROW, "presentation": "table"})["presentation"] == "table"
    assert "presentation" not in slices_of({**ROW, "presentation": None})


@pytest.mark.parametrize("schema", ["{broken", "", "[" * 5000, None, 3])
def test_a_schema_that_cannot_be_measured_stays_in_a_group(schema):
    found = slices_of({**SHAPE, "schema_json": schema})
    assert set(found) == {"domain", "source", "schema depth", "schema width (fields)"}


def test_groups_are_in_the_order_of_size_and_the_untold_last():
    assert ordered({"not told", "11 to 20", "up to 10", "81 or more"}) == [
        "up to 10", "11 to 20", "81 or more", "not told",
    ]  # fmt: skip
    assert ordered({"zebra", "apple"}) == ["apple", "zebra"]


def test_signs_that_turn_a_line_round_do_not_reach_a_group():
    assert "\u202e" not in slices_of({**SHAPE, "source": "a\u202eb\x00"})["source"]


def test_what_belongs_together_in_a_bootstrap():
    assert cluster_of(SHAPE) == "0" * 64
    assert cluster_of(ROW) == "test__escaping__note"
    assert cluster_of({}) == ""


def test_the_groups_of_every_dimension_sum_to_the_whole(gathered):
    assert {view.name for view in gathered.views} == {"ifstruct", "sobench"}
    for view in gathered.views:
        figures = figures_of(view, recoverable=gathered.recoverable)
        found = dimensions(view, ["A", "B"], figures)
        assert {"domain", "source", "label", "kind of value"} <= {one.name for one in found} or view.kind == "ifstruct"
        for letter in ("A", "B"):
            whole = {one.figure.name: (one.top, one.bottom, one.answers) for one in headline(view, letter, figures)}
            for dimension in found:
                if dimension.of_fields:
                    parts = [group.columns[letter][0] for group in dimension.groups]
                    sums = (sum(one.top for one in parts), sum(one.bottom for one in parts))
                    assert sums == pytest.approx(whole["strict_field_recall"][:2])
                    continue
                assert sum(group.asked for group in dimension.groups) == len(view.samples)
                for place, figure in enumerate(figures):
                    parts = [group.columns[letter][place] for group in dimension.groups]
                    sums = [sum(getattr(one, name) for one in parts) for name in ("top", "bottom", "answers")]
                    assert sums == pytest.approx(list(whole[figure.name])), (dimension.name, figure.name)
