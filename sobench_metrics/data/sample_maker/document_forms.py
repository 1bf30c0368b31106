"""Domain document: cards, letters and filled-in forms, of clubs and people that do not exist."""

from random import Random

from sobench_metrics.data.sample_maker.addresses import ADDRESS, address
from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, scanned
from sobench_metrics.data.sample_maker.drawn import (
    Drawn,
    Kind,
    Record,
    arr,
    boolean,
    choice,
    labels,
    nullable,
    obj,
    text,
)
from sobench_metrics.data.sample_maker.words import (
    CITIES,
    PALETTES,
    date,
    month_date,
    person,
)

__all__ = ["KINDS"]

_GREY = "#5c6470"


def member_card(rng: Random) -> Drawn:
    accent, dark, pale = rng.choice(PALETTES)
    holder = person(rng)
    club = rng.choice(["Tarnside Rowing Club", "Harwick Public Library", "Fernley Climbing Hall"])
    role = rng.choice(["Member", "Coach", "Guest", "Volunteer"])
    target: Record = {
        "issuer": club,
        "holder": {"name": holder, "date_of_birth": date(rng, rng.randint(1961, 2015)), "role": role.lower()},
        "card_number": f"{rng.randint(100, 999)} {rng.randint(100, 999)} {rng.randint(100, 999)}",
        "valid_until": f"{rng.randint(1, 12):02d}/{rng.randint(2031, 2036)}",
        "portrait": "A drawn head and shoulders in front of a plain ground",
    }
    canvas = Canvas(680, 430, "#d9d6cf")
    canvas.box((20, 20, 660, 410), fill=pale, outline=dark, radius=24)
    canvas.box((22, 22, 658, 120), fill=accent, radius=22)
    canvas.box((22, 100, 658, 124), fill=pale)
    canvas.text((46, 60), club, Ink(28, "#ffffff", "bold", "lm"), width=590)
    canvas.box((46, 124, 216, 340), fill="#ffffff", outline=dark, radius=8)
    canvas.disc((131, 200), 42, fill=rng.choice(["#e3b98f", "#b98258", "#8a5a3a", "#f0cfae"]))
    canvas.box((75, 256, 187, 338), fill=dark, radius=30)
    rows = (
        ("Name", holder),
        ("Born", target["holder"]["date_of_birth"]),
        ("Status", role),
        ("Valid until", target["valid_until"]),
    )
    for index, (label, value) in enumerate(rows):
        canvas.text((250, 126 + 56 * index), label, Ink(14, _GREY))
        canvas.text((250, 144 + 56 * index), value, Ink(22, face="bold"), width=390)
    canvas.text((250, 362), f"No. {target['card_number']}", Ink(24, dark, "mono_bold"))
    schema = obj(
        issuer=text(),
        holder=obj(name=text(), date_of_birth=text(), role=choice("member", "coach", "guest", "volunteer")),
        card_number=text("digits in groups of three"),
        valid_until=text("MM/YYYY"),
        portrait=text("Describe the portrait"),
    )  # fmt: skip
    return Drawn(
        scanned(canvas, rng),
        schema,
        rng.choice(["Check-in desk: read the card of this visitor.", "Fill our membership record from the card."]),
        target,
        labels(target, ignore={"portrait"}),
    )


_UMBRELLA = (
    "we have found a green umbrella with a wooden handle in reading room 3. It is kept at the front desk until the end "
    "of the month. Please bring this letter when you collect it."
)
_CONCERT = (
    "thank you for offering your piano. The concert begins at half past six, and the tuner will come at noon. If it "
    "rains we move to the old chapel next door."
)
_METER = (
    "our colleague could not reach you on Tuesday. Please read the meter in your cellar yourself and send us the five "
    "black digits. The red digits are not needed."
)


def letter(rng: Random) -> Drawn:
    sender, receiver = person(rng), person(rng)
    place = rng.choice(CITIES)
    topic, body = rng.choice([
        ("Your lost umbrella", _UMBRELLA), ("Concert on the terrace", _CONCERT), ("Water meter reading", _METER),
    ])  # fmt: skip
    enclosures = rng.sample(["Map of the site", "Return envelope", "Price list", "Form B"], rng.randint(1, 3))
    target: Record = {
        "sender": {"name": sender, "city": place},
        "recipient": {"name": receiver, "address": address(rng)},
        "date": month_date(rng),
        "subject": topic,
        "first_sentence": body.split(".")[0] + ".",
        "enclosures": enclosures,
        "tone": "polite",
    }
    canvas = Canvas(700, 860, "#fdfcf8")
    canvas.text((630, 60), sender, Ink(21, face="serif_bold", anchor="ra"))
    canvas.text((630, 92), f"{place}, {target['date']}", Ink(18, face="serif", anchor="ra"))
    canvas.text((70, 160), receiver, Ink(19, face="serif"))
    home = target["recipient"]["address"]
    canvas.text((70, 188), home["street"], Ink(19, face="serif"))
    canvas.text((70, 216), f"{home['postcode']} {home['city']}", Ink(19, face="serif"))
    canvas.text((70, 300), topic, Ink(23, face="serif_bold"))
    canvas.text((70, 352), f"Dear {receiver},", Ink(20, face="serif"))
    bottom = canvas.paragraph((70, 394), body, Ink(20, face="serif"), 560)
    canvas.text((70, bottom + 24), "With kind regards", Ink(20, face="serif"))
    canvas.text((70, bottom + 70), sender, Ink(30, "#27408b", "serif_italic"))
    canvas.text((70, 770), "Enclosed: " + "; ".join(enclosures), Ink(17, face="serif"), width=570)
    schema = obj(
        sender=obj(name=text(), city=text()),
        recipient=obj(name=text(), address=ADDRESS),
        date=text("as printed, without the place"), subject=text("The bold line above the salutation"),
        first_sentence=text("First sentence after the salutation, word for word"),
        enclosures=arr(text(), uniqueItems=True), tone=choice("polite", "angry", "joking", "neutral"),
    )  # fmt: skip
    return Drawn(
        scanned(canvas, rng),
        schema,
        rng.choice([
            "Index this letter for our archive.",
            "Who writes to whom, when and about what? Quote the opening sentence and list what came with the letter.",
        ]),
        target,
        labels(target, fuzzy={"first_sentence"}, ignore={"tone"}),
    )  # fmt: skip


def course_form(rng: Random) -> Drawn:
    names = ["Pottery", "Bookbinding", "Sourdough", "Life drawing", "Bike repair", "Bee keeping", "Choir"]
    courses: list[Record] = [
        {"code": f"{letter_}{rng.randint(10, 99)}", "title": title, "chosen": rng.random() < 0.45}
        for letter_, title in zip("ABCDE", rng.sample(names, 5), strict=True)
    ]
    courses[rng.randrange(5)]["chosen"] = True
    phone = f"0{rng.randint(300, 899)} {rng.randint(10000, 99999)}" if rng.random() < 0.5 else None
    target: Record = {
        "form_id": f"F-{rng.randint(100, 999)}",
        "applicant": {"name": person(rng), "phone": phone, "address": address(rng)},
        "courses": courses,
        "newsletter": rng.random() < 0.5,
        "signed": rng.random() < 0.5,
    }
    canvas = Canvas(700, 880)
    canvas.text((50, 46), "Course registration", Ink(30, face="bold"))
    canvas.text((650, 54), f"Form {target['form_id']}", Ink(16, _GREY, anchor="ra"))
    home = target["applicant"]["address"]
    entries = (("Name", target["applicant"]["name"]), ("Phone", phone or ""), ("Street", home["street"]),
               ("Postcode", home["postcode"]), ("City", home["city"]))  # fmt: skip
    for index, (label, value) in enumerate(entries):
        y = 120 + 62 * index
        canvas.text((50, y), label, Ink(17, _GREY))
        canvas.box((180, y - 12, 650, y + 34), outline="#8a94a3")
        canvas.text((196, y + 11), value, Ink(23, "#1d3fa5", "italic", "lm"))
    canvas.text((50, 446), "I register for (tick):", Ink(19, face="bold"))
    for index, course in enumerate(courses):
        y = 490 + 46 * index
        _tick(canvas, (60, y), on=bool(course["chosen"]))
        canvas.text((108, y + 14), f"{course['code']}  {course['title']}", Ink(19, anchor="lm"))
    _tick(canvas, (60, 738), on=target["newsletter"])
    canvas.text((108, 752), "Send me the newsletter", Ink(18, anchor="lm"))
    canvas.line([(380, 832), (650, 832)], "#3a4350", 2)
    canvas.text((380, 840), "Signature", Ink(14, _GREY))
    if target["signed"]:
        canvas.text((400, 822), target["applicant"]["name"], Ink(32, "#1d3fa5", "serif_italic", "ls"), width=240)
    course_schema = obj(code=text(pattern="^[A-Z][0-9]{2}$"), title=text(), chosen=boolean())
    schema = obj(form_id=text(), applicant=obj(name=text(), phone=nullable(text()), address=ADDRESS),
                 courses=arr(course_schema, minItems=1), newsletter=boolean(), signed=boolean())  # fmt: skip
    return Drawn(
        scanned(canvas, rng),
        schema,
        rng.choice([
            "Digitise the filled-in form. List all five courses and say which are ticked.",
            "Transcribe the registration; leave the phone null when the box is empty, and tell whether it is signed.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _tick(canvas: Canvas, at: tuple[int, int], *, on: bool) -> None:
    x, y = at
    canvas.box((x, y, x + 28, y + 28), outline="#3a4350")
    if on:
        canvas.line([(x + 4, y + 14), (x + 12, y + 23), (x + 32, y - 4)], "#1d3fa5", 5)


def inspection(rng: Random) -> Drawn:
    checks = {"Smoke alarm": ("dusty", "battery flat"), "Window locks": ("stiff handle", "one lock missing"),
              "Lighting": ("one lamp flickers", "no light at all"), "Fire door": ("worn seal", "does not close"),
              "Extinguisher": ("due soon", "pressure too low"), "Heating": ("noisy valve", "stays cold")}  # fmt: skip
    floors: list[Record] = []
    numbers = rng.sample(range(1, 30), 4)
    for floor in ("Ground floor", "First floor"):
        rooms: list[Record] = []
        for room in (numbers.pop(), numbers.pop()):
            done: list[Record] = []
            for item in rng.sample(sorted(checks), rng.randint(2, 3)):
                status = rng.choice(["ok", "ok", "watch", "fail"])
                remark = {"ok": None, "watch": checks[item][0], "fail": checks[item][1]}[status]
                done.append({"item": item, "result": {"status": status, "remark": remark}})
            rooms.append({"room": f"Room {room}", "checks": done})
        floors.append({"floor": floor, "rooms": rooms})
    target: Record = {"building": f"{rng.choice(CITIES)} School", "inspector": person(rng), "floors": floors}
    canvas = Canvas(680, 860)
    canvas.text((40, 36), "Inspection sheet", Ink(28, face="serif_bold"))
    canvas.text((40, 84), f"Building: {target['building']}", Ink(18, face="serif"))
    canvas.text((640, 84), f"Inspector: {target['inspector']}", Ink(18, face="serif", anchor="ra"))
    y = 130
    for floor_entry in floors:
        canvas.box((30, y, 650, y + 36), fill="#33414e")
        canvas.text((44, y + 18), floor_entry["floor"], Ink(18, "#ffffff", "bold", "lm"))
        y += 46
        for room_entry in floor_entry["rooms"]:
            canvas.text((44, y), room_entry["room"], Ink(18, face="bold"))
            for check in room_entry["checks"]:
                canvas.text((180, y), check["item"], Ink(18))
                colour = {"ok": "#1f7a4d", "watch": "#a86a00", "fail": "#b3261e"}[check["result"]["status"]]
                canvas.text((360, y), check["result"]["status"].upper(), Ink(18, colour, "bold"))
                canvas.text((456, y), check["result"]["remark"] or "", Ink(17, _GREY, "italic"))
                canvas.line([(180, y + 26), (650, y + 26)], "#e1e4e8")
                y += 32
            y += 12
        y += 10
    result = obj(status=choice("ok", "watch", "fail"), remark=nullable(text("null when nothing is written")))
    room_schema = obj(room=text("as printed, such as 'Room 4'"), checks=arr(obj(item=text(), result=result)))
    schema = obj(building=text(), inspector=text(), floors=arr(obj(floor=text(), rooms=arr(room_schema))))
    return Drawn(
        scanned(canvas, rng),
        schema,
        rng.choice([
            "Structure the inspection sheet by floor, room and check, with status and remark.",
            "Our maintenance system wants every check result, grouped the way the sheet groups them.",
        ]),
        target,
        labels(target, fuzzy={"remark"}),
    )  # fmt: skip


KINDS: dict[str, Kind] = {
    "member_card": member_card,
    "letter": letter,
    "course_form": course_form,
    "inspection": inspection,
}
