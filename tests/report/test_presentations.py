"""How a prompt shows its fields, against prompts whose way is known because our own generator made them."""

import json
from pathlib import Path

import pytest

from sobench_metrics.data.hard_rows import load_hard_rows
from sobench_metrics.report.presentations import presentation_of

REAL = Path(__file__).parents[3] / "shared" / "conformance" / "real_ifstruct_rows_25.jsonl"


def test_each_way_by_its_signs():
    schema = json.dumps({"type": "object", "properties": {"a": {"type": "string"}}}, indent=2)
    assert presentation_of(f"Follow this schema:\n{schema}\nThanks!") == "raw schema"
    assert presentation_of("| field | type |\n| --- | --- |\n| `a` | string |") == "table"
    assert presentation_of("- `a`: text\n- b.c - a number\n- **d** (optional): a list") == "bullets"
    assert presentation_of('{\n  "a": string,\n  "b": integer (0 to 3),\n  "c": [...]\n}') == "annotated example"
    assert presentation_of("`a.b`: string\n`a.c[].d`: number\ne -> boolean") == "path list"
    assert presentation_of("hey, give me two notes: each with a title - and a date.") == "chat"
    assert presentation_of("") == "chat"


@pytest.mark.parametrize(
    "text", [" " * 300_000, "-" * 300_000, "- " + "a " * 200_000 + "!", "|\n" * 200_000, '"' * 90_000]
)
def test_odd_prompts_cost_no_time(text):
    assert presentation_of(text) in ("chat", "table")


def test_the_hard_set_is_read_as_its_rows_say():
    rows = load_hard_rows(sample=True).rows
    read = [(row["style"], presentation_of(row["prompt"])) for row in rows if row["style"] in ("raw_schema", "table")]
    assert len(read) > 10
    assert all(named.replace("_", " ") == found for named, found in read)


@pytest.mark.skipif(not REAL.is_file(), reason="the public rows are not beside this checkout")
def test_public_prompts_of_the_test_set():
    found = [presentation_of(json.loads(line)["prompt"]) for line in REAL.read_text(encoding="utf-8").splitlines()]
    assert {way: found.count(way) for way in found} == {
        "raw schema": 8, "table": 5, "annotated example": 4, "chat": 4, "path list": 3, "bullets": 1,
    }  # fmt: skip
