"""The shaped reward: bounded, a pass above all, and never better for a fault more."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.rewards import ifstruct_reward, ifstruct_shaped_reward
from tests.rewards.rows import RIGHT_TEAS, TEA, repeated, tea_answer


def shaped(*texts):
    return ifstruct_shaped_reward(None, texts, **repeated(TEA, len(texts)))


def test_by_hand():
    assert shaped(tea_answer()) == [1.0]
    assert shaped("no data") == [0.0]
    # 12 checks (each enum counts twice: 2 * 5 = 10), all passed; of four form rules one broken
    no_fence = tea_answer(fence=False)
    assert shaped(no_fence) == [0.5 * (0.2 + 0.2 * 3 / 4 + 0.6)]
    # one item of two: half of the checks, and the count is wrong
    assert shaped(tea_answer(RIGHT_TEAS[:1])) == [0.5 * (0.2 + 0.2 * 3 / 4 + 0.6 * 5 / 10)]


def test_an_answer_of_another_shape_keeps_no_rule_about_the_list():
    """A lone object breaks wrapper and count, though the validator says neither."""
    (reward,) = shaped('```json\n{"name": "Assam", "minutes": 4}\n```')
    assert reward == 0.5 * (0.2 + 0.2 * 2 / 4 + 0.6 * 0)


def test_chatter_is_no_data_though_yaml_reads_it():
    row = {**TEA, "output_format": "yaml", "require_code_block": False, "require_no_commentary": False}
    assert ifstruct_shaped_reward(None, ["I would rather not."], **repeated(row, 1)) == [0.0]


FAULTS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from(list(RIGHT_TEAS[0]))), unique=True)


@given(
    FAULTS,
    FAULTS,
    st.sampled_from(["missing", "wrong"]),
    st.booleans(),
    st.booleans(),
)
def test_a_fault_more_never_pays(few, more, kind, no_fence, wrong_key):
    def answer(faults, *, form_faults):
        teas = copy.deepcopy(RIGHT_TEAS)
        for index, name in faults:
            if kind == "missing":
                teas[index].pop(name, None)
            else:
                teas[index][name] = [7]
        return tea_answer(
            teas, key="tees" if wrong_key and form_faults else "teas", fence=not (no_fence and form_faults)
        )

    better, worse = answer(few, form_faults=False), answer({*few, *more}, form_faults=True)
    one, other = shaped(better, worse)
    assert one >= other
    passed = ifstruct_reward(None, [better, worse], **repeated(TEA, 2))
    for reward, is_pass in zip((one, other), passed, strict=True):
        assert (reward == 1.0) if is_pass else (0.0 <= reward <= 0.5)


@given(st.text(max_size=300) | st.text('[]{}":,`jsonyam\n<think>/&*!- 01', max_size=300))
def test_any_text_has_a_bounded_reward(text):
    for output_format in ("json", "yaml"):
        (reward,) = ifstruct_shaped_reward(None, [text], **repeated({**TEA, "output_format": output_format}, 1))
        assert 0.0 <= reward <= 1.0
