"""Read what a module of the harness does without importing it: some of them act at import."""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["attributes", "calls"]


def calls(module: str, within: str, called: str) -> list[ast.Call]:
    """Return the calls of `called` (its last name) inside the function or class `within` (`Class.method` too).

    A module or a function that does not exist calls nothing.
    """
    found = (node for node in ast.walk(_place(module, within)) if isinstance(node, ast.Call))
    return [call for call in found if _last_name(call.func) == called]


def attributes(module: str, owner: str) -> set[str]:
    """Return the attribute names that a module reads from a name, for example DISK in `CacheType.DISK`."""
    found = (node for node in ast.walk(_tree(module)) if isinstance(node, ast.Attribute))
    return {node.attr for node in found if isinstance(node.value, ast.Name) and node.value.id == owner}


def _place(module: str, within: str) -> ast.AST:
    place: ast.AST = _tree(module)
    for name in within.split("."):
        inner = (node for node in ast.iter_child_nodes(place) if getattr(node, "name", None) == name)
        place = next(inner, ast.Module(body=[], type_ignores=[]))
    return place


@cache
def _tree(module: str) -> ast.Module:
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # the package around it
        spec = None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return ast.Module(body=[], type_ignores=[])
    return ast.parse(Path(spec.origin).read_bytes())


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
