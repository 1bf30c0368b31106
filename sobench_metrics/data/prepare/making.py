"""Make the images of an order: keep what is had, fetch the originals of the rest, render them, say what is missing."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from sobench_metrics.data import pixels
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.data.prepare.fetching import Errand, run_errands
from sobench_metrics.data.prepare.finished import RENDERED, Finished, Renderer
from sobench_metrics.data.prepare.planning import raw_folder
from sobench_metrics.data.prepare.workers import workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.data.prepare.kept import KeptSet
    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.planning import Planned
    from sobench_metrics.data.sources.source import Plan

__all__ = ["Made", "Maker", "Watch"]


def _nothing(*_words: Any) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told: `stage(title, total)` begins a stage, `step()`, from any thread, is one of it, `say` is a line."""

    stage: Callable[[str, int], None] = _nothing
    step: Callable[[], None] = _nothing
    say: Callable[[str], None] = _nothing


@dataclass(frozen=True, slots=True)
class Made:
    """Finished images, reasons for missing ones by doc id, and the sources of which not all were had already."""

    finished: tuple[Finished, ...]
    missing: Mapping[str, str]
    renewed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Task:
    label: Label
    plan: Plan
    store: OriginalStore

    @property
    def source(self) -> str:
        return self.label.source

    @property
    def originals(self) -> tuple[str, ...]:
        return self.plan.originals[self.label.image]


@dataclass(frozen=True, slots=True)
class _Sorted:
    had: list[Finished] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    tasks: list[_Task] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes images below `home`, `jobs` at a time, and tells `watch`."""

    home: Path
    jobs: int
    watch: Watch

    def make(self, wanted: Sequence[Label], planned: Planned, earlier: KeptSet) -> Made:
        """Return everything that could be had of the wanted labels.

        Images of `earlier` are kept when they come from the plan's revision, recipe and encoder, or when their source
        could not be planned now. Raises UsageError for what ends the whole, such as a full disk.
        """
        renderer = Renderer(self.home / RENDERED)
        order = self._sort(wanted, planned, earlier)
        if order.had:
            self.watch.say(f"{len(order.had)} images are in the current set already")
        reasons = self._fetch(order.tasks, renderer)
        self.watch.stage("rendering", len(order.tasks))
        finished, missing = order.had, order.missing
        for task, result in zip(order.tasks, self._render(order.tasks, renderer, reasons), strict=True):
            if isinstance(result, Finished):
                finished.append(result)
            else:
                missing[task.label.doc_id] = result
        return Made(tuple(finished), missing, frozenset(task.source for task in order.tasks))

    def _sort(self, wanted: Sequence[Label], planned: Planned, earlier: KeptSet) -> _Sorted:
        """Sort the labels into had, missing for good, and to be made."""
        order = _Sorted()
        stores = {name: OriginalStore(raw_folder(self.home, name, plan)) for name, plan in planned.plans.items()}
        encoder = pixels.encoder()
        kept = {name for name, plan in planned.plans.items() if earlier.made_like(name, plan, encoder)}
        kept.update(planned.failed)
        for store in stores.values():
            store.sweep()
        for label in wanted:
            plan = planned.plans.get(label.source)
            had = earlier.take(label) if label.source in kept else None
            if had is not None:
                order.had.append(had)
            elif plan is None:
                order.missing[label.doc_id] = planned.failed[label.source]
            elif label.image not in plan.originals:
                unknown = f"the source does not have {label.image}"
                order.missing[label.doc_id] = plan.unavailable.get(label.image, unknown)
            else:
                order.tasks.append(_Task(label, plan, stores[label.source]))
        return order

    def _fetch(self, tasks: Sequence[_Task], renderer: Renderer) -> Mapping[str, Mapping[str, str]]:
        """Return why originals are missing, by source and original."""
        of_source: dict[str, list[_Task]] = {}
        for task in tasks:
            of_source.setdefault(task.source, []).append(task)
        errands = []
        for name, members in of_source.items():
            needed = (task.originals for task in members if not renderer.done(task.label, task.plan))
            originals = frozenset(chain.from_iterable(needed))
            errands.append(Errand(name, originals, members[0].plan.units, members[0].store))
        self.watch.stage("fetching", sum(len(errand.missing(errand.originals)) for errand in errands))
        return run_errands(errands, jobs=self.jobs, stored=self.watch.step)

    def _render(
        self, tasks: Sequence[_Task], renderer: Renderer, reasons: Mapping[str, Mapping[str, str]]
    ) -> list[Finished | str]:
        def render(task: _Task) -> Finished | str:
            faults = [
                f"{name}: {reasons[task.source][name]}" for name in task.originals if name in reasons[task.source]
            ]
            try:
                return faults[0] if faults else renderer.render(task.label, task.plan, task.store)
            except pixels.PixelError as error:
                for name in task.originals:
                    task.store.drop(name)  # the next run asks for it again
                return f"{task.label.image}: {error}"
            finally:
                self.watch.step()

        with workers(min(self.jobs, os.cpu_count() or 1), "render") as pool:
            return list(pool.map(render, tasks))
