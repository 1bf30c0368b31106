"""What may be asked for: enough kinds of thing, none of the test set's, and no split shares one with the other."""

import re
from collections import Counter

import pytest

from sobench_metrics.ifstruct.generate.entity import EntityType, PoolField
from sobench_metrics.ifstruct.generate.taxonomy import entity_types
from sobench_metrics.ifstruct.generate.taxonomy.reading import read_area
from sobench_metrics.ifstruct.generate.test_set import TEST_SET_NAMES

ALL = entity_types()


def every_field(fields):
    for field in fields:
        yield field
        yield from every_field(field.children)


def test_there_are_eighty_kinds_of_thing_in_ten_areas_and_more():
    assert len(ALL) >= 80
    assert len({entity.area for entity in ALL}) >= 10
    assert max(Counter(entity.name for entity in ALL).values()) == 1


def test_no_name_is_one_of_the_test_sets():
    assert len(TEST_SET_NAMES) == 24
    names = {entity.name for entity in ALL} | {entity.plural.lower().replace(" ", "_") for entity in ALL}
    assert not names & TEST_SET_NAMES
    assert not names & {f"{name}s" for name in TEST_SET_NAMES}


def test_both_splits_know_every_area_and_both_kinds_of_text():
    for split in ("train", "eval"):
        chosen = [entity for entity in ALL if entity.split == split]
        assert {entity.area for entity in chosen} == {entity.area for entity in ALL}
        assert {entity.escaping for entity in chosen} == {True, False}


@pytest.mark.parametrize("entity", ALL, ids=lambda entity: entity.name)
def test_a_type_can_be_put_into_words(entity: EntityType):
    fields = list(every_field(entity.fields))
    assert any(field.core for field in entity.fields)
    assert entity.escaping == any(field.kind == "long" for field in fields)
    assert min(len(entity.topics), len(entity.sources)) >= 3
    names = [field.name for field in fields]
    assert entity.name not in names  # it names the wrapper
    for field in fields:
        assert re.fullmatch(r"[a-z]\w*", field.name)
        assert not set(field.remark) & set("()|`;\n\"'"), "a reader of prompts would stumble"
        assert field.low is None or field.low < field.high
        assert all(not set(str(value)) & set("|,/;'") for value in field.values)


def test_a_field_says_what_it_is():
    (entity,) = read_area(
        "x",
        "## a | as | eval\ntopics: t\nsources: s\ncoherence: c\n* n: number 0.5..9 -- How much\nl: list 1..3\n    k: enum p, q\n",
    )
    number, listed = entity.fields
    assert number == PoolField("n", "number", 0.5, 9, remark="How much", core=True)
    assert listed.children == (PoolField("k", "text", values=("p", "q")),)


@pytest.mark.parametrize("line", ["x: strange", "x: list 1..3", "x: object", "x: text\n    y: text", "x: integer"])
def test_a_line_that_says_nothing_is_told_with_its_type(line):
    with pytest.raises(ValueError, match=r"cannot read 'a \| as \| eval' of the taxonomy x"):
        list(read_area("x", f"## a | as | eval\ntopics: t\nsources: s\ncoherence: c\n{line}\n"))
