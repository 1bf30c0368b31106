"""The JSON Schema itself: of the whole answer, of the list, or of one item."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.phrases import Dialect
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["raw_schema"]

_WHOLE = (
    "Here is the schema that the answer has to satisfy:",
    "It is going to be validated against this schema:",
    "Schema of the complete answer:",
    "Our validator uses the following, so please make it fit:",
)
_ITEM = (
    "Schema of a single element:",
    "Each element of the list must be valid under this schema:",
    "One element, as a schema:",
)
_ITEM_PERCENT = 25


def raw_schema(request: Request, _dialect: Dialect, rng: Random) -> str:
    """Return lead and schema, pretty-printed by two or four blanks, or on one line."""
    alone = rng.randrange(100) < _ITEM_PERCENT
    schema = request.item if alone else request.answer_schema
    lead = rng.choice(_ITEM if alone else _WHOLE)
    indent = rng.choice((2, 2, 2, 4, None))
    text = json.dumps(schema, indent=indent, ensure_ascii=False)
    return f"{lead}\n```\n{text}\n```" if rng.randrange(4) == 0 else f"{lead}\n{text}"
