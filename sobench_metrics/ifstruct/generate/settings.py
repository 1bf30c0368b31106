"""What decides the content of a generated split, byte by byte; how many rows and how fast is not part of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate.dials import DEFAULT_DIALS, Dials
from sobench_metrics.ifstruct.generate.version import GENERATOR_VERSION

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.generate.entity import Split

__all__ = ["Rewriting", "Settings"]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A model that words the thinking prompts, at an OpenAI-compatible address (up to and with `/v1`)."""

    url: str
    model: str
    concurrency: int = 8
    tries: int = 3
    timeout: float = 120.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Seed, split, dials, the prompts that rows keep away from, and who words the thinking prompts."""

    seed: int
    split: Split
    dials: Dials = DEFAULT_DIALS
    against: tuple[str, ...] = ()
    against_revision: str | None = None
    rewriting: Rewriting | None = None

    def record(self) -> dict[str, Any]:
        """Return what a manifest notes down: equal records give equal rows (with a model: equal requests to it)."""
        rewriting = self.rewriting
        return {
            "generator": "ifstruct",
            "generator_version": GENERATOR_VERSION,
            "seed": self.seed,
            "split": self.split,
            "dials": asdict(self.dials),
            "against": {"revision": self.against_revision, "rows": len(self.against)} if self.against else None,
            "rewriting": {"url": rewriting.url, "model": rewriting.model} if rewriting else None,
        }
