"""Domain natural: signs and boards in drawn streets, seen at an angle and through a little blur and noise."""

from random import Random

from PIL import Image

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, gradient, photographed, tilt
from sobench_metrics.data.sample_maker.drawn import (
    Drawn,
    Kind,
    Record,
    arr,
    boolean,
    choice,
    integer,
    labels,
    nullable,
    number,
    obj,
    text,
)
from sobench_metrics.data.sample_maker.words import CITIES, LAST_NAMES, PALETTES, STREETS, person

__all__ = ["KINDS"]


def street(rng: Random) -> Drawn:
    trades = {"bakery": ["Rolls", "Rye loaf", "Plum cake"], "florist": ["Tulips", "Roses", "Fern pot"],
              "bookshop": ["Atlas", "Novel", "Diary"], "barber": ["Haircut", "Beard trim", "Wash"]}  # fmt: skip
    names = rng.sample(LAST_NAMES, 3)
    with_board = rng.randrange(3)
    shops: list[Record] = []
    for index, trade in enumerate(rng.sample(sorted(trades), 3)):
        offers = [
            {"item": item, "price": rng.choice([1.5, 2.0, 2.8, 3.5, 4.0, 6.5, 9.0])} for item in trades[trade][:2]
        ]
        board = {"heading": rng.choice(["TODAY", "SPECIAL"]), "offers": offers} if index == with_board else None
        shops.append({"name": names[index], "trade": trade, "open": rng.random() < 0.6, "board": board})
    scene = Canvas(820, 560, "#b9c6cf")
    gradient(scene, (0, 0, 820, 150), "#86b3d9", "#dbe8f2")
    scene.box((0, 450, 820, 560), fill="#8d8b86")
    for index, (shop, wall) in enumerate(
        zip(shops, rng.sample(["#c9a27e", "#b8bfa6", "#c58f84", "#a9b4c4"], 3), strict=True)
    ):
        left = 14 + 268 * index
        scene.box((left, 50 + 14 * index, left + 262, 460), fill=wall)
        for window in (left + 22, left + 104, left + 186):
            scene.box((window, 70 + 14 * index, window + 54, 118 + 14 * index), fill="#55697a", outline="#efe9df")
        scene.box((left + 18, 250, left + 158, 420), fill="#6c8494", outline="#efe9df")
        scene.box((left + 176, 250, left + 244, 460), fill="#5d4636", outline="#efe9df")
        tilt(scene, _shop_sign(shop, rng.choice(PALETTES)), (
            (left + 6, 176), (left + 256, 176 + rng.randint(-8, 8)),
            (left + 256, 236 + rng.randint(-6, 6)), (left + 6, 238),
        ))  # fmt: skip
        scene.box((left + 180, 300, left + 240, 326), fill="#1f8a5b" if shop["open"] else "#a63a2c", radius=4)
        scene.text((left + 210, 313), "OPEN" if shop["open"] else "CLOSED", Ink(14, "#ffffff", "bold", "mm"), width=56)
        if shop["board"]:
            tilt(scene, _price_board(shop["board"]), (
                (left + 16, 350), (left + 170, 342), (left + 176, 524), (left + 6, 530),
            ))  # fmt: skip
    board_schema = obj(heading=text(), offers=arr(obj(item=text(), price=number(0)), minItems=1))
    shop_schema = obj(name=text("The family name on the sign"), trade=choice(*sorted(trades)), open=boolean(),
                      board={"anyOf": [board_schema, {"type": "null"}]})  # fmt: skip
    target: Record = {"shops": shops}
    return Drawn(
        photographed(scene, rng),
        obj(shops=arr(shop_schema, minItems=1)),
        rng.choice([
            "Map the shops in this street from left to right, with the prices on the board that stands outside.",
            "Which shops are here, which are open, and what does the chalk board offer?",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _shop_sign(shop: Record, palette: tuple[str, str, str]) -> Image.Image:
    _, dark, pale = palette
    sign = Canvas(420, 100, dark)
    sign.text((210, 34), shop["name"], Ink(42, pale, "serif_bold", "mm"), width=390)
    sign.text((210, 76), shop["trade"].upper(), Ink(25, pale, "sans", "mm"), width=390)
    return sign.image


def _price_board(board: Record) -> Image.Image:
    panel = Canvas(260, 330, "#2a2f2c")
    panel.box((4, 4, 256, 326), outline="#8a6b45")
    panel.text((130, 44), board["heading"], Ink(38, "#f4f1e4", "bold", "mm"))
    for index, offer in enumerate(board["offers"]):
        panel.text((20, 88 + 118 * index), offer["item"], Ink(36, "#f4f1e4", "round"), width=220)
        panel.text((240, 136 + 118 * index), f"{offer['price']:.2f}", Ink(38, "#ffe08a", "bold", "ra"))
    return panel.image


def road_sign(rng: Random) -> Drawn:
    road = f"{rng.choice('ABE')} {rng.randint(2, 98)}"
    destinations: list[Record] = [
        {"place": place, "distance_km": distance, "direction": direction}
        for place, distance, direction in zip(
            rng.sample(CITIES, 3),
            sorted(rng.sample(range(3, 140), 3)),
            rng.sample(["left", "straight", "right"], 3),
            strict=True,
        )
    ]
    limit = rng.choice([30, 50, 70, 80, 100])
    scene = Canvas(800, 600)
    gradient(scene, (0, 0, 800, 330), "#6ea3d4", "#e3eef6")
    scene.polygon([(0, 330), (180, 250), (390, 322), (610, 236), (800, 320), (800, 420), (0, 420)], "#6f8f63")
    scene.box((0, 400, 800, 600), fill="#7f9a66")
    scene.polygon([(362, 400), (438, 400), (620, 600), (180, 600)], "#5a5c60")
    for near, far in ((600, 560), (530, 506), (484, 466), (446, 434)):
        scene.polygon([(394, near), (426, near), (420, far), (400, far)], "#e9e6da")
    for x in (140, 560):  # the posts stand beside the road
        scene.box((x, 270, x + 14, 520), fill="#8c9298")
    panel = Canvas(560, 330, "#1c5f46")
    panel.box((6, 6, 554, 324), outline="#ffffff", radius=16)
    panel.box((24, 20, 150, 70), fill="#f2c230", radius=8)
    panel.text((87, 45), road, Ink(30, "#1d1f23", "bold", "mm"))
    for index, entry in enumerate(destinations):
        y = 118 + 80 * index
        _arrow(panel, (56, y), entry["direction"])
        panel.text((110, y), entry["place"], Ink(36, "#ffffff", "bold", "lm"), width=320)
        panel.text((530, y), f"{entry['distance_km']} km", Ink(32, "#ffffff", anchor="rm"))
    slant = rng.randint(-22, 22)
    tilt(scene, panel.image, ((110, 70 + slant), (590, 70 - slant), (590, 352 - slant // 2), (110, 352 + slant // 2)))
    scene.box((688, 300, 698, 540), fill="#8c9298")
    scene.disc((693, 260), 62, fill="#c2281d")
    scene.disc((693, 260), 48, fill="#ffffff")
    scene.text((693, 260), str(limit), Ink(46, face="bold", anchor="mm"), width=84)
    entry_schema = obj(place=text(), distance_km=integer(0, 2000), direction=choice("left", "straight", "right"))
    target: Record = {"road": road, "destinations": destinations, "speed_limit_kmh": limit, "weather": "clear"}
    schema = obj(road=text(), destinations=arr(entry_schema, minItems=1, maxItems=6),
                 speed_limit_kmh=nullable(integer(5, 130)), weather=text("Your impression"))  # fmt: skip
    return Drawn(
        photographed(scene, rng),
        schema,
        rng.choice([
            "Navigation test: what does the sign say about road, places, distances, directions? And the limit?",
            "Read both traffic signs. Destinations from top to bottom.",
        ]),
        target,
        labels(target, ignore={"weather"}),
    )  # fmt: skip


def _arrow(panel: Canvas, at: tuple[int, int], direction: str) -> None:
    x, y = at
    shape = [(0, -26), (22, 0), (9, 0), (9, 26), (-9, 26), (-9, 0), (-22, 0)]
    turned = {"straight": shape, "left": [(b, -a) for a, b in shape], "right": [(-b, a) for a, b in shape]}[direction]
    panel.polygon([(x + dx, y + dy) for dx, dy in turned], "#ffffff")


def bus_stop(rng: Random) -> Drawn:
    stop = f"{rng.choice(STREETS)}"
    minutes = sorted(rng.sample(range(1, 40), 4))
    departures: list[Record] = [
        {
            "line": str(rng.randint(1, 89)),
            "destination": place,
            "due": {"minutes": minute, "delayed": rng.random() < 0.4},
        }
        for place, minute in zip(rng.sample(CITIES, 4), minutes, strict=True)
    ]
    code = f"{rng.randint(1000, 9999)}"
    scene = Canvas(760, 600)
    gradient(scene, (0, 0, 760, 430), "#3c4a63", "#97a3b8")
    for x, top in ((0, 190), (125, 120), (250, 210), (375, 90), (500, 170), (630, 130)):
        scene.box((x, top, x + 130, 440), fill=rng.choice(["#2c3547", "#364156", "#27303f"]))
        for window in range(4):
            scene.box(
                (x + 20, top + 24 + 44 * window, x + 42, top + 46 + 44 * window),
                fill=rng.choice(["#f0d27a", "#46526a"]),
            )
    scene.box((0, 430, 760, 600), fill="#4a4c50")
    scene.box((364, 330, 396, 560), fill="#24282e")
    panel = Canvas(640, 380, "#11151a")
    panel.box((0, 0, 640, 70), fill="#e8b92e")
    panel.text((20, 35), stop, Ink(34, "#11151a", "bold", "lm"), width=440)
    panel.text((620, 35), f"Stop {code}", Ink(26, "#11151a", anchor="rm"))
    for index, entry in enumerate(departures):
        y = 112 + 72 * index
        due = entry["due"]
        panel.text((22, y), entry["line"], Ink(36, "#ffb52e", "mono_bold", "lm"))
        panel.text((100, y), entry["destination"], Ink(33, "#ffb52e", "mono", "lm"), width=250)
        panel.text((360, y), "DELAYED" if due["delayed"] else "", Ink(24, "#ff6a4d", "mono_bold", "lm"))
        panel.text((622, y), f"{due['minutes']} min", Ink(33, "#ffb52e", "mono", "rm"))
    lean = rng.randint(10, 34)
    corners = ((96.0, 60.0 + lean), (680.0, 60.0), (680.0, 400.0), (96.0, 400.0 - lean))
    tilt(scene, panel.image, corners)
    due_schema = obj(minutes=integer(0, 120), delayed=boolean())
    departure_schema = obj(line=text(), destination=text(), due=due_schema)
    target: Record = {"stop": stop, "stop_code": code, "departures": departures}
    return Drawn(
        photographed(scene, rng),
        obj(stop=text(), stop_code=text(pattern="^[0-9]{4}$"), departures=arr(departure_schema, minItems=1)),
        rng.choice([
            "When does the next bus leave, and the ones after it? Line numbers as text.",
            "Read the electronic departure board for a visually impaired passenger.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def plaque(rng: Random) -> Drawn:
    name = person(rng)
    born = rng.randint(1790, 1880)
    role, deed = rng.choice([
        ("clockmaker", "built the tower clock that still strikes the hour"),
        ("botanist", "counted the mosses of this valley for forty years"),
        ("engineer", "drew the first plans of the harbour bridge"),
        ("teacher", "opened a free evening school in this house"),
    ])  # fmt: skip
    years = rng.randint(45, 88)
    target: Record = {
        "name": name,
        "life": {"born": born, "died": born + years},
        "occupation": role,
        "inscription": f"{name} {deed}.",
    }
    scene = Canvas(800, 580, "#a39a8c")
    for row in range(9):
        for column in range(-1, 6):
            left, top = 150 * column + (75 if row % 2 else 0), 66 * row
            shade = rng.choice(["#9c9182", "#a89d8d", "#948a7c", "#b0a595"])
            scene.box((left + 2, top + 2, left + 146, top + 62), fill=shade, radius=5)
    metal, ink = rng.choice([("#6b4f2a", "#f3e2b8"), ("#2c4236", "#e6e2cf"), ("#39414c", "#e9ecef")])
    panel = Canvas(600, 400, metal)
    panel.box((10, 10, 590, 390), outline=ink, radius=14)
    panel.text((300, 74), name, Ink(46, ink, "serif_bold", "mm"), width=540)
    panel.text((300, 128), f"{born} - {born + years}", Ink(34, ink, "serif", "mm"))
    panel.text((300, 178), role.capitalize(), Ink(32, ink, "serif_italic", "mm"))
    panel.line([(120, 212), (480, 212)], ink, 2)
    panel.paragraph((60, 238), target["inscription"], Ink(32, ink, "serif"), 490)
    lean, squeeze = rng.randint(-20, 20), rng.randint(10, 46)
    corners = (
        (110.0, 70.0 + lean + squeeze),
        (690.0, 70.0 - lean),
        (690.0, 500.0 - lean),
        (110.0, 500.0 + lean - squeeze),
    )
    tilt(scene, panel.image, corners)
    schema = obj(name=text(), life=obj(born=integer(1000, 2031), died=nullable(integer(1000, 2031))),
                 occupation=text(), inscription=text("The running text beneath the rule, word for word"))  # fmt: skip
    return Drawn(
        photographed(scene, rng),
        schema,
        rng.choice(
            ["Whom does this plaque honour?", "Add the memorial to our city register, with the inscription in full."]
        ),
        target,
        labels(target, fuzzy={"inscription"}),
    )


KINDS: dict[str, Kind] = {
    "street": street,
    "road_sign": road_sign,
    "bus_stop": bus_stop,
    "plaque": plaque,
}
