"""What the IFStruct-like rows ask for: twelve kinds of thing, none of which the real set has."""

from dataclasses import dataclass
from typing import Any

from sobench_metrics.data.sample_maker.drawn import Schema, boolean, choice, integer, number, text

__all__ = ["ENTITY_TYPES", "EntityType", "record_of"]


@dataclass(frozen=True, slots=True)
class EntityType:
    """A kind of thing with more fields than one row uses.

    `fields` maps a name to its schema; a row takes the `core` ones and a drawn few of the others.
    `demands` is said about long texts: they are what makes quoting and escaping hard.
    """

    name: str
    plural: str
    topics: tuple[str, ...]
    sources: tuple[str, ...]
    coherence: str
    core: tuple[str, ...]
    fields: dict[str, Schema]
    demands: tuple[str, ...] = ()

    @property
    def entity_type(self) -> str:
        return f"sample__escaping__{self.name}" if self.demands else f"sample__{self.name}"


def _several(items: Schema, low: int, high: int) -> Schema:
    return {"type": "array", "items": items, "minItems": low, "maxItems": high}


def _record(**properties: Schema) -> Schema:
    """Return an object schema; a property marked `x-optional` is left out of `required`."""
    required = [name for name, schema in properties.items() if not schema.get("x-optional")]
    return {"type": "object", "properties": properties, "required": required}


def _optional(schema: Schema) -> Schema:
    return {**schema, "x-optional": True}


def _one_of(*values: float) -> Schema:
    kind = "integer" if all(isinstance(value, int) for value in values) else "number"
    return {"type": kind, "enum": list(values)}


_GARDEN = EntityType(
    "garden_plot_plan", "garden plot plans",
    ("a shady backyard", "a school allotment", "a rooftop with large tubs", "a dry slope by the sea"),
    ("a gardener's winter notebook", "a seed shop's planning sheet"),
    "Sowing months, distances and bed sizes should make sense together.",
    ("plot_name", "soil", "beds"),
    {
        "plot_name": text("Short name, two to four words"),
        "area_sqm": number(1, 400),
        "soil": choice("clay", "sand", "loam", "peat", "mixed"),
        "sun_hours": integer(1, 14),
        "fenced": boolean(),
        "beds": _several(_record(crop=text("Common name of one crop"), sow_month=integer(1, 12),
                                 row_gap_cm=integer(5, 90),
                                 companion=_optional(text("A second crop in the same bed"))), 2, 4),
        "water": _record(method=choice("can", "hose", "drip", "rain_only"), litres_per_week=integer(0, 900)),
    },
)  # fmt: skip

_LOAN = EntityType(
    "museum_loan", "museum loans",
    ("a show about early clocks", "a touring textile exhibition", "a small-town fossil room"),
    ("a registrar's loan file", "a courier's condition folder"),
    "Insurance values, dates and crate sizes should fit the objects.",
    ("object_title", "lender", "condition"),
    {
        "object_title": text("Title of the lent object"),
        "lender": text("Institution or person"),
        "insured_value_eur": integer(100, 5000000),
        "loan_weeks": integer(2, 104),
        "condition": choice("excellent", "good", "fair", "fragile"),
        "max_lux": _one_of(50, 100, 150, 300),
        "courier_required": boolean(),
        "crate": _record(height_cm=integer(10, 300), width_cm=integer(10, 300), climate_controlled=boolean()),
        "handling_steps": _several(text("One instruction in the imperative"), 3, 5),
    },
)  # fmt: skip

_CHOIR = EntityType(
    "choir_season", "choir seasons",
    ("a village choir's anniversary year", "a student chamber choir", "a gospel group without sheet music"),
    ("a conductor's planning mail", "a printed season leaflet"),
    "Rehearsal counts should be enough for the pieces, and concert months should follow one another.",
    ("motto", "voices", "concerts"),
    {
        "motto": text("A motto of at most six words"),
        "voices": _several(_record(part=choice("soprano", "alto", "tenor", "bass"), singers=integer(1, 40)), 2, 4),
        "rehearsals": integer(5, 60),
        "fee_eur": number(0, 250),
        "auditions_held": boolean(),
        "concerts": _several(_record(month=integer(1, 12), venue=text("Venue without the town"),
                                     pieces=_several(text("Title of a piece"), 2, 3)), 1, 3),
        "pitch_hz": _one_of(415, 440, 442),
    },
)  # fmt: skip

_HIVE = EntityType(
    "beehive_check", "beehive checks",
    ("a first inspection in spring", "a city roof in midsummer", "the last look before winter"),
    ("a beekeeper's hive card", "an inspector's tour report"),
    "Frame counts, weight and mood should agree with the season.",
    ("hive_label", "queen_seen", "frames"),
    {
        "hive_label": text("Label painted on the hive, such as 'Blue 3'"),
        "queen_seen": boolean(),
        "queen_mark": choice("white", "yellow", "red", "green", "blue", "none"),
        "weight_kg": number(8, 90),
        "mood": choice("calm", "nervous", "defensive"),
        "mites_per_day": number(0, 60),
        "frames": _record(brood=integer(0, 20), honey=integer(0, 20), empty=integer(0, 20)),
        "actions": _several(_record(what=text("One thing done"), minutes=integer(1, 60)), 2, 3),
        "next_visit_days": _optional(integer(1, 60)),
    },
)  # fmt: skip

_FERRY = EntityType(
    "ferry_crossing", "ferry crossings",
    ("a windy crossing between two islands", "a night ferry with lorries", "a river chain ferry"),
    ("a purser's log", "a harbour office bulletin"),
    "Durations, loads and wave heights should be plausible for the ship.",
    ("ship", "route", "status"),
    {
        "ship": text("Name of the ship"),
        "route": _record(origin=text("Harbour"), destination=text("Harbour"), nautical_miles=number(0.1, 300)),
        "departs_at": text("Time as HH:MM on a 24-hour clock"),
        "status": choice("on_time", "late", "cancelled", "boarding"),
        "passengers": integer(0, 2500),
        "vehicles": integer(0, 600),
        "wave_height_m": number(0, 9),
        "announcements": _several(_record(language=choice("en", "fi", "el", "pt"),
                                          words=text("The announcement itself")), 1, 3),
    },
)  # fmt: skip

_TOOL = EntityType(
    "tool_library_item", "tool library items",
    ("power tools for a first flat", "garden machines in autumn", "odd tools nobody else lends"),
    ("a lending desk catalogue", "a volunteer's stock list"),
    "Deposit, fee and weight should suit the tool.",
    ("tool", "category", "deposit_eur"),
    {
        "tool": text("Tool with its maker's invented name"),
        "category": choice("power", "hand", "garden", "kitchen", "measuring"),
        "deposit_eur": integer(0, 300),
        "fee_per_day_eur": number(0, 40),
        "weight_kg": number(0.1, 120),
        "max_days": _one_of(1, 3, 7, 14),
        "needs_training": boolean(),
        "accessories": _several(_record(name=text("Accessory"), count=integer(1, 20)), 1, 3),
        "last_fault": _optional(text("Last fault reported, one sentence")),
    },
)  # fmt: skip

_WEATHER = EntityType(
    "weather_station_report", "weather station reports",
    ("a mountain hut in a storm", "a harsh but dry valley winter", "three humid days in a delta"),
    ("an observer's daily sheet", "an automatic station's digest"),
    "Temperatures, humidity and wind should agree with one another.",
    ("station", "sky", "readings"),
    {
        "station": text("Station name without its height"),
        "height_m": integer(-10, 4500),
        "sky": choice("clear", "broken", "overcast", "fog"),
        "pressure_hpa": number(870, 1085),
        "snow_cm": integer(0, 600),
        "frost": boolean(),
        "readings": _several(_record(hour=_one_of(0, 6, 12, 18), celsius=number(-45, 50),
                                     wind_kmh=integer(0, 220)), 2, 4),
        "observer": _record(name=text("Full name"), volunteer=boolean()),
    },
)  # fmt: skip

_BIKE = EntityType(
    "bike_workshop_order", "bike workshop orders",
    ("a rusty commuter bike", "a tandem before a long tour", "a child's bike grown too small"),
    ("a repair counter form", "a mechanic's day plan"),
    "Part prices and labour should add up to the estimate.",
    ("bike", "estimate_eur", "jobs"),
    {
        "bike": text("Make and colour, invented"),
        "estimate_eur": number(5, 900),
        "priority": choice("today", "this_week", "whenever"),
        "wheel_inch": _one_of(20, 24, 26, 27.5, 28, 29),
        "owner_waits": boolean(),
        "jobs": _several(_record(part=choice("brakes", "chain", "gears", "lights", "tyre", "wheel"),
                                 labour_minutes=integer(5, 240), price_eur=number(0, 400),
                                 note=_optional(text("Remark for the mechanic"))), 2, 4),
        "pickup": _record(weekday=choice("mon", "tue", "wed", "thu", "fri"), hour=integer(8, 18)),
    },
)  # fmt: skip

_REGEX = EntityType(
    "regex_lesson", "regex lessons",
    ("dates in old ledgers", "paths on two operating systems", "quoted words in poems"),
    ("a workshop handout on text search", "a chat between tutor and pupil"),
    "Every pattern should really match the line given with it.",
    ("goal", "pattern", "cases"),
    {
        "goal": text("What the pattern finds, one sentence"),
        "pattern": text("The pattern itself, with its backslashes"),
        "flavour": choice("posix", "pcre", "python", "javascript"),
        "level": _one_of(1, 2, 3),
        "multiline": boolean(),
        "cases": _several(_record(line=text("A line of input"), matches=boolean()), 2, 4),
        "explanation": text("A few lines that take the pattern apart, with line breaks"),
    },
    ("Let patterns contain backslashes, brackets and at least one quote sign.",
     "Put double quotes around the examples inside the explanation.",
     "Use a tab or a Windows path such as C:\\temp in at least one line of input."),
)  # fmt: skip

_SQL = EntityType(
    "sql_cookbook_entry", "SQL cookbook entries",
    ("a seed shop's orders", "a reading club's loans", "a tram depot's shifts"),
    ("a team wiki page with queries", "a database course exercise sheet"),
    "Query, table names and sample rows should belong together.",
    ("title", "query", "dialect"),
    {
        "title": text("Entry title"),
        "query": text("A query over several lines, indented"),
        "dialect": choice("sqlite", "postgres", "mysql", "ansi"),
        "uses_join": boolean(),
        "expected_rows": integer(0, 10000),
        "pitfall": _record(symptom=text("An error text as a database prints it"), remedy=text("One sentence")),
        "parameters": _several(_record(name=text("Placeholder name"), kind=choice("text", "number", "date")), 1, 3),
    },
    ("Write the query over several lines, with single quotes around text values and a comment.",
     "Quote at least one column name with double quotes.",
     "Let the error text contain a colon, quotes and a line number."),
)  # fmt: skip

_RADIO = EntityType(
    "radio_play_page", "radio play pages",
    ("a lighthouse during fog", "two thieves in a library", "a kitchen on Mars"),
    ("a studio copy with pencilled marks", "a rehearsal draft"),
    "The page should sound like spoken radio, with sound cues.",
    ("scene_label", "page_text", "cues"),
    {
        "scene_label": text("Label such as 'Sc. 4: the stairs'"),
        "page_text": text("The page over several lines: speakers, speech in quotes, sound cues in brackets"),
        "mood": choice("tense", "comic", "tender", "eerie"),
        "minutes": number(0.5, 12),
        "music": boolean(),
        "cues": _several(_record(sound=text("A sound"), loudness=_one_of(1, 2, 3, 4, 5)), 2, 3),
        "cast": _record(speakers=integer(1, 8), narrator=boolean()),
    },
    ("In the page text, put speech into double quotes and sound cues into [brackets].",
     "Break the page text into several lines and let one speaker be interrupted by a dash.",
     "Let somebody read out a note that contains an apostrophe, a colon and a hash sign."),
)  # fmt: skip

_SHELL = EntityType(
    "shell_alias_guide", "shell alias guides",
    ("keeping photo folders tidy", "backing up a laptop", "counting words in many files"),
    ("a dotfiles README", "a colleague's tip list"),
    "Commands should be harmless and should do what the purpose says.",
    ("alias_name", "definition", "examples"),
    {
        "alias_name": text("Alias, lower case, no spaces"),
        "definition": text("The full definition line with its quotes"),
        "shell": choice("bash", "zsh", "fish"),
        "needs_root": boolean(),
        "exit_code_on_failure": integer(1, 255),
        "examples": _several(_record(command=text("Command as typed"),
                                     output=text("What is printed, may have several lines")), 1, 3),
        "warning": _optional(text("A warning for beginners")),
    },
    ("Let definitions nest single and double quotes.",
     "Use variables such as $HOME, pipes and backslashes at line ends.",
     "Show output over several lines, with a percent sign and a path."),
)  # fmt: skip

ENTITY_TYPES: tuple[EntityType, ...] = (
    _GARDEN, _LOAN, _CHOIR, _HIVE, _FERRY, _TOOL, _WEATHER, _BIKE, _REGEX, _SQL, _RADIO, _SHELL,
)  # fmt: skip


def record_of(fields: dict[str, Any]) -> Schema:
    """Return the schema of one item over the given fields, in their order."""
    return _record(**fields)
