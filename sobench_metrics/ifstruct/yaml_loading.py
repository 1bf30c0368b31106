"""Bounded YAML 1.1 loading with PyYAML's pure-Python SafeLoader, timestamps off (reference rule A5)."""

# mypy: disable-error-code="no-untyped-call"
# (the stubs of PyYAML leave the methods of its composer and scanner untyped)

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, cast

import yaml

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct import yaml_limits as limits
from sobench_metrics.ifstruct.display import ReferenceCrashError, shown
from sobench_metrics.ifstruct.yaml_limits import YamlLimitError, YamlTooDeepError
from sobench_metrics.ifstruct.yaml_outline import outline, refuse_expansion
from sobench_metrics.response import MAX_INT_DIGITS

__all__ = ["FLOW_STYLE", "Loaded", "compose", "load"]

FLOW_STYLE: Final = (
    "Response is JSON/flow style, but YAML output was requested. Emit block-style YAML "
    "(e.g. `key: value` / `- item`), not JSON wrapped in a ```yaml fence."
)

_TIMESTAMP: Final = "tag:yaml.org,2002:timestamp"
_INT: Final = "tag:yaml.org,2002:int"
_RECURSION: Final = "maximum recursion depth exceeded"
_LEADING_DIGITS = re.compile(r"\s*[-+]?(\d+)")
_NEAR_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Loaded:
    """Data, or the finding that says why there is none (then data is None).

    Codes: "yaml.parse", "yaml.value", "yaml.too_deep", "yaml.flow_style" with the reference's texts; "yaml.too_long",
    "yaml.work", "yaml.tags", "yaml.expansion", "yaml.keys", "yaml.number" for texts the reference hangs on.
    """

    data: Any
    finding: Finding | None = None


class _Loader(yaml.SafeLoader):
    """SafeLoader with an iterative composer and a budget; the trees, values and errors are PyYAML's own."""

    # A table of our own: add_implicit_resolver would change the class that others use.
    yaml_implicit_resolvers = {  # noqa: RUF012  # the name and the kind are PyYAML's
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.scan_steps = 0
        self.tag_chars = 0
        self.collections: list[yaml.CollectionNode] = []

    def release(self) -> None:
        """Take the node tree apart from outside: Python 3.13 frees a nested one by C recursion, level by level."""
        for node in self.collections:
            node.value = []

    def stale_possible_simple_keys(self) -> None:
        """Count the looks at open simple keys; PyYAML calls this at each token."""
        self.scan_steps += len(self.possible_simple_keys)
        if self.scan_steps > limits.MAX_SCAN_STEPS:
            raise YamlLimitError(
                "yaml.work", f"scanning takes more than {limits.MAX_SCAN_STEPS} looks at possible keys"
            )
        super().stale_possible_simple_keys()

    def compose_node(self, _parent: yaml.Node | None, _index: Any) -> yaml.Node:
        """Compose one node and all below it with the open collections on a list, in PyYAML's order of events."""
        open_nodes: list[yaml.CollectionNode] = []
        keys: list[yaml.Node | None] = []  # for each open mapping the key whose value is due
        while True:
            if open_nodes and self.check_event(yaml.SequenceEndEvent, yaml.MappingEndEvent):
                self.get_event()
                node: yaml.Node = open_nodes.pop()
                if isinstance(node, yaml.MappingNode):
                    keys.pop()
            else:
                node, opens = self._compose_one()
                if isinstance(node, yaml.CollectionNode) and opens:
                    if len(open_nodes) >= limits.MAX_COMPOSE_DEPTH:
                        raise YamlTooDeepError
                    open_nodes.append(node)
                    if isinstance(node, yaml.MappingNode):
                        keys.append(None)
                    continue
            if not open_nodes:
                return node
            parent = open_nodes[-1]
            if isinstance(parent, yaml.SequenceNode):
                parent.value.append(node)
            elif keys[-1] is None:
                keys[-1] = node
            else:
                parent.value.append((keys[-1], node))
                keys[-1] = None

    def _compose_one(self) -> tuple[yaml.Node, bool]:
        """Return the next node, and whether it is a collection whose content is still to come."""
        if self.check_event(yaml.AliasEvent):
            # An alias composes nothing below it: PyYAML's own step, which cannot recurse.
            named = super().compose_node(None, 0)
            return cast("yaml.Node", named), False
        event = self.peek_event()
        anchor = event.anchor
        if anchor is not None and anchor in self.anchors:
            raise yaml.composer.ComposerError(
                f"found duplicate anchor {anchor!r}; first occurrence",
                self.anchors[anchor].start_mark,
                "second occurrence",
                event.start_mark,
            )
        self.tag_chars += len(event.tag or "")
        if self.tag_chars > limits.MAX_TAG_CHARS:
            raise YamlLimitError("yaml.tags", f"tags of more than {limits.MAX_TAG_CHARS} characters in all")
        if isinstance(event, yaml.ScalarEvent):
            scalar: yaml.Node = self.compose_scalar_node(anchor)
            return scalar, False
        kind = yaml.SequenceNode if isinstance(event, yaml.SequenceStartEvent) else yaml.MappingNode
        self.get_event()
        tag = event.tag if event.tag not in (None, "!") else self.resolve(kind, None, event.implicit)
        node = kind(tag, [], event.start_mark, None, flow_style=event.flow_style)
        self.collections.append(node)
        if anchor is not None:
            self.anchors[anchor] = node
        return node, True

    def construct_bounded_int(self, node: yaml.ScalarNode) -> int:
        """Construct an integer; refuse those that take quadratic time, with PyYAML's error where it has one."""
        text = str(self.construct_scalar(node)).replace("_", "")
        unsigned = text[1:] if text[:1] in ("-", "+") else text
        if not unsigned.startswith("0"):  # octal, hexadecimal and binary take linear time
            for part in unsigned.split(":") if len(unsigned) > MAX_INT_DIGITS else ():
                _refuse_long_decimal(part)
            if ":" in unsigned and len(unsigned) > limits.MAX_SEXAGESIMAL_CHARS:
                raise YamlLimitError("yaml.number", f"integer of more than {limits.MAX_SEXAGESIMAL_CHARS} characters")
        return int(self.construct_yaml_int(node))


_Loader.add_constructor(_INT, _Loader.construct_bounded_int)


def _refuse_long_decimal(part: str) -> None:
    # Python's own error and text, also where a process lifted the limit or this Python lacks it.
    if (digits := _LEADING_DIGITS.match(part)) and len(digits[1]) > MAX_INT_DIGITS:
        raise ValueError(
            f"Exceeds the limit ({MAX_INT_DIGITS} digits) for integer string conversion: value has {len(digits[1])} "
            "digits; use sys.set_int_max_str_digits() to increase the limit"
        )


def load(text: str) -> Loaded:
    """Load one YAML document and refuse flow style as the reference does (rules A5.3 to A5.5).

    Raises ReferenceCrashError where PyYAML raises something the reference lets through (rule A12); RecursionError only
    when the caller's own stack is nearly used up.
    """
    if len(text) > limits.MAX_YAML_CHARS:
        return _refused(
            "yaml.too_long", f"YAML text of {len(text)} characters exceeds the limit of {limits.MAX_YAML_CHARS}"
        )
    try:
        return _load(text)
    except yaml.YAMLError as error:
        return _refused("yaml.parse", f"YAML parsing error: {_detail(error)}")
    except ValueError as error:
        return _refused("yaml.value", f"YAML parsing error: {error}")
    except YamlTooDeepError:
        return _refused("yaml.too_deep", f"YAML parsing error: {_RECURSION}")
    except YamlLimitError as error:
        return _refused(error.code, f"YAML not loaded: {error}")
    except (KeyError, AttributeError, IndexError, TypeError, ArithmeticError) as error:
        raise ReferenceCrashError(type(error).__name__, str(error)) from error


def _refused(code: str, message: str) -> Loaded:
    return Loaded(None, Finding(code, "", message))


def _load(text: str) -> Loaded:
    loader = _Loader(text)
    try:
        return _load_with(loader)
    finally:
        loader.release()


def _load_with(loader: _Loader) -> Loaded:
    root: yaml.Node | None = loader.get_single_node()
    if root is None:
        return Loaded(None)
    found = outline(root)
    refuse_expansion(found)
    data = loader.construct_document(root)
    if found.too_deep:
        raise YamlTooDeepError
    if found.flow:
        return _refused("yaml.flow_style", FLOW_STYLE)
    return Loaded(data)


def compose(text: str) -> yaml.Node | None:
    """Return the node tree of a text that `load` accepted, for rules that need marks and styles."""
    root: yaml.Node | None = _Loader(text).get_single_node()
    return root


def _detail(error: yaml.YAMLError) -> str:
    """Return problem, place and offending line as the reference joins them (rule A5.4)."""
    parts: list[str] = []
    if problem := getattr(error, "problem", None):
        parts.append(str(problem))
    if mark := getattr(error, "problem_mark", None):
        parts.append(f"at line {mark.line + 1}, column {mark.column + 1}")
        lines = (mark.buffer or "").split("\n")
        if mark.line < len(lines) and (near := lines[mark.line].strip()):
            cut = near if len(near) <= _NEAR_CHARS else near[:_NEAR_CHARS] + "..."
            parts.append(f"near: {shown(cut)}")
    return "; ".join(parts) or str(error)
