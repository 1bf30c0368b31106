"""What is drawn beyond the bundled kinds: sound for many seeds, and not the same page with other numbers."""

import json
from contextlib import suppress
from random import Random
from types import SimpleNamespace

import pytest

pytest.importorskip("matplotlib")

from PIL import Image

from sobench_metrics.data import prepared
from sobench_metrics.data.sample import sample_home
from sobench_metrics.data.sample_maker.drawn import Drawn
from sobench_metrics.data.sample_maker.figures.kind import chart_figure
from sobench_metrics.data.sample_maker.fresh import looks, row_maker
from sobench_metrics.data.sample_maker.fresh.asking import asked_for_less, keys_rewritten
from sobench_metrics.data.sample_maker.pages import filling
from sobench_metrics.data.sample_maker.pages.kind import document_page, natural_page, ui_page
from sobench_metrics.data.sample_maker.pages.parts import Bullets, Group, Leaf, Table, record
from sobench_metrics.ifstruct.generate.dials import Dials
from sobench_metrics.ifstruct.generate.schema_sampling import sample_item
from sobench_metrics.ifstruct.generate.taxonomy import entity_types

BUNDLED = [doc for domain in prepared.DOMAINS for doc in prepared.load(sample_home(), domain).docs]


def drawn(kind, number):
    """Return the document of the first draw that finds room."""
    for attempt in range(20):
        with suppress(ValueError):
            return kind(Random(f"{number}/{attempt}"))
    raise AssertionError("nothing found room")


def row_of(made):
    return {
        "schema_json": json.dumps(made.schema), "target_json": json.dumps(made.target),
        "evaluation_labels_json": json.dumps(made.labels),
    }  # fmt: skip


def document_of(doc):
    parts = (json.loads(doc[name]) for name in ("schema_json", "target_json", "evaluation_labels_json"))
    schema, target, labels = parts
    return Drawn(None, schema, doc["user_intent"], target, labels)


@pytest.mark.parametrize("kind", [ui_page, document_page, natural_page, chart_figure], ids=lambda kind: kind.__name__)
def test_free_kinds_are_sound_and_differ_in_more_than_numbers(kind):
    made = [drawn(kind, number) for number in range(8)]
    assert [row_maker.faults(row_of(one)) for one in made] == [[]] * 8
    assert len({json.dumps(one.schema) for one in made}) >= 7
    assert len({one.image.size for one in made}) >= 7
    assert len({one.user_intent for one in made}) >= 5
    assert all(one.image.mode == "RGB" and max(one.image.size) < 3000 for one in made)


def test_what_is_printed_is_what_is_asked():
    """The words beside a label lead to the value and to no other one: a dash is null, a choice is itself."""
    seen = set()
    for number in range(150):
        rng = Random(number)
        entity = rng.choice(entity_types())
        manner = filling.sample_manner(rng)
        for part in filling.filled(sample_item(entity.fields, Dials(depth=1, optional_percent=40), rng), manner, rng):
            for leaf in leaves(part):
                seen.add(leaf.kind)
                assert (leaf.shown == manner.dash) == (leaf.value is None)
                choices = [str(value) for value in leaf.plain.get("enum", ())]
                assert manner.dash not in choices
                if leaf.kind == "choice" and leaf.value is not None:
                    assert [one for one in choices if leaf.shown in (one, one.replace("_", " "))] == [str(leaf.value)]
                elif leaf.kind == "number" and leaf.value is not None:
                    assert float(leaf.shown.replace(",", "")) == leaf.value
                elif leaf.kind == "flag" and leaf.value is not None:
                    assert manner.flags.index(leaf.shown) == (not leaf.value)
    assert seen == {"text", "long", "choice", "number", "flag"}


def leaves(part):
    if isinstance(part, Leaf):
        return [part]
    if isinstance(part, Group):
        return list(part.leaves)
    return [leaf for row in part.rows for leaf in row] if isinstance(part, Table) else []


def test_parts_make_one_record():
    leaf = Leaf("a", "A", "number", "1", 1, {"type": "integer"})
    hole = Leaf("a", "A", "number", "-", None, {"type": "integer"})
    schema, value, rule = record(
        (leaf, Group("g", "G", (leaf,)), Table("t", "T", ((leaf,), (hole,))), Bullets("b", "B", ("x",)))
    )
    assert value == {"a": 1, "g": {"a": 1}, "t": [{"a": 1}, {"a": None}], "b": ["x"]}
    assert schema["properties"]["t"]["items"]["properties"]["a"]["type"] == ["integer", "null"]
    assert rule == {"a": "exact", "g": {"a": "exact"}, "t": [{"a": "exact"}] * 2, "b": ["exact"]}


@pytest.mark.parametrize("change", [asked_for_less, keys_rewritten], ids=lambda change: change.__name__)
def test_another_way_of_asking_stays_sound(change):
    changed = 0
    for number, doc in enumerate(BUNDLED):
        other = change(document_of(doc), Random(number))
        assert row_maker.faults(row_of(other)) == [], doc["doc_id"]
        changed += other.target != json.loads(doc["target_json"])
    assert changed > len(BUNDLED) / 2


def test_keys_are_rewritten_where_names_stand_and_nowhere_else():
    schema = {
        "type": "object", "required": ["on_hold"], "additionalProperties": False, "$defs": {"some_part": {"type": "string"}},
        "properties": {"on_hold": {"enum": ["on_hold"], "description": "on_hold"}, "one_of": {"$ref": "#/$defs/some_part"}},
    }  # fmt: skip
    made = keys_rewritten(Drawn(None, schema, "", {"on_hold": "on_hold"}, {"on_hold": "exact"}), Random(0))
    (name,) = made.target
    assert name in ("onHold", "OnHold", "on-hold")
    assert made.schema["required"] == [name]
    assert made.schema["properties"][name] == {"enum": ["on_hold"], "description": "on_hold"}
    assert "some_part" in made.schema["$defs"]


def test_every_look_leaves_a_picture():
    image = Image.new("RGB", (400, 300), "#d0e0f0")
    for domain, ways in looks._LOOKS.items():
        for number, way in enumerate(ways):
            seen = way(image, Random(number))
            assert seen.mode == "RGB", domain
            assert min(seen.size) >= 200


def test_a_row_that_is_wrong_is_told():
    (doc, *_) = BUNDLED
    good = {name: doc[name] for name in ("schema_json", "target_json", "evaluation_labels_json")}
    assert row_maker.faults(good) == []
    assert "the labels have not the target's shape" in row_maker.faults({**good, "evaluation_labels_json": '"exact"'})
    assert "the target does not follow the schema" in row_maker.faults({**good, "schema_json": '{"type": "array"}'})
    nothing = {**good, "target_json": "{}", "evaluation_labels_json": "{}", "schema_json": '{"type": "object"}'}
    assert "there is nothing to compare" in row_maker.faults(nothing)


def test_when_no_draw_is_sound_it_is_told(monkeypatch):
    stub = SimpleNamespace(
        image=Image.new("RGB", (9, 9)), schema={"type": "array"}, user_intent="", target={}, labels={}
    )
    monkeypatch.setattr(row_maker, "drawn_document", lambda *_: ("stub", stub))
    with pytest.raises(RuntimeError, match="no sound document 3 of ui in 40 draws"):
        row_maker.made_row(0, "ui", 3)
