"""Images named by a question's id: the two VQA sets, which lie in one repository, a config each."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.sources.hub_repo import find_repository
from sobench_metrics.data.sources.row_images import Cell, cell_units, read_shards, weight
from sobench_metrics.data.sources.source import Plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sobench_metrics.data.sources.hub_repo import HubPlace, Repository
    from sobench_metrics.data.sources.row_images import Shard
    from sobench_metrics.data.sources.source import Request

__all__ = ["QuestionRows", "plan_questions"]

_IMAGE = re.compile(r"images/(?P<id>\w[\w-]*)\.jpg")
_ID_COLUMN = "questionId"


@dataclass(frozen=True, slots=True)
class QuestionRows:
    """A config of a repository: `place.holds` is the folder of its files."""

    place: HubPlace


def plan_questions(questions: QuestionRows, request: Request) -> Plan:
    """Return the plan: the column of ids is read now, then one unit for each row group that holds a wanted image.

    Upstream writes an image for the first row that shows it, and names it by that row's question. So a name it wrote
    stands for the image of the row with that id, and no image need be compared with any other.
    """
    folder = questions.place.holds
    repository = find_repository(questions.place, request)
    shards = read_shards(repository, folder)
    places = _places(_ids(repository, shards, request.cache))
    unavailable: dict[str, str] = {}
    originals: dict[str, tuple[str, ...]] = {}
    cells: dict[str, Cell] = {}
    for image in dict.fromkeys(each.image for each in request.wanted):
        parts = _IMAGE.fullmatch(image)
        if parts is None:
            unavailable[image] = f"{image} is not named images/<question id>.jpg, as upstream's script does"
        elif parts["id"] not in places:
            unavailable[image] = f"{image}: no row of {folder}test-*.parquet has the {_ID_COLUMN} {parts['id']}"
        else:
            name = f"rows/{parts['id']}"
            originals[image], cells[name] = (name,), places[parts["id"]]
    return Plan(
        where=repository.where,
        revision=repository.revision,
        recipe="upright_rgb_jpeg",
        originals=originals,
        unavailable=unavailable,
        units=cell_units(repository, shards, cells),
        bytes_full=repository.total(folder),
        bytes_needed=weight(shards, cells),
        evidence={**repository.evidence, "shards": repository.content_of(shard.name for shard in shards)},
    )


def _places(ids: Sequence[Sequence[str]]) -> dict[str, Cell]:
    places: dict[str, Cell] = {}
    for number, questions in enumerate(ids):
        for row, question in enumerate(questions):
            places.setdefault(question, Cell(number, row))
    return places


def _ids(repository: Repository, shards: Sequence[Shard], cache: Path) -> list[list[str]]:
    """Return the ids of each shard by row; they are kept, since a column lies scattered over its file."""
    from sobench_metrics.data.fetch.parquet_rows import column_of
    from sobench_metrics.data.fetch.store import write_whole

    shown = [repository.where, repository.revision, repository.content_of(shard.name for shard in shards)]
    kept = cache / f"ids-{hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:32]}.json"
    lengths = [shard.rows for shard in shards]
    try:
        ids: list[list[str]] = json.loads(kept.read_bytes())
        if [len(questions) for questions in ids] == lengths:
            return ids
    except (OSError, ValueError, TypeError):
        pass  # not there, or damaged: read anew
    ids = [[str(each) for each in column_of(repository.origin.open(shard.name), _ID_COLUMN)] for shard in shards]
    write_whole(kept, json.dumps(ids).encode())
    return ids
