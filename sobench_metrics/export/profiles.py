"""Submission profiles: what a target needs to know of a benchmark, kept as data in `leaderboard_configs/submission`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import reason
from sobench_metrics.errors import UsageError
from sobench_metrics.leaderboard_files import profile_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Dataset", "EvalFile", "Profile", "profile_of", "read_profile"]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Where the rows come from; `id` and `task_id` on the hub are "" for a benchmark without a repository there."""

    id: str
    task_id: str
    config: str
    split: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class EvalFile:
    """How a value is written into `.eval_results`."""

    scale: float
    decimals: int
    filename: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One benchmark: `n` samples make the whole, `may_be_constrained` says whether its rules allow a grammar.

    `parts` are the subsets of its own rows that tasks ask alone.

    `metric` is the figure that stands for it, `figures` all that are published, `defaults` the parts of a signature
    that a published value needs no note for. `samples_may_be_published` says whether the terms of its prompts and
    labels allow to repeat them.
    """

    benchmark: str
    name: str
    description: str
    dataset: Dataset
    task_type: str
    parts: tuple[str, ...]
    metric: str
    figures: tuple[str, ...]
    n: int
    may_be_constrained: bool
    samples_may_be_published: bool
    defaults: Mapping[str, str]
    eval_file: EvalFile


def profile_of(benchmark: str) -> Profile:
    """Return the profile of a benchmark of ours."""
    return read_profile(profile_file(benchmark))


def read_profile(file: Path) -> Profile:
    """Return the profile in a file; raises UsageError for one that cannot be read or lacks a part."""
    import yaml

    try:
        content: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
        dataset, require, eval_file = content["dataset"], content["require"], content["hf_eval_results"]
        return Profile(
            benchmark=str(content["benchmark"]),
            name=str(content["name"]),
            description=str(content["description"]),
            dataset=Dataset(
                str(dataset["id"]), str(dataset["task_id"]), str(dataset["config"]), str(dataset["split"]),
                str(dataset.get("url", "")),
            ),
            task_type=str(content["task_type"]),
            parts=tuple(map(str, content["parts"])),
            metric=str(content["metric"]),
            figures=tuple(map(str, content["figures"])),
            n=int(require["n"]),
            may_be_constrained=bool(require["constrained"]),
            samples_may_be_published=bool(content["publish_samples"]),
            defaults={str(key): str(value) for key, value in content["defaults"].items()},
            eval_file=EvalFile(float(eval_file["scale"]), int(eval_file["decimals"]), str(eval_file["filename"])),
        )  # fmt: skip
    except KeyError as error:
        raise UsageError(f"the submission profile {file} lacks {error}: see leaderboard_configs/README.md.") from error
    except (OSError, ValueError, TypeError, AttributeError, yaml.YAMLError) as error:
        raise UsageError(
            f"cannot read the submission profile {file} ({reason(error)}): see leaderboard_configs/README.md."
        ) from error
