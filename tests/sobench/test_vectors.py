"""Official verdicts against the vectors of the reference."""

import json
from pathlib import Path

import pytest

from sobench_metrics import sobench
from tests.sobench import vectors

GROUPS = vectors.by_group()
CORPORA = vectors.lines(vectors.CONFORMANCE / "sobench_corpus.jsonl")
PUBLIC = vectors.CONFORMANCE / "public_cases.jsonl"


def agrees(line, expected, *, labelled):
    if expected.get("raises") == "JSONDecodeError":
        with pytest.raises(sobench.SampleError):
            vectors.score(line, labelled=labelled)
        return True
    scored = vectors.score(line, labelled=labelled)
    if "raises" in expected:
        return scored.invalid and bool(scored.errors) and scored.official is None
    return vectors.as_expected(scored, scored.official) == expected


def test_every_vector_is_there():
    assert sum(map(len, GROUPS.values())) == 2362
    assert len(CORPORA) == 44


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_samples_with_labels(group):
    assert [line["id"] for line in GROUPS[group] if not agrees(line, line["expected"], labelled=True)] == []


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_samples_without_labels(group):
    assert [line["id"] for line in GROUPS[group] if not agrees(line, line["expected_exact"], labelled=False)] == []


def test_label_free_counts_come_with_every_labelled_score():
    failing = []
    for line in vectors.samples().values():
        if "raises" in line["expected_exact"] or "raises" in line["expected"]:
            continue
        scored = vectors.score(line)
        if vectors.as_expected(scored, scored.official_exact) != line["expected_exact"]:
            failing.append(line["id"])
    assert failing == []


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus["id"])
def test_corpus(corpus):
    scores = []
    for position, sample_id in enumerate(corpus["sample_ids"]):
        line = vectors.samples()[sample_id]
        generation = {"generation": None} if position in corpus["missing_generation"] else {}
        scores.append(vectors.score(line, labelled=position not in corpus["without_labels"], **generation))
    got = sobench.aggregate(scores)
    assert {key: got[key] for key in corpus["expected"]} == corpus["expected"]


def test_decoded_and_encoded_arguments_are_the_same():
    for line in GROUPS["nested_random"][:100]:
        schema = sobench.sample_schema(line)
        decoded = sobench.score(
            line["generation"],
            target=json.loads(line["target_content"]),
            schema=schema,
            labels=line["evaluation_labels"],
        )
        encoded = sobench.score(
            line["generation"],
            target=line["target_content"],
            schema=json.dumps(schema),
            labels=json.dumps(line["evaluation_labels"]),
        )
        assert decoded == encoded


@pytest.mark.skipif(not Path(PUBLIC).exists(), reason="the public cases are not copied here yet")
def test_public_cases_follow_the_reference():
    cases = [case for case in vectors.lines(PUBLIC) if case["benchmark"] == "sobench"]
    assert cases
    failing = []
    for case in cases:
        scored = vectors.score(case)
        got = vectors.as_expected(scored, scored.official)
        if any(got[key] != value for key, value in case["reference"].items()):
            failing.append(case["id"])
    assert failing == []
