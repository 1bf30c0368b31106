"""The keyword functions of `jsonschema`, bounded in time, memory and stack, with the verdicts they had.

Each keyword function is taken as it is and only finds other names in its module: `re` with a time limit, a `uniq` that
is not quadratic, a `list` that keeps few of a branch's errors. Version by version the rules stay those of the installed
`jsonschema`. Importing this module loads `jsonschema`; import it where it is used.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from contextlib import contextmanager
from itertools import pairwise
from types import FunctionType, GeneratorType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import attrs
import jsonschema
from jsonschema.validators import extend, validator_for

from sobench_metrics.json_schema import patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["OutOfBoundsError", "bounded_class", "time_limit"]

MAX_FRAMES: Final = 985
"""Stack frames of one check. Python's default limit of 1,000 ends the reference there; a host may have moved that."""

KEPT_ERRORS: Final = 20
"""Errors kept of one failed branch of `anyOf`: only whether there are any changes a verdict."""


class OutOfBoundsError(Exception):
    """A check hit a bound; `code` is the finding's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


# --- bounds ----------------------------------------------------------------------------------------------------------


class _Running(threading.local):
    deadline: float = float("inf")


_running = _Running()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let checks on this thread raise `OutOfBoundsError` once `seconds` have passed."""
    _running.deadline = time.monotonic() + seconds
    try:
        yield
    finally:
        _running.deadline = float("inf")


def _stay_in_bounds() -> None:
    if time.monotonic() > _running.deadline:
        raise OutOfBoundsError("schema.timeout", "the check against the schema took too long")
    try:
        sys._getframe(MAX_FRAMES)  # noqa: SLF001  # the one way to see the stack's depth without walking it in Python
    except ValueError:
        return
    raise OutOfBoundsError("schema.too_deep", "schema and data nest too deeply for the reference to decide")


def _search(pattern: str, text: str) -> bool:
    left = min(_running.deadline - time.monotonic(), threading.TIMEOUT_MAX)
    if left <= 0:
        raise OutOfBoundsError("schema.timeout", "the check against the schema took too long")
    try:
        return patterns.search(pattern, text, timeout=left)
    except TimeoutError:
        raise OutOfBoundsError("schema.timeout", f"searching for the pattern {pattern[:60]!r} took too long") from None


# --- replacements ----------------------------------------------------------------------------------------------------


def _kept(items: Iterable[Any] = ()) -> Any:
    """Stand in for `list`: run an error stream to its end, as exceptions in it count, but keep only the first errors.

    A range stays a range: the same items, and membership does not search.
    """
    if isinstance(items, range):
        return items
    if not isinstance(items, GeneratorType):
        return list(items)
    kept: list[Any] = []
    for item in items:
        if len(kept) < KEPT_ERRORS:
            kept.append(item)
    return kept


def _as_set(find: Callable[..., Iterable[Any]]) -> Callable[..., frozenset[Any]]:
    """Give what `unevaluated...` looks its items up in as a set, not as a list with repetitions."""

    def found(*arguments: Any) -> frozenset[Any]:
        _stay_in_bounds()
        return frozenset(find(*arguments))

    return found


def _unique(container: list[Any]) -> bool:
    """Return whether all items differ, with the verdict of `jsonschema`'s own `uniq` but never in quadratic time.

    Where the items can be sorted the library looks at neighbours only; that is kept. Else it compares all pairs; here
    each item gets a number that equal ones share.
    """
    flags = {True: object(), False: object()}
    try:
        ordered = sorted(flags[item] if isinstance(item, bool) else item for item in container)  # type: ignore[type-var]
    except TypeError:
        numbers = _numbered(container)
        return len(set(numbers)) == len(numbers)
    numbers = _numbered(ordered)
    return all(one != two for one, two in pairwise(numbers))


def _numbered(items: list[Any]) -> list[int]:
    """Number the items so that JSON-equal ones (1 = 1.0, true differs from 1) share a number; inner values first."""
    known: dict[Any, int] = {}
    done: dict[int, int] = {}
    stack = list(items)
    while stack:
        value = stack[-1]
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting = [child for child in children if id(child) not in done]
        if waiting and id(value) not in done:
            stack.extend(waiting)
            continue
        stack.pop()
        if id(value) not in done:
            done[id(value)] = known.setdefault(_key(value, done), len(known))
    return [done[id(item)] for item in items]


def _key(value: Any, done: dict[int, int]) -> tuple[Any, ...]:
    if isinstance(value, dict):
        return ("dict", frozenset((key, done[id(child)]) for key, child in value.items()))
    if isinstance(value, list):
        return ("list", tuple(done[id(child)] for child in value))
    return ("bool", value) if isinstance(value, bool) else ("plain", value)


_REPLACED: Final[dict[str, Any]] = {"list": _kept, "uniq": _unique}
# In the order of the data, not of the hash seed: findings must not vary from run to run.
_ORDERED_SET: Final = {"set": dict.fromkeys}


def _rebound(module: ModuleType, done: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the module's names with its functions reading their globals from the result, replacements included."""
    if module.__name__ in done:
        return done[module.__name__]
    names = done[module.__name__] = dict(vars(module))
    for name, value in vars(module).items():
        if value is re:
            names[name] = SimpleNamespace(search=_search)
        elif isinstance(value, ModuleType) and value.__name__.startswith("jsonschema._"):
            names[name] = SimpleNamespace(**_rebound(value, done))
        elif isinstance(value, FunctionType) and value.__module__.startswith("jsonschema."):
            if value.__module__ == module.__name__:
                names[name] = FunctionType(value.__code__, names, value.__name__, value.__defaults__, value.__closure__)
            else:
                names[name] = _rebound(sys.modules[value.__module__], done)[value.__name__]
            if value.__name__.startswith("find_evaluated_") and value.__module__ == module.__name__:
                names[name] = _as_set(names[name])
    names.update(_REPLACED)
    if "additionalProperties" in names:
        names.update(_ORDERED_SET)
    return names


# --- validator classes -----------------------------------------------------------------------------------------------


def _bounded(keyword: Callable[..., Any], done: dict[str, dict[str, Any]]) -> Callable[..., Any]:
    rebound = _rebound(sys.modules[keyword.__module__], done)[keyword.__name__]

    def checked(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        # Not a generator: it must add no frame to the recursion that it watches.
        _stay_in_bounds()
        return rebound(validator, value, instance, schema)

    return checked


def _evolve(self: Any, **changes: Any) -> Any:
    """Replace `Validator.evolve`: a subschema with a `$schema` of its own must not leave the bounded classes."""
    schema = changes.setdefault("schema", self.schema)
    chosen = bounded_class(schema, default=type(self))
    for attribute, argument in _FIELDS:
        if argument not in changes:
            changes[argument] = getattr(self, attribute)
    return chosen(**changes)


def _bounded_classes() -> dict[Any, Any]:
    done: dict[str, dict[str, Any]] = {}
    classes = {}
    for original in (
        jsonschema.Draft3Validator,
        jsonschema.Draft4Validator,
        jsonschema.Draft6Validator,
        jsonschema.Draft7Validator,
        jsonschema.Draft201909Validator,
        jsonschema.Draft202012Validator,
    ):
        keywords = {name: _bounded(keyword, done) for name, keyword in original.VALIDATORS.items()}
        bounded: Any = extend(original, keywords)  # type: ignore[no-untyped-call]  # the stubs leave it open
        bounded.evolve = _evolve
        classes[original] = bounded
    return classes


_CLASSES: Final = _bounded_classes()
_FIELDS: Final = tuple(
    (field.name, field.alias) for field in attrs.fields(_CLASSES[jsonschema.Draft202012Validator]) if field.init
)


def bounded_class(schema: Any, *, default: Any = jsonschema.Draft202012Validator) -> Any:
    """Return the bounded validator class for the dialect in `$schema`; unknown or none gives `default`.

    Raises what `jsonschema` raises for a schema that is no mapping or boolean, or a `$schema` that is no text.
    """
    chosen = validator_for(schema, default=default)
    return _CLASSES.get(chosen, chosen)
