"""Domain document: trade papers that a scanner might have seen, of firms and people that do not exist."""

from random import Random

from sobench_metrics.data.sample_maker.addresses import ADDRESS, address
from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, scanned
from sobench_metrics.data.sample_maker.drawn import (
    Drawn,
    Kind,
    Record,
    arr,
    choice,
    integer,
    labels,
    nullable,
    number,
    obj,
    text,
)
from sobench_metrics.data.sample_maker.words import (
    CITIES,
    PALETTES,
    clock,
    company,
    date,
    month_date,
    person,
    price,
)

__all__ = ["KINDS"]

_GREY = "#5c6470"


def invoice(rng: Random) -> Drawn:
    accent, dark, pale = rng.choice(PALETTES)
    goods = [
        "Oak board 2 m",
        "Hinge, brass",
        "Wood glue 500 ml",
        "Sanding disc",
        "Dowel set",
        "Screws M5 (100)",
        "Varnish 1 l",
    ]
    lines: list[Record] = []
    for name in rng.sample(goods, rng.randint(3, 5)):
        quantity, unit = rng.randint(1, 12), price(rng, 3, 48)
        lines.append(
            {"description": name, "quantity": quantity, "unit_price": unit, "amount": round(quantity * unit, 2)}
        )
    net = round(sum(line["amount"] for line in lines), 2)
    rate = rng.choice([7, 10, 19, 20])
    vat = round(net * rate / 100, 2)
    target: Record = {
        "invoice_number": f"R-{rng.randint(2000, 9999)}",
        "issue_date": date(rng),
        "seller": {"name": company(rng), "address": address(rng)},
        "buyer": {"name": person(rng), "address": address(rng)},
        "lines": lines,
        "totals": {"net": net, "vat_percent": rate, "vat": vat, "gross": round(net + vat, 2)},
        "payment_note": rng.choice(
            ["Payable within 14 days without deduction.", "Please pay within 30 days of receipt."]
        ),
    }
    canvas = Canvas(720, 900)
    canvas.box((0, 0, 720, 14), fill=accent)
    canvas.text((50, 44), target["seller"]["name"], Ink(26, dark, "bold"), width=380)
    canvas.text((670, 44), "INVOICE", Ink(28, accent, "bold", "ra"))
    _address_block(canvas, (50, 84), target["seller"]["address"])
    canvas.text((670, 88), f"No. {target['invoice_number']}", Ink(17, anchor="ra"))
    canvas.text((670, 114), f"Issued {target['issue_date']}", Ink(17, anchor="ra"))
    canvas.text((50, 176), "Bill to", Ink(15, _GREY, "bold"))
    canvas.text((50, 200), target["buyer"]["name"], Ink(18, face="bold"))
    _address_block(canvas, (50, 228), target["buyer"]["address"])
    canvas.box((50, 320, 670, 356), fill=pale)
    columns = ((60, "la"), (420, "ra"), (540, "ra"), (660, "ra"))
    for (x, anchor), heading in zip(columns, ("Description", "Qty", "Unit price", "Amount"), strict=True):
        canvas.text((x, 329), heading, Ink(16, dark, "bold", anchor))
    for index, line in enumerate(lines):
        y = 372 + 38 * index
        shown = (line["description"], str(line["quantity"]), f"{line['unit_price']:.2f}", f"{line['amount']:.2f}")
        for (x, anchor), word in zip(columns, shown, strict=True):
            canvas.text((x, y), word, Ink(17, anchor=anchor))
        canvas.line([(50, y + 28), (670, y + 28)])
    sums = (("Net", net, "sans"), (f"VAT {rate}%", vat, "sans"), ("Total EUR", target["totals"]["gross"], "bold"))
    for index, (label, amount, face) in enumerate(sums):
        canvas.text((430, 600 + 36 * index), label, Ink(19, face=face))
        canvas.text((660, 600 + 36 * index), f"{amount:.2f}", Ink(19, face=face, anchor="ra"))
    canvas.text((50, 780), target["payment_note"], Ink(17, _GREY, "italic"))
    party = obj(name=text(), address={"$ref": "#/$defs/address"})
    line_schema = obj(description=text(), quantity=integer(1), unit_price=number(0), amount=number(0))
    schema = obj(
        invoice_number=text(), issue_date=text("YYYY-MM-DD", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), seller=party,
        buyer=party, lines=arr(line_schema, minItems=1),
        totals=obj(net=number(0), vat_percent=number(0, 100), vat=number(0), gross=number(0)), payment_note=text(),
    )  # fmt: skip
    return Drawn(
        scanned(canvas, rng),
        {"$defs": {"address": ADDRESS}, **schema},
        rng.choice([
            "Book this invoice: both parties, all lines, all sums.",
            "Extract everything an accounting program needs from the attached invoice. Amounts as plain numbers.",
        ]),
        target,
        labels(target, fuzzy={"payment_note"}),
    )  # fmt: skip


def _address_block(canvas: Canvas, at: tuple[int, int], address: Record) -> None:
    x, y = at
    canvas.text((x, y), address["street"], Ink(16, _GREY))
    canvas.text((x, y + 24), f"{address['postcode']} {address['city']}", Ink(16, _GREY))


def receipt(rng: Random) -> Drawn:
    goods = [
        "Rye bread",
        "Oat milk",
        "Tomatoes",
        "Lentils",
        "Soap bar",
        "Dark choc.",
        "Pears",
        "Matches",
        "Olives",
    ]
    items: list[Record] = []
    for name in rng.sample(goods, rng.randint(4, 6)):
        quantity, unit = rng.choice([1, 1, 1, 2, 3]), price(rng, 1, 9)
        items.append({"name": name, "quantity": quantity, "line_total": round(quantity * unit, 2)})
    total = round(sum(item["line_total"] for item in items), 2)
    cash = rng.random() < 0.5
    given = float((int(total) // 10 + 1) * 10)
    target: Record = {
        "store": rng.choice(["CORNER PANTRY", "GREEN BASKET", "MARKET HALL 7", "THE LARDER"]),
        "branch_city": rng.choice(CITIES),
        "date": date(rng),
        "time": clock(rng),
        "items": items,
        "total": total,
        "paid_with": "cash" if cash else "card",
        "change": round(given - total, 2) if cash else None,
    }
    canvas = Canvas(400, 320 + 34 * len(items) + 150, "#fbfaf5")
    canvas.text((200, 46), target["store"], Ink(27, face="mono_bold", anchor="mm"))
    canvas.text((200, 80), target["branch_city"], Ink(18, face="mono", anchor="mm"))
    canvas.text((24, 116), target["date"], Ink(18, face="mono"))
    canvas.text((376, 116), target["time"], Ink(18, face="mono", anchor="ra"))
    canvas.text((200, 160), "- " * 17, Ink(18, face="mono", anchor="mm"))
    y = 184
    for item in items:
        canvas.text((24, y), f"{item['quantity']} x {item['name']}", Ink(19, face="mono"))
        canvas.text((376, y), f"{item['line_total']:.2f}", Ink(19, face="mono", anchor="ra"))
        y += 34
    canvas.text((200, y + 10), "- " * 17, Ink(18, face="mono", anchor="mm"))
    canvas.text((24, y + 32), "TOTAL", Ink(25, face="mono_bold"))
    canvas.text((376, y + 32), f"{total:.2f}", Ink(25, face="mono_bold", anchor="ra"))
    payment = [("CASH", f"{given:.2f}"), ("CHANGE", f"{given - total:.2f}")] if cash else [("CARD", f"{total:.2f}")]
    for index, (label, amount) in enumerate(payment):
        canvas.text((24, y + 80 + 32 * index), label, Ink(19, face="mono"))
        canvas.text((376, y + 80 + 32 * index), amount, Ink(19, face="mono", anchor="ra"))
    canvas.text((200, y + 180), "Thank you - see you soon", Ink(17, face="mono", anchor="mm"))
    item_schema = obj(name=text(), quantity=integer(1), line_total=number(0))
    schema = obj(store=text(), branch_city=text(), date=text(), time=text(), items=arr(item_schema, minItems=1),
                 total=number(0), paid_with=choice("cash", "card", "voucher"),
                 change=nullable(number(0, description="null when nothing was handed back")))  # fmt: skip
    return Drawn(
        scanned(canvas, rng),
        schema,
        rng.choice(["Expense claim: read this till slip.", "what did i buy and how much was it, item by item"]),
        target,
        labels(target),
    )


def timetable(rng: Random) -> Drawn:
    stations = rng.sample(CITIES, 5)
    directions: list[Record] = []
    for order in (stations, stations[::-1]):
        trains: list[Record] = []
        for _ in range(3):
            minute = rng.randint(6, 20) * 60 + rng.randrange(0, 60)
            stops: list[Record] = []
            for station in order:
                stops.append({"station": station, "departs": f"{minute // 60:02d}:{minute % 60:02d}"})
                minute += rng.randint(7, 24)
            trains.append({"number": rng.randint(1000, 9999), "stops": stops})
        trains.sort(key=lambda train: str(train["stops"][0]["departs"]))
        directions.append({"towards": order[-1], "trains": trains})
    line = f"R{rng.randint(2, 49)}"
    valid = month_date(rng)
    canvas = Canvas(640, 800)
    canvas.box((0, 0, 640, 76), fill="#24364b")
    canvas.text((30, 38), f"Line {line}", Ink(30, "#ffffff", "bold", "lm"))
    canvas.text((610, 38), f"Valid from {valid}", Ink(18, "#ffffff", anchor="rm"))
    for block, direction in enumerate(directions):
        top = 104 + 350 * block
        canvas.text((30, top), f"Towards {direction['towards']}", Ink(21, face="bold"))
        canvas.text((30, top + 46), "Train", Ink(17, _GREY, "bold"))
        for column, train in enumerate(direction["trains"]):
            x = 330 + 130 * column
            canvas.text((x, top + 46), train["number"], Ink(18, face="bold", anchor="ma"))
            for row, stop in enumerate(train["stops"]):
                y = top + 88 + 44 * row
                if column == 0:
                    if row % 2 == 0:
                        canvas.box((20, y - 8, 620, y + 32), fill="#eef2f6")
                    canvas.text((30, y), stop["station"], Ink(18))
                canvas.text((x, y), stop["departs"], Ink(19, face="mono", anchor="ma"))
    stop_schema = obj(station=text(), departs=text("HH:MM"))
    train_schema = obj(number=integer(1), stops=arr(stop_schema, minItems=2))
    target: Record = {"line": line, "valid_from": valid, "directions": directions}
    return Drawn(
        scanned(canvas, rng),
        obj(line=text(), valid_from=text("as printed"), directions=arr(obj(towards=text(), trains=arr(train_schema)))),
        rng.choice([
            "Convert the timetable: per direction, per train, all stops with times.",
            "I want to load this railway timetable into a route planner. Keep trains and stops in printed order.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


KINDS: dict[str, Kind] = {
    "invoice": invoice,
    "receipt": receipt,
    "timetable": timetable,
}
