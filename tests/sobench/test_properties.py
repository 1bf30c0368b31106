"""What holds for all answers, targets and labels."""

import json
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from sobench_metrics import sobench
from sobench_metrics.sobench.comparison import MISSING, compare
from sobench_metrics.sobench.labels import Labels
from tests.sobench.plain_twin import plain_counts

settings.register_profile("sobench", max_examples=300, deadline=None)
PROFILE = settings.get_profile("sobench")

words = st.lists(st.sampled_from(["red", "Red", "tea", "7", "x-1", "", "."]), max_size=6).map(" ".join)
numbers = st.one_of(
    st.integers(-3, 3), st.sampled_from([0.0, 1.0, 0.95, 0.951, 19, 20, 1e308, -1e308]), st.floats(allow_nan=True)
)
leaves = st.one_of(st.none(), st.booleans(), numbers, words)


def trees(leaf):
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        ),
        max_leaves=8,
    )


values = trees(leaves)
labels = trees(st.one_of(st.sampled_from(["exact", "fuzzy", "ignore"]), st.none(), st.just(3)))


@st.composite
def answers_with_targets(draw):
    target = draw(values)
    return draw(st.one_of(st.just(target), near(target), values)), target


def near(target):
    if isinstance(target, dict) and target:
        return st.fixed_dictionaries(
            {key: st.one_of(st.just(value), near(value), values) for key, value in target.items()}
        )
    if isinstance(target, list) and target:
        return st.tuples(*[st.one_of(st.just(value), near(value)) for value in target]).map(list)
    return st.one_of(st.just(target), leaves)


@PROFILE
@given(answers_with_targets(), labels)
def test_official_counts_equal_the_plain_twin(pair, label):
    answer, target = pair
    official = compare(answer, target, label).official
    plain = plain_counts(answer, target, label)
    assert {name: getattr(official, name) for name in plain} == plain
    assert official.matched == official.lists + official.dicts + official.numbers + official.strings


@PROFILE
@given(values, st.one_of(labels, st.just("exact"), st.just("fuzzy")))
def test_the_target_is_a_perfect_answer(target, label):
    text = "```" + json.dumps(target).replace("`", "\\u0060") + "```"
    scored = sobench.score(text, target=json.dumps(target), schema=True, labels=label)
    strict = scored.strict
    assert strict.matched == strict.total == strict.predicted
    assert (strict.recall, strict.precision, strict.f1, strict.extra) == (1.0, 1.0, 1.0, 0)
    assert strict.full_match
    assert strict.no_extra
    assert {field.outcome for field in scored.fields} <= {"match", "ignored"}
    run = sobench.aggregate([scored])
    assert [value for name, value in run.items() if name.startswith("strict_")] == [1.0] * 4


@PROFILE
@given(values, labels)
def test_counting_agrees_with_walking(target, label):
    whole = compare(target, target, label).strict
    absent = compare(MISSING, target, label).strict
    assert absent.total == whole.total
    assert (absent.matched, absent.predicted) == (0, 0)
    if not (isinstance(label, str) and label == "ignore"):
        assert Labels().count(target, label) == whole.total or not isinstance(target, (dict, list))


@PROFILE
@given(answers_with_targets(), labels)
def test_strict_counts_are_consistent(pair, label):
    answer, target = pair
    compared = compare(answer, target, label)
    strict = compared.strict
    assert 0 <= strict.matched <= min(strict.total, strict.predicted)
    assert strict.predicted - strict.extra <= strict.total
    assert strict.total == compare(MISSING, target, label).strict.total
    counted = [field for field in compared.fields if field.outcome not in ("ignored", "extra")]
    assert len(counted) == strict.total
    assert sum(field.outcome == "match" for field in counted) == strict.matched
    assert all(len(field.reason) <= 120 for field in compared.fields)
    assert all(0.0 <= share <= 1.0 for share in (strict.recall, strict.precision, strict.f1))


@PROFILE
@given(st.one_of(st.text(), st.text('`{}[]":,0123456789eE.-+ \n\\truefalsn_<>d', max_size=40), values.map(json.dumps)))
def test_no_text_raises(text):
    scored = sobench.score(text, target={"a": [1, None, {"b": "x"}]}, schema={"type": "object"}, labels="fuzzy")
    assert scored.strict.total == 6
    assert scored.invalid == (scored.official is None)
    assert not scored.invalid or scored.errors
    assert scored.followed_schema or scored.errors


def test_a_bare_nan_is_no_exact_match_but_a_strict_one():
    scored = sobench.score("NaN", target=math.nan, schema=True)
    assert (scored.exact_match, scored.full_match, scored.strict.full_match) == (False, False, True)
    inside = sobench.score("[NaN]", target=[math.nan], schema=True)
    assert inside.exact_match
