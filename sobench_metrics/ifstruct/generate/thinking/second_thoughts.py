"""What somebody may say wrongly at first about a rule or a field."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate.wording.rules import CLAUSES, fill

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.field_lines import FieldLine
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["foreign_name", "wrong_clause", "wrong_line"]

_MORE_CHOICES = ("other", "unspecified", "misc", "tbd")
_SUFFIXES = ("_info", "_value", "_label", "_field", "_data")
_EXTRAS = ("created_at", "internal_id", "remarks", "page_count", "version_tag", "source_url", "last_editor", "notes")


def wrong_clause(rule: str, state: str, request: Request, rng: Random) -> str | None:
    """Return a clause that says another state of the rule; None where no second thought would be safe."""
    others = [other for other in CLAUSES[rule] if other != state]
    # that talk is welcome is only ever said on the way to silence: without a fence an answer with talk fails
    if rule == "closed" or not others or (rule == "silence" and state != "silent"):
        return None
    key = request.key or request.entity.name
    return fill(rng.choice(CLAUSES[rule][rng.choice(others)]), key, request.form.output_format)


def wrong_line(line: FieldLine, rng: Random) -> FieldLine | None:
    """Return the field with other limits or another kind; None for a plain text, which has none to change."""
    changed = _changed(line.schema, rng)
    if changed is None:
        return None
    return replace(line, schema={word: value for word, value in changed.items() if word != "description"})


def foreign_name(name: str | None, taken: set[str], rng: Random) -> str:
    """Return a name that no field has: a variant of the given one, or one that somebody might want besides."""
    names = [name + suffix for suffix in _SUFFIXES] if name else list(_EXTRAS)
    return rng.choice([other for other in names if other not in taken])


def _changed(schema: dict[str, Any], rng: Random) -> dict[str, Any] | None:
    if "enum" in schema:
        return {**schema, "enum": _other_choices(schema["enum"], rng)}
    if "maximum" in schema:
        span = int(schema["maximum"] - schema["minimum"])
        more = max(1, rng.choice((span // 3, span // 2, span // 10)))
        step = 10 ** (len(str(more)) - 1)
        return {**schema, "maximum": int(schema["maximum"]) + more // step * step}
    if schema["type"] == "array":
        more = rng.randint(1, 3)
        return {**schema, "minItems": schema["minItems"] + more, "maxItems": schema["maxItems"] + more}
    return {"type": "string"} if schema["type"] == "boolean" else None


def _other_choices(values: list[Any], rng: Random) -> list[Any]:
    more = [word for word in _MORE_CHOICES if word not in values]
    if len(values) > 2 and (not isinstance(values[0], str) or rng.randrange(2)):
        gone = rng.randrange(len(values))
        return [value for index, value in enumerate(values) if index != gone]
    return [*values, rng.choice(more) if isinstance(values[0], str) else max(values) + 1]
