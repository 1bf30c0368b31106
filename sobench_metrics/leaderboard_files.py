"""Where the ready-made run configurations and submission profiles lie: in the installed package, or in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["KINDS", "configs", "find", "home", "profile_file"]

_FOLDER: Final = "leaderboard_configs"
KINDS: Final = {"lm_eval": "lm-eval", "lighteval": "lighteval"}
"""By folder, the subcommand that runs its files."""


def home() -> Path:
    """Return the folder; a wheel holds it inside this package, a checkout beside it."""
    package = Path(__file__).resolve().parent
    inside = package / _FOLDER
    return inside if inside.is_dir() else package.parent / _FOLDER


def configs() -> Iterator[tuple[str, Path]]:
    """Yield the subcommand and the file of each ready-made run configuration, by folder and name."""
    for folder, command in KINDS.items():
        for file in sorted((home() / folder).glob("*.yaml")):
            yield command, file


def find(name: str) -> Path:
    """Return the file behind a path, or behind the bare name of a ready-made one.

    A name that both folders have is lm-eval's; `lighteval/NAME` says the other. Raises UsageError for neither.
    """
    path = Path(name).expanduser()
    if path.is_file():
        return path
    wanted = name.removesuffix(".yaml")
    for _, file in configs():
        if wanted in (file.stem, f"{file.parent.name}/{file.stem}"):
            return file
    raise UsageError(f"no file and no ready-made configuration {name!r}: `sobench run` lists them.")


def profile_file(benchmark: str) -> Path:
    """Return the submission profile of a benchmark."""
    return home() / "submission" / f"{benchmark}.yaml"
