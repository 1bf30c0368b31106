"""Domain ui: windows of desktop programs that do not exist."""

from random import Random

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink
from sobench_metrics.data.sample_maker.drawn import (
    Drawn,
    Kind,
    Record,
    arr,
    choice,
    integer,
    labels,
    number,
    obj,
    text,
)
from sobench_metrics.data.sample_maker.words import FIRST_NAMES, PALETTES, clock

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


def week_planner(rng: Random) -> Drawn:
    titles = {"Budget review": "work", "Dentist": "health", "Team meeting": "work", "Piano lesson": "family",
              "Call with Ada": "family", "Site visit": "work", "Yoga": "health", "Draft report": "work",
              "Parents' meeting": "family", "Eye test": "health", "Swimming": "health",
              "Zoo trip": "family"}  # fmt: skip
    pending = rng.sample(sorted(titles), len(titles))
    calendars = {"work": "#5b8def", "family": "#e2884b", "health": "#57a773"}
    days: list[Record] = []
    for day in _WEEKDAYS:
        starts = sorted(rng.sample([9, 11, 13, 15], rng.randint(1, 2)))
        events = [
            {
                "title": (title := pending.pop()),
                "calendar": titles[title],
                "time": {
                    "start": f"{start:02d}:{(minute := rng.choice([0, 30])):02d}",
                    "end": f"{start + 1:02d}:{minute:02d}",
                },
            }
            for start in starts
        ]
        days.append({"day": day, "events": events})
    canvas = Canvas(900, 600)
    week = rng.randint(2, 51)
    canvas.text((20, 16), f"Week {week}", Ink(26, face="bold"))
    for index, (name, colour) in enumerate(calendars.items()):
        canvas.box((560 + 112 * index, 22, 578 + 112 * index, 40), fill=colour, radius=4)
        canvas.text((586 + 112 * index, 31), name, Ink(17, anchor="lm"))
    for hour in range(9, 18):
        y = 104 + 54 * (hour - 9)
        canvas.line([(64, y), (900, y)], "#e3e6ea")
        canvas.text((56, y), f"{hour:02d}:00", Ink(14, _GREY, anchor="rm"))
    for index, entry in enumerate(days):
        left = 68 + 166 * index
        canvas.text((left + 83, 76), entry["day"], Ink(17, face="bold", anchor="mm"))
        canvas.line([(left, 92), (left, 590)], "#c8ccd2")
        for event in entry["events"]:
            hour, minute = (int(part) for part in event["time"]["start"].split(":"))
            top = 104 + 54 * (hour - 9) + 54 * minute / 60
            canvas.box((left + 4, top + 1, left + 160, top + 53), fill=calendars[event["calendar"]], radius=6)
            canvas.text((left + 12, top + 6), event["title"], Ink(15, "#ffffff", "bold"), width=144)
            canvas.text((left + 12, top + 29), f"{event['time']['start']} - {event['time']['end']}", Ink(14, "#ffffff"))
    event_schema = obj(title=text(), calendar=choice("work", "family", "health"), time=obj(start=text(), end=text()))
    schema = obj(
        week=integer(1, 53), days=arr(obj(day=choice(*_WEEKDAYS), events=arr(event_schema)), minItems=5, maxItems=5)
    )
    target: Record = {"week": week, "days": days}
    return Drawn(
        canvas.image,
        schema,
        rng.choice([
            "Export this week. Events of each day in order of time; the colour tells the calendar.",
            "Give me a day-by-day agenda of the week shown, including which calendar every entry belongs to.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def files(rng: Random) -> Drawn:
    folders = ["Invoices", "Holiday", "Drafts", "Scans", "Recipes", "Backups"]
    names = ["letter.txt", "roof.jpg", "plan_b.pdf", "song.mp3", "table.csv", "notes.md", "scan_07.pdf", "cat.png",
             "tax.pdf", "menu.txt", "walk.gpx", "logo.svg", "budget.csv", "readme.md"]  # fmt: skip
    rng.shuffle(folders)
    rng.shuffle(names)
    drives: list[Record] = [
        {
            "name": drive,
            "folders": [
                {
                    "name": folders.pop(),
                    "files": [
                        {"name": (name := names.pop()), "size": _file_size(name, rng)} for _ in range(rng.randint(2, 3))
                    ],
                }
                for _ in range(2)
            ],
        }
        for drive in rng.sample(["Home disk", "USB stick", "Cloud", "Camera card"], 2)
    ]
    canvas = Canvas(620, 640)
    canvas.box((0, 0, 620, 46), fill="#39424f")
    canvas.text((18, 23), "Files - tree view", Ink(18, "#ffffff", "bold", "lm"))
    canvas.text((40, 56), "Name", Ink(15, _GREY, "bold"))
    canvas.text((590, 56), "Size", Ink(15, _GREY, "bold", "ra"))
    y = 82
    for drive in drives:
        canvas.box((20, y + 4, 38, y + 20), fill="#6b7280", radius=3)
        canvas.text((48, y + 12), drive["name"], Ink(18, face="bold", anchor="lm"))
        y += 30
        for folder in drive["folders"]:
            canvas.polygon([(60, y + 4), (70, y + 4), (74, y + 8), (84, y + 8), (84, y + 21), (60, y + 21)], "#e0b040")
            canvas.text((94, y + 12), folder["name"], Ink(17, anchor="lm"))
            y += 30
            for file in folder["files"]:
                canvas.box((108, y + 2, 122, y + 20), outline="#8a94a3", radius=2)
                canvas.text((132, y + 12), file["name"], Ink(17, anchor="lm"))
                canvas.text((590, y + 12), f"{file['size']['value']} {file['size']['unit']}", Ink(17, anchor="rm"))
                canvas.line([(20, y + 26), (600, y + 26)], "#eceef1")
                y += 30
    size = obj(value=number(0), unit=choice("B", "KB", "MB", "GB"))
    folder_schema = obj(name=text(), files=arr(obj(name=text("with its ending"), size=size)))
    target: Record = {"view": "tree", "drives": drives}
    return Drawn(
        canvas.image,
        obj(view=choice("tree", "list", "grid"), drives=arr(obj(name=text(), folders=arr(folder_schema)))),
        rng.choice([
            "Inventory of all drives, folders and files you can see, in that nesting.",
            "I need the listing as data: for each drive its folders, for each folder its files with sizes.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _file_size(name: str, rng: Random) -> Record:
    heavy = name.endswith(("jpg", "mp3", "pdf", "png"))
    return {"value": rng.randint(2, 60), "unit": "MB"} if heavy else {"value": rng.randint(2, 980), "unit": "KB"}


def dashboard(rng: Random) -> Drawn:
    accent, dark, pale = rng.choice(PALETTES)
    measures = [("Orders", 80, 900), ("Visitors", 1200, 9800), ("Refunds", 2, 40), ("New members", 10, 240)]
    tiles: list[Record] = []
    for label, low, high in measures:
        change = rng.choice([-12.5, -8.0, -3.2, 0.0, 1.4, 4.8, 9.5, 15.0])
        trend = "flat" if change == 0 else "up" if change > 0 else "down"
        tiles.append({"label": label, "value": rng.randint(low, high), "change_percent": change, "trend": trend})
    alerts = rng.sample(["Stock of size M is low", "Two payouts wait for approval", "Certificate expires in 9 days",
                         "Backup of last night failed"], 2)  # fmt: skip
    owner = rng.choice(FIRST_NAMES)
    refreshed = clock(rng)
    canvas = Canvas(860, 520, pale)
    canvas.box((0, 0, 860, 70), fill=dark)
    canvas.text((24, 35), f"Hello {owner}", Ink(24, "#ffffff", "bold", "lm"))
    canvas.text((836, 35), f"Refreshed at {refreshed}", Ink(16, "#dfe6ee", anchor="rm"))
    for index, tile in enumerate(tiles):
        left = 24 + 206 * index
        canvas.box((left, 94, left + 194, 264), fill="#ffffff", radius=12)
        canvas.text((left + 16, 110), tile["label"], Ink(18, _GREY))
        canvas.text((left + 16, 146), f"{tile['value']:,}", Ink(36, dark, "bold"))
        colour = {"up": "#1f8a5b", "down": "#b5442e", "flat": "#6b7280"}[tile["trend"]]
        arrow = {"up": "▲", "down": "▼", "flat": "="}[tile["trend"]]
        canvas.text((left + 16, 216), f"{arrow} {tile['change_percent']:+.1f}%", Ink(19, colour, "bold"))
    canvas.text((24, 290), "Alerts", Ink(20, dark, "bold"))
    for index, alert in enumerate(alerts):
        top = 326 + 82 * index
        canvas.box((24, top, 836, top + 68), fill="#ffffff", radius=10)
        canvas.box((24, top, 34, top + 68), fill=accent, radius=4)
        canvas.text((54, top + 34), alert, Ink(20, anchor="lm"))
    tile_schema = obj(
        label=text(), value=integer(0), change_percent=number(-100, 100), trend=choice("up", "down", "flat")
    )
    target: Record = {"greeted_user": owner, "refreshed_at": refreshed, "tiles": tiles, "alerts": alerts,
              "colour_scheme": accent}  # fmt: skip
    schema = obj(greeted_user=text(), refreshed_at=text(), tiles=arr(tile_schema, minItems=1), alerts=arr(text()),
                 colour_scheme=text("Your impression of the main colour"))  # fmt: skip
    return Drawn(
        canvas.image,
        schema,
        rng.choice([
            "Read the dashboard for my morning report: every tile with its change, then the alerts.",
            "Please capture all key figures and warnings on this page, left to right, top to bottom.",
        ]),
        target,
        labels(target, fuzzy={"alerts"}, ignore={"colour_scheme"}),
    )  # fmt: skip


KINDS: dict[str, Kind] = {
    "week_planner": week_planner,
    "files": files,
    "dashboard": dashboard,
}
