"""What no engine takes: keywords whose value is of the wrong kind, sizes that are no counts, bounds that cross.

Everything else in this package reads keywords without a further look, since such a schema never gets past this one.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.places import places
from sobench_metrics.constrained.words import BY_TYPE, types_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sobench_metrics.constrained.places import Schema

__all__ = ["SIZES", "broken_place", "crossed", "unusable"]

SIZES: Final = frozenset((
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
))  # fmt: skip
"""Keywords that count; their value is a whole number from 0 on, which JSON may write 2.0."""

_LARGEST_SIZE: Final = 2**63
_TYPES: Final = frozenset(("string", "number", "integer", "boolean", "null", "array", "object"))
_PAIRS: Final = (("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"))


def unusable(schema: Any) -> str:
    """Return why a decoded schema cannot be sent at all, whatever is in it; "" where it can."""
    if not isinstance(schema, dict):
        return f"schema:broken: a schema must be an object, not {type(schema).__name__}"
    try:
        json.dumps(schema, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "schema:surrogate: a text holds half of a surrogate pair, which no JSON reader of an engine takes"
    except (TypeError, ValueError, RecursionError) as error:
        return f"schema:broken: the schema cannot be written as JSON ({type(error).__name__})"
    return ""


def broken_place(schema: Schema) -> tuple[tuple[str | int, ...], str] | None:
    """Return the path and the fault of the first keyword whose value is not what the keyword takes; None for none.

    Only what an answer can be held against is looked at: definitions that nothing names may hold anything.
    """
    for place in places(schema):
        if isinstance(place.node, bool):
            continue
        if not isinstance(place.node, dict):
            return place.path, f"a schema must be an object or a boolean, not {type(place.node).__name__}"
        for word, value in place.node.items():
            expected, fits = _TAKES.get(word, _ANYTHING)
            if not fits(value):
                return (*place.path, word), f"'{word}' takes {expected}"
    return None


def crossed(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (keyword, sentence) where two counts of one schema leave no value of the only type it allows."""
    kinds = types_of(node)
    for least, most in _PAIRS:
        kind = next(kind for kind, words in BY_TYPE.items() if least in words)
        if kinds is not None and kind not in kinds:
            continue
        if least in node and most in node and node[least] > node[most]:
            yield least, f"{least} is {node[least]} and {most} is {node[most]}"
    required = len(set(node.get("required", ())))
    if (kinds is None or "object" in kinds) and required > node.get("maxProperties", math.inf):
        yield "required", f"{required} properties are required and maxProperties is {node['maxProperties']}"


def _is_size(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value < _LARGEST_SIZE and (isinstance(value, int) or value.is_integer())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_bound(value: Any) -> bool:
    return isinstance(value, (int, float))  # draft 4 writes exclusive bounds as booleans


def _is_step(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_type(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_schema(value: Any) -> bool:
    return isinstance(value, (dict, bool))


def _is_schema_or_tuple(value: Any) -> bool:
    return isinstance(value, (dict, bool, list))


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _are_schemas(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_schema, value.values()))


def _are_lists_of_names(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_are_names, value.values()))


def _are_dependencies(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_schema(held) or _are_names(held) for held in value.values())


_Check = tuple[str, "Callable[[Any], bool]"]
_ANYTHING: Final[_Check] = ("anything", lambda _: True)
_A_SCHEMA: Final[_Check] = ("a schema", _is_schema)
_MAP_OF_SCHEMAS: Final[_Check] = ("an object of schemas", _are_schemas)
_TAKES: Final[dict[str, _Check]] = {
    "type": ("the name of a type, or a list of such names", _is_type),
    "enum": ("a list", _is_list),
    "required": ("a list of names", _are_names),
    "items": ("a schema, or a list of schemas", _is_schema_or_tuple),
    "multipleOf": ("a number above 0", _is_step),
    "uniqueItems": ("true or false", _is_flag),
    "dependentRequired": ("an object of lists of names", _are_lists_of_names),
    "dependencies": ("an object of schemas or lists of names", _are_dependencies),
    "prefixItems": ("a list of schemas, and not an empty one", _is_filled_list),
    **dict.fromkeys(SIZES, ("a whole number from 0 to 2^63 - 1", _is_size)),
    **dict.fromkeys(("minimum", "maximum"), ("a number", _is_number)),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), ("a number", _is_bound)),
    **dict.fromkeys(("pattern", "format", "$ref", "$schema"), ("a text", _is_text)),
    **dict.fromkeys(("anyOf", "oneOf", "allOf"), ("a list of schemas, and not an empty one", _is_filled_list)),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), _MAP_OF_SCHEMAS),
    **dict.fromkeys(("$defs", "definitions"), ("an object", lambda value: isinstance(value, dict))),
    **dict.fromkeys(
        (
            "additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems",
            "contains", "not", "if", "then", "else",
        ),
        _A_SCHEMA,
    ),
}  # fmt: skip
