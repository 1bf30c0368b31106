"""Make the images of an order: keep what is had, fetch the originals of the rest, render them, say what is missing."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from sobench_metrics.data import pixels
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.data.prepare.fetching import Errand, run_errands
from sobench_metrics.data.prepare.finished import RENDERED, Finished, Renderer, made_of
from sobench_metrics.data.prepare.kept import KeptSet, current_set, other_sets
from sobench_metrics.data.prepare.planning import raw_folder
from sobench_metrics.data.prepare.workers import workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.planning import Planned
    from sobench_metrics.data.sources.source import Plan

__all__ = ["Made", "Maker", "Watch", "left_to_fetch"]


def _nothing(*_words: Any) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told: `stage(title, total)` begins a stage of so many steps (None: nobody knows), `step()` comes from any
    thread, `say` gives a line.
    """

    stage: Callable[[str, int | None], None] = _nothing
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

    def make(self, wanted: Sequence[Label], planned: Planned, sets: Sequence[KeptSet]) -> Made:
        """Return everything that could be had of the wanted labels.

        Images of any set are taken when they are made of just what the plan says. Of a source that could not be planned
        now, those of the first set, the current one, stay. Raises UsageError for what ends the whole, such as a full
        disk.
        """
        renderer = Renderer(self.home / RENDERED)
        order = self._sort(wanted, planned, sets)
        if order.had:
            self.watch.say(f"{len(order.had)} of {len(wanted)} images are in a prepared set already")
        reasons = self._fetch(order.tasks, renderer)
        self.watch.stage("rendering", len(order.tasks))
        finished, missing = order.had, order.missing
        for task, result in zip(order.tasks, self._render(order.tasks, renderer, reasons), strict=True):
            if isinstance(result, Finished):
                finished.append(result)
            else:
                missing[task.label.doc_id] = result
        return Made(tuple(finished), missing, frozenset(task.source for task in order.tasks))

    def _sort(self, wanted: Sequence[Label], planned: Planned, sets: Sequence[KeptSet]) -> _Sorted:
        """Sort the labels into had, missing for good, and to be made."""
        order = _Sorted()
        stores = {name: OriginalStore(raw_folder(self.home, name, plan)) for name, plan in planned.plans.items()}
        for store in stores.values():
            store.sweep()
        for label in wanted:
            plan = planned.plans.get(label.source)
            if plan is None:
                had = sets[0].take(label) if sets else None
                reason = planned.failed[label.source]
            elif label.image in plan.originals:
                had = next(filter(None, (each.take(label, made_of(label, plan)) for each in sets)), None)
                reason = ""
            else:
                had, reason = None, plan.unavailable.get(label.image, f"the source does not have {label.image}")
            if had is not None:
                order.had.append(had)
            elif reason or plan is None:
                order.missing[label.doc_id] = reason
            else:
                order.tasks.append(_Task(label, plan, stores[label.source]))
        self._tell_unplanned(planned, order.had)
        return order

    def _tell_unplanned(self, planned: Planned, had: Sequence[Finished]) -> None:
        for name, reason in planned.failed.items():
            if kept := sum(image.label.source == name for image in had):
                self.watch.say(f"note: {name} could not be asked, its {kept} images stay as they are: {reason}")

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
                if faults and not renderer.done(task.label, task.plan):
                    return faults[0]
                return renderer.render(task.label, task.plan, task.store)
            except pixels.PixelError as error:
                for name in task.originals:
                    task.store.drop(name)  # the next run asks for it again
                return f"{task.label.image}: {error}"
            finally:
                self.watch.step()

        with workers(min(self.jobs, os.cpu_count() or 1), "render") as pool:
            return list(pool.map(render, tasks))


def left_to_fetch(home: Path, wanted: Sequence[Label], planned: Planned) -> tuple[Label, ...]:
    """Return the labels whose picture neither a prepared set nor an earlier run has, as far as can be planned."""
    current = current_set(home)
    sets, renderer = (current, *other_sets(home, current)), Renderer(home / RENDERED)
    left = []
    for label in wanted:
        plan = planned.plans.get(label.source)
        if plan is None or label.image not in plan.originals:
            continue
        store = OriginalStore(raw_folder(home, label.source, plan))
        here = renderer.done(label, plan) or all(store.has(name) for name in plan.originals[label.image])
        if not here and not any(each.take(label, made_of(label, plan)) for each in sets):
            left.append(label)
    return tuple(left)
