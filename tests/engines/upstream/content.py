"""Everything that the synthetic upstream carries, drawn from one seed; built once a process for each set of options."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from tests.engines.upstream import archives, pages, pictures, script, tables
from tests.engines.upstream.hub_repo import Commit, blob, commit
from tests.engines.upstream.labels import label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["COMMIT", "HIERTEXT_URL", "REPOS", "RICO_URL", "VISTEXT_URL", "Content", "Options", "build"]

COMMIT = "37874230ad1ec98ae8619489d200565c38b07c7a"
HIERTEXT_URL = "s3.amazonaws.com/open-images-dataset/ocr/test.tgz"
RICO_URL = "storage.googleapis.com/crowdstf-rico-uiuc-4540/rico_dataset_v0.1/unique_uis.tar.gz"
VISTEXT_URL = "vis.csail.mit.edu/vistext/images.zip"
REPOS = {
    "omnidocbench": "opendatalab/OmniDocBench",
    "screenspotpro": "likaixin/ScreenSpot-Pro",
    "webui": "biglab/webui-test",
    "docvqa": "lmms-lab/DocVQA",
    "infographicvqa": "lmms-lab/DocVQA",
    "chartmuseum": "lytang/ChartMuseum",
    "chartqapro": "ahmed-masry/ChartQAPro",
}
_CLUSTER_SIZES = (
    ((500, 400),),
    ((900, 700), (300, 1500)),
    ((120, 90), (70, 160), (200, 50)),
    ((640, 480), (1600, 500), (90, 90), (801, 601)),
    ((333, 777), (50, 50), (60, 70), (80, 40), (41, 900)),
    ((64, 48),) * 6,  # no label names this one
    ((100, 80), (30, 60), (45, 45), (46, 44), (47, 43), (48, 42), (49, 41)),
)


@dataclass(frozen=True)
class Options:
    """What may differ: see `Upstream`."""

    seed: int = 0
    omnidocbench: str = "v1.5"
    unclear_pages: bool = False
    chartqapro: str = "binary"
    missing: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    huge_page: bool = False


@dataclass(frozen=True)
class Content:
    """Files by place: `github` by path, `sites` by host/path, commits by repository; `labels` by doc id."""

    labels: dict[str, dict[str, Any]]
    github: dict[str, bytes] = field(repr=False)
    sites: dict[str, bytes] = field(repr=False)
    repos: dict[str, list[Commit]] = field(repr=False)
    mapping: dict[str, list[str]] = field(repr=False)
    pages_commit: str  # of the state whose page numbers the labels use
    full_bytes: dict[str, int]
    wanted_bytes: dict[str, int]  # of the originals that the labels name, as stored in archives


class _Maker:
    """Collects what one build makes; each source draws from its own generator, so none disturbs another."""

    def __init__(self, options: Options) -> None:
        self.options, self.labels, self.wanted = options, {}, {}
        self.noise = pictures.noise_pool(self.rng("noise"))
        self._taken = 0

    def rng(self, name: str) -> Random:
        return Random(f"{self.options.seed}/{name}")

    def filler(self, count: int) -> list[bytes]:
        """Return the next pictures of noise, each of them at most once in any row of 36."""
        start, self._taken = self._taken, self._taken + count
        return [self.noise[number % len(self.noise)] for number in range(start, start + count)]

    def name(self, source: str, image: str, data: int, *, doc: str | None = None, **texts: Any) -> None:
        doc_id = f"{source}_{len(self.labels):03}" if doc is None else doc
        self.labels[doc_id] = label(self.rng(doc_id + image), f"data/{source}/{image}", **texts)
        self.wanted[source] = self.wanted.get(source, 0) + data

    def originals(self, source: str, named: Mapping[str, str], prefix: str) -> dict[str, bytes]:
        """Draw `named` (file name -> kind), label each as prefix + name; the last of a broken source is no picture."""
        rng, drawn = self.rng(source), {}
        for name, kind in named.items():
            drawn[name] = pictures.picture(rng, kind)
        if source in self.options.broken:
            drawn[name] = b"\xff\xd8\xff\xe0 this is no picture" * 9
        for name, data in drawn.items():
            self.name(source, prefix + name, len(data))
        first = next(iter(drawn))
        self.name(source, prefix + first, 0, doc=f"{source}_again")  # two labels for one picture
        if source in self.options.missing:
            self.name(source, prefix + "gone_" + name.rpartition("/")[2], 0, doc=f"{source}_gone")
        return drawn

    def scattered(self, source: str, members: dict[str, bytes], until: float) -> dict[str, bytes]:
        """Put `members` in any order, those that a label names within the first `until` of it."""
        names, named = sorted(members), {one["image_url"].rpartition("/")[2] for one in self.labels.values()}
        rng = self.rng(source + "/order")
        rng.shuffle(names)
        wanted = [name for name in names if name.rpartition("/")[2] in named]
        order = [name for name in names if name not in wanted]
        last = int(len(order) * until)
        for name in wanted:
            order.insert(rng.randrange(last // 3, last), name)
        return {name: members[name] for name in order}


@lru_cache(maxsize=4)
def build(options: Options) -> Content:
    """Return the content for these options."""
    make = _Maker(options)
    sites = {HIERTEXT_URL: _hiertext(make), RICO_URL: _rico(make)}
    mapping, sites[VISTEXT_URL] = _vistext(make)
    repos = {
        "opendatalab/OmniDocBench": _omnidocbench(make),
        "likaixin/ScreenSpot-Pro": _uploaded(_screenspotpro(make), "2025-01-03T10:00:00.000Z"),
        "biglab/webui-test": _uploaded(_webui(make), "2023-04-20T11:00:00.000Z"),
        "lmms-lab/DocVQA": _uploaded(_docvqa(make), "2024-01-23T12:00:00.000Z"),
        "lytang/ChartMuseum": _uploaded(_chartmuseum(make), "2025-05-19T13:00:00.000Z"),
        "ahmed-masry/ChartQAPro": _uploaded(_chartqapro(make), "2025-04-08T14:00:00.000Z"),
    }
    github = _github(make.labels, mapping)
    full = {"hiertext": len(sites[HIERTEXT_URL]), "rico": len(sites[RICO_URL]), "vistext": len(sites[VISTEXT_URL])}
    folders = {
        "screenspotpro": "images/",
        "chartmuseum": "images/",
        "docvqa": "DocVQA/",
        "infographicvqa": "InfographicVQA/",
    }
    for source, repo in REPOS.items():
        kept = repos[repo][-1].files.items()
        full[source] = sum(len(one.data) for name, one in kept if name.startswith(folders.get(source, "")))
    state = repos[REPOS["omnidocbench"]][2 + 2 * tuple(pages.DATES).index(options.omnidocbench)]
    return Content(make.labels, github, sites, repos, mapping, state.sha, full, make.wanted)


def _github(labels: dict[str, dict[str, Any]], mapping: dict[str, list[str]]) -> dict[str, bytes]:
    members: dict[str, bytes] = {}
    for number, (doc_id, one) in enumerate(labels.items()):
        members[f"labels/{doc_id}.json"] = json.dumps(one, indent=2, ensure_ascii=number % 2 == 0).encode()
        members[f"__MACOSX/labels/._{doc_id}.json"] = b"\0\5\26\7 not json"
    members["labels/.DS_Store"] = b"\0\0\0\1Bud1"
    return {
        "data/labels.zip": archives.zipped(members),
        "data/vistext_mapping.json": json.dumps(mapping, indent=2).encode(),
        "convert_to_eval_jsonl.py": script.CONVERT_SCRIPT.encode(),
        "LICENSE.md": script.LICENCE.encode(),
        "LICENSE_DATA.md": script.LICENCE_DATA.encode(),
    }


def _uploaded(files: dict[str, bytes], date: str) -> list[Commit]:
    """The first commit that the hub itself makes, the upload, a later edit of the card."""
    first = commit(
        {".gitattributes": blob(".gitattributes", b"*.png filter=lfs\n")}, "2022-01-01T00:00:00.000Z", "initial commit"
    )
    blobs = {**first.files, **{name: blob(name, data) for name, data in files.items()}}
    upload = commit({**blobs, "README.md": blob("README.md", b"# to be written\n")}, date, "Upload dataset", first.sha)
    edit = {**upload.files, "README.md": blob("README.md", b"# made for tests\n")}
    return [first, upload, commit(edit, "2026-05-01T00:00:00.000Z", "Update README.md", upload.sha)]


def _hiertext(make: _Maker) -> bytes:
    rng = make.rng("hiertext/names")
    kinds = ("jpeg", "turned", "comment", "cmyk")
    drawn = make.originals("hiertext", {f"{rng.randrange(16**16):016x}.jpg": kind for kind in kinds}, "images/test/")
    members = {f"test/{rng.randrange(16**16):016x}.jpg": data for data in make.filler(44)}
    return archives.tar_gz(make.scattered("hiertext", {**members, **{f"test/{k}": v for k, v in drawn.items()}}, 0.5))


def _rico(make: _Maker) -> bytes:
    rng = make.rng("rico/names")
    drawn = make.originals(
        "rico", {f"{rng.randrange(10, 70_000)}.jpg": kind for kind in ("jpeg", "jpeg", "turned", "comment")}, "images/"
    )
    members = {f"combined/{80_000 + number}.jpg": data for number, data in enumerate(make.filler(44))}
    members |= {f"combined/{name}": data for name, data in drawn.items()}
    members |= {name.replace(".jpg", ".json"): b'{"activity": {}}' for name in members}
    return archives.tar_gz(make.scattered("rico", members, 0.6))


def _vistext(make: _Maker) -> tuple[dict[str, list[str]], bytes]:
    rng, members, mapping, number = make.rng("vistext"), {}, {}, 100
    kinds = ("png", "palette", "hidden", "grey_alpha", "png")
    for cluster, sizes in enumerate(_CLUSTER_SIZES):
        files = {}
        for size in sizes:
            number += rng.randint(1, 9)
            files[f"{number}.png"] = pictures.picture(rng, kinds[number % len(kinds)], size)
        mapping[f"cluster_{cluster:03}_merged.png"] = list(files)
        members |= {f"images/{name}": data for name, data in files.items()}
        if cluster != 5:
            make.name("vistext", f"images/cluster_{cluster:03}_merged.png", sum(map(len, files.values())))
    if "vistext" in make.options.broken:
        members[f"images/{mapping['cluster_001_merged.png'][1]}"] = b"this is no picture"
    if "vistext" in make.options.missing:
        del members[f"images/{mapping['cluster_003_merged.png'][2]}"]
    members |= {f"images/{9000 + place}.png": data for place, data in enumerate(make.filler(44))}
    names = sorted(members)
    rng.shuffle(names)
    return mapping, archives.zipped({"images/": b""} | {name: members[name] for name in names})


def _omnidocbench(make: _Maker) -> list[Commit]:
    every = pages.revisions(make.rng("omnidocbench"), huge=make.options.huge_page)
    chosen = pages.kept(every[make.options.omnidocbench])
    places = sorted(
        place for place, page in enumerate(chosen) if page.file and int(page.file[-7:-4]) in {0, 1, 2, 3, 4, 5, 6}
    )
    if make.options.omnidocbench != "v1.0":
        places.append(max(place for place, page in enumerate(chosen) if page.file and place not in places))
    if "omnidocbench" in make.options.missing:
        places.append(next(place for place, page in enumerate(chosen) if not page.file))
    for place in places:
        page = chosen[place]
        texts = {} if make.options.unclear_pages else {"heading": page.heading, "lines": page.lines}
        make.name("omnidocbench", f"images/{place:06}.jpg", len(page.image), **texts)
    pdfs = {f"pdfs/paper_{number:03}.pdf": b"%PDF-1.4 " + data for number, data in enumerate(make.filler(40))}
    first = commit(
        {".gitattributes": blob(".gitattributes", b"*.png filter=lfs\n")}, "2024-11-20T00:00:00.000Z", "initial commit"
    )
    found = [first]
    for version, revision in every.items():
        files = {"OmniDocBench.json": revision.metadata(), "README.md": f"# {version}\n".encode(), **pdfs}
        files |= {f"images/{page.file}": page.image for page in revision.pages if page.file}
        if "omnidocbench" in make.options.broken:
            files[f"images/{chosen[places[0]].file}"] = b"\x89PNG this is no picture"
        blobs = {**first.files, **{name: blob(name, data) for name, data in files.items()}}
        released, changed = pages.DATES[version]
        found.append(commit(blobs, released, f"Release {version}", found[-1].sha))
        edited = {**blobs, "README.md": blob("README.md", f"# {version}, with words\n".encode())}
        found.append(commit(edited, changed, "Update README.md", found[-1].sha))
    return found


def _screenspotpro(make: _Maker) -> dict[str, bytes]:
    names = {
        "autocad_windows/screenshot_2024-11-05 08-12-33.png": "png",
        "vscode_macos/screenshot_2024-12-01_11-22-33.png": "hidden",
        "matlab_macos/screenshot_2024-12-02_01-02-03.png": "palette",
        "linux_common_linux/screenshot_0001.png": "sixteen",
    }
    files = {f"images/{name}": data for name, data in make.originals("screenspotpro", names, "images/").items()}
    files |= {f"images/word_macos/shot_{number:03}.png": data for number, data in enumerate(make.filler(40))}
    return files | {f"annotations/{app}.json": b"[]" for app in ("autocad_windows", "word_macos")}


def _webui(make: _Maker) -> dict[str, bytes]:
    rng = make.rng("webui/names")
    kinds = ("webp", "webp", "png", "jpeg")
    screens = [
        f"test_split_webui/{rng.randrange(10**12)}/default_{size}-screenshot"
        for size in ("1280-720", "1366-768", "1536-864", "iPad-Pro")
    ]
    named = {f"{screen}.{'jpg' if kind == 'jpeg' else kind}": kind for screen, kind in zip(screens, kinds)}
    members = make.originals("webui", named, "extracted/")
    inner = sorted(members)[1]
    members |= {
        f"test_split_webui/{number}/iPhone-13-screenshot.webp": data for number, data in enumerate(make.filler(44))
    }
    members |= {f"test_split_webui/{number}/axtree.json": b'{"nodes": []}' * 40 for number in range(300)}
    names = sorted(members)
    rng.shuffle(names)
    archive = archives.zipped({name: members[name] for name in names})
    parts = archives.parts_through(archive, inner, 4)
    files = {f"test_split_webui.zip.{number:03}": part for number, part in enumerate(parts, 1)}
    return files | {"test_split_webui.json": b'["0", "1"]', "COPYRIGHT.txt": b"made for tests\n"}


def _docvqa(make: _Maker) -> dict[str, bytes]:
    return {
        **_questions(make, "docvqa", "DocVQA", ("turned", "palette", "hidden", "jpeg"), 49_153),
        **_questions(make, "infographicvqa", "InfographicVQA", ("webp", "turned", "grey_alpha", "cmyk"), 98_300),
    }


def _questions(make: _Maker, source: str, folder: str, kinds: Iterable[str], start: int) -> dict[str, bytes]:
    """Two or three questions about each picture, some of them again in a later shard; a label names the first."""
    rng = make.rng(source)
    wanted = [pictures.picture(rng, kind) for kind in kinds]
    if source in make.options.broken:
        wanted[-1] = b"\xff\xd8\xff\xe0 this is no picture" * 9
    rows: list[bytes] = []
    for number, data in enumerate(make.filler(28)):
        rows += [data] * rng.choice((2, 3))
        if number in {2, 3, 17, 24}:
            rows += [wanted[len(set(rows) & set(wanted))]] * 2
    rows += [wanted[0], rows[0]]
    rows += rows[1:2] * (-len(rows) % 3)
    identifiers = [str(start + 2 * place) for place in range(len(rows))]
    rng.shuffle(identifiers)  # they rise in no order in the real files either
    for data in wanted:
        make.name(source, f"images/{identifiers[rows.index(data)]}.jpg", len(data))
    if source in make.options.missing:
        make.name(source, "images/1.jpg", 0, doc=f"{source}_gone")
    size = len(rows) // 3
    pairs = list(zip(identifiers, rows))
    files = {
        tables.shard_name(folder, "test", part, 3): tables.question_shard(
            pairs[part * size : (part + 1) * size], "test"
        )
        for part in range(3)
    }
    others = [(str(start + 2 * place + 1), data) for place, data in enumerate(make.filler(24))]
    for part in range(2):
        name = tables.shard_name(folder, "validation", part, 2)
        files[name] = tables.question_shard(others[part * 12 : part * 12 + 12], "val")
    return files


def _chartmuseum(make: _Maker) -> dict[str, bytes]:
    names = {"9f2c61.png": "hidden", "Grünes Feld+1.jpg": "turned", "b7.webp": "webp", "a1_00.jpg": "cmyk"}
    files = {f"images/{name}": data for name, data in make.originals("chartmuseum", names, "images/").items()}
    files |= {f"images/{number:06x}.png": data for number, data in enumerate(make.filler(40))}
    return files | {"data/dev-00000-of-00001.parquet": tables.chart_shard(make.filler(6), "image")}


def _chartqapro(make: _Maker) -> dict[str, bytes]:
    rng, rows = make.rng("chartqapro"), make.filler(44)
    for place, kind in zip((2, 3, 25, 41), ("turned", "hidden", "palette", "jpeg")):
        rows[place] = pictures.picture(rng, kind)
        if place == 41 and "chartqapro" in make.options.broken:
            rows[place] = b"\x89PNG this is no picture"
        make.name("chartqapro", f"images/chart_{place:04}.jpg", len(rows[place]))
    if "chartqapro" in make.options.missing:
        make.name("chartqapro", "images/chart_1948.jpg", 0, doc="chartqapro_gone")
    halves = (rows[:24], rows[24:])
    return {
        tables.shard_name("data", "test", part, 2): tables.chart_shard(half, make.options.chartqapro)
        for part, half in enumerate(halves)
    }
