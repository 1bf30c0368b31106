"""Draw the schema of one item from an entity type's fields, as the dials say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate.chance import happens, some
from sobench_metrics.ifstruct.generate.narrowing import narrowed_choices, narrowed_range

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from sobench_metrics.ifstruct.generate.dials import Dials
    from sobench_metrics.ifstruct.generate.entity import PoolField

__all__ = ["Schema", "sample_item"]

Schema = dict[str, Any]

_GROUPS = ("details", "metadata", "context", "attributes", "summary_block", "extra_info", "background", "specifics")
_NESTED = ("list", "object")
_GROUP_SIZES = (2, 4)


def sample_item(pool: Sequence[PoolField], dials: Dials, rng: Random) -> Schema:
    """Return an object schema in the test set's dialect: `x-optional` marks what `required` does not name.

    Keywords used: type, properties, required, items, minItems, maxItems, enum, minimum, maximum, description,
    x-optional.
    """
    chosen = _chosen(pool, dials, rng)
    if happens(rng, dials.shuffle_percent):
        rng.shuffle(chosen)
    properties = {field.name: _schema(field, dials, rng, dials.depth) for field in chosen}
    if dials.depth and happens(rng, dials.group_percent):
        properties = _grouped(properties, rng)
    return _record(properties)


def _chosen(pool: Sequence[PoolField], dials: Dials, rng: Random) -> list[PoolField]:
    """Return the core fields and a drawn few of the others, in the pool's order."""
    possible = [field for field in pool if dials.depth or field.kind not in _NESTED]
    taken = {field.name for field in possible if field.core}
    others = [field for field in possible if not field.core]
    wanted = max(rng.randint(dials.narrowest, dials.widest), len(taken) + 1)
    while others and len(taken) < wanted:
        field = rng.choice([field for field in others for _ in range(_weight(field, dials))])
        others.remove(field)
        taken.add(field.name)
    return [field for field in possible if field.name in taken]


def _weight(field: PoolField, dials: Dials) -> int:
    if field.kind in _NESTED:
        return dials.nested_weight
    return dials.choice_weight if field.values else 1


def _record(properties: dict[str, Schema]) -> Schema:
    required = [name for name, schema in properties.items() if not schema.get("x-optional")]
    return {"type": "object", "properties": properties, "required": required}


def _schema(field: PoolField, dials: Dials, rng: Random, depth: int) -> Schema:
    made = _of_kind(field, dials, rng, depth)
    if field.remark:
        made["description"] = field.remark
    if not field.core and happens(rng, dials.optional_percent):
        made["x-optional"] = True
    return made


def _of_kind(field: PoolField, dials: Dials, rng: Random, depth: int) -> Schema:
    if field.kind in ("object", "list"):
        return _nested(field, dials, rng, depth)
    if field.values:
        narrow = happens(rng, dials.narrow_percent)
        return {
            "type": "string" if field.kind == "text" else field.kind,
            "enum": narrowed_choices(field.values, rng) if narrow else list(field.values),
        }
    if field.kind in ("integer", "number"):
        return _ranged(field, dials, rng)
    return {"type": "boolean" if field.kind == "boolean" else "string"}


def _ranged(field: PoolField, dials: Dials, rng: Random) -> Schema:
    if field.low is None or field.high is None:
        raise ValueError(f"{field.name} has no range")
    low, high = field.low, field.high
    if happens(rng, dials.narrow_percent):
        low, high = narrowed_range(low, high, rng)
    made: Schema = {"type": field.kind, "minimum": low, "maximum": high}
    if happens(rng, dials.open_range_percent):
        del made["maximum"]
    return made


def _nested(field: PoolField, dials: Dials, rng: Random, depth: int) -> Schema:
    inner = [child for child in field.children if depth > 1 or child.kind not in _NESTED]
    if field.kind == "object":
        return _inner(inner, dials, rng, depth)
    if field.low is None or field.high is None:
        raise ValueError(f"{field.name} has no length")
    low = rng.randint(int(field.low), int(field.high))
    high = low if happens(rng, dials.exact_list_percent) else rng.randint(low, int(field.high))
    items = _inner(inner, dials, rng, depth) if field.children else {"type": "string"}
    return {"type": "array", "items": items, "minItems": low, "maxItems": high}


def _inner(pool: Sequence[PoolField], dials: Dials, rng: Random, depth: int) -> Schema:
    """Return a nested record: its core fields (the first one, when none is marked) and some of the rest."""
    core = [field for field in pool if field.core] or list(pool[:1])
    others = [field for field in pool if field not in core]
    taken = [*core, *some(rng, others, rng.randint(1, max(1, len(others))))]
    return _record({field.name: _schema(field, dials, rng, depth - 1) for field in pool if field in taken})


def _grouped(properties: dict[str, Schema], rng: Random) -> dict[str, Schema]:
    """Move a few plain fields into an object of their own, which stands where the first of them stood."""
    plain = [name for name, schema in properties.items() if schema["type"] not in ("array", "object")]
    names = [name for name in _GROUPS if name not in properties]
    if len(plain) <= _GROUP_SIZES[0]:  # at least one plain field stays outside
        return properties
    moved = some(rng, plain, rng.randint(_GROUP_SIZES[0], min(_GROUP_SIZES[1], len(plain) - 1)))
    group = _record({name: properties[name] for name in moved})
    title = rng.choice(names)
    made: dict[str, Schema] = {}
    for name, schema in properties.items():
        if name == moved[0]:
            made[title] = group
        if name not in moved:
            made[name] = schema
    return made
