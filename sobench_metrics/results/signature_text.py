"""Signatures as tasks write them: `key=value|key=value`."""

from __future__ import annotations

__all__ = ["signature_parts"]


def signature_parts(text: str) -> dict[str, str]:
    """Return the parts of `key=value|key=value`; a piece without a key belongs to the value before it."""
    parts: dict[str, str] = {}
    last = None
    for piece in text.split("|") if text else ():
        key, given, value = piece.partition("=")
        if given and key.isidentifier():
            last = key
            parts[key] = value
        elif last is not None:
            parts[last] += f"|{piece}"
    return parts
