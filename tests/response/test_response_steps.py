"""The shared text steps against slow plain twins."""

import json
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sobench_metrics import response
from sobench_metrics.response import decode_json, find_fence, looks_truncated, remove_reasoning

TAG_SOUP = st.lists(
    st.sampled_from(
        [
            "<think>",
            "</think>",
            "<THINK>",
            "</Think>",
            "[THINK]",
            "[/THINK]",
            "[think]",
            "<thi",
            "nk>",
            "[/th\u0131nK]",
            "x",
            "{}",
            "\n",
            " ",
            "<|start|>",
            "assistant",
            "<|channel|>",
            "final",
            "<|message|>",
            "<|end|>",
            "<|return|>",
            "analysis",
        ]
    ),
    max_size=14,
).map("".join)


def plain_removal(text):
    """Rule A2 by patterns that may take quadratic time."""
    text = re.sub(r"<think>.*?</think>|\[THINK\].*?\[/THINK\]", "", text, flags=re.IGNORECASE | re.DOTALL)
    if re.search("</think>", text, re.IGNORECASE):
        text = re.sub(r"\A.*?</think>", "", text, count=1, flags=re.IGNORECASE | re.DOTALL)
    else:
        text = re.sub(r"\A.*?\[/THINK\]", "", text, count=1, flags=re.IGNORECASE | re.DOTALL)
    text = re.sub(r"(<think>|\[THINK\]).*", "", text, count=1, flags=re.IGNORECASE | re.DOTALL)
    text = re.sub(
        r"\A.*?(<\|start\|>)?assistant(<\|channel\|>)?final(<\|message\|>)?", "", text, count=1, flags=re.DOTALL
    )
    return re.sub(r"(<\|end\|>|<\|return\|>)\s*\Z", "", text).strip()


@given(TAG_SOUP | st.text())
@settings(max_examples=400, deadline=None)
def test_reasoning_removal_equals_the_plain_patterns(text):
    assert remove_reasoning(text).text == plain_removal(text)


@pytest.mark.parametrize(
    ("text", "left", "removed"),
    [
        ("{}", "{}", ()),
        ("<think>a</think>{}", "{}", ("block",)),
        ("a</think>{}", "{}", ("stray_closing",)),
        ("{}<think>a", "{}", ("unclosed",)),
        ("<|start|>assistant<|channel|>final<|message|>{}<|return|> ", "{}", ("final_channel", "end_marker")),
    ],
)
def test_what_was_removed_is_told(text, left, removed):
    cleaned = remove_reasoning(text)
    assert (cleaned.text, cleaned.removed) == (left, removed)
    assert cleaned.unclosed is ("unclosed" in removed)


# --- JSON ------------------------------------------------------------------------------------------------------------

JSON_SOUP = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"a"',
            '"',
            "\\",
            '"\\u00e9\\ud83d"',
            "1",
            "-0",
            "2.5e3",
            "1.",
            "1e",
            "\u0663",  # a digit, but not of JSON
            "NaN",
            "-Infinity",
            "null",
            "tru",
            " ",
            "\n",
        ]
    ),
    max_size=14,
).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def outcome(decode, text):
    try:
        return repr(decode(text, 0))
    except json.JSONDecodeError as error:
        return str(error)


@given(
    JSON_SOUP | VALUES.map(json.dumps) | VALUES.map(lambda value: json.dumps(value, indent=1, ensure_ascii=False)[:-1])
)
@settings(max_examples=400, deadline=None)
def test_heap_decoder_equals_the_default_decoder(text):
    assert outcome(response._decode_on_heap, text) == outcome(json.JSONDecoder().raw_decode, text)


def plain_depth(text):
    depth = deepest = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', "", text, flags=re.DOTALL):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sign, 0)
        deepest = max(deepest, depth)
    return deepest


@given(JSON_SOUP.filter(lambda text: re.search(r'\\(?!["\\u])', text) is None))
def test_bracket_depth_equals_a_plain_count(text):
    padded = "[" * 70 + text.replace("\\", "") + "]" * 70
    assert response.bracket_depth(padded) == plain_depth(padded)


def test_bracket_depth_sees_no_brackets_in_strings():
    assert response.bracket_depth("[" * 65 + '"[[\\"[[\\\\"' + "]" * 65) == 65


@pytest.mark.parametrize("depth", [1, 64, 65, 500, 995])
def test_nesting_up_to_the_limit_is_decoded(depth):
    decoded = decode_json("[" * depth + "]" * depth + " tail")
    assert decoded.finding is None
    assert decoded.end == 2 * depth


def test_bounds_have_codes():
    codes = [
        decode_json(text).finding.code
        for text in ("[" * 996, "[" + "1" * 4301 + "]", "-" + "1" * 4301, "{", "", " " * (response.MAX_JSON_CHARS + 1))
    ]
    assert codes == [
        "json.too_deep",
        "json.int_digits",
        "json.int_digits",
        "json.decode",
        "json.decode",
        "json.too_long",
    ]


def test_digits_up_to_the_limit_and_long_fractions_are_decoded():
    assert decode_json("-" + "1" * 4300).finding is None
    assert decode_json("0." + "1" * 9000).finding is None


@pytest.mark.skipif(not hasattr(sys, "set_int_max_str_digits"), reason="this Python has no limit to lift")
def test_lifted_digit_limit_changes_nothing():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert decode_json("[" + "1" * 3_000_000 + "]").finding.code == "json.int_digits"
    finally:
        sys.set_int_max_str_digits(before)


def test_default_decoder_semantics():
    value = decode_json(' {"a": 1, "a": [NaN, Infinity, 1e999]} rest').value
    assert list(value) == ["a"]
    assert value["a"][1:] == [float("inf"), float("inf")]
    assert value["a"][0] != value["a"][0]


# --- fences and truncation -------------------------------------------------------------------------------------------


def test_fence_kinds():
    assert find_fence("a\nb").kind == "none"
    assert find_fence("```json {}```").kind == "unclosed"
    block = find_fence("text\n```Yaml x\na: 1\u2028b\n``` tail")
    assert (block.kind, block.opening, block.content) == ("block", "```Yaml x", "a: 1\nb")


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}',
        '{"a": "x',
        '{"a": [1, 2]',
        '```json\n{"a": 1}',
        "```yaml\n- a: 1\n- b",
        '- a: "half a sent',
        "a: 'half",
    ],
)
def test_cut_text_is_recognised(text):
    assert looks_truncated(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"a": "x"}',
        '{"a": "[{"}',
        "```json\n[]\n```",
        "```json []```",
        "- a: 1\n- b",
        "- it's",
        'a: "x"',
        '{"a": 1} [',
        "I can't",
    ],
)
def test_whole_text_is_not_taken_for_cut(text):
    assert not looks_truncated(text)
