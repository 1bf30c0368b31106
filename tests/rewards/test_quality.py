"""Structure alone can be gamed: the hook, and the guards that come with it."""

import pytest

from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.data.sample import ifstruct_rows_file
from sobench_metrics.errors import UsageError
from sobench_metrics.rewards import (
    ifstruct_reward,
    ifstruct_shaped_reward,
    plain_guards,
    sobench_reward,
    with_guards,
    with_quality,
)
from tests.rewards.rows import BILL, RIGHT_TEAS, TEA, columns, repeated, tea_answer

WRONG_FORM = tea_answer(fence=False)


def test_quality_tells_passes_apart_and_buys_nothing():
    def by_length(text, _row):
        return min(1.0, len(text) / 1_000)

    reward = with_quality(ifstruct_reward, by_length, weight=0.4)
    short, long = tea_answer(), tea_answer([{**tea, "note": "x" * 2_000} for tea in RIGHT_TEAS])
    low, high, failed = reward(None, [short, long, WRONG_FORM + "x" * 2_000], **repeated(TEA, 3))
    assert low == 1 - 0.4 * (1 - len(short) / 1_000)
    assert high == 1.0
    assert failed == 0.0


def test_the_worst_pass_outranks_the_best_fail():
    reward = with_quality(ifstruct_shaped_reward, lambda _text, _row: 0.0, weight=0.49)
    flattered = with_quality(ifstruct_shaped_reward, lambda _text, _row: 1.0, weight=0.49)
    (worst_pass,) = reward(None, [tea_answer()], **repeated(TEA, 1))
    (best_fail,) = flattered(None, [WRONG_FORM], **repeated(TEA, 1))
    assert best_fail < 0.5 < worst_pass


def test_a_quality_sees_text_and_row_and_may_have_no_opinion():
    seen = []

    def watching(text, row):
        seen.append((text, row["prompt"], row["top_level_key"], row["subject"]))

    reward = with_quality(ifstruct_reward, watching, weight=0.3)
    found = reward(
        ["Two teas?", "Two teas!"],
        [[{"role": "assistant", "content": tea_answer()}], "no"],
        **repeated(TEA, 2),
        subject=["tea", "tea"],
        trainer_state=object(),
    )
    assert found == [1.0, 0.0]
    assert seen == [(tea_answer(), "Two teas?", "teas", "tea")]  # asked only where it matters


def test_a_penalty_stays_a_penalty():
    reward = with_quality(sobench_reward, lambda _text, _row: 0.0, weight=0.3)
    assert reward(None, ["not json", BILL["target_json"]], **repeated(BILL, 2)) == [-0.1, 0.7]


@pytest.mark.parametrize("weight", [0.0, -0.1, 0.5, 1.0, float("nan")])
def test_a_weight_out_of_bounds_is_refused(weight):
    with pytest.raises(UsageError, match="A weight of"):
        with_quality(ifstruct_reward, plain_guards, weight=weight)


def test_weights_add_up_over_terms():
    once = with_guards(ifstruct_reward, weight=0.25)
    twice = with_quality(once, lambda _text, _row: 0.5, weight=0.2)
    assert twice.floor == 0.75 * 0.8
    with pytest.raises(UsageError, match="all terms together"):
        with_guards(twice, weight=0.2)


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan")])
def test_a_quality_out_of_bounds_is_refused(value):
    with pytest.raises(UsageError, match="must give a number from 0 to 1"):
        with_quality(ifstruct_reward, lambda _text, _row: value, weight=0.3)(None, [tea_answer()], **repeated(TEA, 1))


@pytest.mark.parametrize(
    ("note", "quality"),
    [("", 2 / 4), ("  ", 2 / 4), ("N/A", 2 / 4), ("string", 2 / 4), ("Note", 2 / 4), ("with milk", 1.0)],
)
def test_notes_that_say_nothing(note, quality):
    """Two free texts an item: name and note; the enum's texts are the schema's own."""
    answer = tea_answer([{**tea, "note": note if note != "with milk" else tea["note"]} for tea in RIGHT_TEAS])
    assert ifstruct_reward(None, [answer], **repeated(TEA, 1)) == [1.0]
    assert plain_guards(answer, TEA) == quality


def test_one_item_again_and_again():
    assert plain_guards(tea_answer([RIGHT_TEAS[0]] * 2), TEA) == 1 / 2
    assert plain_guards(tea_answer(), TEA) == 1.0


def test_one_word_everywhere():
    answer = tea_answer([{**tea, "name": "tea", "note": "tea"} for tea in RIGHT_TEAS])
    assert plain_guards(answer, TEA) == 2 * 1 / 4


def test_no_data_says_nothing():
    assert plain_guards("no data", TEA) == 0.0
    assert plain_guards(None, TEA) == 0.0


def test_texts_of_the_target_are_never_signs():
    row = {**BILL, "target_json": '{"shop": "N/A", "total": 1, "paid": true}'}
    assert plain_guards(row["target_json"], row) == 1.0
    assert plain_guards('{"shop": "unknown", "total": 1, "paid": true}', row) == 0.0


def test_guards_lower_a_gamed_pass():
    gamed = tea_answer([{**tea, "name": "", "note": ""} for tea in RIGHT_TEAS])
    assert with_guards(ifstruct_reward, weight=0.3)(None, [tea_answer(), gamed], **repeated(TEA, 2)) == [1.0, 0.7]


def test_saying_nothing_passes_every_row_and_only_the_hook_minds():
    """The oracle writes one sentence into every text field and repeats its items."""
    rows = load_rows(ifstruct_rows_file()).rows
    gamed, known = [ifstruct_answer(row) for row in rows], columns(rows)
    assert ifstruct_reward(None, gamed, **known) == [1.0] * len(rows)

    def many_words(text, _row):
        words = text.split()
        return len(set(words)) / len(words)

    guarded = with_guards(ifstruct_reward)(None, gamed, **known)
    both = with_quality(with_guards(ifstruct_reward, weight=0.25), many_words, weight=0.25)(None, gamed, **known)
    assert 0.7 < sum(guarded) / len(rows) < 0.82
    assert 0.5 < sum(both) / len(rows) < sum(guarded) / len(rows)
