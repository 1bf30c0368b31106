"""What `sobench score` prints of a re-scored run, and what it writes as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics import __version__
from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.results.tally import reference_keys
from sobench_metrics.results.told_agreement import differing_figures, lines_of
from sobench_metrics.results.told_figures import plain_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.results.scored_pieces import Scored
    from sobench_metrics.results.told_agreement import Line, Pool

__all__ = ["as_json", "figures_of", "is_equal", "pool_json", "pool_table", "table"]

_KINDS: Final = (
    ("missing", "missing: counted as failed"),
    ("failed", "with a failed request: counted as failed"),
    ("skipped", "not asked, by its run's choice: counted in `skipped` alone"),
    ("faulty", "that cannot be scored, through their own data: counted as failed"),
    ("label_free", "without labels: compared without them"),
)


def figures_of(scored: Scored) -> tuple[Line, ...]:
    """Return a run's figures beside what the run told of them."""
    return lines_of(scored.tally, scored.run.told.get(plain_row(scored.run.task), {}))


def is_equal(scored: Scored) -> bool:
    """Return whether everything that the run told of its own figures is what its texts score."""
    return not scored.differing and not differing_figures(figures_of(scored)) and not _lacks(scored)


def _lacks(scored: Scored) -> bool:
    """Return whether the log holds another number of samples than its run says; figures may agree all the same."""
    return scored.run.asked not in (None, scored.tally.samples)


def table(scored: Scored) -> Iterator[str]:
    """Yield the lines for one task: samples, figures, signature, and whether the run's own figures are equal."""
    run, tally = scored.run, scored.tally
    planned = f" of {run.planned:,}" if run.planned is not None and run.planned != tally.samples else ""
    who = ", ".join(filter(None, [one_line(run.model), one_line(run.harness)]))
    yield f"{one_line(run.task)}: {tally.samples:,}{planned} samples{f' ({who})' * bool(who)}"
    for name, words in _KINDS:
        number = getattr(tally, name)
        if number:
            yield f"  {counted(number, 'sample')} {words}"
    lines = figures_of(scored)
    yield from _figures(lines)
    keys = reference_keys(tally)
    if keys:
        yield "  reference: " + ", ".join(f"{name} {number:.6g}" for name, number in keys.items())
    signature = "|".join(f"{key}={value}" for key, value in run.signature.items())
    if signature:
        yield f"  signature: {one_line(signature)}"
    yield from _verdict(scored, lines)


def pool_table(pool: Pool) -> Iterator[str]:
    """Yield the lines for the four domains together."""
    yield f"{pool.task}: {pool.tally.samples:,} samples of the four domains"
    yield from _figures(pool.lines)
    told = [line for line in pool.lines if line.told is not None]
    wrong = differing_figures(pool.lines)
    if wrong:
        yield f"  the run's own figures of the group DIFFER: {', '.join(wrong)}"
    elif told:
        yield f"  the run's own {counted(len(told), 'figure')} of the group: equal"


def as_json(scored: Scored) -> dict[str, Any]:
    """Return everything of one task as plain data."""
    run, tally = scored.run, scored.tally
    lines = figures_of(scored)
    return {
        "task": run.task,
        "run": str(run.where),
        "model": run.model,
        "harness": run.harness,
        "signature": dict(run.signature),
        "sobench": __version__,
        "samples": tally.samples,
        "planned": run.planned,
        "asked": run.asked,
        **{name: getattr(tally, name) for name, _ in _KINDS},
        "figures": _json_figures(lines),
        "reference": reference_keys(tally),
        "compared_samples": scored.compared,
        "differing_samples": scored.differing,
        "differing": {doc_id: list(names) for doc_id, names in scored.differs},
        "differing_figures": differing_figures(lines),
    }


def pool_json(pool: Pool) -> dict[str, Any]:
    """Return the four domains together as plain data."""
    return {
        "task": pool.task,
        "samples": pool.tally.samples,
        "figures": _json_figures(pool.lines),
        "reference": reference_keys(pool.tally),
        "differing_figures": differing_figures(pool.lines),
    }


def _figures(lines: tuple[Line, ...]) -> Iterator[str]:
    for line in lines:
        if line.denominator == 0 and line.value != line.value:
            yield f"  {line.figure:<24} not in the texts, the run says {line.told:.6f}"
            continue
        error = "" if line.stderr is None else f"± {line.stderr:.6f}"
        told = "" if line.is_equal else f"the run says {line.told!r} ± {line.told_stderr!r}"
        shown = f"  {line.figure:<24} {line.value:.6f} {error:<11} {line.numerator:,}/{line.denominator:,}  {told}"
        yield shown.rstrip()


def _json_figures(lines: tuple[Line, ...]) -> dict[str, dict[str, Any]]:
    return {
        line.figure: {
            "value": line.value if line.denominator or line.is_equal else None,
            "stderr": line.stderr,
            "numerator": line.numerator,
            "denominator": line.denominator,
            "told": line.told,
            "told_stderr": line.told_stderr,
        }
        for line in lines
    }


def _verdict(scored: Scored, lines: tuple[Line, ...]) -> Iterator[str]:
    told = [line for line in lines if line.told is not None]
    wrong = differing_figures(lines)
    version = scored.run.signature.get("sobench", __version__)
    if _lacks(scored):
        yield f"  the log holds {scored.tally.samples:,} of the {scored.run.asked:,} samples that its run says it asked"
    if not scored.compared and not told:
        return
    if not scored.differing and not wrong:
        yield f"  the run's own figures: equal ({counted(scored.compared, 'sample')}, {counted(len(told), 'total')})"
        return
    other = f" (scored by sobench {one_line(version)}, here by {__version__})" * (version != __version__)
    yield f"  the run's own figures DIFFER in {counted(scored.differing, 'sample')}{other}"
    for doc_id, names in scored.differs:
        yield f"    {one_line(doc_id)}: {', '.join(names)}"
    if scored.differing > len(scored.differs):
        yield f"    and {scored.differing - len(scored.differs):,} more: see `differs` in the lines of --out"
    if wrong:
        yield f"  and in the totals {', '.join(wrong)}"
