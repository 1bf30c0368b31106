"""From two prompts to a rendered chat: system, then user text, then the image's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.data.prompt_text import IMAGE_PLACE, escape, merged
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["IMAGE_PLACE", "chat", "render", "reserved_texts"]


def reserved_texts(lm: Any) -> tuple[str, ...]:
    """Return the texts that would be taken for a picture by this LM's template or processor."""
    own = getattr(lm, "image_token", None) or getattr(getattr(lm, "processor", None), "image_token", None)
    return tuple(dict.fromkeys([IMAGE_PLACE, *([own] if isinstance(own, str) and own else [])]))


def chat(*, system: str, user: str, merge_system: bool, reserved: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the messages; `reserved` is empty for servers, which get the image beside the text and not in it."""
    system, user = escape(system, reserved), escape(user, reserved)
    if reserved:
        user += IMAGE_PLACE
    if merge_system or not system:
        return [{"role": "user", "content": merged(system, user)}]
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def render(messages: list[dict[str, Any]], chat_template: Callable[..., Any], task: str) -> Any:
    """Return the LM's rendering of the chat; raises UsageError where its template knows no system role."""
    from jinja2 import TemplateError

    try:
        return chat_template(messages)
    except TemplateError as error:
        raise UsageError(
            f"the model's chat template refuses {task}'s system prompt ({error}): add "
            "--metadata '{\"merge_system\": true}' to put it into the user's message."
        ) from error
