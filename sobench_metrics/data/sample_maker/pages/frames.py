"""What a page stands in: a phone, a window, a browser; a letterhead; a board in a room or a street."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, gradient, tilt
from sobench_metrics.data.sample_maker.words import CITIES, FIRST_NAMES, PALETTES, STREETS, clock, company

if TYPE_CHECKING:
    from random import Random

    from PIL import Image

    from sobench_metrics.data.sample_maker.pages.theme import Theme

__all__ = ["hung_in_a_scene", "in_a_program", "on_paper"]

_TABS = ("Overview", "Details", "History", "Files", "People", "Search", "Inbox", "Reports", "More")


def in_a_program(page: Image.Image, theme: Theme, rng: Random) -> Image.Image:
    """Return a page as a phone, a window or a browser shows it; what the frame says is no part of the answer."""
    if page.width < 560:
        return _phone(page, theme, rng)
    return rng.choice((_window, _browser, _with_sidebar))(page, theme, rng)


def _phone(page: Image.Image, theme: Theme, rng: Random) -> Image.Image:
    bars = rng.randrange(2)
    canvas = Canvas(page.width, page.height + 30 + 64 * bars, theme.ground)
    canvas.text((16, 6), clock(rng), Ink(15, theme.ink, "bold"))
    canvas.box((page.width - 48, 9, page.width - 18, 22), outline=theme.ink, radius=3)
    canvas.paste(page, (0, 30))
    if bars:
        top = page.height + 30
        canvas.box((0, top, page.width, top + 64), fill=theme.band)
        for number, word in enumerate(rng.sample(_TABS, 4)):
            middle = page.width * (number + 0.5) / 4
            canvas.disc((middle, top + 22), 8, fill=theme.accent if number == 0 else theme.faint)
            canvas.text((middle, top + 48), word, Ink(13, theme.faint, anchor="mm"))
    return canvas.image


def _window(page: Image.Image, theme: Theme, rng: Random) -> Image.Image:
    canvas = Canvas(page.width, page.height + 64, theme.ground)
    canvas.box((0, 0, page.width, 34), fill=theme.rule)
    for number in range(3):
        x = 20 + 22 * number if rng.randrange(2) else page.width - 20 - 22 * number
        canvas.disc((x, 17), 7, fill=theme.faint)
    canvas.text((16, 40), "   ".join(rng.sample(("File", "Edit", "View", "Tools", "Window", "Help"), 4)), theme.small())
    canvas.paste(page, (0, 64))
    return canvas.image


def _browser(page: Image.Image, theme: Theme, rng: Random) -> Image.Image:
    canvas = Canvas(page.width, page.height + 88, theme.ground)
    canvas.box((0, 0, page.width, 88), fill=theme.band)
    canvas.box((14, 8, 230, 46), fill=theme.ground, radius=8)
    canvas.text((30, 16), rng.choice(_TABS), Ink(15, theme.ink))
    canvas.box((90, 50, page.width - 30, 80), fill=theme.card, radius=14)
    canvas.text((112, 57), f"{rng.choice(FIRST_NAMES).lower()}.example/{rng.randint(10, 999)}", Ink(15, theme.faint))
    canvas.paste(page, (0, 88))
    return canvas.image


def _with_sidebar(page: Image.Image, theme: Theme, rng: Random) -> Image.Image:
    canvas = Canvas(page.width + 160, page.height, theme.accent)
    for number, word in enumerate(rng.sample(_TABS, 6)):
        canvas.text((20, 24 + 44 * number), word, Ink(17, theme.on_accent, "bold" if number == 0 else "sans"))
    canvas.paste(page, (160, 0))
    return canvas.image


def on_paper(page: Image.Image, theme: Theme, rng: Random) -> Image.Image:
    """Return a page with margins, and now and then a letterhead, a fold, a foot or a stamp."""
    head = 92 if rng.randrange(2) else 30
    canvas = Canvas(page.width + 80, page.height + head + 60, theme.ground)
    if head > 30:
        accent, _, _ = rng.choice(PALETTES)
        left = rng.randrange(2) == 0
        canvas.box((40, 24, 84, 68), fill=accent, radius=rng.choice((0, 8, 22)))
        x, anchor = (100, "la") if left else (page.width + 40, "ra")
        canvas.text((x, 24), company(rng), Ink(20, theme.ink, "serif_bold", anchor))
        canvas.text((x, 52), f"{rng.choice(STREETS)}, {rng.choice(CITIES)}", Ink(15, theme.faint, "serif", anchor))
    canvas.paste(page, (40, head))
    foot = page.height + head + 22
    if rng.randrange(2):
        canvas.text((canvas.width / 2, foot), f"- {rng.randint(1, 9)} -", Ink(15, theme.faint, "serif", "ma"))
    if rng.randrange(3) == 0:
        canvas.line([(0, canvas.height // 2), (canvas.width, canvas.height // 2 + 2)], "#dddad2", 2)
    return canvas.image


def hung_in_a_scene(page: Image.Image, rng: Random) -> Image.Image:
    """Return a page as a board, a poster or a screen somewhere, seen at an angle."""
    scale = min(1.0, 760 / page.width, 900 / page.height)
    wide, high = round(page.width * scale), round(page.height * scale)
    if scale < 0.62:
        raise ValueError("the page is too long to be read on a wall")
    edge = rng.randint(50, 110)
    scene = Canvas(wide + 2 * edge + rng.randint(0, 120), high + 2 * edge + rng.randint(0, 80))
    rng.choice((_bricks, _boards, _street, _plaster))(scene, rng)
    left = edge + rng.randint(0, scene.width - wide - 2 * edge)
    top = edge + rng.randint(0, scene.height - high - 2 * edge)
    rim = rng.choice((0, 6, 14))
    board = Canvas(page.width + 2 * rim, page.height + 2 * rim, rng.choice(("#4a3423", "#1c1f24", "#c9c4b8")))
    board.paste(page, (rim, rim))
    bend = max(6, edge // 4)
    jitter = [(rng.randint(-bend, bend), rng.randint(-bend, bend)) for _ in range(4)]
    flat = ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high))
    corners = tuple((float(x + dx), float(y + dy)) for (x, y), (dx, dy) in zip(flat, jitter, strict=True))
    tilt(scene, board.image, (corners[0], corners[1], corners[2], corners[3]))
    return scene.image


def _bricks(scene: Canvas, rng: Random) -> None:
    base = rng.choice((("#9a5a44", "#8b4f3c", "#a8654e"), ("#8f8a80", "#9d978b", "#7f7a71")))
    scene.box((0, 0, scene.width, scene.height), fill="#cbbfae")
    for row in range(scene.height // 34 + 1):
        for column in range(-1, scene.width // 84 + 1):
            left, top = 84 * column + (42 if row % 2 else 0), 34 * row
            scene.box((left + 2, top + 2, left + 80, top + 30), fill=rng.choice(base))


def _boards(scene: Canvas, rng: Random) -> None:
    top, bottom = rng.choice((("#a78563", "#5f4731"), ("#c9b08a", "#94774f"), ("#6e7c86", "#414b52")))
    gradient(scene, (0, 0, scene.width, scene.height), top, bottom)
    for x in range(0, scene.width, rng.randint(50, 90)):
        scene.line([(x, 0), (x + rng.randint(-8, 8), scene.height)], "#3d2e20", 2)


def _street(scene: Canvas, rng: Random) -> None:
    gradient(scene, (0, 0, scene.width, scene.height), rng.choice(("#86b3d9", "#3c4a63", "#d9a27e")), "#dbe8f2")
    x = 0
    while x < scene.width:
        wide, top = rng.randint(80, 170), rng.randint(40, scene.height // 2)
        scene.box((x, top, x + wide, scene.height), fill=rng.choice(("#55606e", "#7a6a5c", "#87929a", "#4c5a50")))
        x += wide
    scene.box((0, scene.height * 0.86, scene.width, scene.height), fill="#6b6a66")


def _plaster(scene: Canvas, rng: Random) -> None:
    top, bottom = rng.choice((("#e9e3d6", "#c7bfae"), ("#b9c6b8", "#8fa08e"), ("#cfd6e2", "#9aa6b8")))
    gradient(scene, (0, 0, scene.width, scene.height), top, bottom)
    for _ in range(30):
        x, y = rng.randint(0, scene.width), rng.randint(0, scene.height)
        scene.disc((x, y), rng.randint(1, 4), fill=bottom)
