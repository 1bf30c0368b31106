"""Which tasks there are, told from their names: the same as in lm-eval, and lighteval's own form with a colon."""

from __future__ import annotations

from dataclasses import dataclass

from sobench_metrics.data.prepared import DOMAINS

__all__ = ["BENCHMARKS", "Entry", "entries", "entry"]

BENCHMARKS = ("sobench", "ifstruct", "ifstruct_hard")
# whole set and sample, as in lm-eval: ours, and the reference runner's
_SIZES = {"sobench": (4096, 1024), "ifstruct": (16_000, 1024), "ifstruct_hard": (16_000, 4096)}


@dataclass(frozen=True, slots=True)
class Entry:
    """One task: its name, and what it asks.

    `domain` is empty for IFStruct and the hard set, `only_format` where both formats are asked.
    """

    name: str
    benchmark: str
    sample: bool
    domain: str = ""
    only_format: str = ""

    @property
    def generation_size(self) -> int:
        """The most tokens of an answer, unless the user names another number."""
        return _SIZES[self.benchmark][self.sample]

    @property
    def content(self) -> tuple[str, bool, str, str]:
        """What two spellings of one task share."""
        return self.benchmark, self.sample, self.domain, self.only_format


def entries() -> tuple[Entry, ...]:
    """Return all tasks.

    lighteval runs every task whose name begins with `sobench:` when asked for `sobench`, so the sample tasks have a
    prefix of their own, `sobench_sample:`, and the group names are those of lm-eval.
    """
    found: list[Entry] = []
    for sample, suffix in ((False, ""), (True, "_sample")):
        for domain in DOMAINS:
            names = (f"sobench{suffix}:{domain}", f"sobench_{domain}{suffix}")
            found += (Entry(name, "sobench", sample, domain=domain) for name in names)
        for only_format in ("", "json", "yaml"):
            middle = f"_{only_format}" if only_format else ""
            found.append(Entry(f"ifstruct{middle}{suffix}", "ifstruct", sample, only_format=only_format))
        found.append(Entry(f"ifstruct_hard{suffix}", "ifstruct_hard", sample))
    return tuple(found)


def entry(name: str) -> Entry:
    """Return the task of that name; raises KeyError for a name that is not ours."""
    return {known.name: known for known in entries()}[name]
