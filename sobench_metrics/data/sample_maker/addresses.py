"""Addresses on papers, and the schema that asks for one."""

from random import Random

from sobench_metrics.data.sample_maker.drawn import Record, obj, text
from sobench_metrics.data.sample_maker.words import CITIES, STREETS

__all__ = ["ADDRESS", "address"]

ADDRESS = obj(street=text("with house number"), postcode=text(pattern="^[0-9]{5}$"), city=text())


def address(rng: Random) -> Record:
    return {
        "street": f"{rng.randint(1, 98)} {rng.choice(STREETS)}",
        "postcode": f"{rng.randint(10000, 98999)}",
        "city": rng.choice(CITIES),
    }
