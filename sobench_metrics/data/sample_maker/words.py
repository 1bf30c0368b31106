"""Invented names and things from which all pictures are filled. None of them stands for a real person or firm."""

from random import Random

__all__ = [
    "CITIES", "FIRST_NAMES", "LAST_NAMES", "PALETTES", "STREETS",
    "clock", "company", "date", "month_date", "person", "price",
]  # fmt: skip

FIRST_NAMES = (
    "Ada", "Bruno", "Chloe", "Dario", "Edith", "Felix", "Greta", "Hana", "Ivo", "Jonas", "Kira", "Lena",
    "Milo", "Nadia", "Otto", "Priya", "Quinn", "Rosa", "Samir", "Tilda", "Umar", "Vera", "Wanda", "Yusuf", "Zoe",
)  # fmt: skip
LAST_NAMES = (
    "Abelson", "Brandt", "Castell", "Dunmore", "Ekberg", "Farrow", "Grieg", "Holm", "Ibarra", "Jansen", "Kovar",
    "Lindqvist", "Moreau", "Novak", "Okafor", "Pellan", "Quist", "Rossetti", "Sorensen", "Tanaka", "Urban", "Vance",
)  # fmt: skip
CITIES = (
    "Ashbourne", "Belmora", "Carrick", "Dunwell", "Eastmere", "Fernley", "Glenroy", "Harwick", "Inverlee",
    "Kestrel Bay", "Lowton", "Marfield", "Northgate", "Oakham", "Port Salen", "Ravensby", "Stonebridge", "Tarnside",
)  # fmt: skip
STREETS = ("Mill Lane", "Harbour Road", "Chapel Street", "Orchard Way", "Station Road", "Quarry Hill", "Linden Avenue")
PALETTES = (  # accent, dark, pale
    ("#2f6fde", "#14305e", "#e8f0fd"),
    ("#1f8a5b", "#0d3d29", "#e4f5ec"),
    ("#b5442e", "#4f1c12", "#fbeae6"),
    ("#7a4cc2", "#33205a", "#f1eafb"),
    ("#b7791f", "#523509", "#fbf3e2"),
    ("#0f7c8c", "#07383f", "#e2f4f6"),
)
_FIRMS = ("Alder", "Bluepeak", "Corvid", "Dovetail", "Ember", "Foxglove", "Granite", "Hazel", "Juniper", "Larkspur")
_TRADES = ("Supplies", "Works", "Trading", "Services", "Tools", "Print", "Foods", "Studio")
_FORMS = ("Ltd", "Co.", "& Sons", "GmbH")
_MONTHS = ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December")  # fmt: skip


def person(rng: Random) -> str:
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"


def company(rng: Random) -> str:
    return f"{rng.choice(_FIRMS)} {rng.choice(_TRADES)} {rng.choice(_FORMS)}"


def date(rng: Random, year: int = 2031) -> str:
    return f"{year}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"


def month_date(rng: Random, year: int = 2031) -> str:
    return f"{rng.randint(1, 28)} {rng.choice(_MONTHS)} {year}"


def clock(rng: Random, first_hour: int = 7, last_hour: int = 21) -> str:
    return f"{rng.randint(first_hour, last_hour):02d}:{rng.randrange(0, 60, 5):02d}"


def price(rng: Random, low: int, high: int) -> float:
    """Return a price between two whole amounts that ends in .00, .20, .25, .50, .75, .90, .95 or .99."""
    return rng.randint(low, high - 1) + rng.choice((0.0, 0.2, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99))
