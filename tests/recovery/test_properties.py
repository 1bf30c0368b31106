"""What holds for all answers: right data in any wrapping are recoverable, other data in no wrapping."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from sobench_metrics.ifstruct import Spec, validate
from sobench_metrics.recovery import STEPS, recover_ifstruct, recover_sobench
from tests.recovery.decorations import decorated
from tests.recovery.own_ifstruct_cases import BARE, KEYED
from tests.recovery.own_sobench_cases import row

settings.register_profile("recovery", max_examples=250, deadline=None)
PROFILE = settings.get_profile("recovery")

texts = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            "Corner Bakery",
            "<think>",
            "</think>",
            "```",
            "```json\n{}\n```",
            "12:30",
            "\u201cso\u201d",
            'a\\"b',
            "$1,250.00",
            "]",
        ]
    ),
)
leaves = st.one_of(st.booleans(), st.none(), st.integers(-9999, 9999), st.floats(-1e6, 1e6), texts)
targets = st.dictionaries(
    st.sampled_from(["shop", "total", "rows", "when"]),
    st.one_of(leaves, st.lists(leaves, max_size=3), st.dictionaries(st.sampled_from("ab"), leaves, max_size=2)),
    min_size=1,
    max_size=4,
)
dumped = st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": False}, {"separators": (",", ":")}])
items = st.fixed_dictionaries({"name": texts, "qty": st.integers(-99, 99)})


def other_leaf(value):
    """Return a value that nobody would take for this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"{value} of the seven other things" if value else "something"
    return "nothing" if value is None else value * 3 + 10_007


def paths(value, path=()):
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(part, (*path, key))
    else:
        yield path


def changed(value, path):
    if not path:
        return other_leaf(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:])
    return copy


@PROFILE
@given(data=st.data(), target=targets, style=dumped, label=st.sampled_from(["exact", "fuzzy"]))
def test_a_right_answer_is_recoverable_in_any_wrapping(data, target, style, label):
    plain = json.dumps(target, **style)
    found = recover_sobench(plain, row(target, label))
    assert (found.recoverable, found.steps) == (True, ())
    found = recover_sobench(data.draw(decorated(plain)), row(target, label))
    assert found.recoverable, found
    assert set(found.steps) <= STEPS.keys()
    assert found.fields.matched == found.fields.total


@PROFILE
@given(data=st.data(), target=targets.filter(lambda target: any(paths(target))), style=dumped)
def test_one_other_leaf_is_recoverable_in_no_wrapping(data, target, style):
    wrong = changed(target, data.draw(st.sampled_from(list(paths(target)))))
    found = recover_sobench(data.draw(decorated(json.dumps(wrong, **style))), row(target))
    assert not found.recoverable
    assert found.fields.matched == found.fields.total - 1


@PROFILE
@given(data=st.data(), rows=st.lists(items, min_size=2, max_size=2), style=dumped, wrapped=st.booleans())
def test_right_items_are_recoverable_in_any_wrapping(data, rows, style, wrapped):
    spec = KEYED if wrapped else BARE
    plain = json.dumps({"parts": rows} if wrapped else rows, **style)
    found = recover_ifstruct(plain, spec)
    assert (found.recoverable, found.steps) == (True, ())
    dressed = data.draw(decorated(plain))
    assert recover_ifstruct(dressed, spec).recoverable
    if validate(dressed, Spec.from_row(spec)).passed:
        steps = recover_ifstruct(dressed, spec).steps
        assert {step.split(".")[0] for step in steps} <= {"prose", "marks", "blocks"}


MISTAKES = {
    "field removed": lambda rows: [{"name": rows[0]["name"]}, *rows[1:]],
    "field of the wrong type": lambda rows: [{**rows[0], "qty": str(rows[0]["qty"])}, *rows[1:]],
    "field unasked for": lambda rows: [{**rows[0], "more": 1}, *rows[1:]],
    "item removed": lambda rows: rows[:-1],
    "item added": lambda rows: [*rows, rows[0]],
    "item is null": lambda rows: [None, *rows[1:]],
}


@PROFILE
@given(data=st.data(), rows=st.lists(items, min_size=2, max_size=2), mistake=st.sampled_from(sorted(MISTAKES)))
def test_wrong_items_are_recoverable_in_no_wrapping(data, rows, mistake):
    assert not recover_ifstruct(data.draw(decorated(json.dumps(MISTAKES[mistake](rows)))), BARE).recoverable


@PROFILE
@given(data=st.data(), rows=st.lists(items, min_size=2, max_size=2))
def test_a_cut_answer_is_never_recoverable(data, rows):
    plain = json.dumps(rows)
    cut = plain[: data.draw(st.integers(0, len(plain) - 1))]
    assert not recover_ifstruct(cut, BARE).recoverable
    assert not recover_ifstruct(f"Here:\n```json\n{cut}\n```", BARE).recoverable


@PROFILE
@given(text=st.text(alphabet=st.sampled_from('{}[]",:`~<>think/|\\\n -#aé1\ufeff\u2028'), max_size=60))
def test_any_text_has_a_reading_and_none_raises(text):
    for found in (recover_ifstruct(text, BARE), recover_ifstruct(text, {**BARE, "output_format": "yaml"})):
        assert found.reason
        assert set(found.steps) <= STEPS.keys()
    assert not recover_sobench(text, row({"v": "something that is not there"})).recoverable
