"""The recorded answers of the reference, group by group: verdict, texts in order, details."""

import gzip
import json
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
import yaml

from sobench_metrics import ifstruct

HERE = Path(__file__).parents[1] / "conformance"
SHARED = Path(__file__).parents[3] / "shared" / "conformance"
SAME_VERSIONS = sys.version_info[:2] == (3, 11) and yaml.__version__ == "6.0.4"


def lines(path):
    if not path.exists():
        return []
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in content.splitlines()]


@cache
def vectors():
    found = {case["id"]: case for case in lines(HERE / "ifstruct_synthetic.jsonl.gz")}
    found |= {case["id"]: case for case in lines(SHARED / "dev" / "ifstruct_real_schemas.jsonl.gz")}
    public = [case for case in lines(HERE / "public_cases.jsonl") if case["benchmark"] == "ifstruct"]
    return found | {case["id"]: case | {"expected": case["reference"], "group": "public"} for case in public}


@cache
def groups():
    found = defaultdict(list)
    for case in vectors().values():
        found[case["group"]].append(case)
    return dict(sorted(found.items()))


@cache
def answer(identifier):
    case = vectors()[identifier]
    spec = ifstruct.Spec.from_row(case["spec"])
    return spec, ifstruct.validate(case["response"], spec)


def comparable(texts, how):
    loose = how == "prefix" or (how and not SAME_VERSIONS)
    return [text.split(":")[0] if loose else text for text in texts]


def differs(case):
    expected, how = case["expected"], case.get("errors_compare")
    _, verdict = answer(case["id"])
    if "raises" in expected:
        return verdict.passed or verdict.score != 0.0 or not verdict.errors[0].code.startswith("reference.crash.")
    ours = comparable([finding.message for finding in verdict.errors], how)
    return (
        verdict.passed is not expected["passed"]
        or verdict.score != expected["score"]
        or ours != comparable(expected["errors"], how)
        or json.dumps(verdict.details) != json.dumps(expected["details"])
    )


@pytest.mark.parametrize("group", groups())
def test_group_equals_the_reference(group):
    assert [case["id"] for case in groups()[group] if differs(case)] == []


def test_all_lines_are_there():
    assert len(lines(HERE / "ifstruct_synthetic.jsonl.gz")) == 2323
    assert len(lines(HERE / "public_cases.jsonl")) == 76


def test_every_error_has_a_code_and_a_pointer():
    for identifier in vectors():
        for finding in answer(identifier)[1].errors:
            assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", finding.code)
            assert finding.path == "" or finding.path.startswith("/")


@pytest.mark.skipif(
    not (SHARED / "dev").exists() or not SAME_VERSIONS,
    reason="needs the shared folder next to the checkout, and the versions whose messages the summaries count",
)
def test_summaries_equal_the_reference():
    wrong = []
    for run in lines(SHARED / "dev" / "ifstruct_corpus.jsonl"):
        items = [(item["entity_type"], *answer(item["sample_id"])) for item in run["items"]]
        if json.dumps(ifstruct.summarise(items)) != json.dumps(run["expected"]):
            wrong.append(run["id"])
    assert wrong == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not next to the checkout")
def test_real_rows_become_specs():
    rows = lines(SHARED / "real_ifstruct_rows_25.jsonl") + lines(SHARED / "real_ifstruct_specs_59.jsonl")
    specs = [ifstruct.Spec.from_row(row) for row in rows]
    assert len(specs) == 84
    assert all(isinstance(spec.json_schema, dict) for spec in specs)
    assert {type(spec.top_level_count) for spec in specs} <= {int, list, type(None)}
    assert not any(ifstruct.validate("", spec).passed for spec in specs)
