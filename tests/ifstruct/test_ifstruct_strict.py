"""Strict findings: each rule kept and broken, told with code and place, bounded whatever the answer or the schema."""

import json

import pytest

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct.ignored_keywords import ignored_by_reference
from sobench_metrics.ifstruct.strict import schema_keywords

TEXTS = {"type": "array", "items": {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}}


def strict(response, schema=TEXTS, **changes):
    verdict = ifstruct.validate(response, ifstruct.Spec(schema, **changes))
    return verdict, [(finding.code, finding.path) for finding in verdict.strict]


def test_clean_answer_has_no_strict_finding():
    verdict, found = strict('[{"t": "x"}]')
    assert verdict.passed
    assert found == []


def test_answer_without_data_has_no_strict_finding():
    assert strict('[{"t": ')[1] == []


def test_duplicate_json_key_keeps_the_verdict():
    verdict, found = strict('[{"t": "x"}, {"t": "y", "t": "z", "t": "z"}]')
    assert verdict.passed
    assert found == [("strict.duplicate_key", "/1/t")]


def test_duplicate_yaml_key():
    verdict, found = strict("- t: x\n  t: y\n", output_format="yaml")
    assert verdict.passed
    assert found == [("strict.duplicate_key", "/0/t")]


@pytest.mark.parametrize("scalar", ["10:00", "no", "1.10", "010", "~"])
def test_retyped_yaml_scalar_explains_the_failure(scalar):
    verdict, found = strict(f"rows:\n- t: ok\n- t: {scalar}\n", output_format="yaml", require_wrapper_key=True)
    assert not verdict.passed
    assert found == [("strict.yaml_retyped", "/rows/1/t")]


def test_an_unquoted_key_that_is_no_text_explains_why_its_field_is_missing():
    names = ("no", "1.50", "~", "x")
    item = {"type": "object", "properties": {name: {"type": "integer"} for name in names}, "required": [*names]}
    keys = "".join(f"  {name}: 1\n" for name in names)
    verdict, found = strict(f"-{keys[1:]}", {"type": "array", "items": item}, output_format="yaml")
    assert not verdict.passed
    assert found == [("strict.yaml_retyped", f"/0/{path}") for path in ("no", "1.50", "~0")]


@pytest.mark.parametrize("name", ["1e3", "0o7", "2024-01-01"])
def test_a_key_that_other_yaml_readers_take_for_something_else(name):
    schema = {"type": "array", "items": {"type": "object", "properties": {name: {"type": "string"}}}}
    verdict, found = strict(f"- {name}: a\n", schema, output_format="yaml")
    assert verdict.passed
    assert found == [("strict.yaml_ambiguous", f"/0/{name}")]
    assert strict(f'- "{name}": a\n', schema, output_format="yaml")[1] == []


@pytest.mark.parametrize(
    ("kind", "scalar"), [("number", "1e3"), ("number", "-2.5E3"), ("number", "1e-3"), ("integer", "0o17")]
)
def test_a_number_that_only_yaml_1_2_knows_explains_the_failure(kind, scalar):
    verdict, found = strict(f"- {scalar}\n", {"type": "array", "items": {"type": kind}}, output_format="yaml")
    assert not verdict.passed
    assert found == [("strict.yaml_retyped", "/0")]


@pytest.mark.parametrize("scalar", ["'10:00'", '"no"', "09:00", "1.2.3", "y", "x"])
def test_kept_yaml_text_is_no_finding(scalar):
    assert strict(f"- t: {scalar}\n", output_format="yaml")[1] == []


@pytest.mark.parametrize(
    ("code", "schema", "kept", "broken"),
    [
        ("pattern", {"pattern": "^a"}, "ab", "ba"),
        ("pattern", {"pattern": r"^[$]\$$"}, "$$", "$$\n"),  # a last line break is before no end
        ("format", {"format": "ipv4"}, "192.0.2.1", "b"),
        ("length", {"minLength": 2}, "ab", "\U0001f600"),
        ("length", {"maxLength": 1}, "\U0001f600", "ab"),
        ("value", {"const": "a"}, "a", "b"),
        ("condition", {"anyOf": [{"minLength": 2}, {"maxLength": 0}]}, "", "b"),
        ("condition", {"allOf": [{"minLength": 2}, {"maxLength": 3}]}, "abc", "b"),
        ("condition", {"oneOf": [{"minLength": 2}, {"maxLength": 3}]}, "a", "bcd"),
        ("condition", {"if": {"const": "b"}, "then": False}, "a", "b"),
        ("condition", {"if": {"const": "b"}, "else": {"minLength": 2}}, "b", "a"),
        ("condition", {"not": {"minLength": 2}}, "a", "ab"),
        ("schema", {"$ref": "#/$defs/no"}, "", "b"),
    ],
)
def test_each_keyword_the_reference_ignores_has_its_code(code, schema, kept, broken):
    item = {"type": "object", "properties": {"t": {"type": "string", **schema}}}
    whole = {"type": "array", "items": item, "$defs": {"no": {"maxLength": 0}}}
    answer = json.dumps({"rows": [{"t": kept}, {"t": broken}]})
    verdict, found = strict(answer, whole, require_wrapper_key=True)
    assert verdict.passed
    assert found == [(f"strict.{code}", "/rows/1/t")]


@pytest.mark.parametrize(
    ("code", "keyword", "kept", "broken"),
    [
        ("condition", {"dependentRequired": {"a": ["b"]}}, {"b": 1}, {"a": 1}),
        ("condition", {"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1, "b": 1}, {"a": 1}),
        ("schema", {"minProperties": 2}, {"a": 1, "b": 1}, {"a": 1}),
        ("schema", {"propertyNames": {"pattern": "^a"}}, {"a": 1}, {"b": 1}),
    ],
)
def test_keywords_of_objects_have_a_code_too(code, keyword, kept, broken):
    item = {"type": "object", "properties": {"a": {}, "b": {}}, **keyword}
    assert strict(json.dumps([kept, broken]), {"type": "array", "items": item})[1] == [(f"strict.{code}", "/1")]


@pytest.mark.parametrize(
    ("keyword", "kept", "broken"),
    [
        ({"exclusiveMinimum": 3}, "3.5", "3"),
        ({"exclusiveMaximum": 3}, "2", "3"),
        ({"multipleOf": 2}, "4.0", "3"),
        ({"multipleOf": 0.01}, "19.99", "0.005"),
        ({"multipleOf": 0.1}, "1e308", "1e999"),
        ({"multipleOf": 3}, "3" * 4000, "3" * 3999 + "1"),
    ],
)
def test_keywords_of_numbers_are_exact(keyword, kept, broken):
    schema = {"type": "array", "items": {"type": "number", **keyword}}
    assert strict(f"[{kept}, {broken}]", schema)[1] == [("strict.number", "/1")]


@pytest.mark.parametrize("step", [0, -1, "2", True, float("inf")])
def test_a_step_that_is_none_is_told_and_no_violation(step):
    assert strict("[3, 4]", {"type": "array", "items": {"multipleOf": step}})[1] == [("strict.skipped", "")]


def test_keywords_of_one_value_are_told_rule_by_rule():
    schema = {"type": "array", "items": {"type": "string", "pattern": "^a", "minLength": 3, "format": "uuid"}}
    assert [code for code, _ in strict('["b"]', schema)[1]] == ["strict.pattern", "strict.format", "strict.length"]


def test_a_keyword_that_needs_its_neighbours_keeps_them():
    item = {"type": "object", "properties": {"t": {"type": "string"}}, "unevaluatedProperties": False}
    assert strict('[{"t": "x"}]', {"type": "array", "items": item})[1] == []


def test_a_schema_that_cannot_be_checked_is_no_violation():
    schema = {"type": "array", "items": {"type": "string", "pattern": "["}}
    assert strict('["b"]', schema)[1] == [("strict.skipped", "")]


def test_unique_items_and_dependent_required():
    schema = {
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}},
    }
    verdict, found = strict('[{"a": 1}, {"a": 1}]', schema)
    assert verdict.passed
    assert found == [("strict.unique", ""), ("strict.condition", "/0"), ("strict.condition", "/1")]


@pytest.mark.parametrize(
    ("kind", "scalar"),
    [
        ("string", "1e3"),
        ("string", "0o7"),
        ("string", "09"),
        ("string", "2024-01-01"),
        ("integer", "010"),
        ("integer", "1_000"),
        ("integer", "12:30"),
        ("number", "1_000.5"),
        ("boolean", "yes"),
    ],
)
def test_a_scalar_that_other_yaml_readers_take_for_something_else(kind, scalar):
    schema = {"type": "array", "items": {"type": kind}}
    verdict, found = strict(f"- {scalar}\n", schema, output_format="yaml")
    assert verdict.passed
    assert found == [("strict.yaml_ambiguous", "/0")]


@pytest.mark.parametrize(
    ("kind", "scalar"),
    [("integer", "10"), ("integer", "+0"), ("number", "1.50"), ("number", "-1.5e-3"), ("number", "7"), ("boolean", "True"),
     ("string", "'1e3'"), ("string", "no way"), ("integer", "0x1F")],
)  # fmt: skip
def test_a_scalar_that_all_yaml_readers_agree_on(kind, scalar):
    assert strict(f"- {scalar}\n", {"type": "array", "items": {"type": kind}}, output_format="yaml")[1] == []


def test_what_the_reference_looks_at_is_not_said_twice():
    assert ignored_by_reference(TEXTS) == {}
    kept = {
        "type": "array",
        "items": {"type": "number", "minimum": 1, "exclusiveMaximum": 3, "title": "n"},
        "minItems": 2,
    }
    assert ignored_by_reference(kept) == {"items": {"exclusiveMaximum": 3}}
    assert ignored_by_reference({"type": "object", "enum": [1], "properties": {"a": {"type": "string"}}}) == {
        "enum": [1]
    }


def test_a_rule_broken_everywhere_leaves_room_for_the_others():
    schema = {"type": "array", "items": {"type": "string", "pattern": "^a", "format": "uuid"}, "uniqueItems": True}
    codes = [code for code, _ in strict(json.dumps(["b"] * 300), schema)[1]]
    assert [codes.count(f"strict.{name}") for name in ("pattern", "format", "unique")] == [100, 100, 1]
    numbers = strict(json.dumps([{"n": 1}] * 300), {"type": "array", "items": {"properties": {"n": {"multipleOf": 2}}}})
    assert len(numbers[1]) == 100


def test_strict_is_bounded():
    assert strict("[" + ",".join(['{"t": "x"}'] * 20_000) + "]")[1] == [("strict.skipped", "")]
    assert strict("[" * 100 + "]" * 100)[1] == [("strict.skipped", "")]
    assert strict(json.dumps([{"t": "x" * 1_000_000}]))[1] == [("strict.skipped", "")]


@pytest.mark.parametrize("pattern", ["^(a|aa)+$", "^(.*a){12}b$", "((a*)*)*b"])
def test_a_pattern_that_never_ends_is_left_out_and_told(monkeypatch, pattern):
    monkeypatch.setattr(schema_keywords, "MAX_SECONDS", 0.05)
    schema = {"type": "array", "items": {"type": "string", "pattern": pattern}}
    codes = {code for code, _ in strict(json.dumps(["a" * 5000 + "!"]), schema)[1]}
    assert codes <= {"strict.skipped", "strict.pattern"}
    assert codes


def test_many_unlike_items_are_compared_in_little_time():
    schema = {"type": "array", "items": {}, "uniqueItems": True}
    unlike = [{"a": [number]} for number in range(12_000)]
    assert strict(json.dumps(unlike, separators=(",", ":")), schema)[1] == []
    assert strict(json.dumps([*unlike, unlike[0]], separators=(",", ":")), schema)[1] == [("strict.unique", "")]


def test_aliases_are_looked_at_once():
    text = "- &a\n  t: no\n" + "- *a\n" * 500
    assert strict(text, output_format="yaml")[1] == [("strict.yaml_retyped", "/0/t")]


def test_duplicate_wrapper_keys_are_told():
    found = strict("rows:\n- t: x\nrows:\n- t: 1.10\n", output_format="yaml", require_wrapper_key=True)[1]
    assert found == [("strict.duplicate_key", "/rows"), ("strict.yaml_retyped", "/rows/0/t")]
