"""Domain natural: labelled goods and menus in drawn rooms and markets, through a little blur and noise."""

from random import Random

from PIL import Image

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, gradient, photographed, tilt
from sobench_metrics.data.sample_maker.drawn import (
    Drawn,
    Kind,
    Record,
    Schema,
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
from sobench_metrics.data.sample_maker.words import LAST_NAMES, PALETTES

__all__ = ["KINDS"]

_SOLD_BY = {"Apples": ("kg",), "Carrots": ("kg", "bunch"), "Leeks": ("piece", "bunch"), "Plums": ("kg",),
            "Lemons": ("kg", "piece"), "Onions": ("kg",),
            "Cabbage": ("kg", "piece"), "Beets": ("kg", "bunch")}  # fmt: skip
_VEGAN_AT_WILL = frozenset(("Leek soup", "Miso broth", "Pea soup", "Borscht", "Gnocchi", "Dumplings", "Sorbet",
                             "Apple cake", "Rice pudding", "Pancakes"))  # fmt: skip


def shelf(rng: Random) -> Drawn:
    contents = [
        "Plum jam",
        "Pickles",
        "Honey",
        "Red lentils",
        "Oregano",
        "Sea salt",
        "Walnuts",
        "Barley",
        "Chutney",
        "Beetroot",
    ]
    rng.shuffle(contents)
    fills = {"Plum jam": "#5a2140", "Pickles": "#7c9048", "Honey": "#d89a27", "Red lentils": "#cf6a3a",
             "Oregano": "#6a7a4a", "Sea salt": "#dfe2e4", "Walnuts": "#9a6f45", "Barley": "#d8c08a",
             "Chutney": "#a8562a", "Beetroot": "#7a1f3d"}  # fmt: skip
    shelves: list[Record] = [
        {
            "level": level,
            "jars": [
                {
                    "content": contents.pop(),
                    "weight_g": rng.choice([120, 250, 340, 500, 750]),
                    "year": rng.randint(2029, 2033),
                }
                for _ in range(3)
            ],
        }
        for level in ("top", "middle", "bottom")
    ]
    scene = Canvas(720, 780, "#d7c7ad")
    gradient(scene, (0, 0, 720, 780), "#cdbb9f", "#a58f70")
    for row, board in enumerate(shelves):
        floor = 240 + 250 * row
        scene.box((20, floor, 700, floor + 22), fill="#6d4a2d")
        scene.box((20, floor + 22, 700, floor + 28), fill="#4d331e")
        for column, jar in enumerate(board["jars"]):
            left = 56 + 216 * column + rng.randint(-12, 12)
            scene.box((left, floor - 176, left + 172, floor), fill=fills[jar["content"]], outline="#f3efe6", radius=22)
            scene.box((left + 10, floor - 204, left + 162, floor - 170), fill="#b9453a", radius=8)
            lean = rng.randint(-7, 7)
            tilt(scene, _jar_label(jar), (
                (left + 12, floor - 146 + lean), (left + 160, floor - 146 - lean),
                (left + 160, floor - 28 - lean), (left + 12, floor - 28 + lean),
            ))  # fmt: skip
    jar_schema = obj(content=text(), weight_g=integer(1, 5000), year=integer(2000, 2099, "The year on the label"))
    target: Record = {"shelves": shelves}
    return Drawn(
        photographed(scene, rng),
        obj(shelves=arr(obj(level=choice("top", "middle", "bottom"), jars=arr(jar_schema)), minItems=3, maxItems=3)),
        rng.choice([
            "Pantry stocktaking: shelf by shelf from the top, jars from left to right.",
            "please write down what is in all these jars, with weight and year",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _jar_label(jar: Record) -> Image.Image:
    label = Canvas(250, 200, "#f7f1e1")
    label.box((6, 6, 244, 194), outline="#8a6b45", radius=10)
    label.text((125, 58), jar["content"], Ink(38, "#3a2a18", "serif_bold", "mm"), width=224)
    label.text((125, 112), f"{jar['weight_g']} g", Ink(36, "#3a2a18", "serif", "mm"))
    label.text((125, 160), str(jar["year"]), Ink(34, "#7a2c1e", "serif_italic", "mm"))
    return label.image


def market(rng: Random) -> Drawn:
    colours = {"Apples": "#b8342c", "Carrots": "#e0812b", "Leeks": "#7d9a57", "Plums": "#5a3a6e", "Lemons": "#e6c93a",
               "Onions": "#b07a4a", "Cabbage": "#9db58a", "Beets": "#7a2546"}  # fmt: skip
    goods: list[Record] = [
        {
            "name": name,
            "price": rng.choice([0.8, 1.2, 1.5, 1.9, 2.4, 2.9, 3.3, 4.5]),
            "per": rng.choice(_SOLD_BY[name]),
            "origin": rng.choice([None, "Dunwell", "Lowton", "Oakham"]),
        }
        for name in rng.sample(sorted(colours), 6)
    ]
    scene = Canvas(820, 620, "#cfd8dc")
    gradient(scene, (0, 0, 820, 200), "#a8c4da", "#e8eef2")
    stripe, _, _ = rng.choice(PALETTES)
    for index in range(10):
        left = 82 * index
        scene.polygon(
            [(left + 20, 30), (left + 80, 30), (left + 82, 120), (left, 120)], stripe if index % 2 == 0 else "#f6f3ec"
        )
    name = f"{rng.choice(LAST_NAMES)}'s Produce"
    banner = Canvas(460, 70, "#fbf7ea")
    banner.text((230, 35), name, Ink(36, "#3a2a18", "serif_bold", "mm"), width=430)
    tilt(scene, banner.image, ((190, 126), (630, 120 + rng.randint(0, 12)), (630, 184), (190, 188)))
    for index, entry in enumerate(goods):
        left, top = 24 + 264 * (index % 3), 214 + 200 * (index // 3)
        scene.box((left, top + 66, left + 244, top + 186), fill="#8a6238")
        for _ in range(70):
            place = (left + 20 + rng.randint(0, 204), top + 84 + rng.randint(0, 84))
            scene.disc(place, 17, fill=colours[entry["name"]], outline="#3b2a1c")
        lean = rng.randint(-8, 8)
        tilt(scene, _price_card(entry), (
            (left + 26, top + lean), (left + 222, top - lean),
            (left + 222, top + 102 - lean), (left + 26, top + 102 + lean),
        ))  # fmt: skip
    good_schema = obj(name=text(), price=number(0, 100), per=choice("kg", "piece", "bunch"),
                      origin=nullable(text("Town after 'from'; null when the card names none")))  # fmt: skip
    target: Record = {"stall": name, "goods": goods}
    return Drawn(
        photographed(scene, rng),
        obj(stall=text("as on the banner"), goods=arr(good_schema, minItems=1)),
        rng.choice([
            "Price survey: what does this stall sell, for how much, per what? Back row first, left to right.",
            "Collect all price cards, upper row from left to right and then the lower row.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _price_card(entry: Record) -> Image.Image:
    card = Canvas(300, 158, "#fffdf3")
    card.box((3, 3, 297, 155), outline="#444444", radius=8)
    card.text((150, 30), entry["name"], Ink(34, "#1d1f23", "bold", "mm"))
    card.text((150, 82), f"{entry['price']:.2f} / {entry['per']}", Ink(36, "#b3261e", "bold", "mm"), width=280)
    card.text((150, 128), f"from {entry['origin']}" if entry["origin"] else "", Ink(28, "#3a4350", "italic", "mm"))
    return card.image


def chalk_menu(rng: Random) -> Drawn:
    dishes = {"Soups": ["Leek soup", "Borscht", "Miso broth", "Pea soup"],
              "Plates": ["Dumplings", "Lamb stew", "Gnocchi", "Fish pie"],
              "Sweets": ["Rice pudding", "Apple cake", "Sorbet", "Pancakes"]}  # fmt: skip
    sections: list[Record] = [
        {
            "heading": heading,
            "dishes": [
                {
                    "name": name,
                    "price": rng.choice([3.5, 4.8, 5.9, 7.2, 8.5, 11.0, 12.4]),
                    "vegan": rng.random() < 0.6 and name in _VEGAN_AT_WILL,
                }
                for name in rng.sample(names, 2)
            ],
        }
        for heading, names in dishes.items()
    ]
    cafe = rng.choice(["Cafe Lantern", "The Tin Spoon", "Bistro Alma", "Mill Kitchen"])
    scene = Canvas(700, 760, "#8e6f52")
    gradient(scene, (0, 0, 700, 760), "#a78563", "#5f4731")
    for x in range(0, 700, 70):
        scene.line([(x, 0), (x, 760)], "#6a4f37", 3)
    panel = Canvas(560, 680, "#26302b")
    panel.box((4, 4, 556, 676), outline="#c7a46b", radius=6)
    panel.text((280, 54), cafe, Ink(44, "#f5f2e6", "serif_italic", "mm"), width=500)
    y = 104
    for section in sections:
        panel.text((40, y), section["heading"], Ink(34, "#ffd873", "bold"))
        for index, dish in enumerate(section["dishes"]):
            name = f"{dish['name']} (V)" if dish["vegan"] else dish["name"]
            panel.text((60, y + 52 + 48 * index), name, Ink(32, "#f5f2e6", "round"), width=370)
            panel.text((520, y + 52 + 48 * index), f"{dish['price']:.2f}", Ink(32, "#f5f2e6", "round", "ra"))
        y += 172
    panel.text((280, 646), "(V) = vegan", Ink(26, "#cfd4c6", "round", "mm"))
    lean = rng.randint(8, 30)
    corners = ((70.0, 34.0), (640.0, 34.0 + lean), (632.0, 730.0 - lean), (60.0, 730.0))
    tilt(scene, panel.image, corners)
    dish_schema: Schema = obj(name=text("without the (V) mark"), price=number(0), vegan=boolean())
    target: Record = {"cafe": cafe, "sections": sections}
    return Drawn(
        photographed(scene, rng),
        obj(cafe=text(), sections=arr(obj(heading=text(), dishes=arr(dish_schema)))),
        rng.choice([
            "I stand in front of this board and want a digital menu, with vegan dishes marked.",
            "Copy the menu: sections, dishes, prices, vegan or not.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


KINDS: dict[str, Kind] = {
    "shelf": shelf,
    "market": market,
    "chalk_menu": chalk_menu,
}
