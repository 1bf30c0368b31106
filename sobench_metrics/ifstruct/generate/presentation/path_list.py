"""One bare line a field, path first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.field_lines import FieldLine, field_lines
from sobench_metrics.ifstruct.generate.phrases import kind_word, limit_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sobench_metrics.ifstruct.generate.phrases import Dialect
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["path_list"]

_LEADS = (
    "Fields per element, dots go into objects and [] into every entry of a list:",
    "Paths of one element:",
    "What each element holds:",
    "Field list (path first):",
)


def path_list(request: Request, dialect: Dialect, rng: Random) -> str:
    """Return lead and lines, in one of three hands."""
    write: Callable[[FieldLine, Dialect], str] = rng.choice((_colon, _arrow, _signature))
    return "\n".join([rng.choice(_LEADS), *(write(line, dialect) for line in field_lines(request.item))])


def _colon(line: FieldLine, dialect: Dialect) -> str:
    """Write `path`: kind [limit; limit] // remark."""
    limits = "; ".join(limit_words(line, dialect))
    return f"`{line.path}`: {kind_word(line, dialect)}" + (f" [{limits}]" if limits else "") + _remark(line, " // ")


def _arrow(line: FieldLine, dialect: Dialect) -> str:
    """Write path -> kind; limit -- remark."""
    return f"{line.path} -> " + "; ".join([kind_word(line, dialect), *limit_words(line, dialect)]) + _remark(line)


def _signature(line: FieldLine, dialect: Dialect) -> str:
    """Write path <kind; limit>  # remark."""
    inside = "; ".join([kind_word(line, dialect), *limit_words(line, dialect)])
    return f"{line.path} <{inside}>" + _remark(line, "  # ")


def _remark(line: FieldLine, lead: str = " -- ") -> str:
    return lead + line.schema["description"] if "description" in line.schema else ""
