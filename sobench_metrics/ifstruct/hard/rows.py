"""Rows of the hard set: the columns of IFStruct with `level`, `style`, `content_rules` and `oracle_answer`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate.chance import happens, random_for
from sobench_metrics.ifstruct.hard.answer import written
from sobench_metrics.ifstruct.hard.levels import LEVELS
from sobench_metrics.ifstruct.hard.nodes import ListOf, content_rules, schema_of, value_of
from sobench_metrics.ifstruct.hard.presentation import STYLES
from sobench_metrics.ifstruct.hard.prompt import Form, prompt_of
from sobench_metrics.ifstruct.hard.sampling import sample_item
from sobench_metrics.ifstruct.hard.subjects import SUBJECTS
from sobench_metrics.ifstruct.hard.version import HARD_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.ifstruct.hard.levels import Level

__all__ = ["HardSet", "hard_row", "hard_set", "row_of"]

_ROOM = 1_000_000  # numbers of rows at one level


@dataclass(frozen=True, slots=True)
class HardSet:
    """Rows sorted by level; `revision` names version, seed and content."""

    rows: tuple[dict[str, Any], ...]
    revision: str


def hard_row(level: int, number: int, seed: int) -> dict[str, Any]:
    """Return row `number` (from 0) of a level; it depends on nothing but these three and the version."""
    return row_of(LEVELS[level - 1], number, seed)


def row_of(dials: Level, number: int, seed: int) -> dict[str, Any]:
    """Return a row whose dials stand as given, which may be as at no level; see `hard_row`."""
    rng = random_for("ifstruct-hard", HARD_VERSION, seed, dials.number, number)
    subject = rng.choice(SUBJECTS)
    low = rng.randint(*dials.items)
    high = rng.randint(low, dials.items[1])
    tree = ListOf("list", sample_item(dials, rng), low, high)
    fenced, silent = happens(rng, 50), happens(rng, 50)
    form = Form(
        output_format=rng.choice(("json", "yaml")),
        key=subject.plural.replace(" ", "_") if happens(rng, 50) else None,
        low=low,
        high=high,
        fenced=fenced,
        silent=silent or not fenced,
        style=rng.choice(tuple(STYLES)),
    )
    schema, rules = schema_of(tree), list(content_rules(tree, ""))
    data = value_of(tree, rng)
    text = written({form.key: data} if form.key else data, form.output_format)
    return {
        "doc_id": dials.number * _ROOM + number,
        "entity_type": f"hard__{'escaping__' if dials.texts else ''}{subject.name}",
        "prompt": prompt_of(subject, form, schema, rules),
        "output_format": form.output_format,
        "top_level_count": json.dumps(low if low == high else [low, high]),
        "top_level_key": form.key,
        "require_wrapper_key": form.key is not None,
        "require_code_block": form.fenced,
        "require_no_commentary": form.silent,
        "json_schema": json.dumps(schema, ensure_ascii=False),
        "level": dials.number,
        "style": form.style,
        "content_rules": json.dumps(rules, ensure_ascii=False),
        "oracle_answer": f"```{form.output_format}\n{text}\n```" if form.fenced else text,
    }


@lru_cache(maxsize=8)
def hard_set(seed: int, per_level: int, levels: Sequence[int] = (1, 2, 3, 4, 5)) -> HardSet:
    """Return the rows of the levels; the same arguments give the same rows on every machine. `levels` is a tuple."""
    rows = tuple(hard_row(level, number, seed) for level in levels for number in range(per_level))
    digest = hashlib.sha256("\n".join(map(json.dumps, rows)).encode()).hexdigest()[:12]
    return HardSet(rows, f"ifstruct-hard-{HARD_VERSION}:seed{seed}:{digest}")
