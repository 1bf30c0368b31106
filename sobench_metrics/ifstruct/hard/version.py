"""What names a hard set: the version rises with every released change that alters a byte of what a seed gives.

It is part of the source of chance and of the revision in every signature: numbers of two versions never look alike.
"""

from typing import Final

__all__ = ["DEFAULT_SEED", "HARD_VERSION", "PER_LEVEL", "SAMPLE_PER_LEVEL", "SAMPLE_SEED"]

HARD_VERSION: Final = "1.0"

DEFAULT_SEED: Final = 20260630
"""Of the task `ifstruct_hard`; numbers of other seeds are numbers of another set."""

PER_LEVEL: Final = 100

SAMPLE_SEED: Final = 7
"""Of the task `ifstruct_hard_sample`, which shares no row with the task."""

SAMPLE_PER_LEVEL: Final = 8
