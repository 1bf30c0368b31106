"""`ifstruct_hard`: rows of five levels, held to official and strict rules, made by version and seed."""

from sobench_metrics.ifstruct.hard.levels import LEVELS, Level
from sobench_metrics.ifstruct.hard.rows import HardSet, hard_row, hard_set
from sobench_metrics.ifstruct.hard.version import DEFAULT_SEED, HARD_VERSION, PER_LEVEL, SAMPLE_PER_LEVEL, SAMPLE_SEED

__all__ = [
    "DEFAULT_SEED",
    "HARD_VERSION",
    "LEVELS",
    "PER_LEVEL",
    "SAMPLE_PER_LEVEL",
    "SAMPLE_SEED",
    "HardSet",
    "Level",
    "hard_row",
    "hard_set",
]
