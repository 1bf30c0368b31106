"""Generated rows that a short answer fills, and the same rows with made-up field names to learn reading from."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.generate.dials import Dials
from sobench_metrics.ifstruct.generate.prompts import put_into_words
from sobench_metrics.ifstruct.generate.request import columns, sample_request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from sobench_metrics.ifstruct.generate.entity import Split
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["made_up_rows", "short_rows"]

Row = dict[str, Any]

_DIALS: Final = Dials(depth=0, narrowest=2, widest=2, optional_percent=0, group_percent=0)
_MOST_PROMPT_CHARS: Final = 320
_PROMPTS: Final = 300
_WORD: Final = re.compile(r"\b[a-z]{3,9}\b")


def short_rows(split: Split, number: int, seed: int) -> list[Row]:
    """Return so many rows of a split: a bare JSON list of two or three plain fields an item, two items being right.

    The entity types of the splits are disjoint, so who trained on `train` has seen no type and no topic of `eval`.
    """
    return list(itertools.islice(_short(_requests(split, seed)), number))


def made_up_rows(number: int, seed: int) -> list[Row]:
    """Return rows of the `train` split whose field names and choices are words of its prompts, thrown together.

    Nothing but reading the prompt helps with them.
    """
    renamed = ((_renamed(request, _words(seed), rng), rng) for request, rng in _requests("train", seed + 1))
    return list(itertools.islice(_short(renamed), number))


@cache
def _words(seed: int) -> tuple[str, ...]:
    return tuple(sorted({word for row in short_rows("train", _PROMPTS, seed) for word in _WORD.findall(row["prompt"])}))


def _short(requests: Iterable[tuple[Request, Random]]) -> Iterator[Row]:
    for number, (request, rng) in enumerate(requests):
        row = columns(request, put_into_words(request, "path_list", rng).text, number)
        if len(row["prompt"]) <= _MOST_PROMPT_CHARS:
            yield row


def _requests(split: Split, seed: int) -> Iterator[tuple[Request, Random]]:
    """Yield drawn requests in a form that a short answer has, each with the chance to word it by."""
    for number in itertools.count():
        rng = random_for("grpo", split, seed, number)
        drawn = sample_request(split, _DIALS, rng)
        form = replace(drawn.form, output_format="json", wrapped=False, low=rng.randint(1, 2), high=rng.randint(2, 3))
        yield replace(drawn, form=form, key=None), rng


def _renamed(request: Request, words: Sequence[str], rng: Random) -> Request:
    fields = {
        _name(words, rng): _with_other_choices(field, words, rng) for field in request.item["properties"].values()
    }
    return replace(request, item={**request.item, "properties": fields, "required": list(fields)})


def _with_other_choices(field: Row, words: Sequence[str], rng: Random) -> Row:
    if "enum" not in field or not isinstance(field["enum"][0], str):
        return field
    return {**field, "enum": rng.sample(words, len(field["enum"]))}


def _name(words: Sequence[str], rng: Random) -> str:
    return "_".join(rng.sample(words, rng.randint(1, 2)))
