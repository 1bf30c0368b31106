"""What keeps a result from being published: each rule one small function, all of them told at once."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.export import naming

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result, Wishes

__all__ = ["BY_KIND", "COMMON", "HUB_MODEL", "OWN_DATASET", "SAMPLES", "WHOLE", "Case", "Refusal", "refusals"]

_SAME: Final = 1e-9  # the figures of a file, summed anew in another order
_SHA: Final = re.compile(r"[0-9a-f]{40}")

BY_KIND: Final = frozenset(
    {"data.sample_set", "data.other_set", "task.constrained", "task.part", "target.no_dataset", "samples.licence"}
)
"""Codes that tell what a task is and not what went wrong with it: such a task has no place beside others that have."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One closed gate: a stable code, the task, what is the matter, and what to do about it."""

    code: str
    task: str
    message: str
    remedy: str

    def __str__(self) -> str:
        """Return it as one sentence."""
        return f"{self.task}: {self.message} [{self.code}]: {self.remedy}."


@dataclass(frozen=True, slots=True)
class Case:
    """What a gate looks at."""

    result: Result
    profile: Profile
    wishes: Wishes

    def refuse(self, code: str, message: str, remedy: str) -> Refusal:
        """Return a refusal of this result."""
        return Refusal(code, self.result.task, message, remedy)


def refusals(gates: tuple[Callable[[Case], Iterator[Refusal]], ...], case: Case) -> list[Refusal]:
    """Return what every gate says, in their order; empty when all are open."""
    return [found for gate in gates for found in gate(case)]


def _no_sample_set(case: Case) -> Iterator[Refusal]:
    if case.result.is_sample_set:
        yield case.refuse(
            "data.sample_set",
            "its prompts are the bundled sample set's, not the benchmark's",
            f"run `{case.result.benchmark}` itself",
        )


def _no_other_set(case: Case) -> Iterator[Refusal]:
    if case.result.part and case.result.part not in case.profile.parts:
        yield case.refuse(
            "data.other_set",
            f"its rows are none of {case.profile.name}",
            f"run `{case.result.benchmark}` itself; csv and markdown take any task",
        )


def _whole_data(case: Case) -> Iterator[Refusal]:
    result = case.result
    wanted = case.profile.n if not result.part else (result.expected or result.planned)
    if result.is_sample_set or wanted == result.n:
        return
    total = "an unknown number" if wanted is None else f"{wanted:,}"
    yield case.refuse(
        "data.not_whole",
        f"{counted(result.n, 'sample')} of {total}",
        "prepare and run all of it" if result.benchmark == "sobench" else "run all of it",
    )


def _no_limit(case: Case) -> Iterator[Refusal]:
    result = case.result
    if result.limit or (result.planned is not None and result.n < result.planned):
        told = result.limit or f"{result.n:,} of {result.planned:,} samples were asked"
        yield case.refuse("run.limited", f"the run was cut ({told})", "repeat it without a limit")


def _no_constraint(case: Case) -> Iterator[Refusal]:
    if case.result.constrained and not case.profile.may_be_constrained:
        is_variant = case.result.constrained == case.result.task
        yield case.refuse(
            "task.constrained" if is_variant else "run.constrained",
            f"answers were held to a schema ({one_line(case.result.constrained)}), which {case.profile.name} forbids",
            "run the free task",
        )


def _known_data(case: Case) -> Iterator[Refusal]:
    result, asserted = case.result, case.wishes.dataset_revision
    if asserted and not _SHA.fullmatch(asserted):
        yield case.refuse(
            "data.revision_unclear",
            f"--dataset-revision {one_line(asserted)} is no full commit",
            "give all 40 digits",
        )
    elif asserted and result.data.startswith("hub:") and not asserted.startswith(naming.hub_revision(result.data)):
        yield case.refuse(
            "data.revision_differs",
            f"the run read {one_line(result.data)}, not {asserted[:12]}",
            "leave out --dataset-revision, or give the one that was read",
        )
    elif result.benchmark == "ifstruct" and not result.is_sample_set and not asserted:
        if not result.data.startswith("hub:"):
            yield case.refuse(
                "data.revision_unknown",
                f"the rows came from {one_line(result.data or 'an untold place')}",
                "read them from the hub (SOBENCH_IFSTRUCT unset), or say which commit the file is with "
                "--dataset-revision",
            )
    elif not result.data:
        yield case.refuse(
            "data.revision_unknown", "the run does not say which data it read", "repeat it with this package's tasks"
        )


def _signed(case: Case) -> Iterator[Refusal]:
    if "sobench" not in case.result.signature:  # the version of the rules, which our tasks write
        yield case.refuse(
            "run.unsigned",
            "nothing says by which version and settings it was made",
            "export the harness's own results, not bare answers",
        )


def _no_failed_requests(case: Case) -> Iterator[Refusal]:
    if case.result.failed_requests:
        yield case.refuse(
            "run.requests_failed",
            f"{counted(case.result.failed_requests, 'request')} got no answer from the server",
            "repeat the command; what a cache holds (lm-eval's --use_cache, lighteval's own) is not asked again",
        )


def _all_scored(case: Case) -> Iterator[Refusal]:
    if case.result.unscored:
        yield case.refuse(
            "run.unscored",
            f"{counted(case.result.unscored, 'sample')} could not be scored and count as failed",
            "see their codes with `sobench report`, and tell us with the log",
        )


def _finite(case: Case) -> Iterator[Refusal]:
    name = naming.metric(case.profile, case.wishes)
    figure = case.result.figure(name)
    if figure is None:
        yield case.refuse("figure.absent", f"the run has no figure {one_line(name)}", "name another with --metric")
    elif not math.isfinite(figure.value):
        yield case.refuse("figure.not_finite", f"{name} is {figure.value}", "repeat the run")


def _same_figures(case: Case) -> Iterator[Refusal]:
    for figure in case.result.figures:
        if figure.told is not None and not abs(figure.told - figure.value) <= _SAME:
            yield case.refuse(
                "figure.differs",
                f"{figure.name} is {figure.told} in the results file and {figure.value} by its samples",
                "use files of one run, as they were written",
            )


def _known_model(case: Case) -> Iterator[Refusal]:
    wished, told, loaded = case.wishes.model_id, case.result.model.name, case.result.model.revision
    if not naming.model_id(case.result, case.wishes):
        yield case.refuse(
            "model.unnamed",
            f"{one_line(wished)!a} is no repository's name"
            if wished
            else f"nothing says that {one_line(told or 'the model')} is a repository of the hub",
            "say which with --model-id ORG/NAME",
        )
    elif wished and naming.is_repository(told) and loaded and wished.lower() != told.lower():
        yield case.refuse(
            "model.differs",
            f"the run loaded {one_line(told)} at {loaded[:12]}, not {wished}",
            "leave out --model-id, or export a run of that model",
        )
    asked = case.wishes.revision
    if not asked and not loaded:
        yield case.refuse(
            "model.revision_unknown", "the run does not say which revision was loaded", "say which with --revision"
        )
    elif asked and loaded and asked != loaded:
        yield case.refuse(
            "model.revision_differs",
            f"the run loaded {loaded}, not {one_line(asked)}",
            "leave out --revision, or give the one that was loaded",
        )


def _commit(case: Case) -> Iterator[Refusal]:
    found = naming.model_revision(case.result, case.wishes)
    if found and not _SHA.fullmatch(found):
        yield case.refuse(
            "model.revision_unclear", f"{one_line(found)} is no full commit", "give all 40 digits with --revision"
        )


def _whole_benchmark(case: Case) -> Iterator[Refusal]:
    if case.result.part:
        yield case.refuse(
            "task.part",
            f"it is a part of {case.profile.name}, and the target takes the whole",
            f"run `{case.result.benchmark}`",
        )


def _target_dataset(case: Case) -> Iterator[Refusal]:
    dataset = case.profile.dataset
    if not (case.wishes.dataset_id or dataset.id) or not (case.wishes.task_id or dataset.task_id):
        yield case.refuse(
            "target.no_dataset",
            f"{case.profile.name} has no benchmark repository on the hub",
            "name one of yours with --dataset-id and --task-id",
        )


def _figure_of_the_board(case: Case) -> Iterator[Refusal]:
    dataset, wishes = case.profile.dataset, case.wishes
    is_own = (wishes.dataset_id or dataset.id, wishes.task_id or dataset.task_id) == (dataset.id, dataset.task_id)
    if is_own and dataset.id and wishes.metric not in ("", case.profile.metric):
        yield case.refuse(
            "figure.other",
            f"{dataset.task_id} of {dataset.id} is the figure {case.profile.metric}, not {one_line(wishes.metric)}",
            "leave out --metric",
        )


def _samples_allowed(case: Case) -> Iterator[Refusal]:
    if case.wishes.samples and not case.profile.samples_may_be_published:
        yield case.refuse(
            "samples.licence",
            f"the terms of {case.profile.name} forbid to repeat its prompts and labels",
            "leave out --samples",
        )


COMMON: Final = (
    _no_sample_set, _no_other_set, _whole_data, _no_limit, _no_constraint, _signed, _known_data, _known_model,
    _no_failed_requests, _all_scored, _finite, _same_figures,
)  # fmt: skip
"""Gates of every target that publishes."""

HUB_MODEL: Final = (_commit,)
"""For targets about a model repository of the hub, whose revisions are commits."""

WHOLE: Final = (_whole_benchmark,)
OWN_DATASET: Final = (_target_dataset, _figure_of_the_board)
SAMPLES: Final = (_samples_allowed,)
