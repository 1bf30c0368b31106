"""A sample stands in one group of every dimension, whatever its row says or leaves out."""

import json
from dataclasses import replace

import pytest

from sobench_metrics.report.columns import open_columns
from sobench_metrics.report.figures import figures_of, headline
from sobench_metrics.report.gathering import gather
from sobench_metrics.report.slice_figures import alike, dimensions
from sobench_metrics.report.slices import cluster_of, kind_of, ordered, slices_of
from sobench_metrics.results.records import Sample
from tests.engines.golden_logs import IFSTRUCT
from tests.lm_eval_tasks.conftest import ROW

SHAPE = {
    "doc_id": "a", "domain": "ui", "source": "rico", "image_sha256": "0" * 64, "target_json": "{}",
    "schema_json": json.dumps({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}),
}  # fmt: skip


def sample(row, **more):
    return Sample("a", "", "", "", more.pop("means", {}), more.pop("ratios", {}), row=row, **more)


def test_what_a_row_of_each_benchmark_says():
    assert kind_of(sample(SHAPE)) == "sobench"
    assert slices_of(sample(SHAPE)) == {
        "domain": "ui", "source": "rico", "schema depth": "up to 4", "schema width (fields)": "up to 10",
    }  # fmt: skip
    assert kind_of(sample(ROW)) == "ifstruct"
    assert slices_of(sample(ROW)) == {
        "format": "json", "wrapper": "bare list", "fence": "no fence asked for", "commentary": "forbidden",
        "presentation": "chat", "items": "exactly 2", "schema depth": "up to 4", "schema width (fields)": "up to 10",
        "entity family": "escaping", "entity": "note",
    }  # fmt: skip
    assert kind_of(sample({"question": "?"})) == "other"
    assert slices_of(sample({"question": "?"})) == {}


def test_a_row_that_is_not_at_hand_is_in_the_groups_that_the_log_names():
    told = {"slices": {"domain": "ui", "source": "rico", "schema_depth": 5, "schema_fields": 12}}
    known = sample({}, ratios={"field_match": (1, 2)}, diagnostics=told)
    assert kind_of(known) == "sobench"
    assert slices_of(known) == {
        "domain": "ui", "source": "rico", "schema depth": "5", "schema width (fields)": "11 to 20",
    }  # fmt: skip
    told = {"slices": {"entity_type": "test__escaping__note", "in": ["yaml", "bare", "fenced", "escaping"]}}
    known = sample({}, means={"pass": 1.0}, diagnostics=told)
    assert kind_of(known) == "ifstruct"
    assert slices_of(known) == {
        "format": "yaml", "wrapper": "bare list", "fence": "fence asked for", "entity family": "escaping",
        "entity": "note",
    }  # fmt: skip
    assert cluster_of(known) == "test__escaping__note"


@pytest.mark.parametrize(
    ("count", "group"),
    [
        ("3", "exactly 3"), ("10", "exactly 6 or more"), (5, "exactly 5"), ("[2, 4]", "from 2 to 4"),
        ([3, 9], "a range up to 6 or more"), ([2, 2], "exactly 2"),
        ("null", "not told"), (None, "not told"), ("many", "not told"), ("true", "not told"), ("[1]", "not told"),
        ("[" * 100_000, "not told"), (10**40, "exactly 6 or more"), ([-(10**40), 2], "not told"),
    ],
)  # fmt: skip
def test_numbers_of_items(count, group):
    assert slices_of(sample({**ROW, "top_level_count": count}))["items"] == group


def test_level_and_presentation_are_those_that_a_row_names():
    named = slices_of(sample({**ROW, "style": "raw_schema", "level": 3}))
    assert (named["presentation"], named["level"]) == ("raw schema", "3")
    assert "level" not in slices_of(sample(ROW))


@pytest.mark.parametrize("schema", ["{broken", "", "[" * 5000, None, 3, 10**40])
def test_a_schema_that_cannot_be_measured_stays_in_a_group(schema):
    found = slices_of(sample({**SHAPE, "schema_json": schema}))
    assert set(found) == {"domain", "source", "schema depth", "schema width (fields)"}
    assert {"schema depth", "schema width (fields)"} <= set(slices_of(sample({**ROW, "json_schema": schema})))


def test_groups_are_in_the_order_of_size_and_the_untold_last():
    assert ordered({"not told", "11 to 20", "up to 10", "81 or more"}) == [
        "up to 10", "11 to 20", "81 or more", "not told",
    ]  # fmt: skip
    assert ordered({"zebra", "apple"}) == ["apple", "zebra"]
    assert ordered({"from 1 to 2", "exactly 2", "exactly 1", "a range up to 6 or more", "exactly 6 or more"}) == [
        "exactly 1", "exactly 2", "exactly 6 or more", "from 1 to 2", "a range up to 6 or more",
    ]  # fmt: skip
    assert ordered({"7 or more", "5", "up to 4", "6"}) == ["up to 4", "5", "6", "7 or more"]
    assert ordered({"chart", "ui", "document", "natural"}) == ["ui", "natural", "document", "chart"]


def test_signs_that_turn_a_line_round_do_not_reach_a_group():
    assert "\u202e" not in slices_of(sample({**SHAPE, "source": "a\u202eb\x00"}))["source"]


def test_what_belongs_together_in_a_bootstrap():
    assert cluster_of(sample(SHAPE)) == "0" * 64
    assert cluster_of(sample(ROW)) == "test__escaping__note"
    assert cluster_of(sample({})) == ""
    assert cluster_of(Sample("7#1", "", "", "", {}, {}, row_id="7")) == "7", "rollouts of one row"


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


def below(schema, root):
    """What a schema leads to: (levels further in, schema), local references followed."""
    if "$ref" in schema:
        target = root
        for step in schema["$ref"].split("/")[1:]:
            target = target[step]
        yield 0, target
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    yield from ((1, one) for one in inner)
    yield from ((0, one) for word in ("anyOf", "oneOf", "allOf") for one in schema.get(word, ()))


def levels(schema, root, open_=()):
    """Levels of data that a schema describes, by walking it; what leads back to itself adds none."""
    if any(schema is one for one in open_):
        return 0
    return max((further + levels(one, root, (*open_, schema)) for further, one in below(schema, root)), default=1) or 1


def names_in(schema, root, seen):
    if id(schema) in seen:
        return 0
    seen.add(id(schema))
    return len(schema.get("properties", {})) + sum(names_in(one, root, seen) for _, one in below(schema, root))


def by_hand(doc):
    """The groups of a row by the plainest reading of its columns."""
    schema = json.loads(doc["schema_json" if "target_json" in doc else "json_schema"])
    depth, width = levels(schema, schema), names_in(schema, schema, set())
    shape = {
        "schema depth": "up to 4" if depth <= 4 else str(depth) if depth <= 6 else "7 or more",
        "schema width (fields)": "up to 10" if width <= 10 else "11 to 20" if width <= 20 else "21 to 40",
    }
    if "target_json" in doc:
        return {"domain": doc["domain"], "source": doc["source"], **shape}
    count = json.loads(doc["top_level_count"])
    return {
        "format": doc["output_format"],
        "wrapper": "wrapper key" if doc["require_wrapper_key"] else "bare list",
        "fence": "fence asked for" if doc["require_code_block"] else "no fence asked for",
        "commentary": "forbidden" if doc["require_no_commentary"] else "not forbidden",
        "items": f"exactly {count}" if isinstance(count, int) else f"from {count[0]} to {count[1]}",
        "entity family": "escaping" if "escaping" in doc["entity_type"].split("__") else "other",
        "entity": doc["entity_type"].split("__")[-1],
        **shape,
    }


@pytest.mark.parametrize(("view", "figure"), [("ifstruct", "pass"), ("sobench", "field_match")])
def test_every_slice_is_what_a_recount_of_the_log_by_hand_gives(synthetic, gathered, view, figure):
    (shown,) = [one for one in gathered.views if one.name == view]
    figures = [one for one in figures_of(shown, recoverable=True) if one.name == figure]
    for letter, folder in zip("AB", synthetic):
        sums = {}
        for log in folder.rglob(f"samples_{view}*.jsonl"):
            for line in map(json.loads, log.read_text(encoding="utf-8").splitlines()):
                top, bottom = line[figure] if isinstance(line[figure], list) else (line[figure], 1)
                for place in by_hand(line["doc"]).items():
                    samples, tops, bottoms = sums.get(place, (0, 0, 0))
                    sums[place] = (samples + 1, tops + top, bottoms + bottom)
        told = {
            (dimension.name, group.name): (group.asked, group.columns[letter][0].top, group.columns[letter][0].bottom)
            for dimension in dimensions(shown, [letter], figures)
            if not dimension.of_fields and dimension.name != "presentation"
            for group in dimension.groups
        }
        same = dict(alike(shown))
        assert told == {place: sums[place] for place in sums if place[0] not in same}
        assert {(name, group) for name, group in same.items() if name != "presentation"} <= set(sums)


def test_too_many_groups_are_drawn_together_and_none_is_lost(golden):
    (view,) = gather(open_columns([golden["placeholder"]], [IFSTRUCT])).tasks
    many = [
        replace(asked, slices={**asked.slices, "entity": f"e{n % 60}"}) for n, asked in enumerate(view.samples * 20)
    ]
    found = dimensions(replace(view, samples=many), ["A"], figures_of(view, recoverable=False))
    (entity,) = [one for one in found if one.name == "entity"]
    assert len(entity.groups) == 40
    assert entity.groups[-1].name == "21 further groups"
    assert sum(group.asked for group in entity.groups) == len(many) == 120
    assert sum(group.columns["A"][0].bottom for group in entity.groups) == 120
