"""Prompts say what is asked, in every style, and the readers notice when they do not."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from sobench_metrics.ifstruct import Spec
from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.generate.dials import DEFAULT_DIALS, Dials
from sobench_metrics.ifstruct.generate.field_lines import field_lines
from sobench_metrics.ifstruct.generate.prompts import put_into_words, sample_style
from sobench_metrics.ifstruct.generate.proofs.sound import PARSE_BACK, field_faults, oracle_faults
from sobench_metrics.ifstruct.generate.request import columns, sample_request
from sobench_metrics.ifstruct.generate.wording.rules import CLAUSES, fill, rule_faults

STYLES = (*PARSE_BACK, "bullets", "chat", "thinking")


def drawn(style, number, dials=DEFAULT_DIALS, split="train"):
    rng = random_for("test", style, number)
    request = sample_request(split, dials, rng)
    return request, put_into_words(request, style, rng)


def faults(request, prompt):
    return field_faults(prompt, request) + rule_faults(prompt.outside, request)


@pytest.mark.parametrize("style", STYLES)
def test_what_was_asked_is_read_back(style):
    for number in range(150):
        request, prompt = drawn(style, number, split=("train", "eval")[number % 2])
        assert faults(request, prompt) == [], prompt.text


@pytest.mark.parametrize("style", STYLES)
def test_deep_and_wide_schemas_are_read_back_too(style):
    dials = Dials(depth=4, narrowest=8, widest=14, nested_weight=6, optional_percent=40, group_percent=90)
    for number in range(40):
        request, prompt = drawn(style, number, dials)
        assert faults(request, prompt) == [], prompt.text


@pytest.mark.parametrize("style", STYLES)
def test_another_limit_another_kind_or_a_lost_field_is_noticed(style):
    for number in range(30):
        request, prompt = drawn(style, number)
        others = [
            _changed(request, "minimum", lambda bound: bound - 1),
            _changed(request, "enum", lambda values: values[1:]),
            _changed(request, "maxItems", lambda length: length + 1),
            _changed(request, "type", lambda kind: {"string": "boolean", "boolean": "string"}.get(kind, kind)),
            _without_the_last_field(request),
        ]
        for other in (other for other in others if other != request):
            assert field_faults(prompt, other) != [], prompt.text


@pytest.mark.parametrize("style", STYLES)
def test_another_rule_of_form_is_noticed(style):
    for number in range(30):
        request, prompt = drawn(style, number)
        form = request.form
        others = [
            replace(form, output_format="json" if form.output_format == "yaml" else "yaml"),
            replace(form, low=form.low + 1, high=form.high + 1),
            replace(form, fence="none" if form.fenced else "generic"),
        ]
        others += [replace(form, silent=False)] if form.silent else [replace(form, silent=True)]
        for other in others:
            assert rule_faults(prompt.outside, replace(request, form=other)), prompt.text
        if request.key:
            assert rule_faults(prompt.outside, replace(request, key="another_key")), prompt.text
        assert rule_faults(prompt.outside, replace(request, form=replace(form, wrapped=not form.wrapped)))


def test_a_mind_that_changed_after_it_settled_is_noticed():
    for number in range(60):
        request, prompt = drawn("thinking", number)
        other = "YAML" if request.form.output_format == "json" else "JSON"
        later = prompt.text + f"\n\nNo, answer in {other}."
        assert rule_faults(later, request)
        name = next(line.name for line in field_lines(request.item) if line.kind != "object list")
        assert field_faults(
            replace(prompt, text=prompt.text + f"\n\n`{name}` is a list of objects, 77 items."), request
        )
        assert field_faults(replace(prompt, text=prompt.text + "\n\nAlso give me `one_more_thing`."), request)


def test_thinking_out_loud_really_changes_its_mind():
    told = [drawn("thinking", number) for number in range(80)]
    assert {prompt.hand for _, prompt in told} == {"rambler", "manager", "dictation", "engineer", "letter"}
    assert min(prompt.turns for _, prompt in told) >= 2
    half_way = 0  # what was said up to the middle would have been wrong
    for request, prompt in told:
        half = replace(prompt, text=prompt.text[: len(prompt.text) // 2])
        half_way += any(
            " is last said to be " in fault and " None" not in fault for fault in field_faults(half, request)
        )
    assert half_way > 10


def test_every_row_has_an_oracle_and_a_wrong_answer_has_none():
    for number in range(60):
        request, prompt = drawn("path_list", number)
        row = columns(request, prompt.text, number)
        assert oracle_faults(row) == []
        Spec.from_row(row)
        broken = json.loads(row["json_schema"])
        broken["items"]["properties"] = {}
        assert oracle_faults({**row, "json_schema": json.dumps(broken)})


def test_styles_do_not_depend_on_what_is_asked():
    count = Counter()
    for number in range(4000):
        rng = random_for("styles", number)
        request = sample_request("train", DEFAULT_DIALS, rng)
        count[request.form.output_format, sample_style(rng) in PARSE_BACK] += 1
    shares = [count[kind, True] / (count[kind, True] + count[kind, False]) for kind in ("json", "yaml")]
    assert abs(shares[0] - shares[1]) < 0.06  # four standard errors
    assert all(abs(share - 4 / 6) < 0.04 for share in shares)


def test_no_clause_of_one_state_hides_in_one_of_another():
    for states in CLAUSES.values():
        said = [(state, fill(text, "k", "json").lower()) for state, texts in states.items() for text in texts]
        for state, text in said:
            assert not [other for other_state, other in said if other_state != state and text in other]


def test_a_schema_follows_its_dials():
    def depth(item):
        inner = [schema.get("items", schema) for schema in item["properties"].values()]
        return 1 + max((depth(schema) for schema in inner if schema["type"] == "object"), default=0)

    flat = Dials(depth=0, optional_percent=100, group_percent=100)
    for number in range(80):
        request, _ = drawn("table", number, flat)
        assert depth(request.item) == 1
        assert all(line.optional or line.name in request.item["required"] for line in field_lines(request.item))
        deep, _ = drawn("table", number, Dials(depth=3, group_percent=100))
        assert depth(deep.item) <= 4
    with pytest.raises(ValueError, match="narrowest"):
        Dials(narrowest=9, widest=3)


def _changed(request, keyword, change):
    """Return the request with the first such keyword of a field changed (with the kind, only of plain fields)."""
    item = json.loads(json.dumps(request.item))
    for line in field_lines(item):
        if keyword in line.schema and (keyword != "type" or "enum" not in line.schema):
            wanted = change(line.schema[keyword])
            if wanted != line.schema[keyword] and wanted:
                line.schema[keyword] = wanted
                return replace(request, item=item)
    return request


def _without_the_last_field(request):
    item = json.loads(json.dumps(request.item))
    name = list(item["properties"])[-1]
    del item["properties"][name]
    item["required"] = [other for other in item["required"] if other != name]
    return replace(request, item=item)


def test_nothing_of_a_prompt_is_left_unfilled():
    for style in STYLES:
        for number in range(40):
            request, prompt = drawn(style, number)
            outside = prompt.outside
            for demand in request.entity.demands:
                outside = outside.replace(demand, "")
            assert not re.search(r"\{(?:noun|amount|topic|source|key|f|wrong|right|old|name)\}", outside)
            assert "  " not in outside.replace("\n", "")
