"""What a client sent to a chat server, taken apart and judged.

The harness prepares images in several places (a task, a backend, an HTTP
client), and every one of them can lose a picture, relabel it or move it without
an error anywhere.  So a request is read here from its bytes: which parts came in
which order, what each image says it is and what its first bytes say.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)
_SETTINGS = ("stop", "max_tokens", "max_completion_tokens", "temperature", "response_format", "seed", "model")


def digest(data: bytes | str) -> str:
    """SHA-256, in hexadecimal, of bytes or of a text's UTF-8."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def kind_of(data: bytes) -> str | None:
    """The MIME type that the first bytes show, or None for no image that the servers of today accept."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)


@dataclass(frozen=True)
class SeenImage:
    """An image part as it arrived; `flaw` says why no image could be read from it."""

    declared: str | None  # the type in the data URL
    actual: str | None  # the type by its first bytes
    data: bytes = field(repr=False)
    flaw: str = ""

    @property
    def sha256(self) -> str:
        return digest(self.data)

    @property
    def size(self) -> int:
        return len(self.data)

    @classmethod
    def read(cls, url: Any) -> SeenImage:
        if not isinstance(url, str) or not url.startswith("data:"):
            return cls(None, None, b"", f"not a data URL: {str(url)[:40]!r}")
        head, comma, body = url[5:].partition(",")
        declared, _, encoding = head.partition(";")
        if not comma or encoding != "base64":
            return cls(declared, None, b"", f"not base64: {head[:40]!r}")
        try:
            data = base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError) as error:
            return cls(declared, None, b"", f"base64: {error}")
        actual = kind_of(data)
        return cls(declared, actual, data, "" if actual else "bytes are no PNG, JPEG, GIF or WebP")


@dataclass
class ChatRequest:
    """One request: its texts, its images and its settings, with the verdict and the outcome written in later."""

    body: dict[str, Any] = field(repr=False)
    roles: tuple[str, ...]
    system: str | None
    text: str  # the user's texts, in order
    parts: tuple[str, ...]  # "text" and "image", in the order of the user's messages
    images: tuple[SeenImage, ...]
    settings: dict[str, Any]
    attempt: int = 0  # 1 for the first time that this very question is asked
    problems: list[str] = field(default_factory=list)
    status: int | str | None = None  # the status that was answered, or "drop"
    reply: str | None = None

    @property
    def prompt_sha256(self) -> str:
        return digest(self.text)

    @property
    def identity(self) -> str:
        """The same for every try of one question, whatever else is in flight."""
        return digest(json.dumps([self.system, self.text, [image.sha256 for image in self.images]]))

    @classmethod
    def read(cls, body: dict[str, Any]) -> ChatRequest:
        roles, system, texts, parts, images = [], [], [], [], []
        for message in body["messages"]:
            roles.append(message["role"])
            content = message.get("content") or ""
            pieces = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for piece in pieces:
                if message["role"] == "system":
                    system.append(piece["text"])
                elif piece["type"] == "text":
                    texts.append(piece["text"])
                    parts.append("text")
                elif piece["type"] == "image_url":
                    images.append(SeenImage.read(piece["image_url"]["url"]))
                    parts.append("image")
                else:
                    raise ValueError(f"a part of type {piece['type']!r}")
        return cls(
            body=body,
            roles=tuple(roles),
            system="\n".join(system) if system else None,
            text="\n".join(texts),
            parts=tuple(parts),
            images=tuple(images),
            settings={name: body[name] for name in _SETTINGS if name in body},
        )


@dataclass(frozen=True)
class Expect:
    """What every request must look like; a field that is None is not looked at."""

    images: int | None = None
    text_first: bool | None = None  # every text part before every image part
    mime: tuple[str, ...] | None = None  # the types allowed
    honest_mime: bool = True  # a declared type must be the actual one
    system: str | None = None
    no_system: bool = False
    no_placeholder: bool = True  # a literal <image> in the text is a marker that nobody replaced
    settings: dict[str, Any] | None = None  # fields that must have these values

    def problems(self, request: ChatRequest) -> list[str]:  # noqa: C901  one question after another
        found = [f"image {n}: {image.flaw}" for n, image in enumerate(request.images) if image.flaw]
        if self.images is not None and len(request.images) != self.images:
            found.append(f"{len(request.images)} images instead of {self.images}")
        if self.text_first and list(request.parts) != sorted(request.parts, key=("text", "image").index):
            found.append(f"parts come as {', '.join(request.parts)}")
        for number, image in enumerate(request.images):
            if self.honest_mime and image.actual and image.declared != image.actual:
                found.append(f"image {number} is declared {image.declared} and is {image.actual}")
            if self.mime is not None and image.actual and image.actual not in self.mime:
                found.append(f"image {number} is {image.actual}, not {' or '.join(self.mime)}")
        if self.system is not None and request.system != self.system:
            found.append(f"the system message is {request.system!r:.80}")
        if self.no_system and request.system is not None:
            found.append("there is a system message")
        if self.no_placeholder and "<image>" in request.text:
            found.append("a literal <image> is left in the text")
        for name, value in (self.settings or {}).items():
            if request.body.get(name) != value:
                found.append(f"{name} is {request.body.get(name)!r:.80} instead of {value!r:.80}")
        return found
