"""The prompts come out of a script that is parsed, never run, and only when it says plainly what they are."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.data.prepare.prompts import read_prompts
from sobench_metrics.data.prepared import Prompts
from sobench_metrics.errors import UsageError

SYSTEM = '• Keep ≥ 1 block:\n```json\n{ "never": "formatted" }\n```\n'
USER = "Shape: {schema_json}\nWish: {user_intent}"


def script(system=f"_SYSTEM_PROMPT = {SYSTEM!r}", user=f"_USER_PROMPT = {USER!r}", rest=""):
    return f'"""A script."""\nimport os\n{system}\n{user}\n\n\ndef main():\n    print(_SYSTEM_PROMPT, _USER_PROMPT)\n{rest}\n'


def test_both_prompts_verbatim():
    assert read_prompts(script()) == {
        "system": SYSTEM,
        "user": USER,
        "sha256": hashlib.sha256(f"{SYSTEM}\0{USER}".encode()).hexdigest(),
    }


@pytest.mark.parametrize(
    "user",
    [
        f'_USER_PROMPT: str = """{USER}"""',
        "_USER_PROMPT = ('Shape: {schema_json}\\n'\n    'Wish: {user_intent}')",
        "_USER_PROMPT = r'''Shape: {schema_json}\nWish: {user_intent}'''",
    ],
)
def test_other_ways_to_write_one_text(user):
    assert read_prompts(script(user=user))["user"] == USER


def test_windows_line_ends_read_as_python_reads_them():
    assert read_prompts(script(user=f'_USER_PROMPT = """{USER}"""').replace("\n", "\r\n"))["user"] == USER


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"user": ""}, "_USER_PROMPT is assigned 0 times"),
        ({"user": "_USER_PROMPT: str"}, "_USER_PROMPT is assigned 1 times where one plain"),
        ({"system": "SYSTEM_PROMPT = 'renamed'"}, "_SYSTEM_PROMPT is assigned 0 times"),
        ({"rest": "_SYSTEM_PROMPT = 'again'"}, "_SYSTEM_PROMPT is assigned 2 times"),
        ({"rest": "_SYSTEM_PROMPT += 'more'"}, "assigned 2 times"),
        ({"rest": "if os.name:\n    _SYSTEM_PROMPT = 'other'"}, "assigned 2 times"),
        ({"rest": "def later():\n    global _SYSTEM_PROMPT\n    _SYSTEM_PROMPT = 'other'"}, "assigned 3 times"),
        ({"rest": "from other import prompt as _SYSTEM_PROMPT"}, "assigned 2 times"),
        ({"rest": "def _SYSTEM_PROMPT(): pass"}, "assigned 2 times"),
        ({"rest": "for _SYSTEM_PROMPT in 'ab': pass"}, "assigned 2 times"),
        ({"rest": "(_SYSTEM_PROMPT := 'other')"}, "assigned 2 times"),
        ({"rest": "del _SYSTEM_PROMPT"}, "assigned 2 times"),
        ({"system": "_SYSTEM_PROMPT = OTHER = 'x'"}, "one plain assignment"),
        ({"system": "_SYSTEM_PROMPT, x = 'a', 'b'"}, "one plain assignment"),
        ({"system": "if True:\n    _SYSTEM_PROMPT = 'x'"}, "one plain assignment"),
        ({"system": "_SYSTEM_PROMPT = f'a {os.name}'"}, "put together by code"),
        ({"system": "_SYSTEM_PROMPT = 'a' + 'b'"}, "put together by code"),
        ({"system": "_SYSTEM_PROMPT = 'a %s' % 'b'"}, "put together by code"),
        ({"system": "_SYSTEM_PROMPT = open('x').read()"}, "put together by code"),
        ({"system": "_SYSTEM_PROMPT = 'a'.strip()"}, "put together by code"),
        ({"system": "_SYSTEM_PROMPT = b'bytes'"}, "_SYSTEM_PROMPT is no text"),
        ({"system": "_SYSTEM_PROMPT = ['a']"}, "_SYSTEM_PROMPT is no text"),
        ({"system": "_SYSTEM_PROMPT = ' \\n'"}, "_SYSTEM_PROMPT is no text"),
        ({"user": "_USER_PROMPT = 'no places'"}, "has the places none where"),
        ({"user": "_USER_PROMPT = '{schema_json}'"}, r"has the places \{schema_json\} where"),
        ({"user": "_USER_PROMPT = '{schema_json} {user_intent} {image}'"}, r"\{image\} where"),
        ({"user": "_USER_PROMPT = '{schema_json} {user_intent} {}'"}, r"\{\} where"),
        ({"user": "_USER_PROMPT = '{schema_json.x} {user_intent}'"}, r"\{schema_json.x\}"),
        ({"user": "_USER_PROMPT = '{schema_json!r} {user_intent}'"}, "has the places"),
        ({"user": "_USER_PROMPT = '{schema_json:{user_intent}} {user_intent}'"}, "has the places"),
        ({"user": "_USER_PROMPT = '{schema_json} {user_intent} }'"}, "Single"),
        ({"system": "_SYSTEM_PROMPT = '\\ud800'"}, "surrogates not allowed"),
        ({"rest": "def ("}, r"no Python: .*line \d+"),
        ({"rest": "\0"}, "null|no Python"),
        ({"rest": "x = " + "-" * 200_000 + "1"}, "nested too deeply|no Python"),
    ],
)
def test_a_script_that_is_not_plain_is_refused_with_the_remedy(changes, fault):
    with pytest.raises(UsageError, match=fault) as told:
        read_prompts(script(**changes))
    assert "--upstream-dir" in str(told.value)
    assert "\n" not in str(told.value)


def test_the_script_is_not_run(tmp_path):
    marker = tmp_path / "executed"
    bomb = f"import pathlib\npathlib.Path({str(marker)!r}).write_text('x')\nraise SystemExit(1)"
    assert read_prompts(script(system=f"{bomb}\n_SYSTEM_PROMPT = 'a'"))["system"] == "a"
    assert not marker.exists()
    exec(compile(bomb.replace("raise SystemExit(1)", ""), "bomb", "exec"), {})  # the marker would have told
    assert marker.exists()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(TEXTS.filter(str.strip), TEXTS, TEXTS, TEXTS)
def test_any_prompts_come_through_and_take_any_values(system, between, schema, intent):
    user = "{schema_json}" + between.replace("{", "{{").replace("}", "}}") + "{user_intent}"
    read = read_prompts(script(f"_SYSTEM_PROMPT = {system!r}", f"_USER_PROMPT = {user!r}"))
    assert read["system"] == system
    prompts = Prompts(**read)
    assert prompts.user_text(schema_json=schema, user_intent=intent) == schema + between + intent
