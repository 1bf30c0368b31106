"""Files that are damaged or huge: a picture or one sentence, in bounded memory; and the hash of what is seen."""

import hashlib
import inspect
import io
import re
import struct
import subprocess
import sys
import types
import warnings
import zlib

import pytest

pytest.importorskip("PIL")

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sobench_metrics.data import pixels
from tests.data.originals import SINGLES, encoded, scene, singles

BOMB = 2 * 89_478_485


@pytest.fixture(scope="module")
def files():
    return singles()


@pytest.mark.parametrize("recipe", ["as_is", "rgb_jpeg", "upright_rgb_jpeg"])
@pytest.mark.parametrize("name", ["jpeg", "png", "webp", "gif-frames", "bmp", "tiff-cmyk"])
def test_a_file_cut_anywhere_raises_one_sentence(recipe, name, files):
    data = files[name]
    if name == "gif-frames":
        data = encoded(Image.open(io.BytesIO(data)), "GIF")  # of one frame: a cut second frame harms nobody
    for length in (0, 3, 20, len(data) // 3, len(data) // 2, len(data) * 3 // 4):
        with pytest.raises(pixels.PixelError, match=r"^[^\n]*\.$"):
            pixels.final_jpeg(recipe, [data[:length]])


DAMAGED = singles()


def outcome(recipe, data):
    try:
        return pixels.final_jpeg(recipe, [data])
    except pixels.PixelError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore")  # Pillow's remarks on damaged EXIF
@given(st.sampled_from(SINGLES), st.integers(0, 10**6), st.binary(min_size=1, max_size=30))
def test_damage_gives_a_picture_or_a_pixel_error(name, place, patch):
    data = bytearray(DAMAGED[name])
    place %= len(data)
    data[place : place + len(patch)] = patch
    for recipe in pixels.RECIPES:
        made = outcome(recipe, bytes(data))
        assert made.endswith(".") if isinstance(made, str) else made.startswith(b"\xff\xd8\xff")


@pytest.mark.parametrize("data", [b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", b"<svg/>", b"P6 1 1 255\nabc"])
def test_kinds_that_no_source_has_are_refused(data):
    with pytest.raises(pixels.PixelError, match="no image of a known kind"):
        pixels.final_jpeg("as_is", [data])


def flat_png(width, height, rows=None):
    """A 1-bit PNG of black rows, made without holding them."""
    pack, row = zlib.compressobj(1), bytes(1 + (width + 7) // 8)
    body = b"".join(pack.compress(row) for _ in range(height if rows is None else rows)) + pack.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@pytest.mark.parametrize("recipe", ["as_is", "rgb_jpeg", "upright_rgb_jpeg", "grid"])
def test_a_bomb_is_refused_by_its_header(recipe):
    """No row of the picture is there: only a refusal before decoding can name its size."""
    assert BOMB < 13_378 * 13_378
    with pytest.raises(pixels.PixelError, match=r"13378 x 13378 .* decompression bomb"):
        pixels.final_jpeg(recipe, [flat_png(13_378, 13_378, rows=0)])


def test_the_limit_is_pillows_own_and_not_one_pixel_less():
    limit = flat_png(5, BOMB // 5, rows=0)  # 178,956,970 is divisible by five
    with pytest.raises(pixels.PixelError, match="cannot be decoded"):  # admitted, then found empty
        pixels.final_jpeg("as_is", [limit])
    with pytest.raises(pixels.PixelError, match="decompression bomb"):
        pixels.final_jpeg("as_is", [flat_png(1, BOMB + 1, rows=0)])


def test_a_grid_that_grows_into_a_bomb_is_refused(monkeypatch):
    monkeypatch.setattr(pixels, "MAX_PIXELS", 10_000)
    with pytest.raises(pixels.PixelError, match="decompression bomb"):
        pixels.final_jpeg("grid", [encoded(scene(90, 90), "PNG")])


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells it")
def test_a_page_of_145_megapixels_passes_silently_in_bounded_memory():
    """In a process of its own, whose high-water mark is its own: picture, RGB copy, strip and file, nothing twice."""
    code = (
        "import io, re, sys, warnings; warnings.simplefilter('error')\n"
        "from PIL import Image\n"
        "from sobench_metrics.data import pixels\n"
        "jpeg = pixels.final_jpeg('rgb_jpeg', [sys.stdin.buffer.read()])\n"
        "digest = pixels.pixel_sha256(jpeg)\n"
        "Image.MAX_IMAGE_PIXELS = None\n"
        # not ru_maxrss, which begins with the size of the parent
        "peak = re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read()).group(1)\n"
        "print(Image.open(io.BytesIO(jpeg)).size, len(digest), peak)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=flat_png(10_142, 14_342), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    width, height, digest, peak = done.stdout.decode().replace("(", "").replace(",", "").replace(")", "").split()
    assert (width, height, digest) == ("10142", "14342", "64")
    assert int(peak) < 900_000  # KiB; one RGB picture of this size takes 568,000


def test_neither_warnings_nor_pillows_limit_are_touched(monkeypatch):
    """Both belong to the whole process, where other threads rely on them: a low limit is passed, not lifted."""

    class Watched(types.ModuleType):
        def __setattr__(self, name, value):
            if name != "__class__":  # which pytest sets back
                raise AssertionError(f"{name} was set")
            super().__setattr__(name, value)

    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    page = encoded(scene(61, 43), "PNG")
    with pytest.raises(Image.DecompressionBombError):
        Image.open(io.BytesIO(page))
    for module in (Image, warnings):
        monkeypatch.setattr(module, "__class__", Watched)
    for name in ("catch_warnings", "filterwarnings", "simplefilter"):
        assert not re.search(rf"\b{name}\b", inspect.getsource(pixels))
    made = [pixels.final_jpeg(recipe, [page]) for recipe in pixels.RECIPES]
    assert all(made)


# ---- hashes


def test_the_pixel_hash_is_of_size_and_samples_not_of_the_file():
    picture = scene(70, 600)
    lossless = [encoded(picture, "PNG"), encoded(picture, "PNG", compress_level=0), encoded(picture, "BMP")]
    assert len({pixels.pixel_sha256(data) for data in lossless}) == 1
    reshaped = Image.frombytes("RGB", (600, 70), picture.tobytes())
    assert pixels.pixel_sha256(encoded(reshaped, "PNG")) != pixels.pixel_sha256(lossless[0])


@pytest.mark.parametrize("height", [1, 255, 256, 257, 600])
def test_strips_hash_as_the_whole(height):
    picture = scene(7, height)
    whole = hashlib.sha256(f"7x{height}\n".encode() + picture.tobytes()).hexdigest()
    assert pixels.pixel_sha256(encoded(picture, "PNG")) == whole


def test_an_undecodable_file_has_no_pixel_hash(files):
    with pytest.raises(pixels.PixelError):
        pixels.pixel_sha256(files["jpeg"][:300])


def test_the_encoder_is_named():
    import PIL

    assert pixels.encoder()["pillow"] == PIL.__version__
    assert pixels.encoder()["libjpeg_turbo"]
