"""A comparison as plain types, for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.results.comparison import Comparison, Row
    from sobench_metrics.results.pairing import Pairing
    from sobench_metrics.results.records import Run

__all__ = ["as_json"]


def as_json(comparisons: Sequence[Comparison], *, seed: int, resamples: int) -> dict[str, Any]:
    """Return everything that was compared, in plain types; shares are 0..1."""
    return {
        "seed": seed,
        "resamples": resamples,
        "level": 0.95,
        "tasks": [_comparison(comparison) for comparison in comparisons],
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    pairing = comparison.pairing
    return {
        "task": pairing.task,
        "common": pairing.common,
        "samples": {
            "compared": len(pairing.pairs),
            "planned": pairing.planned,
            **dict(zip("ab", pairing.ran, strict=True)),
        },
        "pooled": list(pairing.pooled),
        "runs": {} if pairing.pooled else {side: _run(run) for side, run in zip("ab", pairing.runs, strict=True)},
        "states": {side: dict(states) for side, states in zip("ab", pairing.states, strict=True)},
        "sides": list(pairing.sides),
        "clusters": comparison.clusters,
        "warnings": list(pairing.warnings),
        "left_out": [
            {"doc_id": out.doc_id, "side": _side(pairing, out.side), "state": out.state, "reason": out.reason}
            for out in pairing.left_out
        ],
        "findings": {code: {"a": a, "b": b} for code, (a, b) in comparison.findings.items()},
        "figures": [_row(row) for row in comparison.rows],
    }


def _side(pairing: Pairing, letter: str) -> str:
    return "ab"[pairing.sides.index(letter)]


def _run(run: Run) -> dict[str, Any]:
    return {
        "where": str(run.where),
        "task": run.task,
        "harness": run.harness,
        "model": run.model,
        "signature": dict(run.signature),
        "settings": dict(run.settings),
        "seconds": run.seconds,
    }


def _row(row: Row) -> dict[str, Any]:
    tally = row.counts
    return {
        "figure": row.figure,
        "unit": row.unit,
        "of_run": row.of_run,
        "samples": row.samples,
        "a": row.a,
        "b": row.b,
        "difference": row.difference,
        "interval": row.interval and list(row.interval),
        "wins": tally and tally.wins,
        "losses": tally and tally.losses,
        "ties": tally and tally.ties,
        "undefined": tally and tally.undefined,
        "detectable": row.detectable,
        "won": list(row.won),
        "lost": list(row.lost),
        "tied": list(row.tied),
        "mcnemar_p": row.p,
        "wilson": row.wilson and {side: list(ends) for side, ends in zip("ab", row.wilson, strict=True)},
    }
