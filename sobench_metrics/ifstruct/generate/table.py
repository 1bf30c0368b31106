"""The printed account of a generated split."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.plain_words import counted
from sobench_metrics.ifstruct.generate.proofs.overlap import MAX_JACCARD, MAX_SHARED
from sobench_metrics.ifstruct.generate.proofs.sound import PARSE_BACK

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.generate.settings import Settings
    from sobench_metrics.ifstruct.generate.tally import Tally

__all__ = ["account"]


def account(tally: Tally, settings: Settings) -> list[str]:
    """Return the lines: shares against targets, proofs, overlap."""
    lines = [f"{'rule':<13} {'value':<19} {'rows':>9} {'share':>7} {'target':>7}"]
    rule = ""
    for share in tally.shares():
        target = "" if share.target is None else f"{share.target:6.1f}%"
        name = share.rule if share.rule != rule else ""
        rule = share.rule
        lines.append(f"{name:<13} {share.value:<19} {share.rows:>9,} {share.share:>6.1f}% {target:>7}")
    return [*lines, "", *_proofs(tally), *_overlap(tally, settings)]


def _proofs(tally: Tally) -> list[str]:
    read_back = sum(tally.counts["style", style] for style in PARSE_BACK)
    prose = tally.rows - read_back
    types = len(tally.entity_types)
    optional = f"rows with an optional field: {tally.optional:,}"
    lines = [
        f"entity types: {types} in {counted(len(tally.areas), 'subject area')}; {optional}",
        f"oracle passes: {tally.rows:,} of {tally.rows:,}",
        f"parsed back to the very schema (four machine-readable styles): {read_back:,} of {read_back:,}",
        f"last word on every field right (bullets, chat, thinking): {prose:,} of {prose:,}",
        f"last word on every rule of form right: {tally.rows:,} of {tally.rows:,}",
        f"different prompts: {tally.rows:,} of {tally.rows:,}",
    ]
    if tally.worded_by:
        lines.append(
            "thinking out loud worded by: "
            + ", ".join(f"{name} {number:,}" for name, number in sorted(tally.worded_by.items()))
        )
    drawn_anew = ", ".join(f"{name} {number:,}" for name, number in sorted(tally.replaced.items())) or "none"
    return [*lines, f"draws dropped and replaced, by failed proof: {drawn_anew}"]


def _overlap(tally: Tally, settings: Settings) -> list[str]:
    if not settings.against:
        return ["overlap with the test set: not measured; name your copy of its rows with --against FILE"]
    found = (
        f"overlap with {counted(len(settings.against), 'row')} ({settings.against_revision}): "
        f"{counted(tally.rows_sharing_runs, 'row')} with a shared run of 8 words, "
        f"at most {100 * tally.most_shared:.1f}% of a prompt (limit {100 * MAX_SHARED:.0f}%); "
        f"nearest prompt {tally.nearest:.2f} by MinHash (limit {MAX_JACCARD})"
    )
    return [found]
