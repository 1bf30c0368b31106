"""Whether data follows a schema, and why not (reference rule B1.8).

Codes: "schema.violation", "schema.broken" (the schema itself), "schema.unresolvable_reference" (every remote one
too: no connection is opened), "schema.timeout", "schema.too_deep", "schema.too_large", "schema.failed" (an exception of
the library).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding, pointer
from sobench_metrics.json_schema.stack import MAX_DEPTH, is_deeper_than, on_fresh_stack
from sobench_metrics.json_schema.wellformed import is_plainly_well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["TIME_LIMIT", "SchemaVerdict", "errors", "follows"]

TIME_LIMIT: Final = 10.0
"""Seconds for one check; a usual one takes milliseconds."""

MAX_NODES: Final = 5_000_000
"""Most values in the checked data, parts that are shared counted each time: bounds the memory of error texts."""

MAX_MESSAGE: Final = 300
CACHED_SCHEMAS: Final = 256


@dataclass(frozen=True, slots=True)
class SchemaVerdict:
    """Whether the data follows the schema; if not, `finding` says why."""

    followed: bool
    finding: Finding | None = None

    def __bool__(self) -> bool:
        return self.followed


def follows(instance: Any, schema: Any, *, time_limit: float = TIME_LIMIT) -> SchemaVerdict:
    """Return whether decoded `instance` follows `schema` as the reference decides it (reference rule B1.8).

    `schema` is JSON text or decoded. Dialect from `$schema`, else the newest; the schema is checked first; `format` is
    not asserted; whatever goes wrong counts as not followed. Never raises; the verdict does not depend on the stack of
    the caller, and it is there after about `time_limit` seconds.
    """
    found = _check(instance, schema, lambda validator: islice(validator.iter_errors(instance), 1), time_limit)
    return SchemaVerdict(not found, found[0] if found else None)


def errors(
    instance: Any, schema: Any, *, format_checker: Any = None, limit: int = 100, time_limit: float = TIME_LIMIT
) -> tuple[Finding, ...]:
    """Return the first `limit` violations in the order of the schema's keywords; () when there is none.

    With a `jsonschema.FormatChecker` its formats are asserted. When the check cannot be finished the last finding says
    so; a broken schema gives that one finding. Never raises.
    """

    def run(validator: Any) -> Iterator[Any]:
        if format_checker is not None:
            validator = validator.evolve(format_checker=format_checker)
        return islice(validator.iter_errors(instance), limit)

    return tuple(_check(instance, schema, run, time_limit)[:limit])


# --- running ---------------------------------------------------------------------------------------------------------


def _check(instance: Any, schema: Any, run: Callable[[Any], Iterator[Any]], time_limit: float) -> list[Finding]:
    if finding := _out_of_size(instance):
        return [finding]
    return on_fresh_stack(lambda: _bounded_check(schema, run, time_limit))


def _bounded_check(schema: Any, run: Callable[[Any], Iterator[Any]], seconds: float) -> list[Finding]:
    from sobench_metrics.json_schema import engine  # heavy, loads where used

    found: list[Finding] = []
    try:
        with engine.time_limit(seconds):
            compiled = _compiled(_text_of(schema))
            if isinstance(compiled, Finding):
                return [compiled]
            found.extend(_violation(error) for error in run(compiled))
    except engine.OutOfBoundsError as error:
        found.append(Finding(error.code, "", str(error)))
    except RecursionError:
        found.append(Finding("schema.too_deep", "", "schema and data nest too deeply for the reference to decide"))
    except Exception as error:  # noqa: BLE001  # rule B1.8: any exception means "not followed"
        found.append(_failure(error))
    return found


def _text_of(schema: Any) -> str:
    """Return the schema as the JSON text that the cache is keyed by; text that is no JSON stands for itself."""
    if isinstance(schema, str):
        try:
            json.loads(schema)
        except ValueError:
            return json.dumps(schema)
        return schema
    return json.dumps(schema)


@lru_cache(maxsize=CACHED_SCHEMAS)
def _compiled(text: str) -> Any:
    """Return a validator for the schema, or the Finding that it is broken. Exceptions are not cached."""
    from referencing import Registry  # heavy, loads where used

    from sobench_metrics.json_schema.engine import bounded_class  # heavy, loads where used

    schema = json.loads(text)
    try:
        validator_class = bounded_class(schema)
    except Exception as error:  # noqa: BLE001  # a list, a number, a `$schema` that is no text: all broken
        return Finding("schema.broken", "", _short(f"the schema is neither an object nor a boolean: {error}"))
    if not is_plainly_well_formed(schema) and (finding := _broken(schema, validator_class)):
        return finding
    # A registry without `retrieve`: what is not in the schema or a metaschema cannot be resolved.
    return validator_class(schema, registry=Registry())


def _broken(schema: Any, validator_class: Any) -> Finding | None:
    metaschema = validator_class.META_SCHEMA
    from sobench_metrics.json_schema.engine import bounded_class  # heavy, loads where used

    check = bounded_class(metaschema)(metaschema, format_checker=validator_class.FORMAT_CHECKER)
    for error in check.iter_errors(schema):
        return Finding("schema.broken", "", _short(f"at {pointer(tuple(error.absolute_path)) or '/'}: {error.message}"))
    return None


# --- findings --------------------------------------------------------------------------------------------------------


def _violation(error: Any) -> Finding:
    from jsonschema.exceptions import best_match  # heavy, loads where used

    best = best_match(iter([error])) if error.context else error
    return Finding("schema.violation", pointer(tuple(best.absolute_path)), _short(best.message))


def _failure(error: Exception) -> Finding:
    from referencing.exceptions import Unresolvable  # heavy, loads where used

    # jsonschema wraps the error of `referencing` in one that is not public.
    if isinstance(error, Unresolvable) or isinstance(error.__cause__, Unresolvable):
        return Finding("schema.unresolvable_reference", "", _short(f"reference not in the schema: {error}"))
    return Finding("schema.failed", "", _short(f"{type(error).__name__}: {error}"))


def _short(message: str) -> str:
    return message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"


def _out_of_size(instance: Any) -> Finding | None:
    if is_deeper_than(instance, MAX_DEPTH):
        return Finding("schema.too_deep", "", f"the data nests more than {MAX_DEPTH} levels deep")
    waiting = [instance]
    nodes = 1
    while waiting and nodes <= MAX_NODES:
        value = waiting.pop()
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        nodes += len(children)
        waiting.extend(child for child in children if isinstance(child, (dict, list)))
    if nodes > MAX_NODES:
        return Finding("schema.too_large", "", f"the data has more than {MAX_NODES} values")
    return None
