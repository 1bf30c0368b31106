"""A cheap and sound test that a schema is well formed, for the schemas that people write.

Checking a big schema against its metaschema takes some 60 ms, a data set has thousands of them. Here every keyword
that may appear is looked at directly; anything else, and anything odd, is left to the metaschema. So True is a promise
(the metaschemas of draft-07, 2019-09 and 2020-12 accept the schema), False only means "not known".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["is_plainly_well_formed"]

MAX_LEVELS: Final = 20
"""Deeper schemas go to the metaschema: the reference runs out of stack somewhere, and only it says where."""

_DIALECTS: Final = frozenset(
    {
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    }
)
_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_LOCAL_REFERENCE = re.compile(r"#(?:/[A-Za-z0-9_$.~-]*)*")


def is_plainly_well_formed(schema: Any) -> bool:
    """Return True when the schema is certainly accepted by the metaschema of its dialect.

    Only for schemas without `$schema` or with one of draft-07, 2019-09 and 2020-12. Never raises.
    """
    level = [schema]
    for _ in range(MAX_LEVELS):
        if not all(map(_is_plain, level)):
            return False
        level = [inner for subschema in level if isinstance(subschema, dict) for inner in _subschemas(subschema)]
        if not level:
            return True
    return False


def _is_plain(schema: Any) -> bool:
    if isinstance(schema, bool):
        return True
    return isinstance(schema, dict) and all(
        _RULES[keyword](value) if keyword in _RULES else keyword not in _LEFT_TO_THE_METASCHEMA
        for keyword, value in schema.items()
    )


def _subschemas(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword, value in schema.items():
        rule = _RULES.get(keyword)
        if rule is _is_schema:
            yield value
        elif rule is _is_schema_list:
            yield from value
        elif rule in (_is_schema_map, _is_pattern_map):
            yield from value.values()


def _is_anything(_value: Any) -> bool:
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_type(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and _is_names(value) and set(value) <= _TYPES
    return isinstance(value, str) and value in _TYPES


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _is_names_map(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_names, value.values()))


def _is_dialect(value: Any) -> bool:
    return isinstance(value, str) and value in _DIALECTS


def _is_local_reference(value: Any) -> bool:
    return isinstance(value, str) and _LOCAL_REFERENCE.fullmatch(value) is not None


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and re.compile(value) is not None
    except (re.error, OverflowError, RecursionError):
        return False


# Whether what is inside them is well formed is asked one level further down.
def _is_schema(value: Any) -> bool:
    return isinstance(value, (bool, dict))


def _is_schema_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_schema_map(value: Any) -> bool:
    return isinstance(value, dict)


def _is_pattern_map(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_pattern, value))


_RULES: Final[dict[str, Callable[[Any], bool]]] = {
    "$schema": _is_dialect,
    "$ref": _is_local_reference,
    "type": _is_type,
    "required": _is_names,
    "dependentRequired": _is_names_map,
    "pattern": _is_pattern,
    "patternProperties": _is_pattern_map,
    "multipleOf": _is_positive,
    **dict.fromkeys(("const", "default"), _is_anything),
    **dict.fromkeys(("enum", "examples"), _is_list),
    **dict.fromkeys(("$comment", "title", "description", "format", "contentEncoding", "contentMediaType"), _is_text),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _is_flag),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(
        (
            "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains",
            "maxContains",
        ),
        _is_count,
    ),
    **dict.fromkeys(("properties", "$defs", "definitions", "dependentSchemas"), _is_schema_map),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _is_schema_list),
    **dict.fromkeys(
        (
            "items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
            "unevaluatedItems", "unevaluatedProperties",
        ),
        _is_schema,
    ),
}  # fmt: skip
_LEFT_TO_THE_METASCHEMA: Final = frozenset(
    {
        "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary",
        "additionalItems", "contentSchema", "dependencies",
    }
)  # fmt: skip
