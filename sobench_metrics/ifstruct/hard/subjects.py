"""The things that rows are about, with what they consist of; names are shared with no other set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PARTS", "SUBJECTS", "Subject"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind of thing: its name in a key, its plural in a sentence, and a setting."""

    name: str
    plural: str
    setting: str


SUBJECTS: Final = (
    Subject("lighthouse_log_page", "lighthouse log pages", "a reef station in winter"),
    Subject("seed_vault_lot", "seed vault lots", "an exchange of old barley varieties"),
    Subject("organ_survey", "organ surveys", "village churches along one river"),
    Subject("kiln_firing", "kiln firings", "a pottery that changes its glazes"),
    Subject("ferry_manifest", "ferry manifests", "a line between three islands"),
    Subject("hedge_survey", "hedge surveys", "a parish that maps its old hedges"),
    Subject("map_sheet_record", "map sheet records", "a survey office that closes its archive"),
    Subject("bridge_load_test", "bridge load tests", "footbridges after a flood"),
    Subject("costume_loan", "costume loans", "an opera house on tour"),
    Subject("telescope_night", "telescope nights", "a school observatory"),
    Subject("cheese_cellar_entry", "cheese cellar entries", "a dairy with one vaulted cellar"),
    Subject("tram_depot_shift", "tram depot shifts", "a depot that gets new trams"),
    Subject("peat_core_sample", "peat core samples", "a bog drained a century ago"),
    Subject("print_run_slip", "print run slips", "a workshop with two hand presses"),
    Subject("weather_kite_flight", "weather kite flights", "a coast with sudden squalls"),
    Subject("clock_tower_service", "clock tower services", "three towers that must strike together"),
)

PARTS: Final = (
    "pieces", "crates", "readings", "segments", "visits_log", "layers", "stops", "samples", "drawers", "bundles",
    "rounds", "panels",
)  # fmt: skip
"""Names of objects and lists inside a thing, at whatever depth."""
