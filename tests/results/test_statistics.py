"""Each figure of speech about chance against a slow twin that takes its definition literally."""

import math
import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.moments import Moments
from sobench_metrics.statistics import (
    bootstrap_differences,
    bootstrap_values,
    counts,
    detectable,
    mcnemar,
    percentile,
    sign,
    tail,
    value,
    wilson,
)

pairs = st.integers(0, 9).flatmap(lambda below: st.tuples(st.integers(0, below), st.just(below)))
shares = st.tuples(st.integers(0, 1), st.just(1))
both_sides = st.one_of(
    st.lists(st.tuples(pairs, pairs), min_size=2, max_size=12),
    st.lists(st.tuples(shares, pairs), min_size=2, max_size=12),
    st.lists(st.tuples(shares, shares), min_size=2, max_size=12),
)


def plain_interval(sides, resamples, seed):
    """The same draw, every resample written out and valued as a run of its own."""
    draw = random.Random(seed)
    differences = []
    for _ in range(resamples):
        drawn = [sides[number] for number in draw.choices(range(len(sides)), k=len(sides))]
        differences.append(value([b for _, b in drawn]) - value([a for a, _ in drawn]))
    differences.sort()
    outside = tail(len(sides))
    return tuple(percentile(differences, share) for share in (outside, 1 - outside))


@given(both_sides, st.integers(0, 99))
def test_the_interval_is_that_of_resampled_runs(sides, seed):
    a, b = zip(*sides)
    ((low, high),) = bootstrap_differences([(a, b)], resamples=40, seed=seed)
    assert (low, high) == pytest.approx(plain_interval(sides, 40, seed), abs=1e-12)


def test_all_figures_are_drawn_together_and_a_seed_repeats_them():
    a = [(number % 3, 2) for number in range(30)]
    b = [(number % 2, 2) for number in range(30)]
    alone = bootstrap_differences([(a, b)], resamples=200, seed=5)
    assert bootstrap_differences([(b, a), (a, b)], resamples=200, seed=5)[1:] == alone
    assert bootstrap_differences([(a, b)], resamples=200, seed=6) != alone


def test_pairs_that_move_together_give_a_narrow_interval():
    """One side is the other shifted: unpaired resampling would see the spread of the samples, a paired one none."""
    a = [(number, 1) for number in range(50)]
    b = [(number + 3, 1) for number in range(50)]
    assert bootstrap_differences([(a, b)], resamples=100) == [(3, 3)]


def test_the_interval_agrees_with_the_normal_one_where_that_holds():
    draw = random.Random(3)
    a = [(draw.random() < 0.5, 1) for _ in range(600)]
    b = [(draw.random() < 0.6, 1) for _ in range(600)]
    ((low, high),) = bootstrap_differences([(a, b)], resamples=3000, seed=1)
    differences = [top_b - top_a for (top_a, _), (top_b, _) in zip(a, b)]
    mean = sum(differences) / 600
    error = math.sqrt(sum((one - mean) ** 2 for one in differences) / 599 / 600)
    assert low == pytest.approx(mean - 1.96 * error, abs=0.1 * error)
    assert high == pytest.approx(mean + 1.96 * error, abs=0.1 * error)


@pytest.mark.parametrize(("size", "t"), [(5, 2.776445), (8, 2.364624), (12, 2.200985), (24, 2.068658), (121, 1.97993)])
def test_few_groups_leave_less_outside_the_interval(size, t):
    """The values of t are those of printed tables."""
    assert tail(size) == pytest.approx(math.erfc(t * math.sqrt(size / (size - 1)) / math.sqrt(2)) / 2, rel=5e-3)


def test_many_samples_leave_the_nominal_share_outside():
    assert tail(10**7) == pytest.approx(0.025, abs=1e-6)
    assert 0 <= tail(2) < tail(3) < tail(4) < 0.001


def test_one_sample_has_no_interval_and_unequal_columns_are_a_fault():
    assert bootstrap_differences([([(1, 1)], [(0, 1)])]) == [None]
    assert bootstrap_differences([]) == []
    with pytest.raises(ValueError, match="differ in length"):
        bootstrap_differences([([(1, 1)] * 2, [(0, 1)] * 3)])


@given(st.lists(pairs))
def test_a_value_is_the_micro_average_that_the_tasks_report(column):
    assert value(column) == Moments.of(column).value


@given(st.lists(st.integers(-50, 50), min_size=1), st.floats(0, 1))
def test_a_percentile_lies_between_the_neighbours_of_its_place(values, share):
    values.sort()
    place = share * (len(values) - 1)
    found = percentile(values, share)
    assert values[math.floor(place)] <= found <= values[math.ceil(place)]
    assert percentile([0, 10], 0.25) == 2.5


@given(st.integers(1, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_wilsons_ends_are_the_shares_that_lie_196_errors_away(of):
    passed, total = of
    low, high = wilson(passed, total)
    assert 0 <= low <= passed / total <= high <= 1
    for end in {low, high} - {0.0, 1.0}:
        errors = abs(passed / total - end) / math.sqrt(end * (1 - end) / total)
        assert errors == pytest.approx(1.959964, abs=1e-5)
    assert wilson(total - passed, total) == pytest.approx((1 - high, 1 - low))


def test_wilsons_interval_is_open_where_nothing_or_all_passed():
    assert wilson(0, 10) == (0, pytest.approx(0.2775, abs=1e-4))
    assert wilson(10, 10) == (pytest.approx(0.7225, abs=1e-4), 1)
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize(("wins", "losses"), [(w, n - w) for n in range(9) for w in range(n + 1)])
def test_mcnemar_counts_the_coin_tosses_that_are_as_odd(wins, losses):
    tosses = [sum(toss) for toss in product((0, 1), repeat=wins + losses)]
    centre = Fraction(wins + losses, 2)
    as_odd = sum(abs(heads - centre) >= abs(wins - centre) for heads in tosses)
    assert mcnemar(wins, losses) == pytest.approx(as_odd / len(tosses), abs=1e-15)


def test_mcnemar_at_sizes_where_floats_would_fail():
    assert mcnemar(0, 3000) == 0.0
    assert mcnemar(2500, 2500) == 1.0
    # the normal approximation with continuity correction is good to three digits here
    z = (200 - 1) / math.sqrt(5000)
    assert mcnemar(2400, 2600) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-2)


@given(st.lists(st.tuples(pairs, pairs)), st.booleans())
def test_wins_losses_and_ties_are_told_by_exact_fractions(sides, lower):
    a, b = [one for one, _ in sides], [other for _, other in sides]
    both = [(Fraction(*one), Fraction(*other)) for one, other in sides if one[1] and other[1]]
    found = counts(a, b, lower_is_better=lower)
    more, less = sum(other > one for one, other in both), sum(other < one for one, other in both)
    assert (found.wins, found.losses) == ((less, more) if lower else (more, less))
    assert found.ties == len(both) - more - less
    assert found.undefined == len(sides) - len(both)


@given(both_sides, st.integers(0, 99), st.data())
def test_clusters_are_drawn_whole(sides, seed, data):
    """The slow twin draws clusters as lists of samples and values every resample as a run of its own."""
    names = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(sides), max_size=len(sides)))
    groups = {name: [side for side, other in zip(sides, names) if other == name] for name in dict.fromkeys(names)}
    a, b = zip(*sides)
    ((found),) = bootstrap_differences([(a, b)], clusters=names, resamples=30, seed=seed)
    if len(groups) < 2:
        assert found is None
        return
    draw, members, differences = random.Random(seed), list(groups.values()), []
    for _ in range(30):
        drawn = [side for group in draw.choices(members, k=len(members)) for side in group]
        differences.append(value([right for _, right in drawn]) - value([left for left, _ in drawn]))
    differences.sort()
    outside = tail(len(groups))
    assert found == pytest.approx([percentile(differences, share) for share in (outside, 1 - outside)], abs=1e-12)


def test_samples_that_repeat_one_another_do_not_narrow_the_interval():
    """Ten copies of each sample are no more evidence than one, once they are known for copies."""
    a = [(number % 2, 1) for number in range(40)]
    b = [(number % 3 == 0, 1) for number in range(40)]
    names = [number for number in range(40) for _ in range(10)]
    copied = [[pair for pair in side for _ in range(10)] for side in (a, b)]
    (alone,) = bootstrap_differences([(a, b)], resamples=300)
    assert bootstrap_differences([tuple(copied)], clusters=names, resamples=300) == [pytest.approx(alone)]
    low, high = bootstrap_differences([tuple(copied)], resamples=300)[0]
    assert high - low < (alone[1] - alone[0]) / 2
    assert detectable(*copied, clusters=names) == pytest.approx(detectable(a, b))
    assert detectable(*copied) < detectable(a, b) / 2


def test_one_runs_interval_is_that_of_its_difference_to_nought():
    column = [(number % 4, 3) for number in range(25)]
    nought = [(0, 3)] * 25
    (found,) = bootstrap_values([column], resamples=100, seed=2)
    assert found == bootstrap_differences([(nought, column)], resamples=100, seed=2)[0]


def test_the_detectable_difference_is_found_four_times_in_five():
    """Runs are made with just that true difference, and the share of significant ones is counted."""
    draw = random.Random(11)

    def run(size, gain):
        base = [draw.random() < 0.5 for _ in range(size)]
        b = [(hit if draw.random() > 0.3 else draw.random() < 0.5 + gain / 0.3, 1) for hit in base]
        return [(hit, 1) for hit in base], b

    pilot = detectable(*run(20_000, 0.0))
    needed = pilot * math.sqrt(20_000 / 400)  # for 400 samples
    found = 0
    for _ in range(400):
        a, b = run(400, needed)
        found += value(b) - value(a) > 1.96 / (1.96 + 0.8416) * detectable(a, b)
    assert 0.74 <= found / 400 <= 0.86


def test_nothing_is_detectable_where_nothing_can_be_drawn():
    assert detectable([(1, 1)], [(0, 1)]) is None
    assert detectable([(1, 1), (0, 1)], [(0, 0), (0, 0)]) is None
    assert detectable([(1, 1), (0, 1)], [(1, 1), (0, 1)], clusters="xx") is None
    assert detectable([(1, 1), (0, 1)], [(1, 1), (0, 1)]) is None


def test_a_sign_is_the_winner():
    assert [sign((1, 3), (2, 6)), sign((0, 1), (1, 1)), sign((1, 1), (0, 1)), sign((0, 0), (1, 1))] == [0, 1, -1, None]
    assert sign((0, 1), (1, 1), lower_is_better=True) == -1
