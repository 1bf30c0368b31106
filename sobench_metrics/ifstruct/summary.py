"""The run-level summary of the reference runner (reference rule A11)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.spec import Spec
from sobench_metrics.ifstruct.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["error_class", "summarise"]

Item = tuple[str, Spec, Verdict]

_COMMON: Final = 10
_CLASS_CHARS: Final = 80
_CLASSES: Final = (
    (("required field missing",), "required field missing"),
    (("No valid JSON",), "no valid JSON"),
    (("No valid YAML",), "no valid YAML"),
    (("must use a code block",), "missing code block"),
    (("Expected wrapped object",), "expected wrapper key, got bare list"),
    (("Expected bare list",), "expected bare list, got wrapper"),
    (("Expected top-level key",), "wrong wrapper key name"),
    (("expected", "got"), "type mismatch"),
    (("items",), "wrong item count"),
)


def summarise(items: Iterable[Item]) -> dict[str, Any]:
    """Return pass rate, slices and the ten most frequent error classes of (entity_type, spec, verdict) items.

    Slices by format and structure hold only what occurs; entity types are sorted; classes that are equally frequent
    stay in the order first seen. The result is plain JSON data, `common_errors` a list of [class, count] pairs.
    """
    seen = list(items)
    return {
        **_rate(seen),
        "by_format": _slices(seen, [_format(item) for item in seen], ("json", "yaml")),
        "by_top_level_structure": _slices(seen, [_structure(item) for item in seen], ("wrapper_key", "bare_list")),
        "by_entity_type": _slices(seen, [item[0] for item in seen], sorted({item[0] for item in seen})),
        "common_errors": _common_errors(verdict for _, _, verdict in seen),
    }


def error_class(message: str) -> str:
    """Return the first class whose every word is in the message, or else its first 80 characters."""
    for words, name in _CLASSES:
        if all(word in message for word in words):
            return name
    return message[:_CLASS_CHARS]


def _format(item: Item) -> str:
    return str(item[1].output_format)


def _structure(item: Item) -> str:
    return "wrapper_key" if item[1].require_wrapper_key else "bare_list"


def _rate(items: Sequence[Item]) -> dict[str, Any]:
    passed = sum(verdict.passed for _, _, verdict in items)
    return {"passed": passed, "total": len(items), "pass_rate": passed / len(items) if items else 0.0}


def _slices(items: Sequence[Item], labels: Sequence[str], names: Iterable[str]) -> dict[str, Any]:
    groups: dict[str, list[Item]] = {}
    for item, label in zip(items, labels, strict=True):
        groups.setdefault(label, []).append(item)
    return {name: _rate(groups[name]) for name in names if name in groups}


def _common_errors(verdicts: Iterable[Verdict]) -> list[list[Any]]:
    counts = Counter(error_class(finding.message) for verdict in verdicts for finding in verdict.errors)
    return [[name, count] for name, count in counts.most_common(_COMMON)]
