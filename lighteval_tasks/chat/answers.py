"""What a server's reply says: an answer, or why there is none and whether to ask again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

__all__ = ["ADDRESS", "KEY", "Answer", "Failure", "read", "short"]

ADDRESS, KEY = "address", "key"
"""What is probably wrong when a failure concerns every request of a run alike."""

_LONGEST_REASON = 300
_READ_FOR_REASON = 65_536
_LATER = (408, 409, 425, 429)  # what may be better a moment later, with all of 5xx
_OF_THE_KEY, _OF_THE_ADDRESS = (401, 403), (404, 405)
_UNREADABLE = "the answer is no chat completion"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said; reasoning that the server keeps apart is no part of `text`."""

    text: str
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A try without an answer: `again` when another may have one, `concerns` a fault that all requests share."""

    reason: str
    again: bool = True
    wait: float | None = None
    concerns: str = ""


def read(status: int, body: bytes, wait: float | None = None) -> Answer | Failure:
    """Return what a reply with this status and body says; never raises. `wait` is what the server asks for."""
    if status != HTTPStatus.OK:
        return _refusal(status, body, wait)
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError) as error:
        return Failure(short(f"the answer is no JSON ({error})"))
    return _answer(reply)


def _refusal(status: int, body: bytes, wait: float | None) -> Failure:
    again = status in _LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    concerns = KEY if status in _OF_THE_KEY else ADDRESS if status in _OF_THE_ADDRESS or 300 <= status < 400 else ""
    told = _message(body)
    return Failure(short(f"status {status}{told and f': {told}'}"), again, wait, concerns)


def _answer(reply: Any) -> Answer | Failure:
    choices = reply.get("choices") if isinstance(reply, dict) else None
    if not isinstance(choices, list) or not choices:
        told = _text_in(reply)  # some gateways tell of a failure behind status 200
        return Failure(short(f"{_UNREADABLE}{told and f': {told}'}"))
    first = next((one for one in choices if isinstance(one, dict) and one.get("index") == 0), choices[0])
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        return Failure(_UNREADABLE)
    text = _content(message.get("content"))
    if text is None:
        return Failure(_UNREADABLE)
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    return Answer(_whole(text), _whole(reasoning) if isinstance(reasoning, str) else "")


def _content(content: Any) -> str | None:
    """The text of a message; no content is an empty answer, as in lm-eval."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def _whole(text: str) -> str:
    """The text with lone surrogates replaced, which JSON can hold and no file that lighteval writes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _message(body: bytes) -> str:
    try:
        return _text_in(json.loads(body))
    except (ValueError, RecursionError):
        return body[:_READ_FOR_REASON].decode("utf-8", "replace")


def _text_in(reply: Any) -> str:
    error = reply.get("error", reply) if isinstance(reply, dict) else reply
    told = (error.get("message") or error.get("detail")) if isinstance(error, dict) else error
    return _whole(told if isinstance(told, str) else json.dumps(told)) if told else ""


def short(text: str) -> str:
    """Return the text on one line, cut where a reason gets too long for a table."""
    return " ".join(text.split())[:_LONGEST_REASON]
