"""Show a finished picture otherwise: another hue, dark mode, a window, faded paper, warm light, a photo of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageFilter, ImageOps

from sobench_metrics.data.sample_maker.canvas import Canvas, photographed
from sobench_metrics.data.sample_maker.pages.frames import hung_in_a_scene, in_a_program
from sobench_metrics.data.sample_maker.pages.theme import screen_theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["seen_otherwise"]

_SCENE_MOST = 1100  # pixels: what is longer would be too small on a wall


def seen_otherwise(image: Image.Image, domain: str, rng: Random) -> Image.Image:
    """Return the picture in a look of its domain, now and then as it is; nothing readable is hidden or cut off."""
    return rng.choice(_LOOKS[domain])(image, rng)


def _as_it_is(image: Image.Image, _rng: Random) -> Image.Image:
    return image


def _in_another_hue(image: Image.Image, rng: Random) -> Image.Image:
    hue, saturation, value = image.convert("HSV").split()
    turn = rng.randrange(32, 224)
    turned = hue.point([(level + turn) % 256 for level in range(256)])
    return Image.merge("HSV", (turned, saturation, value)).convert("RGB")


def _dark(image: Image.Image, rng: Random) -> Image.Image:
    """Light and dark change places; a legend changes with what it explains."""
    hue, saturation, value = ImageOps.invert(image).convert("HSV").split()
    back = Image.merge("HSV", (hue.point([(level + 128) % 256 for level in range(256)]), saturation, value))
    floor = rng.randint(8, 34)
    return back.convert("RGB").point([floor + level * (255 - floor) // 255 for level in range(256)] * 3)


def _in_a_frame(image: Image.Image, rng: Random) -> Image.Image:
    return in_a_program(image, screen_theme(rng), rng)


def _faded(image: Image.Image, rng: Random) -> Image.Image:
    """Low contrast on tinted paper, as an old copy."""
    paper = rng.choice(((246, 236, 210), (232, 240, 236), (240, 230, 226), (228, 228, 224)))
    tinted = ImageChops.multiply(image, Image.new("RGB", image.size, paper))
    lift = rng.randint(20, 60)
    return tinted.point([lift + level * (255 - lift) // 255 for level in range(256)] * 3)


def _grey(image: Image.Image, _rng: Random) -> Image.Image:
    return image.convert("L").convert("RGB")


def _in_uneven_light(image: Image.Image, rng: Random) -> Image.Image:
    """Brighter on one side than on the other."""
    ramp = Image.linear_gradient("L").rotate(rng.choice((0, 90, 180, 270))).resize(image.size)
    low = rng.randint(120, 190)
    light = ramp.point([low + level * (255 - low) // 255 for level in range(256)])
    warm = rng.choice(((255, 244, 220), (255, 255, 255), (222, 236, 255)))
    lit = ImageChops.multiply(image, Image.merge("RGB", (light, light, light)))
    return ImageChops.multiply(lit, Image.new("RGB", image.size, warm))


def _photo(image: Image.Image, rng: Random) -> Image.Image:
    """A photo of the page or screen in a place."""
    if max(image.size) > _SCENE_MOST:
        return _in_uneven_light(image, rng)
    scene = hung_in_a_scene(image, rng)
    canvas = Canvas(scene.width, scene.height)
    canvas.paste(scene, (0, 0))
    return photographed(canvas, rng)


def _softened(image: Image.Image, rng: Random) -> Image.Image:
    """A little out of focus, or sharpened too much by a telephone."""
    if rng.randrange(2):
        return image.filter(ImageFilter.GaussianBlur(0.8))
    return image.filter(ImageFilter.UnsharpMask(2, 140, 2))


def _larger(image: Image.Image, rng: Random) -> Image.Image:
    share = rng.choice((0.9, 1.15, 1.3, 1.5))
    size = (round(image.width * share), round(image.height * share))
    return image.resize(size, Image.Resampling.LANCZOS)


_LOOKS: dict[str, tuple[Callable[[Image.Image, Random], Image.Image], ...]] = {
    "ui": (_as_it_is, _in_another_hue, _dark, _in_a_frame, _photo, _larger),
    "natural": (_as_it_is, _in_uneven_light, _in_uneven_light, _softened, _larger),
    "document": (_as_it_is, _faded, _grey, _in_uneven_light, _photo, _softened),
    "chart": (_as_it_is, _in_another_hue, _dark, _grey, _faded, _photo, _larger),
}
