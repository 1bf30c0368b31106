"""The synthetic upstream must hold what the real one holds, awkward and traceable; its twin must make what upstream makes."""

import ast
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter

import pyarrow.parquet as pq
import pytest
import requests
from jsonschema import Draft202012Validator
from PIL import Image

from tests.engines.upstream import COMMIT, DOMAIN_OF, Upstream
from tests.engines.upstream import content as contents
from tests.engines.upstream.twin import jpegs, pixel_hash


@pytest.fixture
def upstream(monkeypatch):
    with Upstream() as server:
        server.use(monkeypatch)
        yield server


def test_a_seed_decides_every_byte():
    contents.build.cache_clear()
    one = contents.build(contents.Options(seed=1))
    contents.build.cache_clear()
    again, other = contents.build(contents.Options(seed=1)), contents.build(contents.Options(seed=2))
    assert one is not again
    assert (one.labels, one.github, one.sites, one.repos) == (again.labels, again.github, again.sites, again.repos)
    assert one.labels != other.labels
    assert all(one.sites[place] != other.sites[place] for place in one.sites)


def test_every_source_is_labelled_and_mostly_unwanted():
    with Upstream() as server:
        sources = Counter(label["image_url"].split("/")[1] for label in server.labels)
        assert set(sources) == set(DOMAIN_OF)
        assert min(sources.values()) >= 4
        assert all(server.full_bytes[source] >= 3_000_000 for source in DOMAIN_OF)
        assert all(server.wanted_bytes[source] < server.full_bytes[source] / 10 for source in DOMAIN_OF)
        assert sum(server.full_bytes.values()) < 60_000_000


def _shape(value, leaf):
    if isinstance(value, dict):
        return {name: _shape(one, leaf) for name, one in value.items()}
    return [_shape(one, leaf) for one in value] if isinstance(value, list) else leaf(value)


def test_labels_are_valid_against_their_own_schema_and_marked_leaf_by_leaf():
    marks, forms = Counter(), Counter()
    for label in contents.build(contents.Options()).labels.values():
        Draft202012Validator(label["schema_json"]).validate(label["structured_output"])
        assert _shape(label["structured_output"], lambda _: 0) == _shape(label["evaluation_labels"], lambda _: 0)
        _shape(label["evaluation_labels"], lambda mark: marks.update([mark]))
        forms[type(label["structured_output"])] += 1
        schema = label["schema_json"]
        assert json.dumps(schema) != json.dumps(schema, sort_keys=True)
    assert set(marks) == {"exact", "fuzzy", "ignore", None}
    assert set(forms) == {dict, list}


def test_the_label_archive_is_upstreams_with_its_junk(upstream):
    held = requests.get(f"{upstream.env['SOBENCH_UPSTREAM_URL']}/{COMMIT}/data/labels.zip", timeout=10).content
    with zipfile.ZipFile(io.BytesIO(held)) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"labels/[^./][^/]*\.json", name)]
        read = {name[7:-5]: json.loads(archive.read(name)) for name in names}
        assert any(name.startswith("__MACOSX/") for name in archive.namelist())
    assert read == upstream.labels_by_id


def test_labels_may_lie_behind_a_pointer(monkeypatch):
    with Upstream(labels_in_lfs=True) as server:
        pointer = requests.get(f"{server.base}/github/{COMMIT}/data/labels.zip", timeout=10).text
        mirror = f"{server.base}/github/media/{COMMIT}/data/labels.zip"
        site = f"{server.base}/sites/media.githubusercontent.com/media/apple/ml-sobench/{COMMIT}/data/labels.zip"
        held = requests.get(mirror, timeout=10).content
        assert requests.get(site, timeout=10).content == held
    assert pointer.splitlines()[2] == f"size {len(held)}"
    assert len(zipfile.ZipFile(io.BytesIO(held)).namelist()) > 50


def test_running_the_conversion_script_is_noticed(upstream, tmp_path):
    upstream.write_clone(tmp_path)
    source = (tmp_path / "convert_to_eval_jsonl.py").read_text(encoding="utf-8")
    named = [node.targets[0].id for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    assert named == ["_SYSTEM_PROMPT", "_USER_PROMPT"]
    assert not upstream.executed
    subprocess.run(
        [sys.executable, "-c", "import convert_to_eval_jsonl"],
        cwd=tmp_path,
        env={**os.environ, **upstream.env},
        check=True,
    )
    assert upstream.executed


def test_the_archives_are_what_the_sites_have(upstream):
    with tarfile.open(fileobj=io.BytesIO(upstream.content.sites[contents.RICO_URL])) as archive:
        names = archive.getnames()
    wanted = {label["image_url"].rpartition("/")[2] for label in upstream.labels if "/rico/" in label["image_url"]}
    places = [place for place, name in enumerate(names) if name.rpartition("/")[2] in wanted]
    assert len(places) == len(wanted)
    assert places[-1] < len(names) * 0.7  # whoever stops there saves something


def test_one_wanted_member_lies_in_two_parts_of_the_cut_zip(upstream):
    files = upstream.commits("webui")[-1].files
    parts = [files[name].data for name in sorted(files) if ".zip." in name]
    boundaries = [sum(map(len, parts[:count])) for count in range(1, len(parts))]
    wanted = {label["image_url"].removeprefix("data/webui/extracted/") for label in upstream.labels}
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as archive:
        inside = [
            one
            for one in archive.infolist()
            if one.filename in wanted
            and any(one.header_offset + 99 < cut < one.header_offset + one.compress_size for cut in boundaries)
        ]
    assert len(inside) == 1


@pytest.mark.parametrize("version", ["v1.0", "v1.5", "v1.6"])
def test_a_page_number_means_another_page_in_every_revision(version):
    from tests.engines.upstream.pages import kept, revisions

    with Upstream(omnidocbench=version) as server:
        mine = {
            int(label["image_url"][-10:-4]): label for label in server.labels if "omnidocbench" in label["image_url"]
        }
    every = {
        name: kept(one) for name, one in revisions(contents._Maker(contents.Options()).rng("omnidocbench")).items()
    }
    for place, label in mine.items():
        files = [pages[place].file for pages in every.values() if place < len(pages)]
        assert len(set(files)) == len(files)
        record = label["structured_output"]
        heading = (record[0] if isinstance(record, list) else record)["heading"]
        assert heading == every[version][place].heading
    assert (max(mine) >= len(every["v1.0"])) == (version != "v1.0")


def test_pictures_are_awkward_in_every_way():
    seen, marks = Counter(), Counter()
    for one in contents.build(contents.Options()).repos.values():
        for name, held in one[-1].files.items():
            if name.endswith((".png", ".jpg", ".webp")):
                with Image.open(io.BytesIO(held.data)) as image:
                    seen[image.format, image.mode] += 1
                    marks.update(
                        {
                            "turned": 0x0112 in image.getexif(),
                            "comment": "comment" in image.info,
                            "big": image.width >= 3000,
                        }
                    )
    assert {
        ("PNG", "RGBA"),
        ("PNG", "P"),
        ("PNG", "LA"),
        ("PNG", "I;16"),
        ("JPEG", "CMYK"),
        ("WEBP", "RGB"),
        ("JPEG", "RGB"),
    } <= set(seen)
    assert min(marks["turned"], marks["comment"], marks["big"]) >= 1


def test_the_twin_has_a_picture_for_every_label_and_none_for_a_lost_one():
    with Upstream() as server:
        assert server.expected_pixels().keys() == server.labels_by_id.keys()
    with Upstream(missing=["rico", "docvqa"], broken=["screenspotpro", "vistext"]) as server:
        lost = server.labels_by_id.keys() - server.expected_pixels().keys()
        assert Counter(name.partition("_")[0] for name in lost) == Counter(rico=1, docvqa=1, screenspotpro=1, vistext=1)


def test_the_twin_turns_what_datasets_turns_and_nothing_else():
    datasets = pytest.importorskip("datasets")
    with Upstream(chartqapro="image") as server, Upstream() as plain:
        for source, table in (("docvqa", "DocVQA/test-00000-of-00003"), ("chartqapro", "data/test-00000-of-00002")):
            shard = server.commits(source)[-1].files[f"{table}.parquet"].data
            decoded = datasets.Image()
            rows = pq.read_table(io.BytesIO(shard)).to_pylist()
            upright = {decoded.decode_example(row["image"]).size for row in rows}
            sizes = [
                Image.open(io.BytesIO(one)).size
                for name, one in jpegs(server.content).items()
                if name.startswith(source)
            ]
            assert upright & set(sizes)
        binary, image = jpegs(plain.content), jpegs(server.content)
        charts = [name for name in binary if name.startswith("chartqapro")]
        turned = [name for name in charts if pixel_hash(binary[name]) != pixel_hash(image[name])]
        assert len(turned) == 1


def test_a_page_may_have_145_megapixels(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    with Upstream(huge_page=True) as server:
        files = server.commits("omnidocbench")[-1].files.items()
        sizes = [Image.open(io.BytesIO(one.data)).size for name, one in files if name.endswith("_005.png")]
        assert sizes == [(10_142, 14_342)]
        places = {name for name, label in server.labels_by_id.items() if "omnidocbench" in label["image_url"]}
        assert (10_142, 14_342) in {Image.open(io.BytesIO(jpegs(server.content)[name])).size for name in places}
