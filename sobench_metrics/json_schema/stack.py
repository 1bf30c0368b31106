"""Nested data without trust in the caller's stack: walks on the heap, library calls on a stack of their own."""

from __future__ import annotations

import _thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["MAX_DEPTH", "is_deeper_than", "on_fresh_stack", "run_nested"]

MAX_DEPTH: Final = 490
"""Deepest nesting that is scored: beyond about 490 levels the reference ends in a RecursionError (rule B6)."""

STACK_BYTES: Final = 16 * 1024 * 1024
_START_LOCK = _thread.allocate_lock()

_Result = TypeVar("_Result")


def run_nested(walk: Generator[Any, Any, _Result]) -> _Result:
    """Return the result of a recursive walk written as generators: `child = yield walk_of(child)`.

    The open calls live in a list, so the nesting of the data never meets the interpreter's recursion limit.
    """
    stack: list[Generator[Any, Any, Any]] = [walk]
    result: Any = None
    while stack:
        try:
            deeper = stack[-1].send(result)
        except StopIteration as done:  # noqa: PERF203  # how a generator returns
            stack.pop()
            result = done.value
        else:
            stack.append(deeper)
            result = None
    final: _Result = result
    return final


def is_deeper_than(value: Any, limit: int) -> bool:
    """Return whether lists and mappings are nested more than `limit` levels deep (a scalar has depth 0).

    Level by level, each shared container once per level: data that contains itself, or one part many times, ends too.
    """
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        if not level:
            return False
        inner: dict[int, Any] = {}
        for container in level:
            for child in container.values() if isinstance(container, dict) else container:
                if isinstance(child, (dict, list)):
                    inner[id(child)] = child
        level = list(inner.values())
    return bool(level)


def on_fresh_stack(work: Callable[[], _Result]) -> _Result:
    """Return `work()`, run on a new thread with a stack of known size and the whole recursion limit to itself.

    For work that recurses (`jsonschema`) and for callers at the end of their own stack: no verdict may depend on how
    deep the caller is. An exception of `work` is raised here. `_thread`, because starting a `threading.Thread` takes a
    dozen frames, which such a caller does not have.
    """
    outcome: list[_Result] = []
    failure: list[BaseException] = []
    done = _thread.allocate_lock()
    done.acquire()

    def body() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001  # handed over to the caller's thread
            failure.append(error)
        finally:
            done.release()

    with _START_LOCK:
        before = _thread.stack_size()
        # 0 is the platform's default and enough. The setting belongs to the whole process: change it only where needed.
        if 0 < before < STACK_BYTES:
            _thread.stack_size(STACK_BYTES)
        try:
            _thread.start_new_thread(body, ())
        finally:
            if 0 < before < STACK_BYTES:
                _thread.stack_size(before)
    done.acquire()
    if failure:
        raise failure[0]
    return outcome[0]
