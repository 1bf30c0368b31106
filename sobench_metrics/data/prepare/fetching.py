"""Run the units of all plans side by side; what fails is told by name, what succeeds stays."""

from __future__ import annotations

from concurrent.futures import as_completed
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from sobench_metrics.data.prepare.workers import reason_of, workers
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sobench_metrics.data.fetch.store import OriginalStore
    from sobench_metrics.data.sources.source import Unit

__all__ = ["Errand", "run_errands"]


@dataclass(frozen=True, slots=True)
class Errand:
    """What is wanted of one source: `originals` by name, the units that bring them, the store that takes them."""

    source: str
    originals: frozenset[str]
    units: Sequence[Unit]
    store: OriginalStore

    def missing(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of the names are wanted and not stored."""
        return frozenset(name for name in self.originals.intersection(names) if not self.store.has(name))


def run_errands(
    errands: Sequence[Errand], *, jobs: int, stored: Callable[[], None] = lambda: None
) -> dict[str, dict[str, str]]:
    """Fetch what the stores lack and return the reasons for what is missing still, by source and original.

    `stored()` is called from the fetching threads after each original. One failing unit stops no other. Raises
    UsageError at once for what hits all of them, such as a full disk.
    """
    reasons: dict[str, dict[str, str]] = {errand.source: {} for errand in errands}
    with workers(jobs, "fetch") as pool:
        pending = {pool.submit(_run, errand, unit, stored): errand.source for errand, unit in _interleaved(errands)}
        for future in as_completed(pending):
            reasons[pending[future]].update(future.result())
    return reasons


def _interleaved(errands: Sequence[Errand]) -> list[tuple[Errand, Unit]]:
    """Put long single streams first, then one unit of each source in turn, so that no host waits for another."""
    by_length = sorted(errands, key=lambda errand: len(errand.units))
    rounds = zip_longest(*([(errand, unit) for unit in errand.units] for errand in by_length))
    return [entry for turn in rounds for entry in turn if entry is not None]


def _run(errand: Errand, unit: Unit, stored: Callable[[], None]) -> dict[str, str]:
    missing = errand.missing(unit.names)
    if not missing:
        return {}

    def deposit(name: str, data: bytes) -> None:
        errand.store.put(name, data)
        stored()

    reason = "the source does not have it"
    try:
        unit.fetch(missing, deposit)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of one unit must not lose the others; it is told by name
        reason = reason_of(error)
    return dict.fromkeys(errand.missing(missing), reason)
