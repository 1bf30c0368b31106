"""The tolerant reading of an SO-Bench answer: does each labelled leaf of the target stand there, at its place?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sobench_metrics.json_schema.stack import MAX_DEPTH, is_deeper_than
from sobench_metrics.recovery.choosing import choose_json
from sobench_metrics.recovery.limits import too_long
from sobench_metrics.recovery.record import FieldTally, Recovery
from sobench_metrics.recovery.same_leaf import same_leaf
from sobench_metrics.recovery.wrappers import object_below
from sobench_metrics.recovery.yaml_documents import yaml_readings
from sobench_metrics.response import decode_json
from sobench_metrics.sobench.labels import EXACT, FUZZY, IGNORE, Labels
from sobench_metrics.sobench.score import SampleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["recover_sobench"]

_MISSING: Final = object()


def recover_sobench(text: str | None, row: Mapping[str, Any]) -> Recovery:
    """Return whether all labelled leaves of a row's target (`target_json`, `evaluation_labels_json`) are in the text.

    Lists are compared item by item and must have the right length; further fields cost nothing, as officially. A row
    without labels (None, or no such column) has every leaf compared as "exact". Never raises for any text; raises
    SampleError for a target that is no JSON, or nested beyond what is scored.
    """
    target, labels = _target(row), _labels(row)
    if fault := too_long(text):
        return _unread(target, labels, (), fault)
    chosen = choose_json(text or "")
    if chosen.fault and chosen.seen:
        return _unread(target, labels, chosen.steps, f"Nothing to read: {chosen.fault}.")
    if chosen.seen:
        return _judge(chosen.value, chosen.steps, target, labels)
    first: Recovery | None = None
    for document in yaml_readings(text or ""):
        if "format.flow" not in document.steps:
            found = _judge(document.data, (*document.steps, "format.yaml"), target, labels)
            if found.recoverable:
                return found
            first = first or found
    return first or _unread(target, labels, chosen.steps, f"Nothing to read: {chosen.fault}.")


def _target(row: Mapping[str, Any]) -> Any:
    if "target_json" not in row:
        raise SampleError("The row has no column 'target_json': add it.")
    value = row["target_json"]
    if isinstance(value, str):
        decoded = decode_json(value)
        if decoded.finding or value[decoded.end :].strip():
            raise SampleError("Column 'target_json' is not JSON: repair the row.")
        value = decoded.value
    return _bounded(value, "target_json")


def _labels(row: Mapping[str, Any]) -> Any:
    """Return the labels; a text that is no JSON stands for itself, as officially, and none at all is "exact"."""
    value = row.get("evaluation_labels_json")
    if isinstance(value, str):
        decoded = decode_json(value)
        if decoded.finding is None and not value[decoded.end :].strip():
            value = decoded.value
    return EXACT if value is None else _bounded(value, "evaluation_labels_json")


def _bounded(value: Any, column: str) -> Any:
    if is_deeper_than(value, MAX_DEPTH):
        raise SampleError(f"Column '{column}' nests more than {MAX_DEPTH} levels deep: repair the row.")
    return value


def _unread(target: Any, labels: Any, steps: tuple[str, ...], reason: str) -> Recovery:
    total = _compare(_MISSING, target, labels).total
    return Recovery(recoverable=False, steps=steps, reason=reason, fields=FieldTally(0, total))


def _judge(value: Any, steps: tuple[str, ...], target: Any, labels: Any) -> Recovery:
    if is_deeper_than(value, MAX_DEPTH):
        return _unread(target, labels, steps, f"The data are nested more than {MAX_DEPTH} levels deep.")
    known = target.keys() if isinstance(target, dict) else ()
    data, more = object_below(value, type(target), known)
    if isinstance(target, (dict, list)) and type(data) is not type(target) and labels != IGNORE:
        return _unread(target, labels, steps, "The answer is not of the kind asked for: an object or a list.")
    compared = _compare(data, target, labels)
    tally = FieldTally(compared.matched, compared.total)
    steps += (*more, *compared.steps)
    if compared.fault:
        return Recovery(recoverable=False, steps=steps, reason=compared.fault, value=value, fields=tally)
    said = "only the form differs" if steps else "in the form asked for"
    return Recovery(
        recoverable=True, steps=steps, reason=f"All labelled fields are there, {said}.", value=value, fields=tally
    )


@dataclass(slots=True)
class _Compared:
    matched: int = 0
    total: int = 0
    steps: dict[str, None] = field(default_factory=dict)
    fault: str = ""


class _Node(NamedTuple):
    answer: Any
    target: Any
    label: Any
    path: str
    parent_there: bool


def _compare(answer: Any, target: Any, labels: Any) -> _Compared:
    """Compare leaf by leaf in the order of the target; the fault is the first one met."""
    result = _Compared()
    reader = Labels()
    waiting = [_Node(answer, target, labels, "", parent_there=False)]
    while waiting:
        node = waiting.pop()
        if isinstance(node.label, str) and node.label == IGNORE:
            continue
        if isinstance(node.target, (dict, list)) and node.target:
            if fault := _shape_fault(node, reader):
                result.fault = result.fault or fault
            waiting.extend(reversed(list(_children(node, reader))))
        elif not isinstance(node.target, (dict, list)) or reader.empty_counts(node.label, node.target):
            _leaf(node, result)
    return result


def _children(node: _Node, reader: Labels) -> Iterator[_Node]:
    same_kind = type(node.answer) is type(node.target)
    for child in reader.children(node.target, node.label):
        if not child.strict:
            continue
        if not same_kind:
            part = _MISSING
        elif isinstance(node.target, dict):
            part = node.answer.get(child.key, _MISSING)
        else:
            part = node.answer[child.key] if child.key < len(node.answer) else _MISSING
        path = f"{node.path}/{child.key}" if len(node.path) < 200 else node.path
        yield _Node(part, child.value, child.label, path, parent_there=same_kind)


def _shape_fault(node: _Node, reader: Labels) -> str:
    """Return the fault of a counting list of another length; one of another kind shows in its leaves."""
    if not isinstance(node.target, list) or not isinstance(node.answer, list):
        return ""
    counts = any(child.strict for child in reader.children(node.target, node.label))
    if not counts or len(node.answer) == len(node.target):
        return ""
    return f"The list at {node.path or 'the root'} has {len(node.answer)} items in place of {len(node.target)}."


def _leaf(node: _Node, result: _Compared) -> None:
    result.total += 1
    steps: tuple[str, ...] | None
    if node.answer is _MISSING:
        steps = ("value.null_left_out",) if node.target is None and node.parent_there else None
    elif isinstance(node.target, (dict, list)):
        steps = () if type(node.answer) is type(node.target) and not node.answer else None
    else:
        steps = same_leaf(node.answer, node.target, fuzzy=node.label == FUZZY)
    if steps is None:
        what = "is not there" if node.answer is _MISSING else "has another value"
        result.fault = result.fault or f"The field at {node.path or 'the root'} {what}."
        return
    result.matched += 1
    result.steps.update(dict.fromkeys(steps))
