"""Every failed answer is counted once, at the first step that lost it."""

import re
from pathlib import Path

import pytest

from sobench_metrics.report.page_errors import tallies
from sobench_metrics.report.taxonomy import FAMILIES, UNEXPLAINED, family_of, first_family, tally

PACKAGE = Path(__file__).resolve().parents[2] / "sobench_metrics"


@pytest.mark.parametrize(
    ("code", "family"),
    [
        ("request.failed", "transport"), ("response.truncated", "truncation"),
        ("response.reasoning_unclosed", "reasoning"), ("fence.missing", "fence and commentary"),
        ("commentary.present", "fence and commentary"), ("json.decode", "parsing"), ("yaml.parse", "parsing"),
        ("json.too_deep", "size"), ("reference.crash.key_error", "parsing"), ("wrapper.key", "structure"),
        ("count.exact", "structure"), ("schema.type", "schema"), ("schema.broken", "data or scorer"),
        ("field.missing", "values"), ("strict.duplicate_key", "strict"), ("row.unscorable", "data or scorer"),
        ("never.seen", UNEXPLAINED), ("", UNEXPLAINED),
    ],
)  # fmt: skip
def test_families(code, family):
    assert family_of(code) == family


def test_no_code_of_the_scorers_is_without_a_family():
    found = set()
    for room in ("ifstruct", "sobench"):
        for file in (PACKAGE / room).rglob("*.py"):
            found |= set(re.findall(r'Finding\(\s*"([a-z_]+\.[a-z_.]+)"', file.read_text(encoding="utf-8")))
    assert len(found) > 5
    assert {code for code in found if family_of(code) == UNEXPLAINED} == set()


def test_the_first_step_that_lost_an_answer_counts():
    assert first_family(["schema.type", "fence.missing"]) == "fence and commentary"
    assert first_family(["field.mismatch", "response.truncated", "json.decode"]) == "truncation"
    assert first_family(["strict.duplicate_key"]) == UNEXPLAINED, "strict findings explain no official failure"
    assert first_family([]) == UNEXPLAINED


def test_a_code_counts_once_an_answer_and_has_examples():
    counted = tally([("a", False, ["x.y", "x.y"], "values"), ("b", True, [], ""), ("c", None, ["x.y"], "")], examples=1)
    assert counted.codes == {"x.y": 2}
    assert counted.examples == {"x.y": ["a"]}
    assert counted.first == {"values": 1, "passed": 1}


def test_families_and_passed_sum_to_all_answers(gathered):
    names = {"passed", UNEXPLAINED, *(family.name for family in FAMILIES)}
    for view in gathered.views:
        for letter, counted in tallies(view, ["A", "B"]).items():
            assert set(counted.first) <= names
            assert counted.first.total() == len(view.answers(letter))
            assert counted.first["passed"] == sum(answer.passed for _, answer in view.answers(letter))
            assert counted.first[UNEXPLAINED] == 0
