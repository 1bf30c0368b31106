"""How large and how intricate a drawn schema is: the dials that every kind of generated set turns."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT_DIALS", "Dials"]


@dataclass(frozen=True, slots=True)
class Dials:
    """Dials of schema sampling; shares are in percent. The defaults come close to the public test set's schemas.

    `depth` counts the levels below the item's own fields (1: fields inside a nested object or list). `narrowest` and
    `widest` bound the number of an item's own fields; an entity type's core fields always stay. `nested_weight` and
    `choice_weight` say how much likelier a nested field or an enum is picked than another. `group_percent` moves a few
    plain fields into an object of their own, wherever `depth` leaves room.
    """

    depth: int = 2
    narrowest: int = 3
    widest: int = 12
    nested_weight: int = 2
    choice_weight: int = 1
    optional_percent: int = 3
    narrow_percent: int = 45
    open_range_percent: int = 1
    exact_list_percent: int = 65
    group_percent: int = 25
    shuffle_percent: int = 30

    def __post_init__(self) -> None:
        """Raise ValueError for dials that no schema can follow."""
        if self.depth < 0 or not 2 <= self.narrowest <= self.widest:
            raise ValueError(f"dials need 0 <= depth and 2 <= narrowest <= widest, got {self}")


DEFAULT_DIALS = Dials()
