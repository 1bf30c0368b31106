"""The careful reader of the public cases: agreement, and every difference by name."""

import json
from pathlib import Path

from sobench_metrics import recovery

CASES = Path(__file__).parents[1] / "conformance" / "public_cases.jsonl"
DIFFERENT = {  # all of low confidence; the package's docstring has the reasons
    "rw-if-014": True, "rw-if-019": True, "rw-if-035": True, "rw-if-093": False, "rw-so-022": True, "rw-so-025": True,
}  # fmt: skip


def cases():
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def reading(case):
    if case["benchmark"] == "ifstruct":
        return recovery.recover_ifstruct(case["response"], case["spec"])
    row = {"target_json": case["target_content"], "evaluation_labels_json": case.get("evaluation_labels")}
    return recovery.recover_sobench(case["generation"], row)


def agrees(case):
    found, fair = reading(case), case["fair"]
    if case["benchmark"] == "ifstruct":
        return found.recoverable == (fair["verdict"] == "pass")
    leaves = (len(fair["matched"]), len(fair["matched"]) + len(fair["unmatched"]))
    return found.recoverable == (fair["verdict"] == "full") and (found.fields.matched, found.fields.total) == leaves


def test_nothing_of_high_confidence_is_read_otherwise():
    sure = [case for case in cases() if case["fair"]["confidence"] == "high"]
    assert len(sure) == 61
    assert [case["id"] for case in sure if not agrees(case)] == []


def test_every_difference_is_listed_with_its_verdict():
    assert {case["id"]: reading(case).recoverable for case in cases() if not agrees(case)} == DIFFERENT
    assert all(name in recovery.__doc__ for name in DIFFERENT)
