"""Ask for less, or by other names: a schema loses some of its fields, or writes its keys in another case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sobench_metrics.data.sample_maker.drawn import Drawn, Schema

__all__ = ["asked_for_less", "keys_rewritten"]

_WISHES = (
    "Of all that is shown I need {names} only.", "just {names}, please",
    "From this picture: {names}. Leave out the rest.",
    "Give me {names} and nothing else.", "I am after {names}; ignore everything besides.",
    "Only {names} matter here. Keep the order in which things appear.",
)  # fmt: skip
_FEWEST = 3  # fields that an object must have before one is left out


def asked_for_less(drawn: Drawn, rng: Random) -> Drawn:
    """Return the document with a schema of some of its top fields, and a request that names them.

    A list, or an object of two fields, is returned as it is.
    """
    names = list(drawn.schema.get("properties", {}))
    if len(names) < _FEWEST or not isinstance(drawn.target, dict):
        return drawn
    kept = set(rng.sample(names, rng.randint(2, len(names) - 1)))
    if all(_leaves(drawn.labels[name]) <= {"ignore"} for name in kept):
        return drawn  # nothing would be left to compare
    chosen = [name for name in names if name in kept]
    schema = {
        **drawn.schema,
        "properties": {name: drawn.schema["properties"][name] for name in chosen},
        "required": [name for name in drawn.schema["required"] if name in kept],
    }
    said = [name.replace("_", " ") for name in chosen]
    spoken = " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
    return replace(
        drawn,
        schema=schema,
        user_intent=rng.choice(_WISHES).format(names=f"the {spoken}"),
        target={name: drawn.target[name] for name in chosen},
        labels={name: drawn.labels[name] for name in chosen},
    )


def keys_rewritten(drawn: Drawn, rng: Random) -> Drawn:
    """Return the document with all keys in another case: `unitPrice`, `UnitPrice` or `unit-price`."""
    write = rng.choice((_camel, _pascal, _dashed))
    return replace(
        drawn,
        schema=_schema_renamed(drawn.schema, write),
        target=_renamed(drawn.target, write),
        labels=_renamed(drawn.labels, write),
    )


def _schema_renamed(schema: Any, write: Callable[[str], str]) -> Any:
    """Rename where names of properties stand, and nowhere else: a choice `on_hold` stays what it is."""
    if isinstance(schema, list):
        return [_schema_renamed(part, write) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made: Schema = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            made[keyword] = {write(name): _schema_renamed(part, write) for name, part in value.items()}
        elif keyword == "required":
            made[keyword] = [write(name) for name in value]
        elif keyword == "$defs":
            made[keyword] = {name: _schema_renamed(part, write) for name, part in value.items()}
        else:
            made[keyword] = value if keyword == "enum" else _schema_renamed(value, write)
    return made


def _renamed(value: Any, write: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {write(name): _renamed(part, write) for name, part in value.items()}
    return [_renamed(part, write) for part in value] if isinstance(value, list) else value


def _leaves(labels: Any) -> set[str]:
    if isinstance(labels, (dict, list)):
        parts = labels.values() if isinstance(labels, dict) else labels
        return set().union(*(_leaves(part) for part in parts))
    return {labels}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _dashed(name: str) -> str:
    return name.replace("_", "-")
