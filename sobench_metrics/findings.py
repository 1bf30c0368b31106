"""The one shape in which every rule of this package reports what it found."""

from dataclasses import dataclass

__all__ = ["Finding", "pointer"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a rule found wrong.

    `code` is stable across releases (dotted, lower case), `path` is a JSON Pointer into the model's data
    ("" = the whole answer), `message` is for people; in *official* findings it is the reference's own text.
    """

    code: str
    path: str
    message: str


def pointer(parts: tuple[object, ...]) -> str:
    """Return the JSON Pointer (RFC 6901) of a sequence of keys and indices; () gives ""."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
