"""What the sample browser reads: an index of all samples, and their texts in packed pieces that open when needed."""

from __future__ import annotations

import base64
import gzip
import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.report.figures import figures_of
from sobench_metrics.report.model import unpack
from sobench_metrics.report.recovery_counts import MEANINGS, NO_STEP
from sobench_metrics.report.slices import ordered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sobench_metrics.report.model import Answer, Asked, Gathered, State

__all__ = ["STATES", "index_of", "packed_text", "pieces"]

STATES: Final[tuple[State, ...]] = ("passed", "failed", "recoverable", "unjudged", "skipped", "not run")

_PIECE: Final = 400_000  # characters of JSON; one is unpacked in a blink
_TITLE: Final = 110


def index_of(gathered: Gathered, places: Sequence[tuple[int, int]], images: Mapping[str, int]) -> dict[str, Any]:
    """Return the index: tables of names, and for each sample where it stands in them.

    `places` says in which piece, and where in it, the texts of each sample lie; `images` numbers the pictures.
    """
    found = list(gathered.samples())
    dims = _dimensions(found)
    codes = sorted({code for asked in found for answer in asked.answers.values() for code in answer.codes})
    steps = {NO_STEP: MEANINGS[NO_STEP], **_steps()}
    step_place = {step: place for place, step in enumerate(steps)}
    code_place = {code: place for place, code in enumerate(codes)}
    group_place = [(name, {group: place for place, group in enumerate(groups)}) for name, groups in dims]
    main = {view.name: figures_of(view, recoverable=False)[:3] for view in gathered.tasks}
    tasks = [view.name for view in gathered.tasks]
    letters = [column.letter for column in gathered.columns]
    return {
        "columns": [
            {"letter": column.letter, "model": column.model, "baseline": column.baseline} for column in gathered.columns
        ],
        "tasks": tasks,
        "kinds": [view.kind for view in gathered.tasks],
        "states": STATES,
        "codes": codes,
        "steps": steps,
        "dimensions": [[name, groups] for name, groups in dims],
        "figures": [[figure.name for figure in main[name]] for name in tasks],
        "samples": [
            [
                tasks.index(asked.task),
                asked.doc_id,
                _title(asked),
                [places_.get(asked.slices.get(name, ""), -1) for name, places_ in group_place],
                [piece, place],
                images.get(asked.image, -1),
                [_answer(asked.answers.get(letter), code_place, step_place, main[asked.task]) for letter in letters],
            ]
            for asked, (piece, place) in zip(found, places, strict=True)
        ],
    }


def pieces(gathered: Gathered) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the packed texts of all samples piece by piece, each with the places of the samples in it."""
    number, size = 0, 0
    waiting: list[str] = []
    places: list[tuple[int, int]] = []
    for asked in gathered.samples():
        content = _texts(asked)
        places.append((number, len(waiting)))
        waiting.append(content)
        size += len(content)
        if size >= _PIECE:
            yield packed_text(f"[{','.join(waiting)}]"), places
            number, waiting, size, places = number + 1, [], 0, []
    if waiting:
        yield packed_text(f"[{','.join(waiting)}]"), places


def packed_text(text: str) -> str:
    """Return a text gzipped and in base64, which no HTML parser takes for anything else; the same every time."""
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")


def _texts(asked: Asked) -> str:
    content = [unpack(asked.packed), {letter: unpack(answer.packed) for letter, answer in asked.answers.items()}]
    return json.dumps(content, separators=(",", ":"))


def _answer(
    answer: Answer | None, code_place: Mapping[str, int], step_place: Mapping[str, int], figures: Sequence[Any]
) -> list[Any] | int:
    if answer is None:
        return 0
    values = [answer.means.get(figure.name, answer.ratios.get(figure.name)) for figure in figures]
    steps = [step_place[step] for step in answer.steps or ((NO_STEP,) if answer.recoverable else ())]
    return [STATES.index(answer.state), [code_place[code] for code in answer.codes], values, steps]


def _dimensions(found: Sequence[Asked]) -> list[tuple[str, list[str]]]:
    groups: dict[str, set[str]] = {}
    for asked in found:
        for name, group in asked.slices.items():
            groups.setdefault(name, set()).add(group)
    return [(name, ordered(names)) for name, names in groups.items()]


def _title(asked: Asked) -> str:
    return " ".join(str(unpack(asked.packed).get("title", ""))[: 4 * _TITLE].split())[:_TITLE]


def _steps() -> dict[str, str]:
    try:
        from sobench_metrics.recovery import STEPS
    except ImportError:
        return {}
    return dict(STEPS)
