"""The recipes against a plain twin that works as upstream's scripts do: on files, with Pillow's own calls."""

import io
import math
from unittest import mock

import pytest

pytest.importorskip("PIL")

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from sobench_metrics.data import pixels
from tests.data.originals import SINGLES, VERTICAL, encoded, grids, scene, singles


@pytest.fixture(scope="module")
def files():
    return singles()


def decoded(data):
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB")


def sent(path):
    """Stage 2, plainly: what the conversion script sends of a file on the disk."""
    buffer = io.BytesIO()
    with Image.open(path) as picture:
        picture.convert("RGB").save(buffer, format="JPEG", quality=95)
    return buffer.getvalue()


def left_as_rgb_jpeg(picture, path):
    if picture.mode != "RGB":
        picture = picture.convert("RGB")
    picture.save(path, "JPEG", quality=95)
    return path


@pytest.mark.parametrize("name", SINGLES)
def test_as_is_sends_the_original(name, files, tmp_path):
    original = tmp_path / "original"
    original.write_bytes(files[name])
    assert pixels.final_jpeg("as_is", [files[name]]) == sent(original)


@pytest.mark.parametrize("name", SINGLES)
def test_rgb_jpeg_encodes_twice_and_never_turns(name, files, tmp_path):
    original = tmp_path / "original"
    original.write_bytes(files[name])
    with Image.open(original) as picture:
        left = left_as_rgb_jpeg(picture, tmp_path / "000000.jpg")
    assert pixels.final_jpeg("rgb_jpeg", [files[name]]) == sent(left)


@pytest.mark.parametrize("name", SINGLES)
def test_upright_rgb_jpeg_is_what_datasets_decodes(name, files, tmp_path):
    datasets = pytest.importorskip("datasets")
    picture = datasets.Image().decode_example({"bytes": files[name], "path": None})
    left = left_as_rgb_jpeg(picture, tmp_path / "17.jpg")
    assert pixels.final_jpeg("upright_rgb_jpeg", [files[name]]) == sent(left)


CORNERS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": (255, 255, 255)}
TURNED = {  # by EXIF: where the corners of a picture red green / blue white are seen, row by row
    1: "red green blue white", 2: "green red white blue", 3: "white blue green red", 4: "blue white red green",
    5: "red blue green white", 6: "blue red white green", 7: "white green blue red", 8: "green white red blue",
}  # fmt: skip


@pytest.mark.parametrize("way", TURNED)
def test_only_the_upright_recipe_turns_the_corners(way):
    picture = Image.new("RGB", (96, 64))
    for place, colour in enumerate(CORNERS.values()):
        left, top = 48 * (place % 2), 32 * (place // 2)
        picture.paste(colour, (left, top, left + 48, top + 32))
    exif = Image.Exif()
    exif[0x0112] = way
    original = encoded(picture, "JPEG", quality=95, exif=exif)
    for recipe, expected in (("as_is", TURNED[1]), ("rgb_jpeg", TURNED[1]), ("upright_rgb_jpeg", TURNED[way])):
        assert seen_corners(pixels.final_jpeg(recipe, [original])) == expected


def seen_corners(jpeg):
    picture = decoded(jpeg)
    right, bottom = picture.width - 9, picture.height - 9
    spots = [picture.getpixel(spot) for spot in ((8, 8), (right, 8), (8, bottom), (right, bottom))]
    return " ".join(min(CORNERS, key=lambda name: math.dist(CORNERS[name], spot)) for spot in spots)


def test_alpha_is_dropped_so_hidden_colours_show():
    hidden = Image.new("RGBA", (32, 32), (10, 20, 30, 0))
    assert decoded(pixels.final_jpeg("as_is", [encoded(hidden, "PNG")])).getpixel((9, 9)) == (10, 20, 30)


def test_two_encodings_differ_from_one(files):
    once, twice = (decoded(pixels.final_jpeg(recipe, [files["png"]])) for recipe in ("as_is", "rgb_jpeg"))
    assert once.size == twice.size
    assert once.tobytes() != twice.tobytes()


def test_comments_stay_and_exif_and_profiles_go(files):
    def info(name):
        return Image.open(io.BytesIO(pixels.final_jpeg("as_is", [files[name]]))).info

    assert info("jpeg-comment")["comment"] == b"drawn by a test"
    assert "exif" not in info("jpeg-turned-6")
    assert "icc_profile" not in info("jpeg-icc-dpi")


# ---- the grid


def weights(old, new):
    """Pillow's 8-bit LANCZOS for one axis, from its definition: a (new, old) matrix of 22-bit fixed-point numbers."""
    matrix = np.zeros((new, old))
    stretch = max(old / new, 1.0)
    for place in range(new):
        centre = (place + 0.5) * (old / new)
        first, last = max(int(centre - 3 * stretch + 0.5), 0), min(int(centre + 3 * stretch + 0.5), old)
        taps = [lanczos((spot - centre + 0.5) / stretch) for spot in range(first, last)]
        whole = sum(taps)
        fixed = [tap * (1.0 / whole) * (1 << 22) for tap in taps]
        matrix[place, first:last] = [int(tap + (0.5 if tap >= 0 else -0.5)) for tap in fixed]
    return matrix


def lanczos(x):
    return sinc(x) * sinc(x / 3) if -3 <= x < 3 else 0.0


def sinc(x):
    return 1.0 if x == 0 else math.sin(x * math.pi) / (x * math.pi)


def rounded(sums):
    """Sums of integers below 2**53 are exact in doubles."""
    return np.clip(np.floor((sums + (1 << 21)) / (1 << 22)), 0, 255)


def shrunk(picture, box):
    factor = min(box[0] / picture.width, box[1] / picture.height)
    if factor >= 1.0:
        return picture
    width, height = int(picture.width * factor), int(picture.height * factor)
    samples = np.asarray(picture, dtype=np.float64)
    across = rounded(np.einsum("xo,yoc->yxc", weights(picture.width, width), samples, optimize=True))
    down = rounded(np.einsum("yo,oxc->yxc", weights(picture.height, height), across, optimize=True))
    return Image.fromarray(down.astype(np.uint8))


LAYOUT = {
    1: (1, 1),
    2: (1, 2),
    3: (1, 3),
    4: (2, 2),
    5: (2, 3),
    6: (2, 3),
    7: (3, 3),
    9: (3, 3),
    10: (3, 4),
    13: (4, 4),
}


def merged(members, path, box=(800, 600)):
    charts = [shrunk(decoded(member), box) for member in members]
    rows, columns = LAYOUT.get(len(charts)) or next(
        (-(-len(charts) // side), side) for side in range(1, 99) if side * side >= len(charts)
    )
    width, height = max(chart.width for chart in charts), max(chart.height for chart in charts)
    canvas = Image.new("RGB", (columns * width + (columns + 1) * 20, rows * height + (rows + 1) * 20), "white")
    for number, chart in enumerate(charts):
        left = (number % columns) * (width + 20) + 20 + (width - chart.width) // 2
        top = (number // columns) * (height + 20) + 20 + (height - chart.height) // 2
        canvas.paste(chart, (left, top))
    canvas.save(path, "PNG", compress_level=1)
    return path


@pytest.mark.parametrize("name", list(grids()))
def test_a_grid_is_the_plain_merge(name, tmp_path):
    members = grids()[name]
    assert pixels.final_jpeg("grid", members) == sent(merged(members, tmp_path / "merged.png"))


@pytest.mark.parametrize("count", LAYOUT)
def test_the_size_of_a_grid_follows_from_its_count(count):
    member = encoded(scene(30, 20), "PNG")
    rows, columns = LAYOUT[count]
    assert decoded(pixels.final_jpeg("grid", [member] * count)).size == (50 * columns + 20, 40 * rows + 20)


@pytest.mark.parametrize(
    ("member", "size"),
    [((1600, 600), (800, 300)), ((1000, 1000), (600, 600)), ((700, 599), (700, 599)), ((900, 3000), (180, 600))],
)
def test_charts_shrink_into_their_box_and_never_grow(member, size):
    picture = decoded(pixels.final_jpeg("grid", [encoded(scene(*member), "PNG", compress_level=1)]))
    assert picture.size == (size[0] + 40, size[1] + 40)


def test_charts_lie_in_their_cells_by_hand():
    """Two charts, 41 x 30 black and 20 x 61 red: cells of 41 x 61, so the black one starts at (20, 20 + 15)."""
    members = [
        encoded(Image.new("RGB", size, colour), "PNG") for size, colour in (((41, 30), "black"), ((20, 61), "red"))
    ]
    picture = pixels.RECIPES["grid"].picture(members)
    assert picture.size == (20 + 41 + 20 + 41 + 20, 20 + 61 + 20)
    inside = np.asarray(picture).sum(axis=2) < 3 * 255
    black, red = inside[:, :71], inside[:, 71:]
    assert span(black) == ((20, 60), (35, 64))
    assert span(red) == ((20, 39), (20, 80))  # from x = 71: 81 - 71 + (41 - 20) // 2 = 20


def span(inside):
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    return (int(columns[0]), int(columns[-1])), (int(rows[0]), int(rows[-1]))


SIDES = st.integers(1, 260)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=11))
def test_any_cluster_is_the_plain_merge(tmp_path, sizes):
    """Over a small box, so that most members shrink, by any ratio."""
    box = (80, 60)
    members = [encoded(scene(*size, number), "PNG", compress_level=1) for number, size in enumerate(sizes)]
    with mock.patch.object(pixels, "_CHART", box):
        if any(int(side * min(1, 80 / size[0], 60 / size[1])) == 0 for size in sizes for side in size):
            with pytest.raises(
                pixels.PixelError, match=r"^member \d+ of \d+: "
            ):  # shrinks to nothing; upstream loses the image too
                pixels.final_jpeg("grid", members)
        else:
            assert pixels.final_jpeg("grid", members) == sent(merged(members, tmp_path / "merged.png", box))


def test_the_plain_twin_tells_the_order_of_the_two_passes():
    """Were the difference lost on these pictures, the grids above would prove nothing."""
    for size in VERTICAL:
        picture = scene(*size)
        factor = min(800 / size[0], 600 / size[1])
        width, height = int(size[0] * factor), int(size[1] * factor)
        down_first = picture.resize((size[0], height), Image.LANCZOS).resize((width, height), Image.LANCZOS)
        assert shrunk(picture, (800, 600)).tobytes() != down_first.tobytes()


@pytest.mark.parametrize("broken", [b"", b"<html>", "cut"])
def test_an_unreadable_member_fails_the_grid(broken):
    good = encoded(scene(30, 20), "PNG")
    with pytest.raises(pixels.PixelError, match=r"^member 2 of 3: "):
        pixels.final_jpeg("grid", [good, good[:900] if broken == "cut" else broken, good])


def test_a_grid_of_nothing_is_refused():
    with pytest.raises(pixels.PixelError, match="no members"):
        pixels.final_jpeg("grid", [])
