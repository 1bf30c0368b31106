"""Beside the official verdicts: what passes is recoverable, save where the careful reader is stricter by a stated rule."""

import re
from collections import Counter

import pytest

from sobench_metrics.recovery import recover_ifstruct, recover_sobench
from sobench_metrics.sobench import SampleError
from tests.sobench.vectors import CONFORMANCE, lines, samples

NO_NUMBER = re.compile(r"nan|inf|e\+?400", re.IGNORECASE)
# Numbers in fuzzy texts, what stands between digits, addresses, signs alone, booleans for numbers, years; NaN and infinities.
STRICTER = {
    "string_fuzzy": 11, "string_norm": 13, "numbers": 16, "lists": 3, "lists_top": 4, "nested_random": 2, "dicts": 1,
    "domain_ui": 1, "schema": 2, "value_matrix": 1, "top_scalars": 7,
}  # fmt: skip


def test_ifstruct_vectors_that_pass_are_recoverable():
    for case in lines(CONFORMANCE / "ifstruct_synthetic.jsonl.gz"):
        if case["expected"].get("passed") and not recover_ifstruct(case["response"], case["spec"]).recoverable:
            assert NO_NUMBER.search(case["response"]), case["id"]


def reading(sample):
    row = {"target_json": sample["target_content"], "evaluation_labels_json": sample.get("evaluation_labels")}
    return recover_sobench(sample.get("generation"), row)


def test_sobench_vectors_that_match_are_recoverable():
    stricter = Counter()
    for sample in samples().values():
        if sample["expected"].get("full_match"):
            found = reading(sample)
            stricter[sample["group"]] += not found.recoverable
    assert +stricter == STRICTER


@pytest.mark.parametrize(("id_", "code"), [("sob-extraction-0040", "marks.reasoning"), ("sob-extraction-0031", "blocks.several")])  # fmt: skip
def test_a_failed_vector_whose_data_are_there(id_, code):
    sample = samples()[id_]
    assert not sample["expected"]["full_match"]
    found = reading(sample)
    assert (found.recoverable, found.steps) == (True, (code,))


def test_recoverable_means_that_every_leaf_is_there():
    for sample in samples().values():
        try:
            found = reading(sample)
        except SampleError:
            continue
        assert 0 <= found.fields.matched <= found.fields.total
        assert not found.recoverable or found.fields.matched == found.fields.total
