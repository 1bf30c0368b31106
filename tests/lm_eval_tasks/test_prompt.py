"""The order of a chat, and texts that could be taken for a picture."""

import json

import pytest
from jinja2 import TemplateError

from lm_eval_tasks import prompt
from sobench_metrics.data.prompt_text import escape
from sobench_metrics.errors import UsageError


def test_system_then_user_text_then_the_images_place():
    messages = prompt.chat(system="S", user="U", merge_system=False, reserved=("<image>",))
    assert messages == [{"role": "system", "content": "S"}, {"role": "user", "content": "U<image>"}]


def test_a_server_gets_the_text_alone_and_unchanged():
    messages = prompt.chat(system="S", user="a <image> b", merge_system=False, reserved=())
    assert messages[-1]["content"] == "a <image> b"


def test_merged_system_prompt_stands_before_the_users_text():
    messages = prompt.chat(system="S", user="U", merge_system=True, reserved=("<image>",))
    assert messages == [{"role": "user", "content": "S\n\nU<image>"}]


def test_a_literal_mark_is_escaped_and_stays_the_same_json():
    schema = json.dumps({"description": "put <image> here", "enum": ["<|image_pad|>"]})
    escaped = escape(schema, ("<image>", "<|image_pad|>"))
    assert "<image>" not in escaped
    assert "<|image_pad|>" not in escaped
    assert json.loads(escaped) == json.loads(schema)


def test_the_only_mark_left_is_the_images_place():
    messages = prompt.chat(system="<image>", user="<image> and <image>", merge_system=False, reserved=("<image>",))
    assert sum(message["content"].count("<image>") for message in messages) == 1
    assert messages[-1]["content"].endswith("<image>")


def test_a_template_without_system_role_is_told_with_the_remedy():
    def template(_messages):
        raise TemplateError("System role not supported")

    with pytest.raises(UsageError, match="merge_system"):
        prompt.render([], template, "sobench_ui")
