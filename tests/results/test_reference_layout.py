"""SO-Bench's own layout of answers, scored from a file: the reference's numbers, and those of its published run."""

import json
from dataclasses import replace
from operator import itemgetter

import pytest

from sobench_metrics.results.in_processes import in_processes
from sobench_metrics.results.published import PUBLISHED
from sobench_metrics.results.reading import FORMATS, open_runs
from sobench_metrics.results.scored_pieces import gathered, pieces_of
from sobench_metrics.results.tally import reference_keys
from tests.sobench import vectors

CORPORA = vectors.lines(vectors.CONFORMANCE / "sobench_corpus.jsonl")
SCHEMA = {"type": "object", "properties": {"total": {"type": "integer"}, "shop": {"type": "string"}}}
RIGHT = {"total": 12, "shop": "North Market"}
ANSWERS = {
    "the same": json.dumps(RIGHT),
    "all fields, and one more": json.dumps({**RIGHT, "note": "paid"}),
    "a wrong number": json.dumps({**RIGHT, "total": 13}),
    "a number as text": json.dumps({**RIGHT, "total": "thirteen"}),
    "prose": "The total is twelve.",
}


@pytest.fixture
def score(tmp_path):
    """Write lines as a file of answers and return what they come to as the reference reads them: reasoning stays."""

    def run(lines, workers=1):
        file = tmp_path / "answers.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        (found,) = open_runs(file).values()
        opened = replace(found, signature={**found.signature, "reasoning": "kept"})
        read = FORMATS[opened.format]
        context = read.context(opened)
        return gathered(opened, context, in_processes(opened, context, pieces_of(read.items(opened)), workers))

    return run


def answered(kind, number):
    return {
        "id": f"demo-{number}",
        "generation": ANSWERS[kind],
        "target_content": json.dumps(RIGHT),
        "target_schema": SCHEMA,
        "evaluation_labels": {"total": "exact", "shop": "fuzzy"},
    }


@pytest.mark.parametrize("corpus", [one for one in CORPORA if one["sample_ids"]], ids=itemgetter("id"))
def test_a_file_of_answers_gives_the_references_six_numbers(score, corpus):
    lines = []
    for position, sample_id in enumerate(corpus["sample_ids"]):
        left_out = {"generation"} if position in corpus["missing_generation"] else set()
        left_out |= {"evaluation_labels"} if position in corpus["without_labels"] else set()
        line = {**vectors.samples()[sample_id], "id": f"{position}"}
        lines.append({name: value for name, value in line.items() if name not in left_out})
    scored = score(lines)
    assert reference_keys(scored.tally) == corpus["expected"]
    assert scored.tally.samples == len(lines)
    assert scored.tally.label_free == len(corpus["without_labels"])


def test_the_published_demo_run_is_this_arithmetic(score):
    """1,751 samples, 15 without a readable answer, 92 full matches (19 equal throughout), 1,520 that obey the schema."""
    counts = {
        "the same": 19,
        "all fields, and one more": 92 - 19,
        "a wrong number": 1520 - 92,
        "a number as text": 1751 - 15 - 1520,
        "prose": 15,
    }
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    lines = [answered(kind, number) for number, kind in enumerate(kinds)]
    alone, shared = score(lines), score(list(reversed(lines)), workers=2)
    assert alone.tally == shared.tally
    found = reference_keys(alone.tally)
    assert (found["num_examples"], found["num_invalid_generation"]) == (1751, 15)
    assert found["relaxed_all_fields_match_accuracy"] == 92 / 1736  # invalid answers are in no denominator
    assert round(found["relaxed_all_fields_match_accuracy"], 6) == 0.052995
    assert found["followed_schema"] == 1520 / 1751  # of this one they are
    assert found["exact_match"] == 19 / 1751
    published = {entry.figure: entry for entry in PUBLISHED if entry.model == "gpt-4o-mini" and entry.counts}
    figures = alone.tally.figures
    ours = {name: (figures[name].a, figures[name].b) for name in published}
    assert ours == {name: entry.counts for name, entry in published.items()}
    assert {name: figures[name].value for name in published} == {name: entry.value for name, entry in published.items()}
