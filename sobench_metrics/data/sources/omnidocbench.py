"""OmniDocBench: pages of papers, books, newspapers and notes, as plain files on the hub, in three revisions so far.

Labels name `images/<place>.jpg`: upstream numbers the pages of OmniDocBench.json that remain without Chinese and mixed
ones, and makes a JPEG of each. The set grew from 981 to 1,355 pages on 2025-09-25 and to 1,651 on 2026-04-09, pages
were drawn anew, and a place means another page each time. So the revision is proven before any image is fetched, see
`omnidocbench_proof`. The card allows research use; the hub's licence tag is not known.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sources import omnidocbench_proof as proof
from sobench_metrics.data.sources.hub_files import file_units
from sobench_metrics.data.sources.hub_repo import HubPlace, at_commit, chosen_commit, copy_of
from sobench_metrics.data.sources.names import Asked, look_up, unsafe
from sobench_metrics.data.sources.source import Licence, Plan, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.data.fetch.hub import Revision
    from sobench_metrics.data.sources.hub_repo import Repository
    from sobench_metrics.data.sources.source import Request, Wanted

__all__ = ["SOURCE"]

_PLACE = HubPlace("omnidocbench", "opendatalab/OmniDocBench", "OmniDocBench.json and images/")
_PAGES = "OmniDocBench.json"
_PAGES_LIMIT = 1 << 30
_IMAGE = re.compile(r"images/(?P<place>\d{6,})\.jpg")
_BEFORE = (datetime(2025, 9, 25, tzinfo=timezone.utc), datetime(2026, 4, 9, tzinfo=timezone.utc))
"""The days on which the pages changed: the last commit before each, and the newest, are what the labels may mean."""


def plan(request: Request) -> Plan:
    """Return the plan for the revision that is proven, one unit a page.

    Raises FetchError, with the figures of each candidate and how to choose one, when none is.
    """
    labelled = request.labelled or request.wanted
    places, _ = _places(labelled)
    claims = [proof.claim(places[each.image], each.target) for each in labelled if each.image in places]
    repositories = {repository.revision: repository for repository in _repositories(request)}
    wanted, unavailable = _places(request.wanted)
    indices = sorted({*places.values(), *wanted.values()})
    candidates = [_candidate(repository, indices, request) for repository in repositories.values()]
    asked_for = request.revision is not None or request.local is not None
    verdict = proof.confirm(candidates[0], claims, candidates[1:]) if asked_for else proof.choose(candidates, claims)
    if verdict.winner is None:
        raise _refusal(verdict, repositories, asked_for=asked_for)
    repository = repositories[verdict.winner]
    pages = next(each.pages for each in candidates if each.name == verdict.winner)
    named = Asked(_originals(wanted, pages, unavailable), unavailable)
    asked = look_up(named, repository.sizes, f"{repository.where} at {repository.revision}")
    return Plan(
        where=repository.where,
        revision=repository.revision,
        recipe="rgb_jpeg",
        originals=asked.originals,
        unavailable=asked.unavailable,
        units=file_units(repository, asked),
        bytes_full=repository.total(),
        bytes_needed=sum(repository.sizes[name] for name in asked.names()),
        evidence={
            **repository.evidence,
            "pages": repository.content_of([_PAGES]),
            "proof": _proof(verdict, repositories),
            **asked.respelled_told(),
        },
    )


def _places(wanted: Sequence[Wanted]) -> tuple[dict[str, int], dict[str, str]]:
    places: dict[str, int] = {}
    unavailable: dict[str, str] = {}
    for image in dict.fromkeys(each.image for each in wanted):
        parts = _IMAGE.fullmatch(image)
        if parts is None or f"{int(parts['place']):06d}" != parts["place"]:
            unavailable[image] = f"{image} is not named images/<place>.jpg, as upstream's script does"
        else:
            places[image] = int(parts["place"])
    return places, unavailable


def _originals(
    places: Mapping[str, int], pages: Mapping[int, proof.Page], unavailable: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the file of each image; a page that names none, or an unsafe one, goes to `unavailable`."""
    originals: dict[str, tuple[str, ...]] = {}
    for image, place in places.items():
        file = pages[place].image if place in pages else None
        if file is None:
            unavailable[image] = f"{image}: the page at this place of {_PAGES} names no image"
        elif fault := unsafe(f"images/{file}"):
            unavailable[image] = f"{image}: {fault}"
        else:
            originals[image] = (f"images/{file}",)
    return originals


def _repositories(request: Request) -> list[Repository]:
    """Return one for each state of the pages, from old to new; what the user named goes first, a copy alone."""
    if request.local is not None:
        return [copy_of(_PLACE, request)]
    from sobench_metrics.data.fetch.hub import hub_revisions

    commits = hub_revisions(_PLACE.repo_id)
    shas = _last_of_each_state(commits)
    if request.revision is not None:
        shas = list(dict.fromkeys([chosen_commit(_PLACE, request.revision, commits), *shas]))
    return [at_commit(_PLACE, sha, commits, request) for sha in shas]


def _last_of_each_state(commits: Sequence[Revision]) -> list[str]:
    """Return the last commit before each change, and the newest one; `commits` go from new to old."""
    lasts = (next((commit.sha for commit in commits if commit.date < day), None) for day in _BEFORE)
    return list(dict.fromkeys(sha for sha in (*lasts, *(commit.sha for commit in commits[:1])) if sha is not None))


def _candidate(repository: Repository, indices: Sequence[int], request: Request) -> proof.Candidate:
    from sobench_metrics.data.fetch.errors import FetchError

    content = {name.removeprefix("images/"): tag for name, tag in repository.content.items()}
    if _PAGES not in repository.sizes:
        return proof.Candidate(repository.revision, 0, {}, content)
    try:
        return proof.candidate(repository.revision, json.loads(_pages(repository, request)), indices, content)
    except ValueError as error:
        raise FetchError(
            f"{_PAGES} of {repository.where} at {repository.revision} is not the list of pages that it should be "
            f"({error}): choose another --revision omnidocbench=SHA."
        ) from error


def _pages(repository: Repository, request: Request) -> bytes:
    """Return OmniDocBench.json, kept by its content: three revisions of it are needed at every start."""
    from sobench_metrics.data.fetch.store import write_whole

    content = repository.content.get(_PAGES)
    if content is None:
        return repository.origin.read(_PAGES, limit=_PAGES_LIMIT)
    kept = request.cache / f"pages-{content}.json"
    if kept.is_file() and kept.stat().st_size == repository.sizes[_PAGES]:
        return kept.read_bytes()
    data = repository.origin.read(_PAGES, limit=_PAGES_LIMIT)
    write_whole(kept, data)
    return data


def _proof(verdict: proof.Verdict, repositories: Mapping[str, Repository]) -> dict[str, Any]:
    candidates = [
        {
            "revision": each.name,
            "date": repositories[each.name].evidence.get("date"),
            "pages": each.pages,
            "agreement": None if each.agreement is None else round(each.agreement, 4),
            "same_images_as": each.same_as,
        }
        for each in verdict.figures
    ]
    return {"verdict": verdict.reason, "texts": verdict.texts, "candidates": candidates}


def _refusal(verdict: proof.Verdict, repositories: Mapping[str, Repository], *, asked_for: bool) -> Exception:
    from sobench_metrics.data.fetch.errors import FetchError

    figures = "; ".join(_told(each, repositories[each.name].evidence) for each in verdict.figures)
    if asked_for:
        return FetchError(
            f"the labels were not made from this revision of OmniDocBench: {verdict.reason} ({figures}). Leave out "
            "--revision and --local-archive to have the right one found."
        )
    return FetchError(
        f"which revision of OmniDocBench the labels were made from is not clear: {verdict.reason} ({figures}). "
        "Compare some labels with their pages, then choose with `--revision omnidocbench=SHA`."
    )


def _told(figures: proof.Figures, evidence: Mapping[str, Any]) -> str:
    of = f" of {date[:10]}" if (date := evidence.get("date")) else ""
    if figures.same_as:
        measured = f"the same images as {figures.same_as}"
    elif figures.agreement is None:
        measured = f"{figures.pages} pages, place {figures.highest_index} is asked"
    else:
        measured = f"{figures.pages} pages, agreement {figures.agreement:.2f}"
    return f"{figures.name}{of}: {measured}"


SOURCE = Source(
    name="omnidocbench",
    domain="document",
    title="OmniDocBench",
    home="https://huggingface.co/datasets/opendatalab/OmniDocBench",
    licence=Licence(
        name="research use",
        url="https://huggingface.co/datasets/opendatalab/OmniDocBench",
        note="by a statement on the card, no licence tag is known; the pages stay with their publishers",
    ),
    plan=plan,
)
