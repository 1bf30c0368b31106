"""Which samples of two runs stand side by side, and when two runs must not be compared at all."""

import json
from dataclasses import replace

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results import reading
from sobench_metrics.results.lm_eval_log import open_runs, samples
from sobench_metrics.results.pairing import LeftOut, pair, pool
from sobench_metrics.results.partners import partners
from tests.engines.golden_logs import CHART, IFSTRUCT, LIMIT, SOBENCH

VARIANT = "sobench_ui_constrained_sample"


def paired(a, b, task=SOBENCH, common=None, *, other=None):
    """The pairing of one task of two folders."""
    runs = open_runs(a)[task], open_runs(b)[other or task]
    return pair(runs, (samples(runs[0]), samples(runs[1])), common)


def refusal(act):
    with pytest.raises(UsageError) as caught:
        act()
    return str(caught.value)


def test_two_plain_runs_are_paired_whole(golden):
    found = paired(golden["placeholder"], golden["oracle"])
    assert (found.task, found.common, found.ran, found.planned) == (SOBENCH, "all", (LIMIT, LIMIT), 14)
    assert [two.a.doc_id for two in found.pairs] == [two.b.doc_id for two in found.pairs]
    assert (found.left_out, found.warnings) == ((), ())
    assert all(two.a.answer is None and two.a.characters for two in found.pairs)


def test_samples_are_paired_by_name_whatever_their_order_and_lone_ones_are_listed(golden, edit):
    kept = paired(golden["oracle"], golden["oracle"]).pairs
    short = edit("oracle").lines(SOBENCH, lambda number, _: number != 1).folder
    late = edit("oracle").lines(SOBENCH, lambda number, _: number not in (0, 4)).folder
    found = paired(short, late)
    assert [two.doc_id for two in found.pairs] == [kept[number].doc_id for number in (2, 3, 5)]
    assert found.left_out == (
        LeftOut(kept[0].doc_id, "B", "not run"),
        LeftOut(kept[4].doc_id, "B", "not run"),
        LeftOut(kept[1].doc_id, "A", "not run"),
    )
    assert found.ran == (5, 4)


def test_a_constrained_run_is_compared_where_it_was_really_constrained(golden, edit):
    states = ["constrained", "free", "constrained", "skipped", "excluded", "constrained"]
    bound = edit("oracle").generation(SOBENCH, states).folder
    names = [two.doc_id for two in paired(golden["oracle"], golden["oracle"]).pairs]
    for sides in ((golden["placeholder"], bound), (bound, golden["placeholder"])):
        found = paired(*sides)
        side = "B" if sides[1] == bound else "A"
        assert found.common == "constrained"
        assert [two.doc_id for two in found.pairs] == [names[0], names[2], names[5]]
        assert found.left_out == tuple(LeftOut(names[n], side, states[n], "a pattern") for n in (1, 3, 4))
    assert found.states == ({"constrained": 3, "free": 1, "skipped": 1, "excluded": 1}, {})
    everything = paired(golden["placeholder"], bound, common="all")
    assert len(everything.pairs) == LIMIT
    assert everything.left_out == ()


def test_an_unconstrained_run_may_call_its_answers_free(edit):
    free = edit("placeholder").generation(SOBENCH, ["free"] * LIMIT).folder
    bound = edit("oracle").generation(SOBENCH, ["constrained"] * LIMIT).folder
    assert len(paired(free, bound).pairs) == LIMIT
    assert paired(free, free).common == "all"


def test_two_constrained_runs_leave_what_either_left(edit):
    one = edit("oracle").generation(SOBENCH, ["constrained", "free", *["constrained"] * 4]).folder
    two = edit("oracle").generation(SOBENCH, [*["constrained"] * 4, "skipped", "free"]).folder
    found = paired(one, two)
    assert len(found.pairs) == 3
    assert [(out.side, out.state) for out in found.left_out] == [("A", "free"), ("B", "skipped"), ("B", "free")]


def test_a_sample_that_was_skipped_is_left_out_also_where_none_was_constrained(edit):
    skipped = edit("placeholder").generation(SOBENCH, ["skipped", None, "excluded", *[None] * 3]).folder
    bound = edit("oracle").generation(SOBENCH, ["constrained"] * LIMIT).folder
    found = paired(skipped, bound)
    assert [(out.side, out.state) for out in found.left_out] == [("A", "skipped"), ("A", "excluded")]


def test_a_request_that_failed_was_not_answered(edit):
    def fail(number, line):
        if number == 2:
            line["diagnostics"]["codes"] = ["request.failed"]

    failed = edit("placeholder").lines(SOBENCH, fail).folder
    bound = edit("oracle").generation(SOBENCH, ["constrained"] * LIMIT).folder
    found = paired(failed, bound)
    assert [(out.side, out.state) for out in found.left_out] == [("A", "failed")]
    assert len(paired(failed, bound, common="all").pairs) == LIMIT


def test_nothing_left_to_compare_is_told(golden, edit):
    skipped = edit("oracle").generation(SOBENCH, ["free"] * LIMIT).rename(SOBENCH, VARIANT).folder
    message = refusal(lambda: paired(golden["oracle"], skipped, other=VARIANT))
    assert "6 free in B" in message
    assert "--common all" in message
    untold = edit("oracle").rename(SOBENCH, VARIANT).folder
    assert "of unknown constraint" in refusal(lambda: paired(golden["oracle"], untold, other=VARIANT))
    assert "neither run is constrained" in refusal(
        lambda: paired(golden["oracle"], golden["oracle"], common="constrained")
    )
    apart = [edit("oracle").lines(SOBENCH, lambda number, _, even=even: number % 2 == even).folder for even in (0, 1)]
    assert "run both on the same samples" in refusal(lambda: paired(*apart))


def test_other_rows_are_refused(golden, edit):
    def reworded(number, line):
        if number in (3, 4):
            line["doc"]["target_json"] = '{"other": 1}'

    message = refusal(lambda: paired(golden["oracle"], edit("oracle").lines(SOBENCH, reworded).folder))
    assert "2 of 6 paired samples have different data" in message


def test_other_prompts_are_refused_unless_only_a_template_renders_them_differently(golden, edit):
    def prompt(number, line):
        line["prompt_hash"] = f"other {number}"

    other = edit("oracle").lines(IFSTRUCT, prompt)
    assert "the prompts of 6 of 6 paired samples differ" in refusal(
        lambda: paired(golden["oracle"], other.folder, IFSTRUCT)
    )
    other.results(lambda content: content.update(chat_template_sha="f" * 64))
    found = paired(golden["oracle"], other.folder, IFSTRUCT)
    assert found.warnings == (
        "template differs: A none, B ffffffffffff",
        "prompts of 6 of 6 paired samples are rendered differently (the same texts, another backend or template)",
    )
    other.results(lambda content: content.update(system_instruction_sha="e" * 64))
    assert "different system prompts" in refusal(lambda: paired(golden["oracle"], other.folder, IFSTRUCT))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("sample:1.0", "sample:2.0", "different versions of the task"),
        ("prompt=", "prompt=0", "different prompts"),
        ("official+strict", "official", "different score sets"),
    ],
)
def test_rules_that_differ_are_refused(golden, edit, old, new, words):
    def change(content):
        metadata = content["configs"][SOBENCH]["metadata"]
        assert old in metadata["signature"]
        metadata["signature"] = metadata["signature"].replace(old, new)

    assert words in refusal(lambda: paired(golden["oracle"], edit("oracle").results(change).folder))


def test_another_revision_with_the_same_rows_is_told(golden, edit):
    """A revision names a whole data set; what counts is whether the samples here are the same."""

    def change(content):
        metadata = content["configs"][SOBENCH]["metadata"]
        metadata["signature"] = metadata["signature"].replace("data=sample-", "data=other-")

    (warning,) = paired(golden["oracle"], edit("oracle").results(change).folder).warnings
    assert warning.startswith("data differs: A sample-")


def test_a_log_without_rows_is_held_to_the_harnesss_own_hashes(golden, edit):
    def without_row(number, line):
        line["doc"] = {"doc_id": line["doc"]["doc_id"]}

    def other(number, line):
        without_row(number, line)
        line["doc_hash"] = "other"

    bare = edit("oracle").lines(SOBENCH, without_row).folder
    assert len(paired(golden["oracle"], bare).pairs) == LIMIT
    message = refusal(lambda: paired(golden["oracle"], edit("oracle").lines(SOBENCH, other).folder))
    assert "6 of 6 paired samples have different data" in message


def test_what_may_differ_is_told(golden, edit):
    def change(content):
        metadata = content["configs"][SOBENCH]["metadata"]
        signature = metadata["signature"].replace("max_gen_toks=1024", "max_gen_toks=64").replace("n=6/", "n=4/")
        assert "n=4/" in signature
        metadata["signature"] = f"{signature}|constraint=json_schema"

    other = edit("oracle").results(change).lines(SOBENCH, lambda number, _: number < 4).folder
    assert paired(golden["oracle"], other).warnings == (
        "max_gen_toks differs: A 1024, B 64",
        "constraint differs: A untold, B json_schema",
    )


def test_answers_to_one_row_are_one_witness(tmp_path):
    """Rollouts of a row are no independent samples, also where no picture or entity type says so."""
    item = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    asked = {
        "json_schema": json.dumps({"type": "array", "items": item}), "top_level_count": "1", "top_level_key": None,
        "require_wrapper_key": False, "require_code_block": False, "require_no_commentary": False, "output_format": "json",
    }  # fmt: skip
    file = tmp_path / "rollouts.jsonl"
    lines = [
        {**asked, "doc_id": f"row {number // 2}", "rollout": number % 2, "response": '[{"n": 1}]'}
        for number in range(6)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ((_, run),) = reading.open_runs(file).items()
    found = pair((run, run), (reading.samples(run), reading.samples(run)))
    assert [(two.doc_id, two.cluster) for two in found.pairs[:3]] == [
        ("row 0#0", "row 0"), ("row 0#1", "row 0"), ("row 1#0", "row 1"),
    ]  # fmt: skip


def test_a_task_is_compared_with_itself_or_with_its_constrained_variant(golden, edit):
    a = open_runs(golden["oracle"])
    assert [(one.task, two.task) for one, two in partners(a, open_runs(golden["empty"]))] == [
        (IFSTRUCT, IFSTRUCT), (CHART, CHART), (SOBENCH, SOBENCH),
    ]  # fmt: skip
    bound = open_runs(edit("oracle").rename(SOBENCH, VARIANT).folder)
    both = {VARIANT: bound[VARIANT], SOBENCH: a[SOBENCH]}
    alone = partners({SOBENCH: a[SOBENCH]}, both)
    assert [(one.task, two.task) for one, two in alone] == [(SOBENCH, VARIANT), (SOBENCH, SOBENCH)]
    other = {name: replace(run, where=run.where.with_name("other")) for name, run in reversed(both.items())}
    each = partners(both, other)
    assert [(one.task, two.task) for one, two in each] == [(VARIANT, VARIANT), (SOBENCH, SOBENCH)]
    named = partners(a, bound, [VARIANT])
    assert [(one.task, two.task) for one, two in named] == [(SOBENCH, VARIANT)]
    assert len(partners(a, bound)) == 3


def test_one_run_that_holds_both_is_compared_with_itself(golden):
    run = open_runs(golden["oracle"])
    both = {SOBENCH: run[SOBENCH], VARIANT: replace(run[SOBENCH], task=VARIANT), IFSTRUCT: run[IFSTRUCT]}
    assert [(one.task, two.task) for one, two in partners(both, both, [SOBENCH])] == [(SOBENCH, VARIANT)]
    assert f"{IFSTRUCT} only in A; compare the rest with --tasks {SOBENCH}" in refusal(lambda: partners(both, both))
    assert "holds no constrained variant" in refusal(lambda: partners(run, run))


def test_a_task_that_one_side_lacks_is_told_with_what_can_be_compared(golden):
    run, other = open_runs(golden["oracle"]), open_runs(golden["empty"])
    less = {SOBENCH: other[SOBENCH]}
    message = refusal(lambda: partners(less, run))
    assert f"{CHART} only in B" in message
    assert f"--tasks {SOBENCH}" in message
    assert len(partners(less, run, [SOBENCH])) == 1
    assert "name two runs of the same tasks" in refusal(lambda: partners(less, {CHART: run[CHART]}))
    assert "no task mmlu in these runs" in refusal(lambda: partners(run, other, ["mmlu"]))


def test_domains_are_pooled_and_nothing_else(golden):
    found = [paired(golden["placeholder"], golden["oracle"], task) for task in (IFSTRUCT, CHART, SOBENCH)]
    (pooled,) = pool(found)
    assert pooled.task == "sobench_sample: 2 domains pooled"
    assert pooled.pooled == (CHART, SOBENCH)
    assert (len(pooled.pairs), pooled.ran, pooled.planned) == (2 * LIMIT, (2 * LIMIT, 2 * LIMIT), 28)
    assert len({two.doc_id for two in pooled.pairs}) == 2 * LIMIT
    assert pool(found[:2]) == []
    assert pool([found[1], replace(found[2], common="constrained")]) == []
    plain, other = found[2].runs
    assert pool([found[1], replace(found[2], runs=(plain, replace(other, task=VARIANT)))]) == []
