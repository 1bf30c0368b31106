"""What decides a generated set of pictures, byte by byte."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sample_maker.fresh import FRESH_VERSION
from sobench_metrics.data.sample_maker.libraries import libraries

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Settings", "Shard"]

_SHARD = 250  # rows a file: what a kill can cost, and what one reader opens


@dataclass(frozen=True, slots=True)
class Shard:
    """One data file: the rows `first` to before `stop` of a domain, as file `index` of `of`."""

    domain: str
    first: int
    stop: int
    index: int
    of: int

    @property
    def file(self) -> str:
        """Its path in a prepared set."""
        return f"data/{self.domain}/test-{self.index:05d}-of-{self.of:05d}.parquet"


@dataclass(frozen=True, slots=True)
class Settings:
    """Seed, number of rows, and the domains among which they are dealt out evenly."""

    seed: int
    rows: int
    domains: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return what the manifest notes down: equal records give equal bytes."""
        return {
            "generator": "sobench-sample",
            "generator_version": FRESH_VERSION,
            "seed": self.seed,
            "rows": self.rows,
            "domains": list(self.domains),
            "libraries": libraries(),
        }

    @property
    def prep_id(self) -> str:
        """The name of the set in every row and in the signature of every number: it says that the set is generated."""
        return "generated-" + hashlib.sha256(json.dumps(self.record(), sort_keys=True).encode()).hexdigest()[:12]

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each domain; the first ones have one more where they cannot be even."""
        share, rest = divmod(self.rows, len(self.domains))
        return {domain: share + (place < rest) for place, domain in enumerate(self.domains)}

    def shards(self) -> Iterator[Shard]:
        """Yield all data files."""
        for domain, rows in self.counts().items():
            of = -(-rows // _SHARD)
            for index in range(of):
                yield Shard(domain, index * _SHARD, min(rows, (index + 1) * _SHARD), index, of)
