"""What a chat server says: answer functions, and the failures it stages.

An answer is any callable that takes the prompt's text and its images and returns
a text, None (a message with no content) or a number (an HTTP error status).
Everything depends on the question alone, never on the order in which questions
come, so a run gives the same result with one client thread or with thirty.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tests.engines.schema_instance import instance_of, schema_in

if TYPE_CHECKING:
    from tests.engines.chat_request import ChatRequest, SeenImage

Reply = str | int | None
Answer = Callable[[str, "tuple[SeenImage, ...]"], Reply]


@dataclass(frozen=True)
class FromRequest:
    """An answer that needs more of the request than its text and its images."""

    function: Callable[[ChatRequest], Reply]


def always(reply: Reply) -> Answer:
    """The same reply to everything."""
    return lambda _text, _images: reply


def by_image(replies: Mapping[str, Reply], default: Reply = 404) -> Answer:
    """The reply stored under the SHA-256 of the first image; 404 makes an unknown image an error."""
    return lambda _text, images: replies.get(images[0].sha256, default) if images else default


def by_prompt(replies: Mapping[str, Reply], default: Reply = 404) -> FromRequest:
    """The reply stored under the SHA-256 of the user's text."""
    return FromRequest(lambda request: replies.get(request.prompt_sha256, default))


def conforming(wrap: str = "{}") -> FromRequest:
    """An instance of the schema in `response_format`, or else of the longest schema in the prompt.

    `wrap` is a text in which `{}` stands for the JSON: a code fence, say.
    """

    def answer(request: ChatRequest) -> Reply:
        form = request.body.get("response_format") or {}
        schema = form.get("json_schema", {}).get("schema") if form.get("type") == "json_schema" else None
        schema = schema_in(request.text) if schema is None else schema
        if schema is None:
            return 422
        return wrap.replace("{}", json.dumps(instance_of(schema), ensure_ascii=False), 1)

    return FromRequest(answer)


@dataclass(frozen=True)
class Fault:
    """A failure for chosen questions.

    `tries` 0 fails every time and K fails only the first K tries of a question.
    A question is chosen when the SHA-256 of its text or of one of its images is in
    `only`, and, with a `share` below 1, by its own hash.
    """

    status: int | Literal["drop"] = 500  # "drop" closes the connection without a word
    tries: int = 0
    only: Container[str] | None = None
    share: float = 1.0
    retry_after: float | None = None  # seconds, sent as a header: servers send it with 429

    def strikes(self, request: ChatRequest) -> bool:
        if self.tries and request.attempt > self.tries:
            return False
        hashes = [request.prompt_sha256, *(image.sha256 for image in request.images)]
        if self.only is not None and not any(one in self.only for one in hashes):
            return False
        return int(request.identity[:8], 16) < self.share * 2**32
