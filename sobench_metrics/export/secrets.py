"""Settings as they may be published: without keys, tokens and passwords, wherever in them they stand."""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ["HIDDEN", "without_secrets"]

HIDDEN: Final = "(not told)"
_DEEPEST: Final = 64
_NAMES: Final = frozenset(
    {"token", "key", "apikey", "password", "passwd", "secret", "header", "headers", "authorization", "auth",
     "bearer", "credential", "credentials", "cookie", "cookies"}
)  # fmt: skip
"""A name tells a secret when its last word is one of these: `hf_token` does, `max_tokens` and `key_value` do not."""

_HARMLESS: Final = frozenset({"eos", "bos", "pad", "unk", "end", "start", "stop", "image", "special"})
"""What a model's own `..._token` is called before its last word."""

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_IN_TEXT: Final = (
    (re.compile(r"(?<=://)[^/\s@]+(?=@)"), HIDDEN),  # user and password of an address
    (re.compile(r"\b(?:hf|gsk|ghp)_[A-Za-z0-9]{20,}|\bsk-[A-Za-z0-9_-]{16,}"), HIDDEN),  # tokens by their form
    (re.compile(r"(?i)\bbearer\s+\S+"), HIDDEN),
)
_PAIR: Final = re.compile(r"([\w.-]+)=([^,&\s]+)")  # model_args as one text, and the query of an address


def without_secrets(content: Any) -> Any:
    """Return decoded JSON with secrets replaced by `(not told)`: by the name of a key, or by the form of a text."""
    return _plain(content, 0)


def _plain(content: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return HIDDEN
    if isinstance(content, dict):
        return {
            key: HIDDEN if value and _is_secret(str(key)) else _plain(value, depth + 1)
            for key, value in content.items()
        }
    if isinstance(content, (list, tuple)):
        return [_plain(value, depth + 1) for value in content]
    return _text(content) if isinstance(content, str) else content


def _is_secret(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    return bool(words) and words[-1] in _NAMES and not _HARMLESS & set(words[-2:-1])


def _text(text: str) -> str:
    text = _PAIR.sub(lambda pair: f"{pair[1]}={HIDDEN}" if _is_secret(pair[1]) else pair[0], text)
    for form, instead in _IN_TEXT:
        text = form.sub(instead, text)
    return text
