"""Domain ui: screens of phone apps that do not exist."""

from random import Random

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, gradient
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
from sobench_metrics.data.sample_maker.words import PALETTES, company, person, price

__all__ = ["KINDS"]

_GREY = "#6b7280"
_PREFERENCES = {  # heading: switches, one option and its values
    "Connections": (("Wi-Fi", "Bluetooth", "Hotspot"), "Roaming", ("Never", "Ask", "Always")),
    "Display": (("Night light", "Auto-rotate", "Dark mode"), "Text size", ("Small", "Medium", "Large")),
    "Sound": (("Key sounds", "Vibration", "Do not disturb"), "Ringtone", ("Marimba", "Raindrop", "Old bell")),
    "System": (("Auto-update", "Backups", "Battery saver"), "Language", ("English", "Polski", "Suomi", "Italiano")),
    "Privacy": (("Location", "Camera access", "Crash reports"), "Screen timeout", ("30 s", "2 min", "10 min")),
}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def settings(rng: Random) -> Drawn:
    accent, dark, pale = rng.choice(PALETTES)
    sections: list[Record] = []
    for heading in rng.sample(sorted(_PREFERENCES), 3):
        switches, option, values = _PREFERENCES[heading]
        rows: list[Record] = [
            {"name": name, "control": "switch", "is_on": rng.random() < 0.5, "value": None}
            for name in rng.sample(switches, 2)
        ]
        rows.append({"name": option, "control": "value", "is_on": None, "value": rng.choice(values)})
        rng.shuffle(rows)
        sections.append({"heading": heading, "rows": rows})
    canvas = Canvas(480, 800, pale)
    canvas.box((0, 0, 480, 84), fill=accent)
    canvas.text((24, 42), "Settings", Ink(28, "#ffffff", "bold", "lm"))
    y = 104
    for section in sections:
        canvas.text((28, y), section["heading"], Ink(17, dark, "bold"))
        canvas.box((16, y + 30, 464, y + 30 + 60 * 3), fill="#ffffff", radius=14)
        for index, row in enumerate(section["rows"]):
            middle = y + 60 + 60 * index
            canvas.text((36, middle), row["name"], Ink(20, anchor="lm"))
            if row["control"] == "switch":
                _switch(canvas, (388, middle), accent, on=row["is_on"])
            else:
                canvas.text((446, middle), row["value"], Ink(18, _GREY, anchor="rm"))
        y += 230
    row_schema = obj(
        name=text(),
        control=choice("switch", "value"),
        is_on=nullable(boolean("null when the row is not a switch")),
        value=nullable(text("Shown value; null when the row is a switch")),
    )
    target: Record = {"screen": "Settings", "sections": sections}
    return Drawn(
        canvas.image,
        obj(screen=text(), sections=arr(obj(heading=text(), rows=arr(row_schema, minItems=1)), minItems=1)),
        rng.choice([
            "I'm scripting a UI test. Read the whole screen, section by section, with the state of every switch.",
            "Which options are on, which are off, and what do the others say? Keep the order on screen.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _switch(canvas: Canvas, at: tuple[int, int], accent: str, *, on: bool) -> None:
    x, y = at
    canvas.box((x, y - 15, x + 58, y + 15), fill=accent if on else "#c4c8cf", radius=15)
    canvas.disc((x + (43 if on else 15), y), 12, fill="#ffffff")
    canvas.text((x - 10, y), "On" if on else "Off", Ink(15, _GREY, anchor="rm"))


def chats(rng: Random) -> Drawn:
    accent, dark, _ = rng.choice(PALETTES)
    lines = ["Running ten minutes late, sorry!", "Did you water the tomatoes?", "The keys are under the blue pot",
             "See you at the station then", "Photos from Sunday are uploaded", "Can we move it to Thursday?",
             "Thanks for the soup recipe", "Your parcel is with the neighbour"]  # fmt: skip
    hours = sorted(rng.sample(range(8, 21), 6), reverse=True)
    names = [person(rng) for _ in range(20)]
    items: list[Record] = [
        {
            "contact": name,
            "last_message": message,
            "time": f"{hour:02d}:{rng.randint(0, 59):02d}",
            "unread_count": rng.choice([0, 0, 1, 2, 5, 12]),
            "pinned": index == 0 or (index == 1 and rng.random() < 0.5),
        }
        for index, (name, message, hour) in enumerate(
            zip(dict.fromkeys(names), rng.sample(lines, 6), hours, strict=False)
        )
    ]
    canvas = Canvas(480, 760)
    canvas.box((0, 0, 480, 76), fill=dark)
    title = rng.choice(["Parrot", "Pebble Talk", "Hallo", "Tin Can"])
    canvas.text((22, 38), title, Ink(27, "#ffffff", "bold", "lm"))
    for index, item in enumerate(items):
        top = 84 + 110 * index
        canvas.disc((54, top + 50), 32, fill=rng.choice(["#d97757", "#5b8def", "#57a773", "#a06cd5", "#c9a227"]))
        canvas.text(
            (54, top + 50), "".join(part[0] for part in item["contact"].split()), Ink(20, "#ffffff", "bold", "mm")
        )
        end = 102 + canvas.text((102, top + 20), item["contact"], Ink(20, face="bold"))
        if item["pinned"]:
            canvas.box((end + 12, top + 20, end + 78, top + 44), fill="#ece7d8", radius=6)
            canvas.text((end + 45, top + 32), "Pinned", Ink(13, "#6b5d2e", "bold", "mm"))
        canvas.text((460, top + 22), item["time"], Ink(16, _GREY, anchor="ra"))
        canvas.text((102, top + 56), item["last_message"], Ink(17, _GREY), width=300)
        if item["unread_count"]:
            canvas.disc((442, top + 68), 15, fill=accent)
            canvas.text((442, top + 68), item["unread_count"], Ink(15, "#ffffff", "bold", "mm"))
        canvas.line([(102, top + 108), (480, top + 108)])
    chat = obj(contact=text(), last_message=text(), time=text("HH:MM", pattern="^[0-2][0-9]:[0-5][0-9]$"),
               unread_count=integer(0, description="0 when no badge is shown"), pinned=boolean())  # fmt: skip
    target: Record = {"app_title": title, "chats": items}
    return Drawn(
        canvas.image,
        obj(app_title=text(), chats=arr(chat)),
        rng.choice([
            "List all conversations from top to bottom with their unread counters.",
            "my phone died, this is the last screenshot. who wrote what, when, and what have I not read yet?",
        ]),
        target,
        labels(target, fuzzy={"last_message"}),
    )  # fmt: skip


def cart(rng: Random) -> Drawn:
    accent, dark, pale = rng.choice(PALETTES)
    goods = {"Enamel mug": ["Colour: white", "Colour: moss"], "Wool socks": ["Size: M", "Size: L"],
             "Desk lamp": ["Bulb: warm", "Bulb: cool"], "Notebook A5": ["Ruling: dots", "Ruling: lines"],
             "Garden gloves": ["Size: 8", "Size: 9"], "Rain cover": ["Volume: 20 l", "Volume: 35 l"]}  # fmt: skip
    currency, sign = rng.choice([("EUR", "€"), ("GBP", "£"), ("USD", "$")])
    items: list[Record] = [
        {
            "product": name,
            "option": rng.choice(goods[name]) if rng.random() < 0.75 else None,
            "quantity": rng.randint(1, 4),
            "unit_price": {"amount": price(rng, 4, 32), "currency": currency},
        }
        for name in rng.sample(sorted(goods), 4)
    ]
    subtotal = round(sum(item["quantity"] * item["unit_price"]["amount"] for item in items), 2)
    shipping = rng.choice([0.0, 3.95, 5.5])
    summary: Record = {
        name: {"amount": round(amount, 2), "currency": currency}
        for name, amount in (("subtotal", subtotal), ("shipping", shipping), ("total", subtotal + shipping))
    }
    canvas = Canvas(520, 760, pale)
    shop = company(rng)
    canvas.text((26, 24), "Your cart", Ink(30, dark, "bold"))
    canvas.text((26, 66), f"at {shop}", Ink(17, _GREY))
    for index, item in enumerate(items):
        top = 106 + 106 * index
        canvas.box((18, top, 502, top + 94), fill="#ffffff", radius=12)
        canvas.box((32, top + 15, 96, top + 79), fill=accent, radius=10)
        canvas.text((64, top + 47), item["product"][0], Ink(32, "#ffffff", "bold", "mm"))
        canvas.text((114, top + 16), item["product"], Ink(20, face="bold"), width=230)
        canvas.text((114, top + 54), item["option"] or "", Ink(16, _GREY))
        canvas.text((484, top + 16), f"{sign}{item['unit_price']['amount']:.2f} each", Ink(18, anchor="ra"))
        canvas.text((484, top + 54), f"Qty {item['quantity']}", Ink(18, dark, "bold", "ra"))
    for index, (name, money) in enumerate(summary.items()):
        ink = Ink(20 if name != "total" else 25, dark, "bold" if name == "total" else "sans")
        shown = "Free" if money["amount"] == 0 else f"{sign}{money['amount']:.2f}"
        canvas.text((30, 546 + 40 * index), name.capitalize(), ink)
        canvas.text((490, 546 + 40 * index), shown, ink.at("ra"))
    canvas.box((18, 684, 502, 742), fill=accent, radius=14)
    canvas.text((260, 713), "Proceed to checkout", Ink(22, "#ffffff", "bold", "mm"))
    money_schema = obj(amount=number(0, description="Free counts as 0"), currency=choice("EUR", "GBP", "USD"))
    here = {"$ref": "#/$defs/money"}
    item_schema = obj(product=text(), option=nullable(text("As printed, such as 'Size: M'; null when none is shown")),
                      quantity=integer(1, 99), unit_price=here)  # fmt: skip
    schema = obj(shop=text(), items=arr(item_schema, minItems=1), summary=obj(subtotal=here, shipping=here, total=here))
    target: Record = {"shop": shop, "items": items, "summary": summary}
    return Drawn(
        canvas.image,
        {"$defs": {"money": money_schema}, **schema},
        rng.choice([
            "Turn this basket into an order draft: products, options, quantities, unit prices and the three sums.",
            "What would I be paying for, please? Prices per piece, not per line.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def player(rng: Random) -> Drawn:
    accent, dark, _ = rng.choice(PALETTES)
    length = rng.randint(150, 330)
    elapsed = rng.randint(20, length - 20)
    volume = rng.randrange(10, 100, 10)
    target: Record = {
        "track": rng.choice(["Paper Lanterns", "Low Tide", "Second Breakfast", "Copper Wire", "North of Here"]),
        "artist": rng.choice(["The Quiet Ferns", "Mara Holm", "Attic Radio", "Los Faroles"]),
        "album": rng.choice(["Postcards", "Field Notes", "Seven Rooms", "Daylight Saving"]),
        "elapsed": f"{elapsed // 60}:{elapsed % 60:02d}",
        "length": f"{length // 60}:{length % 60:02d}",
        "playing": rng.random() < 0.5,
        "shuffle_on": rng.random() < 0.5,
        "repeat": rng.choice(["off", "all", "one"]),
        "volume_percent": volume,
    }
    canvas = Canvas(460, 800, dark)
    gradient(canvas, (60, 60, 400, 380), accent, dark)
    for ring in range(4):
        canvas.disc((230, 220), 40 + 30 * ring, outline="#ffffff")
    white, faint = "#ffffff", "#c9d2dd"
    canvas.text((230, 424), target["track"], Ink(30, white, "bold", "mm"), width=420)
    canvas.text((230, 466), target["artist"], Ink(20, faint, anchor="mm"))
    canvas.text((230, 496), f"from {target['album']}", Ink(17, faint, "italic", "mm"))
    canvas.box((40, 540, 420, 546), fill="#5d6b7d", radius=3)
    canvas.box((40, 540, 40 + 380 * elapsed / length, 546), fill=white, radius=3)
    canvas.text((40, 560), target["elapsed"], Ink(16, faint))
    canvas.text((420, 560), target["length"], Ink(16, faint, anchor="ra"))
    canvas.disc((230, 640), 40, fill=white)
    if target["playing"]:  # a playing app offers "pause"
        canvas.box((214, 620, 224, 660), fill=dark)
        canvas.box((236, 620, 246, 660), fill=dark)
    else:
        canvas.polygon([(218, 618), (218, 662), (254, 640)], dark)
    canvas.text((40, 640), f"Shuffle: {'on' if target['shuffle_on'] else 'off'}", Ink(17, white, anchor="lm"))
    canvas.text((420, 640), f"Repeat: {target['repeat']}", Ink(17, white, anchor="rm"))
    canvas.text((40, 740), "Volume", Ink(17, faint, anchor="lm"))
    canvas.box((120, 736, 350, 744), fill="#5d6b7d", radius=4)
    canvas.box((120, 736, 120 + 230 * volume / 100, 744), fill=white, radius=4)
    canvas.text((420, 740), f"{volume}%", Ink(17, white, anchor="rm"))
    schema = obj(
        track=text(), artist=text(), album=text(), elapsed=text("m:ss"), length=text("m:ss"),
        playing=boolean("true when the round button shows the pause bars, false when it shows the play triangle"),
        shuffle_on=boolean(), repeat=choice("off", "all", "one"), volume_percent=integer(0, 100),
    )  # fmt: skip
    return Drawn(
        canvas.image,
        schema,
        rng.choice(["Now-playing info for my status bar, please.", "Describe the state of this music player."]),
        target,
        labels(target),
    )


KINDS: dict[str, Kind] = {
    "settings": settings,
    "chats": chats,
    "cart": cart,
    "player": player,
}
