"""Make one proven row. What fails a proof is drawn anew, so that exactly as many rows come out as were asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.generate.prompts import Prompt, put_into_words, sample_style
from sobench_metrics.ifstruct.generate.proofs.overlap import Nearness, Overlap
from sobench_metrics.ifstruct.generate.proofs.sound import field_faults, oracle_faults, rule_faults
from sobench_metrics.ifstruct.generate.request import Request, columns, sample_request

if TYPE_CHECKING:
    from collections.abc import Callable

    from sobench_metrics.ifstruct.generate.settings import Settings

__all__ = ["Made", "Maker", "again"]

_TRIES = 12
_NEAR = "overlap"
_REPEATED = "repetition"


@dataclass(frozen=True, slots=True)
class Made:
    """A row in the Hugging Face columns, what is noted of it beside them, and which draw it is (from 0)."""

    row: dict[str, Any]
    note: dict[str, Any]
    attempt: int


class Maker:
    """Makes the rows of one split; a row depends on the settings, its number and the first draw that counts."""

    def __init__(self, settings: Settings, rewrite: Callable[[Request, Prompt], Prompt | None] | None = None) -> None:
        self._settings = settings
        self._overlap = Overlap(settings.against)
        self._rewrite = rewrite

    def row(self, number: int, first: int = 0) -> Made:
        """Return row `number`, of the draws from `first` on the earliest that passes every proof.

        Raises UsageError when every draw lies too near to the rows to keep away from; RuntimeError when none is sound.
        """
        dropped: Counter[str] = Counter()
        for attempt in range(first, first + _TRIES):
            made = self._drawn(number, attempt, dropped)
            if made is not None:
                return made
        if dropped[_NEAR]:
            raise UsageError(
                f"row {number} lies too near to the rows named by --against in each of {_TRIES} draws: name the test "
                "set there, and no rows that this command has made."
            )
        raise RuntimeError(f"no sound row {number} in {_TRIES} draws: {dict(dropped)}")

    def _drawn(self, number: int, attempt: int, dropped: Counter[str]) -> Made | None:
        """Return the row of one draw; None when a proof fails, which is counted."""
        settings = self._settings
        rng = random_for("ifstruct", settings.seed, settings.split, number, attempt)
        request = sample_request(settings.split, settings.dials, rng)
        prompt = put_into_words(request, sample_style(rng), rng)
        by = "rules"
        if prompt.style == "thinking" and self._rewrite is not None:
            rewritten = self._rewrite(request, prompt)
            by = _worded_by(rewritten)
            prompt = rewritten or prompt
        row = columns(request, prompt.text, number)
        nearness = self._overlap.nearness(prompt.text)
        failed = _failed_proof(request, prompt, row, nearness)
        if failed:
            dropped[failed] += 1
            return None
        note = _note(number, request, prompt, nearness, by) | {"replaced": dict(sorted(dropped.items()))}
        return Made(row, note, attempt)


def again(maker: Maker, made: Made) -> Made:
    """Return another draw of a row whose prompt was there before; the repetition is counted in its note."""
    other = maker.row(made.row["doc_id"], made.attempt + 1)
    counted = Counter(made.note["replaced"]) + Counter(other.note["replaced"]) + Counter([_REPEATED])
    return replace(other, note={**other.note, "replaced": dict(sorted(counted.items()))})


def _worded_by(rewritten: Prompt | None) -> str:
    if rewritten is None:
        return "rules, the model failed"
    return "model and a last word of ours" if "last word" in rewritten.hand else "model"


def _failed_proof(request: Request, prompt: Prompt, row: dict[str, Any], nearness: Nearness) -> str:
    """Return the name of the first proof that a row fails, empty when it passes all."""
    if field_faults(prompt, request):
        return "fields"
    if rule_faults(prompt.outside, request):
        return "rules"
    if nearness.too_near:
        return _NEAR
    return "oracle" if oracle_faults(row) else ""


def _note(number: int, request: Request, prompt: Prompt, nearness: Nearness, by: str) -> dict[str, Any]:
    return {
        "doc_id": number,
        "area": request.entity.area,
        "style": prompt.style,
        "hand": prompt.hand,
        "turns": prompt.turns,
        "worded_by": by,
        "fence": request.form.fence,
        "closed": request.form.closed,
        "shared_runs": nearness.shared,
        "jaccard": nearness.jaccard,
    }
