"""The sums of a scored run: the references' numbers, whoever scored which piece and in which order."""

import json
import random

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results.reading import open_runs
from tests.ifstruct.test_ifstruct_vectors import HERE, SHARED, lines
from tests.results.prediction_files import GOOD, ifstruct_row, mixed_rollouts, write
from tests.results.scoring import scored


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
