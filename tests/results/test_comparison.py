"""The rows of a comparison: the harness's own numbers on both sides, and what lies between them."""

import json
from dataclasses import replace

import pytest

from sobench_metrics.results.comparison import compare
from sobench_metrics.results.comparison_json import as_json
from sobench_metrics.results.comparison_table import WIDTH, lines
from sobench_metrics.results.lm_eval_log import open_runs, samples
from sobench_metrics.results.pairing import pair, pool
from tests.engines.golden_logs import CHART, IFSTRUCT, LIMIT, SOBENCH, results_file


def compared(a, b, task=SOBENCH):
    runs = open_runs(a)[task], open_runs(b)[task]
    return compare(pair(runs, (samples(runs[0]), samples(runs[1]))), resamples=50, seed=0)


def row(comparison, figure):
    (found,) = [one for one in comparison.rows if one.figure == figure]
    return found


def text(*comparisons, listed=False):
    return "\n".join(lines(comparisons, listed=listed))


@pytest.mark.parametrize("task", [SOBENCH, IFSTRUCT])
def test_both_sides_are_bit_for_bit_what_the_harness_reported(golden, task):
    found = compared(golden["placeholder"], golden["oracle"], task)
    reported = [
        json.loads(results_file(golden[kind]).read_text(encoding="utf-8"))["results"][task]
        for kind in ("placeholder", "oracle")
    ]
    means = {key for key, number in reported[0].items() if isinstance(number, float) and "_stderr" not in key}
    compared_ = {f"{one.figure},none": one for one in found.rows if one.unit == "percent"}
    assert set(compared_) == means  # slices without a sample are no rows
    for key, one in compared_.items():
        assert [one.a, one.b] == [side[key] for side in reported], key


def test_an_invalid_answer_leaves_official_ratios_and_stays_in_the_strict_ones(golden):
    found = compared(golden["empty"], golden["oracle"])
    official, strict = row(found, "field_match"), row(found, "strict_field_recall")
    assert (official.counts.undefined, official.counts.wins) == (LIMIT, 0)
    assert (strict.counts.undefined, strict.counts.wins) == (0, LIMIT)
    assert "is none of the three" in text(found)
    assert "is none of the three" not in text(compared(golden["placeholder"], golden["oracle"]))


def test_a_figure_that_is_better_low_is_won_by_the_lower_side(golden):
    found = row(compared(golden["empty"], golden["oracle"]), "invalid")
    assert (found.a, found.b, found.difference) == (1, 0, -1)
    assert (found.counts.wins, found.counts.losses) == (LIMIT, 0)
    assert found.p == pytest.approx(2 / 2**LIMIT)


def test_pass_and_fail_have_a_test_and_intervals_of_their_own_and_ratios_have_not(golden):
    found = compared(golden["placeholder"], golden["oracle"])
    assert row(found, "strict_full_match").p == pytest.approx(2 / 2**LIMIT)
    low, high = row(found, "strict_full_match").wilson[1]
    assert 0.5 < low < high == 1
    assert row(found, "field_match").p is None
    assert row(found, "field_match").wilson is None


def test_ones_and_noughts_that_are_lengths_are_no_pass_and_fail(edit):
    sides = [edit("oracle").generation(SOBENCH, [None] * LIMIT, tokens=tokens).folder for tokens in (0, 1)]
    tokens = row(compared(*sides), "tokens")
    assert (tokens.counts.losses, tokens.p, tokens.wilson) == (LIMIT, None, None)


def test_a_line_of_the_table(golden):
    found = text(compared(golden["placeholder"], golden["oracle"], IFSTRUCT)).splitlines()
    (line,) = [line.split() for line in found if line.startswith("  pass ")]
    assert line == ["pass", "0.00", "100.00", "+100.00", "[+100.00,", "+100.00]", "6", "0", "0", "0.031"]


def test_length_and_time_come_from_the_log_when_it_tells_them(edit):
    a = edit("placeholder").generation(SOBENCH, [None] * LIMIT, tokens=10, seconds=0.5, limit=False).folder
    b = edit("oracle").generation(SOBENCH, [None] * LIMIT, tokens=14, seconds=0.25, limit=True).folder
    found = compared(a, b)
    tokens, seconds, limit = (row(found, name) for name in ("tokens", "seconds", "at_limit"))
    assert (tokens.unit, tokens.a, tokens.b, tokens.interval) == ("tokens", 10, 14, (4, 4))
    assert (seconds.difference, seconds.of_run, seconds.counts.wins) == (-0.25, False, LIMIT)
    assert (limit.unit, limit.a, limit.b, limit.counts.losses) == ("percent", 0, 1, LIMIT)
    assert not [one for one in found.rows if one.figure == "characters"]
    assert "tokens (mean)" in text(found)
    assert "The logs do not tell" not in text(found)


def test_length_in_characters_and_the_whole_runs_time_stand_in_and_are_named(golden, edit):
    told = edit("oracle").generation(SOBENCH, [None] * LIMIT, tokens=14, seconds=0.25).folder
    found = compared(golden["placeholder"], told)
    seconds = row(found, "seconds")
    assert (seconds.of_run, seconds.interval, seconds.counts) == (True, None, None)
    assert (seconds.a, seconds.b) == tuple(run.seconds for run in found.pairing.runs)
    assert row(found, "characters").a == sum(two.a.characters for two in found.pairing.pairs) / LIMIT
    assert not [one for one in found.rows if one.figure in ("tokens", "at_limit")]
    shown = " ".join(text(found).split())
    for words in ("characters (mean)", "seconds, whole run", "length is in characters", "seconds are the whole run's"):
        assert words in shown


def test_findings_are_counted_by_answers_and_shown_where_they_changed(golden):
    found = compared(golden["placeholder"], golden["oracle"], IFSTRUCT)
    (code,) = {"wrapper.missing"} & found.findings.keys()
    before, after = found.findings[code]
    assert before > after == 0
    assert f"{code} {before} -> 0" in text(found)
    same = compared(golden["placeholder"], golden["placeholder"], IFSTRUCT)
    assert same.findings[code] == (before, before)
    assert "findings" not in text(same)


def test_boundless_figures_of_other_tasks_are_no_percentages(edit):
    def change(number, line):
        line.update(metrics=["words", "acc"], words=100.0 + number, acc=1.0)

    sides = [edit(kind).lines(IFSTRUCT, change).folder for kind in ("oracle", "placeholder")]
    found = compared(*sides, IFSTRUCT)
    assert (row(found, "words").unit, row(found, "acc").unit) == ("number", "percent")
    assert "102.500" in text(found)
    assert "  acc " in text(found)


def test_the_text_fits_its_width_and_nothing_in_a_log_can_act_on_the_terminal(edit):
    hostile = "\x1b[2J" + "x" * 300

    def change(number, line):
        line["doc"]["doc_id"] = f"{number}{hostile}"
        line["diagnostics"]["codes"] = [f"{hostile}{number}"]
        line["diagnostics"]["generation"] = {"constrained": "free" if number else "constrained", "reason": hostile}

    def rename(content):
        content["model_name"] = hostile
        content["configs"][SOBENCH]["metadata"]["signature"] += f"|odd={hostile}"

    def same_names(number, line):
        line["doc"]["doc_id"] = f"{number}{hostile}"

    strange = edit("oracle").lines(SOBENCH, change).results(rename).folder
    plain = edit("placeholder").lines(SOBENCH, same_names).folder
    shown = text(compared(plain, strange), listed=True)
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert shown.count("left out: ") == LIMIT - 1
    assert shown.count("x" * 50) >= 3  # model, code and signature are shown, not dropped


def test_the_list_names_what_is_left_out_and_why(golden, edit):
    states = ["constrained", "free", "constrained", "skipped", "excluded", "constrained"]
    found = compared(golden["placeholder"], edit("oracle").generation(SOBENCH, states).folder)
    told = "3 samples of 14 compared (both ran 6; 1 excluded in B; 1 free in B; 1 skipped in B)"
    assert told in " ".join(text(found).split())
    assert "left out" not in text(found)
    listed = text(found, listed=True)
    for out in found.pairing.left_out:
        assert f"left out: {out.doc_id}, {out.state} in B: a pattern" in listed
    assert "really constrained" in text(found)


def test_both_signatures_and_warnings_stand_in_the_text(golden, edit):
    def change(content):
        content["configs"][SOBENCH]["metadata"]["signature"] += "|constraint=json_schema"

    shown = text(compared(golden["placeholder"], edit("oracle").results(change).folder))
    assert "  warning: constraint differs: A untold, B json_schema" in shown
    assert shown.count("task=sobench_ui_sample:1.0") == 2
    assert shown.count("constraint=json_schema") == 1


def test_json_holds_all_of_it(golden, edit):
    states = ["constrained", "free", "constrained", "skipped", "excluded", "constrained"]
    bound = edit("oracle").generation(SOBENCH, states).generation(CHART, ["constrained"] * LIMIT).folder
    each = [compared(golden["placeholder"], bound, task) for task in (SOBENCH, CHART)]
    (pooled,) = pool([one.pairing for one in each])
    found = as_json([*each, compare(pooled, resamples=50, seed=0)], seed=0, resamples=50)
    one, _, together = json.loads(json.dumps(found, allow_nan=False))["tasks"]
    assert one["samples"] == {"compared": 3, "planned": 14, "a": LIMIT, "b": LIMIT}
    assert one["states"] == {"a": {}, "b": {"constrained": 3, "free": 1, "skipped": 1, "excluded": 1}}
    assert {"side": "b", "state": "free", "reason": "a pattern"}.items() <= one["left_out"][0].items()
    assert one["runs"]["b"]["signature"]["task"] == "sobench_ui_sample:1.0"
    figures = {figure["figure"]: figure for figure in one["figures"]}
    assert figures["strict_full_match"]["mcnemar_p"] == 0.25
    assert figures["full_match"]["wins"] == 3
    assert (together["pooled"], together["runs"]) == ([SOBENCH, CHART], {})
    assert together["samples"]["compared"] == 9
    assert "2 domains pooled" in text(*each, compare(pooled, resamples=50, seed=0))


def test_samples_of_one_picture_are_drawn_together_where_there_are_enough_pictures(golden, edit):
    many = edit("oracle").lines(SOBENCH, lambda number, line: line["doc"].update(image_sha256="one")).folder
    found = compared(many, many)
    assert found.clusters is None  # one picture is no sample of pictures
    pairing = found.pairing
    wide = replace(
        pairing,
        pairs=tuple(
            replace(two, doc_id=f"{two.doc_id}/{copy}", cluster=f"{two.doc_id}/{copy % 2}")
            for two in pairing.pairs
            for copy in range(4)
        ),
    )
    together = compare(wide, resamples=50, seed=0)
    assert together.clusters == 2 * LIMIT
    assert compare(wide, resamples=50, seed=0, clustered=False).clusters is None
    assert "intervals drawn over 12 pictures or entity types" in text(together)
    assert "trust the interval" in " ".join(text(together).split())
    assert "trust the interval" not in " ".join(text(found).split())


def test_the_sides_of_a_figure_are_named_sample_by_sample(golden):
    found = row(compared(golden["placeholder"], golden["oracle"]), "strict_full_match")
    assert (len(found.won), found.lost, found.tied) == (LIMIT, (), ())
    assert found.detectable is None  # every sample moved alike
    assert not found.lower_is_better
    assert row(compared(golden["placeholder"], golden["oracle"]), "invalid").lower_is_better


def test_strict_verdicts_of_the_hard_set_are_shown_beside_the_official_ones(edit):
    def change(number, line):
        line.update(metrics=["pass", "pass_strict"], pass_strict=float(number % 2))
        line["pass"] = 1.0

    hard = edit("oracle").lines(IFSTRUCT, change).folder
    shown = text(compared(hard, hard, IFSTRUCT)).splitlines()
    assert [line.split()[:2] for line in shown if line.startswith("  pass")] == [
        ["pass", "100.00"],
        ["pass_strict", "50.00"],
    ]


def test_one_runs_time_is_not_set_beside_itself(golden):
    """A free task and its variant of one results file share its seconds, which tell nothing of either."""
    found = compared(golden["placeholder"], golden["placeholder"])
    assert not [one for one in found.rows if one.figure == "seconds"]
