"""One look at a composed YAML tree before anything is built from it: how large it is once its aliases are expanded.

PyYAML shares what an alias names, but every later step (the flow check of the reference, the schema walk, printing a
value) sees it expanded: a few hundred bytes can stand for billions of nodes. One pass over the shared nodes, with a
memo on node identity, gives every figure needed to refuse such a tree in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import yaml

from sobench_metrics.ifstruct.yaml_limits import MAX_LOOK_DEPTH, MAX_MERGE_DEPTH, YamlLimitError, YamlTooDeepError

__all__ = ["Outline", "outline", "refuse_expansion"]

MAX_NODES: Final = 1_000_000
"""Nodes after expansion; twice what the longest text allowed can spell out without aliases."""

MAX_CHARS: Final = 10_000_000
"""Characters of all scalars after expansion."""

MAX_LONG_INTEGER_KEYS: Final = 1_000
"""Integer keys of 18 characters and more: they can be chosen to share one hash, which makes a dict quadratic."""

_LONG_INTEGER: Final = 18  # the first integer that hashes like 0 is 2**61 - 1: 19 digits, 18 characters in hexadecimal
_INT: Final = "tag:yaml.org,2002:int"
_MERGE: Final = "tag:yaml.org,2002:merge"
_VALUE: Final = "tag:yaml.org,2002:value"
_SPECIAL: Final = frozenset((_MERGE, _VALUE))


@dataclass(slots=True)
class _Extent:
    """What stands under one node, itself included, aliases expanded."""

    nodes: int = 1
    chars: int = 0
    height: int = 1
    merge_height: int = 0
    """Longest chain of merges (`<<`) and values (`=`), along which PyYAML recurses."""


@dataclass(slots=True)
class Outline:
    """The figures of a tree, and what the reference's look at it meets first in its order: flow style or depth."""

    flow: bool = False
    """A flow mapping anywhere, or a flow collection as the root, comes first (rule A5.5)."""
    too_deep: bool = False
    """An alias inside what it names, or nesting beyond MAX_LOOK_DEPTH, comes first."""
    long_integer_keys: int = 0
    merge_height: int = 0
    root: _Extent = field(default_factory=_Extent)


@dataclass(slots=True)
class _Entered:
    node: yaml.Node
    children: list[yaml.Node]
    extent: _Extent
    merging: set[int]
    next_child: int = 0


def outline(root: yaml.Node) -> Outline:
    """Return the outline of a composed tree, in time linear in its shared size. Cycles count as too deep."""
    result = Outline(flow=isinstance(root, yaml.CollectionNode) and bool(root.flow_style))
    done: dict[int, _Extent] = {}
    open_ids: set[int] = set()
    path: list[_Entered] = []

    def enter(node: yaml.Node) -> None:
        children, merging = _children(node, result)
        if isinstance(node, yaml.MappingNode) and node.flow_style and not result.too_deep:
            result.flow = True
        chars = len(node.value) if isinstance(node, yaml.ScalarNode) else 0
        path.append(_Entered(node, children, _Extent(chars=chars), merging))
        open_ids.add(id(node))
        if len(path) > MAX_LOOK_DEPTH:
            result.too_deep = result.too_deep or not result.flow

    enter(root)
    while path:
        entered = path[-1]
        if entered.next_child == len(entered.children):
            path.pop()
            open_ids.discard(id(entered.node))
            done[id(entered.node)] = entered.extent
            if path:
                _add(path[-1], entered.node, entered.extent)
            result.merge_height = max(result.merge_height, entered.extent.merge_height)
            continue
        child = entered.children[entered.next_child]
        entered.next_child += 1
        if id(child) in open_ids:
            _add(entered, child, _Extent(height=MAX_LOOK_DEPTH, merge_height=MAX_MERGE_DEPTH))
            result.too_deep = result.too_deep or not result.flow
        elif id(child) in done:
            extent = done[id(child)]
            if len(path) + extent.height > MAX_LOOK_DEPTH:
                result.too_deep = result.too_deep or not result.flow
            _add(entered, child, extent)
        else:
            enter(child)
    result.root = done[id(root)]
    return result


def _children(node: yaml.Node, result: Outline) -> tuple[list[yaml.Node], set[int]]:
    """Return keys and values, or items, in order, and the identities of those along which a merge recurses."""
    if isinstance(node, yaml.SequenceNode):
        # A list may be the right side of a merge: the chain goes on through its items.
        return node.value, {id(child) for child in node.value if isinstance(child, yaml.MappingNode)}
    if not isinstance(node, yaml.MappingNode):
        return [], set()
    children: list[yaml.Node] = []
    merging: set[int] = set()
    for key, value in node.value:
        children += (key, value)
        if key.tag in _SPECIAL:
            merging.add(id(value))
        elif key.tag == _INT and isinstance(key.value, str) and len(key.value) >= _LONG_INTEGER:
            result.long_integer_keys += 1
    return children, merging


def _add(parent: _Entered, child: yaml.Node, extent: _Extent) -> None:
    own = parent.extent
    own.nodes = min(own.nodes + extent.nodes, MAX_NODES + 1)  # capped: doubling level by level makes giants
    own.chars = min(own.chars + extent.chars, MAX_CHARS + 1)
    own.height = max(own.height, extent.height + 1)
    if id(child) in parent.merging:
        # A list only passes a chain on; a merge or value key makes it one longer.
        step = 0 if isinstance(parent.node, yaml.SequenceNode) else 1
        own.merge_height = max(own.merge_height, extent.merge_height + step)


def refuse_expansion(found: Outline) -> None:
    """Raise YamlLimitError or YamlTooDeepError for a tree that nothing should be built from."""
    if found.root.nodes > MAX_NODES or found.root.chars > MAX_CHARS:
        raise YamlLimitError(
            "yaml.expansion", f"aliases expand to more than {MAX_NODES} nodes or {MAX_CHARS} characters"
        )
    if found.long_integer_keys > MAX_LONG_INTEGER_KEYS:
        raise YamlLimitError(
            "yaml.keys", f"more than {MAX_LONG_INTEGER_KEYS} integer keys of {_LONG_INTEGER} characters or more"
        )
    if found.merge_height > MAX_MERGE_DEPTH:
        raise YamlTooDeepError
