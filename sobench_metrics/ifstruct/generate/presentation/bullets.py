"""Bullets with explicit paths, each a half sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.prose.said import tokens

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.prose.said import Speech
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["bullets"]

_LEADS = (
    "Per element we keep:",
    "Elements are made of the following (`[]` stands for each entry of a list):",
    "The pieces of one element, with their full paths:",
    "Each of them has:",
)
_SIGNS = ("-", "*", "-", "+")
_JOINTS = (": ", " is ", " should be ")


def bullets(request: Request, speech: Speech, rng: Random) -> str:
    """Return lead and one bullet a field; nested fields have their whole path."""
    sign, joint = rng.choice(_SIGNS), rng.choice(_JOINTS)
    lines = [f"{sign} `{line.path}`{joint}{speech.said(line)}" for line in tokens(request.item).values()]
    return "\n".join([rng.choice(_LEADS), *lines])
