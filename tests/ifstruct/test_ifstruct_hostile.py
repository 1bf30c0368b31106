"""Texts made to crash, hang or bloat: a failed verdict within the time limit of the test, whatever the stack.

Bounds are on work (figures of the outline, codes of the limits), the time-outs only catch a hang.
"""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct import yaml_limits, yaml_loading, yaml_outline

SCHEMA = {
    "type": "array",
    "items": {"type": "object", "properties": {"id": {"type": "string"}, "n": {"enum": [1, 2]}}, "required": ["id"]},
}
MERSENNE = 2**61 - 1  # integers that are multiples of it all hash to 0


def judge(text, output_format="yaml", schema=SCHEMA):
    return ifstruct.validate(text, ifstruct.Spec(schema, require_no_commentary=True, output_format=output_format))


def levels(count, line, first="a0: &a0 [x, x]\n"):
    return first + "".join(line.format(i=i, aliases=", ".join([f"*a{i - 1}"] * 9)) for i in range(1, count))


YAML = {
    "aliases": (levels(60, "a{i}: &a{i} [{aliases}]\n"), "yaml.expansion"),
    "block aliases": (
        "- &a0 x\n" + "".join(f"- &a{i}\n" + f"  - *a{i - 1}\n" * 9 for i in range(1, 40)),
        "yaml.expansion",
    ),
    "merge keys": (levels(60, "- &a{i}\n  <<: [{aliases}]\n  k{i}: 1\n", "- &a0\n  x: 1\n"), "yaml.expansion"),
    "long shared text": ('- &a "' + "y" * 400_000 + '"\n' + "- *a\n" * 90_000, "yaml.expansion"),
    "merge chain": ("- &a0\n  x: 1\n" + "".join(f"- &a{i}\n  <<: *a{i - 1}\n" for i in range(1, 200)), "yaml.too_deep"),
    "self": ("&a\n- *a\n- x\n", "yaml.too_deep"),
    "self merge": ("- &a\n  <<: *a\n  x: 1\n", "yaml.too_deep"),
    "self value": ("- !!str &a\n  =: *a\n", "yaml.too_deep"),
    "value chain": ("- !!str " + "{=: " * 200 + "x" + "}" * 200, "yaml.too_deep"),
    "open lists": ("[" * 900_000, "yaml.too_deep"),
    "open dashes": ("- " * 400_000, "yaml.too_deep"),
    "open keys": ("? " * 400_000, "yaml.too_deep"),
    "saw": ("[" + ("[" * 480 + "]" * 480 + ",") * 900, "yaml.work"),
    "long sexagesimal": ("- id: 1" + ":1" * 400_000, "yaml.number"),
    "long decimal": ("- id: " + "9" * 900_000, "yaml.value"),
    "tag prefix": ("%TAG !e! tag:" + "z" * 200_000 + "\n---\n" + "- !e!a x\n" * 80_000, "yaml.tags"),
    "one hash": ("\n".join(f"{i * MERSENNE}: 1" for i in range(1, 20_000)), "yaml.keys"),
    "too long": ("- x\n" * 1_250_000, "yaml.too_long"),
    "long float": ("- id: 1" + ":1" * 400_000 + ".5", "reference.crash.overflow_error"),
    "long hexadecimal in an enum": ("- id: a\n  n: 0x" + "f" * 900_000, "reference.crash.value_error"),
    "long integer key": ("- ? 0x" + "f" * 9_000 + "\n  : 1\n", "reference.crash.value_error"),
    "control character": ("- \x00", "yaml.parse"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", YAML)
def test_hostile_yaml(name):
    text, code = YAML[name]
    verdict = judge(text)
    assert [finding.code for finding in verdict.errors] == [code]
    assert not verdict.passed


@pytest.mark.timeout(60)
def test_long_wrapper_key_is_no_crash():
    verdict = judge("? 0x" + "f" * 9_000 + "\n: - 1\n", schema={"type": "array", "items": {"type": "string"}})
    assert verdict.errors[0].code == "reference.crash.value_error"


def test_outline_counts_an_expansion_it_never_makes():
    root = yaml_loading._Loader(levels(500, "a{i}: &a{i} [{aliases}]\n")).get_single_node()
    found = yaml_outline.outline(root)
    assert found.root.nodes == yaml_outline.MAX_NODES + 1
    assert found.root.height == 502
    assert (found.too_deep, found.flow) == (True, False)


def test_outline_of_a_small_tree_is_exact():
    found = yaml_outline.outline(yaml_loading._Loader("- &a [xx, y]\n- *a\n- k: *a\n").get_single_node())
    # root, list 3, list 3, mapping, key, list 3
    assert (found.root.nodes, found.root.chars, found.root.height) == (12, 10, 4)


JSON = {
    "deep lists": ("[" * 2_000_000, "json.too_deep"),
    "deep objects": ('{"a":' * 500_000, "json.too_deep"),
    "digits": ("[" + "9" * 5_000_000 + "]", "json.int_digits"),
    "unclosed string": ('["' + '\\"' * 2_000_000, "json.decode"),
    "think tags": ("<think>" * 700_000, "json.missing"),
    "marker tags": ("[" + "[THINK]" * 700_000, "json.decode"),
    "fences": ("```\n" * 1_200_000, "json.missing"),
    "too long": ("[" + "1," * 4_000_000 + "1]", "response.too_long"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", JSON)
def test_hostile_json(name):
    text, code = JSON[name]
    assert [finding.code for finding in judge(text, "json").errors] == [code]


@pytest.mark.timeout(60)
def test_five_megabytes_of_right_json_pass():
    rows = ",".join(['{"id": "' + "x" * 40 + '"}'] * 99_000)
    assert len(rows) > 5_000_000
    assert judge(f"[{rows}]", "json").passed


def test_missing_and_foreign_responses_fail():
    assert [judge(value, "json").errors[0].code for value in (None, 3, b"[]", ["[]"])] == [
        "response.missing",
        *["response.not_text"] * 3,
    ]


# --- stacks ----------------------------------------------------------------------------------------------------------

DEEP_ANSWERS = [
    ('[{"id": "x"}]', "json"),
    ("[" * 60 + "]" * 60, "json"),
    ("[" * 995 + "]" * 995, "json"),
    ("[" * 996 + "]" * 996, "json"),
    ("- id: x\n", "yaml"),
    ("".join("  " * level + "-\n" for level in range(320)) + "  " * 320 + "x", "yaml"),
    ("".join("  " * level + "-\n" for level in range(400)) + "  " * 400 + "x", "yaml"),
    ("- !!bool maybe\n", "yaml"),
    ("a: [1\n", "yaml"),
]


def plain(text, output_format):
    verdict = judge(text, output_format)
    return verdict.passed, verdict.errors, dict(verdict.details), verdict.strict


def at_depth(frames, call):
    return call() if frames <= 0 else at_depth(frames - 1, call)


@pytest.mark.parametrize("case", range(len(DEEP_ANSWERS)))
@pytest.mark.parametrize("frames_left", [14, 30, 60, 120, 300])
def test_verdict_does_not_depend_on_the_callers_stack(case, frames_left):
    expected = plain(*DEEP_ANSWERS[case])
    used = len(list(iter_frames()))
    room = sys.getrecursionlimit() - used - frames_left
    assert at_depth(room, lambda: plain(*DEEP_ANSWERS[case])) == expected


def iter_frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back


def test_depth_rules_are_explicit():
    codes = [[finding.code for finding in judge(*answer).errors] for answer in DEEP_ANSWERS]
    assert codes[2] == ["schema.type"]
    assert codes[3] == ["json.too_deep"]
    assert codes[5] == ["schema.type"]
    assert codes[6] == ["yaml.too_deep"]


def test_raised_recursion_limit_changes_nothing():
    expected = [plain(*answer)[:3] for answer in DEEP_ANSWERS]
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        assert [plain(*answer)[:3] for answer in DEEP_ANSWERS] == expected
        assert judge("[" * 1_000_000, "json").errors[0].code == "json.too_deep"
    finally:
        sys.setrecursionlimit(before)


SMALL_STACK = """
import sys, threading
sys.path[:0] = {paths!r}
from tests_hostile import DEEP_ANSWERS, judge
expected = [judge(*answer).errors for answer in DEEP_ANSWERS]
sys.setrecursionlimit(1_000_000)
threading.stack_size(128 * 1024)
found = []
thread = threading.Thread(target=lambda: found.extend(judge(*answer).errors for answer in DEEP_ANSWERS))
thread.start()
thread.join()
assert found == expected
print("same")
"""


def test_small_stack_thread_in_a_process_of_its_own(tmp_path):
    (tmp_path / "tests_hostile.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    script = SMALL_STACK.format(paths=[str(tmp_path), *sys.path])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "same"), done.stderr


def test_threads_share_nothing():
    expected = [plain(*answer) for answer in DEEP_ANSWERS]
    found = [None] * 4

    def work(number):
        found[number] = [plain(*answer) for answer in DEEP_ANSWERS]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


# --- any text --------------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    ["```", "```yaml\n", "```json\n", "<think>", "</think>", "[THINK]", "assistantfinal", "<|end|>", "- ", "a: ", "&a ", "*a", "<<: ",
     "? ", "!!int ", "!!float ", "!!bool ", "!!timestamp ", "!!set ", "!!omap ", "!!binary ", "%TAG ! x\n---\n", "{", "}", "[", "]", ",", ":",
     '"', "'", "\\", "\n", "  ", "1:00", "0x", "_", "1e5", ".5", "no", "=", "|\n", ">\n", "#", "\u2028", "\x85", "\ufeff", "\ud800", "\x00"]
)  # fmt: skip
ANY_TEXT = st.text() | st.lists(PIECES, max_size=25).map("".join)


@given(ANY_TEXT, st.sampled_from(["yaml", "json"]), st.booleans(), st.booleans())
@settings(max_examples=400, deadline=None)
def test_never_raises(text, output_format, wrapper, block):
    spec = ifstruct.Spec(SCHEMA, 1, "a", wrapper, block, require_no_commentary=True, output_format=output_format)
    verdict = ifstruct.validate(text, spec)
    assert verdict.passed is (verdict.score == 1.0) is not bool(verdict.errors)
    assert isinstance(verdict.strict, tuple)
    for finding in (*verdict.errors, *verdict.strict):
        assert finding.path == "" or finding.path.startswith("/")


def test_limits_are_generous():
    # A 16,000-token answer holds some 64,000 characters.
    assert yaml_limits.MAX_YAML_CHARS >= 10 * 64_000
