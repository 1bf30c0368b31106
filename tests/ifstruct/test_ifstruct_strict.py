import pytest

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct.ignored_keywords import ignored_by_reference

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


@pytest.mark.parametrize("scalar", ["'10:00'", '"no"', "09:00", "2024-01-01", "x"])
def test_kept_yaml_text_is_no_finding(scalar):
    assert strict(f"- t: {scalar}\n", output_format="yaml")[1] == []


@pytest.mark.parametrize(
    ("extra", "value"),
    [
        ({"pattern": "^a"}, '"b"'),
        ({"format": "ipv4"}, '"b"'),
        ({"minLength": 2}, '"b"'),
        ({"maxLength": 0}, '"b"'),
        ({"const": "a"}, '"b"'),
        ({"anyOf": [{"minLength": 9}, {"maxLength": 0}]}, '"b"'),
        ({"if": {"const": "b"}, "then": False}, '"b"'),
    ],
)
def test_keyword_the_reference_ignores(extra, value):
    schema = {"type": "array", "items": {"type": "object", "properties": {"t": {"type": "string", **extra}}}}
    verdict, found = strict(f'{{"rows": [{{"t": {value}}}]}}', schema, require_wrapper_key=True)
    assert verdict.passed
    assert found == [("strict.schema", "/rows/0/t")]


def test_unique_items_and_dependent_required():
    schema = {
        "type": "array",
        "uniqueItems": True,
        "items": {"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}},
    }
    verdict, found = strict('[{"a": 1}, {"a": 1}]', schema)
    assert verdict.passed
    assert sorted(found) == [("strict.schema", ""), ("strict.schema", "/0"), ("strict.schema", "/1")]


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


def test_strict_is_bounded():
    assert strict("[" + ",".join(['{"t": "x"}'] * 20_000) + "]")[1] == [("strict.skipped", "")]
    assert strict("[" * 100 + "]" * 100)[1] == [("strict.skipped", "")]


def test_duplicate_wrapper_keys_are_told():
    found = strict("rows:\n- t: x\nrows:\n- t: 1.10\n", output_format="yaml", require_wrapper_key=True)[1]
    assert found == [("strict.duplicate_key", "/rows"), ("strict.yaml_retyped", "/rows/0/t")]
