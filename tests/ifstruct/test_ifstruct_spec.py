import json

import pytest

from sobench_metrics import ifstruct

ROW = {
    "doc_id": 7,
    "json_schema": json.dumps({"type": "array", "items": {"type": "string"}}),
    "top_level_count": "[1, 3]",
    "top_level_key": None,
    "require_wrapper_key": False,
    "require_code_block": False,
    "require_no_commentary": True,
    "output_format": "json",
}


def test_encoded_columns_are_decoded():
    spec = ifstruct.Spec.from_row(ROW)
    assert spec.top_level_count == [1, 3]
    assert spec.json_schema["items"] == {"type": "string"}


def test_null_count_may_be_encoded():
    assert ifstruct.Spec.from_row(ROW | {"top_level_count": "null"}).top_level_count is None


def test_text_count_of_a_decoded_row_asks_for_nothing():
    spec = ifstruct.Spec.from_row(ROW | {"json_schema": {"type": "array"}, "top_level_count": "2"})
    assert spec.top_level_count == "2"
    assert ifstruct.validate("[1]", spec).passed


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("json_schema", "{"),
        ("json_schema", "[1]"),
        ("json_schema", None),
        ("json_schema", {"properties": {"a": 3}}),
        ("json_schema", {"items": {"required": "a"}}),
        ("json_schema", {"properties": {"a": {"minimum": "3"}}}),
        ("top_level_count", "two"),
        ("top_level_key", 3),
        ("require_wrapper_key", "true"),
        ("require_code_block", 1),
        ("require_no_commentary", None),
        ("output_format", 4),
    ],
)
def test_malformed_column_is_named_in_one_sentence(column, value):
    with pytest.raises(ifstruct.SpecError) as told:
        ifstruct.Spec.from_row(ROW | {column: value})
    assert f"Column '{column}'" in str(told.value)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)
    assert isinstance(told.value, ValueError)


@pytest.mark.parametrize("column", sorted(set(ROW) - {"doc_id"}))
def test_missing_column_is_named(column):
    row = {name: value for name, value in ROW.items() if name != column}
    with pytest.raises(ifstruct.SpecError, match=f"Column '{column}' is missing"):
        ifstruct.Spec.from_row(row)


def test_row_must_be_a_mapping():
    with pytest.raises(ifstruct.SpecError, match="mapping"):
        ifstruct.Spec.from_row([ROW])
