"""The answer beside what was asked, place by place: against the target in SO-Bench, against the schema in IFStruct."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.leaves import effective_type
from sobench_metrics.report.previews import at, preview
from sobench_metrics.sobench.field_verdicts import child_path, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sobench_metrics.findings import Finding
    from sobench_metrics.ifstruct.verdict import Payload
    from sobench_metrics.sobench.field_verdicts import FieldVerdict

__all__ = ["MOST_ROWS", "DiffRow", "against_schema", "against_target"]

MOST_ROWS: Final = 400
"""So many places of an answer are shown; where there are more, failing ones go first."""

_NO_MATTER: Final = ("match", "ignored")
_PATH_END: Final = 120  # characters of either end of a path that is too long for a cell
_SHOWN_VALUES: Final = 5
_OUTCOMES: Final = {"schema.required": "missing", "schema.type": "wrong_kind", "schema.extraneous": "extra"}


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One place: its JSON Pointer, its label (SO-Bench) or what the schema asks (IFStruct), and what became of it.

    `outcome` is that of a FieldVerdict; in IFStruct "match" says that no finding stands there. `target` and `answer`
    are previews; `answer` is None where the answer has nothing at this place.
    """

    path: str
    label: str
    kind: str
    outcome: str
    target: str
    answer: str | None
    reason: str = ""


def against_target(fields: Sequence[FieldVerdict], target: Any, answer: tuple[Any, ...]) -> list[DiffRow]:
    """Return the places of target and answer in the order of the verdicts; `answer` is () when there is none.

    No more than MOST_ROWS and one that says how many are left out; places that do not match are kept first.
    """
    listed = [verdict for verdict in fields if verdict.outcome != "more"]
    keep = set(range(len(listed)))
    if len(listed) > MOST_ROWS:
        failing = [place for place, verdict in enumerate(listed) if verdict.outcome not in _NO_MATTER]
        others = [place for place, verdict in enumerate(listed) if verdict.outcome in _NO_MATTER]
        keep = set((failing + others)[:MOST_ROWS])
    rows = []
    for place in sorted(keep):
        verdict = listed[place]
        wanted = at(target, verdict.path)
        given = at(answer[0], verdict.path) if answer else ()
        rows.append(
            DiffRow(
                _shown_path(verdict.path), verdict.label, verdict.kind, verdict.outcome,
                preview(wanted[0]) if wanted else "", preview(given[0]) if given else None,
                _telling(verdict),
            )
        )  # fmt: skip
    more = [verdict.reason for verdict in fields if verdict.outcome == "more"]
    if len(listed) > MOST_ROWS:
        more.insert(0, f"{len(listed) - MOST_ROWS:,} further places are not shown")
    return [*rows, *(DiffRow("", "", "", "more", "", None, text) for text in more)]


def _shown_path(path: str) -> str:
    """Return a path that fits a cell and is no other place's: its ends, and how long it is."""
    if len(path) <= 2 * _PATH_END:
        return path
    return f"{path[:_PATH_END]}… {len(path):,} characters …{path[-_PATH_END:]}"


def _telling(verdict: FieldVerdict) -> str:
    """Return the reason where it says more than the outcome and the two values beside each other do."""
    leaf = verdict.kind not in ("list", "dict")
    plain = verdict.outcome == "missing" or (leaf and verdict.reason.startswith("expected "))
    return "" if plain else verdict.reason


def against_schema(payload: Payload | None, schema: Mapping[str, Any], findings: Sequence[Finding]) -> list[DiffRow]:
    """Return the places of the data that were read from an answer, with what the schema asks and what was found there.

    Paths start at the list, inside a wrapper key if there is one, so that wrapped and bare answers stand side by side.
    Places of findings that the data lack (a missing field) have rows of their own. MOST_ROWS as above.
    """
    start = child_path("", payload.wrapper[0]) if payload and payload.wrapper else ""
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(_inside(finding.path, start), []).append(finding)
    rows: list[DiffRow] = []
    shown: set[str] = set()
    more = False
    for path, value, asked in _places(payload, schema):
        if len(rows) >= MOST_ROWS:
            more = True
            break
        shown.add(path)
        rows.append(_row(path, kind_of(value), _expectation(asked), preview(value), by_path.get(path, [])))
    for path, found in by_path.items():
        if path and path not in shown and len(rows) < MOST_ROWS:
            rows.append(_row(path, "", "", None, found))
    if more:
        rows.append(DiffRow("", "", "", "more", "", None, f"the first {MOST_ROWS} places are shown"))
    return rows


def _inside(path: str, start: str) -> str:
    """Return a path as seen from the list; what stands outside of it belongs to the whole answer."""
    if not start:
        return path
    return path[len(start) :] if path == start or path.startswith(f"{start}/") else ""


def _row(path: str, kind: str, asked: str, answer: str | None, found: list[Finding]) -> DiffRow:
    outcome = "match"
    if found:
        outcome = "missing" if answer is None else _OUTCOMES.get(found[0].code, "mismatch")
    reason = "; ".join(dict.fromkeys(finding.message[:200] for finding in found[:3]))
    return DiffRow(_shown_path(path), "", kind, outcome, asked, answer, reason)


def _places(payload: Payload | None, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield (path, value, schema there) in the order of the text; lazily, for the data may be large or in circles."""
    if payload is None:
        return
    open_: list[Iterator[tuple[str, Any, Any]]] = [iter([("", payload.data, schema)])]
    while open_:
        step = next(open_[-1], None)
        if step is None:
            open_.pop()
            continue
        yield step
        if isinstance(step[1], (dict, list)):
            open_.append(_children(*step))


def _children(path: str, value: Any, schema: Any) -> Iterator[tuple[str, Any, Any]]:
    asked = schema if isinstance(schema, dict) else {}
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield child_path(path, index), item, asked.get("items")
        return
    properties = asked.get("properties")
    named = properties if isinstance(properties, dict) else {}
    for key, item in value.items():
        yield child_path(path, key), item, named.get(key) if isinstance(key, str) else None


def _expectation(schema: Any) -> str:
    """Return in a few words what a schema asks of a value; empty where it names nothing."""
    if not isinstance(schema, dict) or not schema:
        return ""
    declared = schema.get("type")
    kinds = declared if isinstance(declared, list) else [declared or effective_type(schema)]
    told = [" or ".join(str(kind) for kind in kinds[:_SHOWN_VALUES])]
    enum = schema.get("enum")
    if isinstance(enum, list):
        more = ", …" if len(enum) > _SHOWN_VALUES else ""
        told.append("one of " + ", ".join(preview(value) for value in enum[:_SHOWN_VALUES]) + more)
    for low, high, noun in (("minimum", "maximum", ""), ("minItems", "maxItems", " items")):
        bounds = [preview(schema[name]) if name in schema else "" for name in (low, high)]
        if any(bounds):
            told.append(" to ".join(bounds).strip() + noun if all(bounds) else _half(bounds) + noun)
    return ", ".join(told)[:200]


def _half(bounds: list[str]) -> str:
    return f"at least {bounds[0]}" if bounds[0] else f"at most {bounds[1]}"
