"""Words and sentences that fill pages where a field's name says nothing nearer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

__all__ = ["SENTENCES", "title_words"]

_FIRST = (
    "Amber", "Brass", "Cedar", "Dusty", "Early", "Faded", "Gentle", "Hollow", "Iron", "Jolly", "Kindly", "Lower",
    "Mellow", "Narrow", "Old", "Paper", "Quiet", "Rapid", "Silver", "Tidal", "Upper", "Velvet", "Winter", "Yellow",
    "Blue", "Copper", "Distant", "Eastern", "Plain", "Second", "Stony", "Woollen",
)  # fmt: skip
_SECOND = (
    "Anchor", "Basket", "Compass", "Drum", "Engine", "Ferry", "Garden", "Harbour", "Island", "Jacket", "Kettle",
    "Ladder", "Meadow", "Needle", "Orchard", "Pillar", "Quarry", "Ribbon", "Saddle", "Tunnel", "Umbrella", "Valley",
    "Window", "Yard", "Bridge", "Candle", "Ledger", "Mirror", "Piano", "Rocket", "Spindle", "Turbine",
)  # fmt: skip
_ENDS = ("", "", "", " II", " A", " North", " 7", " no. 3", " (new)", " West", " 12")
SENTENCES = (
    "The second reading was taken after lunch.", "Nobody could explain the missing label.",
    "Please call before you open the box.", "It was repaired once, and holds since.",
    "All values were copied from the old sheet.", "The door sticks in wet weather.",
    "Two of the pieces came back on Friday.", "Ask the night shift for the spare key.",
    "This one is kept for comparison only.", "The colour is lighter than last year's.",
    "We agreed on this by telephone.", "A copy lies in the blue folder.",
    "There is still some doubt about the weight.", "Everything else is as it was in spring.",
    "The last visitor left his gloves here.", "Start from the left, then turn it round.",
    "Half of it is paid, the rest is due in May.", "It hums a little, which is normal.",
)  # fmt: skip


def title_words(rng: Random) -> str:
    """Return a name that stands for nothing: `Copper Lantern II`."""
    return f"{rng.choice(_FIRST)} {rng.choice(_SECOND)}{rng.choice(_ENDS)}"
