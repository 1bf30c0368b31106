"""The two official prompts, read out of upstream's conversion script, which is parsed and never run."""

from __future__ import annotations

import ast
import hashlib
from string import Formatter
from typing import TYPE_CHECKING

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_prompts"]

_SYSTEM, _USER = "_SYSTEM_PROMPT", "_USER_PROMPT"
_PLACES = {"schema_json", "user_intent"}


def read_prompts(python_source: str) -> dict[str, str]:
    """Return `system` (verbatim: it is never formatted), `user` (with its two places) and `sha256` of both.

    The hash is that of `sobench_metrics.data.prepared.Prompts`. Raises UsageError when the script does not say plainly
    what the prompts are.
    """
    try:
        tree = ast.parse(python_source)
        bound = list(_bindings(tree))
        system, user = (_constant(tree, name, bound.count(name)) for name in (_SYSTEM, _USER))
        _check_places(user)
        digest = hashlib.sha256(f"{system}\0{user}".encode()).hexdigest()
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(
            f"cannot read the official prompts from upstream's convert_to_eval_jsonl.py ({_reason(error)}): use the "
            "pinned commit, or name a clone of it with --upstream-dir."
        ) from error
    return {"system": system, "user": user, "sha256": digest}


def _reason(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"it is no Python: {error.msg}, line {error.lineno or 'unknown'}"
    return str(error) if isinstance(error, ValueError) else "it is nested too deeply"


def _bindings(tree: ast.AST) -> Iterator[str]:
    """Yield every name that is bound or deleted anywhere, once for each time."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


def _constant(tree: ast.Module, name: str, bound: int) -> str:
    values = [value for target, value in _assignments(tree) if target == name]
    if len(values) != 1 or bound != 1:
        raise ValueError(f"{name} is assigned {max(bound, len(values))} times where one plain assignment is wanted")
    try:
        text = ast.literal_eval(values[0])
    except ValueError:
        raise ValueError(f"{name} is put together by code, not written as one text") from None
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{name} is no text")
    return text


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the plain assignments of the module's own level."""
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.AnnAssign):
            target = node.target
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name) and node.value is not None:
            yield target.id, node.value


def _check_places(user: str) -> None:
    places = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(user) if name is not None]
    if {name for name, _, _ in places} != _PLACES or any(spec or conversion for _, spec, conversion in places):
        found = ", ".join(f"{{{name}}}" for name, _, _ in places) or "none"
        raise ValueError(f"{_USER} has the places {found} where {{schema_json}} and {{user_intent}} are wanted")
