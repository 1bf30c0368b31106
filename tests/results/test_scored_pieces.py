"""The sums of a scored run: the references' numbers, whoever scored which piece and in which order."""

import json
import random

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results.published import PUBLISHED
from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.tally import reference_keys
from tests.ifstruct.test_ifstruct_vectors import HERE, SHARED, lines
from tests.results.prediction_files import GOOD, ifstruct_row, mixed_rollouts, sobench_line, write
from tests.results.scoring import scored
from tests.sobench import vectors

CORPORA = vectors.lines(vectors.CONFORMANCE / "sobench_corpus.jsonl")


def corpus_lines(corpus):
    """The samples of a corpus as a file in SO-Bench's own layout has them."""
    for position, name in enumerate(corpus["sample_ids"]):
        line = {key: value for key, value in vectors.samples()[name].items() if not key.startswith("expected")}
        if position in corpus["missing_generation"]:
            del line["generation"]
        if position in corpus["without_labels"]:
            del line["evaluation_labels"]
        yield {**line, "id": f"{name} at {position}"}


def test_every_corpus_has_the_numbers_of_the_reference(tmp_path):
    file = tmp_path / "corpus.jsonl"
    wrong = []
    for corpus in CORPORA:
        write(file, corpus_lines(corpus))
        if not corpus["sample_ids"]:
            with pytest.raises(UsageError, match="is empty"):
                open_runs(file)
            continue
        if reference_keys(scored(file, reasoning="kept").tally) != corpus["expected"]:
            wrong.append(corpus["id"])
    assert wrong == []
    assert len(CORPORA) == 44


def anchor_lines():
    """1,751 answers: 15 invalid, 19 exact, 92 full matches, 1,520 that follow the schema."""
    kinds = [
        (15, "no JSON"),
        (19, '{"t": "red", "n": 3}'),
        (73, '{"n": 3, "t": "Red."}'),  # equal once normalised, not exactly
        (1520 - 19 - 73, '{"n": 4, "t": "red"}'),
        (1736 - 1520, '{"n": "3", "t": "blue"}'),
    ]
    answers = [text for count, text in kinds for _ in range(count)]
    random.Random(1).shuffle(answers)
    return [sobench_line(f"sample {number}", text) for number, text in enumerate(answers)]


def test_the_published_demo_run_is_the_same_arithmetic(tmp_path):
    """The one anchor published with the released code: 1,751 samples, 15 invalid, full match 92/1736."""
    found = scored(write(tmp_path / "demo.jsonl", anchor_lines()), reasoning="kept")
    keys = reference_keys(found.tally)
    assert (keys["num_examples"], keys["num_invalid_generation"]) == (1751, 15)
    assert keys["exact_match"] == 19 / 1751
    assert keys["followed_schema"] == 1520 / 1751
    assert keys["relaxed_all_fields_match_accuracy"] == 92 / 1736
    assert round(keys["exact_match"], 5) == 0.01085
    assert round(keys["followed_schema"], 5) == 0.86808
    assert round(keys["relaxed_all_fields_match_accuracy"], 6) == 0.052995
    full = found.tally.figures["full_match"]
    assert (full.a, full.b, full.n) == (92, 1736, 1751)
    published = {entry.figure: entry for entry in PUBLISHED if entry.model == "gpt-4o-mini" and entry.counts}
    for name, entry in published.items():
        moments = found.tally.figures[name]
        assert (moments.a, moments.b) == entry.counts
        assert moments.value == entry.value
    assert published.keys() == {"schema_validity", "full_match", "invalid"}


def ifstruct_lines(cases, names):
    for number, (name, entity_type) in enumerate(names):
        case = cases[name]
        yield {"doc_id": number, "entity_type": entity_type, **case["spec"], "response": case["response"]}


def test_ifstruct_vectors_pass_and_fail_as_the_reference_says(tmp_path):
    cases = {case["id"]: case for case in lines(HERE / "ifstruct_synthetic.jsonl.gz")[::5]}
    file = write(tmp_path / "vectors.jsonl", ifstruct_lines(cases, ((name, "test") for name in cases)))
    told = []
    found = scored(file, write=told.append)
    expected = [bool(case["expected"].get("passed")) for case in cases.values()]
    assert [json.loads(line)["passed"] for line in told] == expected
    assert found.tally.figures["pass"].value == sum(expected) / len(expected)
    assert 0 < sum(expected) < len(expected)


@pytest.mark.skipif(not (SHARED / "dev").exists(), reason="needs the shared folder next to the checkout")
def test_ifstruct_summaries_are_those_of_the_reference(tmp_path):
    cases = {case["id"]: case for name in ("ifstruct_real_schemas", "ifstruct_synthetic") for case in lines(SHARED / "dev" / f"{name}.jsonl.gz")}  # fmt: skip
    slices = {"by_format": {"json": "pass_json", "yaml": "pass_yaml"}, "by_top_level_structure": {"wrapper_key": "pass_wrapper", "bare_list": "pass_bare"}}  # fmt: skip
    for corpus in lines(SHARED / "dev" / "ifstruct_corpus.jsonl")[::4]:
        names = [(item["sample_id"], item["entity_type"]) for item in corpus["items"]]
        if not names:
            continue
        figures = scored(write(tmp_path / "c.jsonl", ifstruct_lines(cases, names))).tally.figures
        expected = corpus["expected"]
        assert figures["pass"].value == expected["pass_rate"]
        for part, named in slices.items():
            got = {name: (figures[ours].a, figures[ours].n) for name, ours in named.items() if ours in figures}
            assert got == {name: (rate["passed"], rate["total"]) for name, rate in expected[part].items()}


def test_numbers_do_not_depend_on_workers_or_order(tmp_path):
    answers = mixed_rollouts(800)
    file = write(tmp_path / "a.jsonl", answers)
    alone, dealt = [], []
    one, two = scored(file, write=alone.append), scored(file, workers=2, write=dealt.append)
    assert one.tally == two.tally
    assert alone == dealt
    random.Random(2).shuffle(answers)
    shuffled = scored(write(tmp_path / "b.jsonl", answers), workers=2)
    assert shuffled.tally == one.tally
    assert shuffled.tally.figures["pass"].error == one.tally.figures["pass"].error
    assert one.tally.samples == 800
    assert one.tally.missing == sum(line["response"] is None for line in answers) > 100


def test_a_sample_that_is_there_twice_is_told_wherever_it_was_scored(tmp_path):
    answers = mixed_rollouts(900)
    again = write(tmp_path / "a.jsonl", [*answers, answers[7]])
    for workers in (1, 2):
        with pytest.raises(UsageError, match=r"line 901: sample 0#7 is there twice, first in line 8: .*`rollout`"):
            scored(again, workers=workers)
    assert scored(again, allow_repeats=True).tally.samples == 901


def test_rows_without_an_answer_are_counted_in_processes_too(tmp_path):
    rows = write(tmp_path / "rows.jsonl", [ifstruct_row(number) for number in range(800)])
    file = write(tmp_path / "a.jsonl", [{"id": number, "response": GOOD} for number in range(0, 800, 2)])
    told = []
    found = scored(file, workers=2, file=rows, write=told.append)
    assert (found.tally.samples, found.tally.missing) == (800, 400)
    assert (found.tally.figures["pass"].a, found.tally.figures["pass"].n) == (400, 800)
    assert [json.loads(line)["doc_id"] for line in told[400:]] == [str(number) for number in range(1, 800, 2)]


def test_what_is_held_of_a_sample_is_eight_bytes(tmp_path):
    """Pieces are read as they are wanted: the file is not in memory before the first is scored."""
    (run,) = open_runs(write(tmp_path / "a.jsonl", mixed_rollouts(2000))).values()
    from sobench_metrics.results.in_processes import in_processes
    from sobench_metrics.results.reading import FORMATS
    from sobench_metrics.results.scored_pieces import pieces_of

    read = 0

    def counted():
        nonlocal read
        for item in FORMATS[run.format].items(run):
            read += 1
            yield item

    pieces = in_processes(run, None, pieces_of(counted()), 2)
    first = next(pieces)
    assert first.tally.samples == 256
    assert read < 2000
    assert len(first.keys) * first.keys.itemsize == 256 * 8
    pieces.close()
