"""The same originals give the same pixels under two major versions of Pillow; its own resize does not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("PIL")

import PIL

from tests.data.originals import VERTICAL, encoded, grids, scene, singles

ROOT = Path(__file__).resolve().parents[2]
HERE = PIL.__version__
OTHER = 12 if int(HERE.split(".")[0]) >= 13 else 13

# Runs under either version, on originals that one version wrote: prints a pixel hash by recipe and original,
# and one of a chart shrunk by Pillow's own resize over both axes.
REPORT = """
import hashlib, json, pathlib, sys, warnings
import PIL
from PIL import Image
from sobench_metrics.data import pixels

warnings.simplefilter("ignore", UserWarning)
folder, made, plain, files = pathlib.Path(sys.argv[1]), {}, {}, {}
for file in sorted((folder / "singles").iterdir()):
    for recipe in ("as_is", "rgb_jpeg", "upright_rgb_jpeg"):
        jpeg = pixels.final_jpeg(recipe, [file.read_bytes()])
        made[f"{recipe} {file.name}"] = pixels.pixel_sha256(jpeg)
        files[f"{recipe} {file.name}"] = hashlib.sha256(jpeg).hexdigest()
for cluster in sorted((folder / "grids").iterdir()):
    members = [member.read_bytes() for member in sorted(cluster.iterdir())]
    made[f"grid {cluster.name}"] = pixels.pixel_sha256(pixels.final_jpeg("grid", members))
for file in sorted((folder / "charts").iterdir()):
    chart = Image.open(file).convert("RGB")
    factor = min(800 / chart.width, 600 / chart.height)
    size = int(chart.width * factor), int(chart.height * factor)
    plain[file.name] = hashlib.sha256(chart.resize(size, Image.Resampling.LANCZOS).tobytes()).hexdigest()
    merged = pixels.RECIPES["grid"].picture([file.read_bytes()])
    shrunk = merged.crop((20, 20, 20 + size[0], 20 + size[1]))
    made[f"shrunk {file.name}"] = hashlib.sha256(shrunk.tobytes()).hexdigest()
print(json.dumps({"version": PIL.__version__, "made": made, "files": files, "plain": plain}))
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """What this Pillow and another major one make of the same files: the older one first."""
    folder = tmp_path_factory.mktemp("originals")
    write(folder)
    other = installed(tmp_path_factory.mktemp("pillow"))
    found = [report(folder), report(folder, other)]
    return sorted(found, key=lambda one: int(one["version"].split(".")[0]))


def write(folder):
    for name in ("singles", "grids", "charts"):
        (folder / name).mkdir()
    for name, data in singles().items():
        (folder / "singles" / name).write_bytes(data)
    for name, members in grids().items():
        (folder / "grids" / name).mkdir()
        for number, data in enumerate(members):
            (folder / "grids" / name / str(number)).write_bytes(data)
    for size in (*VERTICAL, (1700, 400), (1000, 1000)):
        (folder / "charts" / f"{size[0]}x{size[1]}").write_bytes(encoded(scene(*size), "PNG", compress_level=1))


def installed(target):
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--retries", "1"]
    done = subprocess.run([*pip, "--target", target, f"pillow=={OTHER}.*"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no package index gives Pillow {OTHER}: {done.stderr.strip().splitlines()[-1:]}")
    return target


def report(folder, pillow=None):
    path = os.pathsep.join(str(part) for part in (pillow, ROOT, os.environ.get("PYTHONPATH")) if part)
    done = subprocess.run(
        [sys.executable, "-c", REPORT, folder],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_two_major_versions_are_at_work(reports):
    assert {one["version"].split(".")[0] for one in reports} == {HERE.split(".")[0], str(OTHER)}


def test_every_recipe_gives_the_same_pixels(reports):
    older, newer = reports
    assert len(older["made"]) > 100
    assert older["made"] == newer["made"]


def test_the_charts_are_shrunk_as_the_older_pillow_shrinks(reports):
    """Which is the one that upstream's labels were made on: 12 and before resize across, then down."""
    older, newer = reports
    for one in reports:
        assert {f"shrunk {name}": pixels for name, pixels in older["plain"].items()}.items() <= one["made"].items()
    assert newer["plain"].keys() == older["plain"].keys()


def test_pillows_own_resize_of_tall_charts_differs(reports):
    """The reason for shrinking one axis at a time: without this difference the tests above would prove little."""
    older, newer = reports
    changed = {name for name in older["plain"] if older["plain"][name] != newer["plain"][name]}
    assert changed == {f"{width}x{height}" for width, height in VERTICAL}
