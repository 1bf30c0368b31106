"""How hard a row is: depth, width, length and traps as dials, and the five settings of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["LEVELS", "Level"]


@dataclass(frozen=True, slots=True)
class Level:
    """The dials of one level.

    Numbers of fields are those of an item itself: `plain` ones, `choices` among values that are easily misread,
    `keywords` (pattern, format, length, step), `texts` under content rules, `unique` lists, `twins` (families of keys
    that look alike), `odd_keys` that need quotes. `nested` says how many objects and lists of objects stand at each
    depth, so its length is the depth; `links` how many rules tie each list to its surroundings, by depth. `conditions`
    are fields that another field's value forbids or demands; `ordered` counts the depths at which the order of keys is
    asked for, from the deepest up. `window` is the width of bounds on lengths, `lines` the number of lines of a verse.
    """

    number: int
    items: tuple[int, int]
    plain: int
    choices: int
    keywords: int
    texts: int = 0
    unique: int = 0
    twins: int = 0
    odd_keys: int = 0
    nested: tuple[int, ...] = ()
    links: tuple[int, ...] = ()
    list_length: tuple[int, int] = (2, 2)
    conditions: int = 0
    ordered: int = 0
    window: int = 40
    lines: int = 2


LEVELS: Final = (
    Level(1, (1, 1), plain=3, choices=1, keywords=1),
    Level(2, (2, 2), plain=3, choices=1, keywords=2, texts=1, nested=(1,), links=(1,), window=25, lines=4),
    Level(3, (2, 2), plain=4, choices=2, keywords=2, texts=1, unique=1, twins=1, nested=(1, 1), links=(2, 1),
          list_length=(2, 3), conditions=1, ordered=1, window=16, lines=6),
    Level(4, (2, 3), plain=4, choices=2, keywords=3, texts=2, unique=1, twins=1, odd_keys=1, nested=(2, 1, 1),
          links=(2, 1, 2), list_length=(2, 3), conditions=1, ordered=2, window=10, lines=9),
    Level(5, (3, 3), plain=5, choices=3, keywords=4, texts=3, unique=2, twins=2, odd_keys=2, nested=(2, 1, 1, 1),
          links=(3, 2, 2, 2), list_length=(2, 3), conditions=2, ordered=3, window=5, lines=13),
)  # fmt: skip
"""Level n is LEVELS[n - 1]; every dial of a level is at least as far as that of the level before."""
