"""Published figures, each with its source: what others measured on the whole benchmarks, with other settings.

`second_hand` marks those that were read in notes about the source, not in the source itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PUBLISHED", "Published"]


@dataclass(frozen=True, slots=True)
class Published:
    """One published figure: `value` is a share, `counts` (numerator, denominator) where the source gives them.

    `task` is the whole benchmark, "sobench" or "ifstruct"; `figure` has the name of our own figure of that meaning.
    """

    task: str
    model: str
    figure: str
    value: float
    source: str
    counts: tuple[int, int] | None = None
    second_hand: bool = False


_DEMO: Final = "released code of SO-Bench, demo.ipynb"
_PAPER: Final = "SO-Bench paper, Table 1 (invalid answers count as failed there, unlike in the released code)"
_HUB: Final = "evaluation results on the model's page, LiquidAI/ifstruct-v1.0"
_CARD: Final = "model card"
_BLOG: Final = "blog post on the training of LFM2.5-350M"

_TABLE_1: Final = (  # schema validity, field match, full match, in percent
    ("Gemini-2.5-Pro", 97.74, 73.14, 18.91),
    ("GPT-5", 96.38, 62.74, 11.60),
    ("Gemini-2.5-Flash", 91.69, 66.32, 11.31),
    ("Claude-4.5-Sonnet", 96.50, 62.67, 8.74),
    ("Qwen2.5-VL-3B", 60.71, 41.59, 2.68),
    ("Phi-4-Vision 5.6B", 22.04, 27.78, 0.72),
)
_IFSTRUCT: Final = (
    ("Darwin-180B-RSI", 98.95, _HUB), ("gemma-4-31B", 95.9, _HUB), ("InternScience/Agents-A1", 93.25, _HUB),
    ("gpt-oss-20b", 91.95, _HUB), ("LFM2.5-2.6B", 85.49, _CARD), ("Qwen3.5-9B", 78.50, _CARD),
    ("gemma-4-E4B-it", 76.65, _CARD), ("granite-4.1-8b", 68.45, _HUB), ("gemma-4-E2B-it", 64.85, _CARD),
    ("LFM2.5-350M", 44.90, _CARD), ("granite-4.0-h-tiny", 38.75, _BLOG), ("Qwen3.5-4B", 36.25, _BLOG),
    ("Qwen3.5-2B", 33.15, _BLOG), ("Qwen3.5-0.8B", 15.50, _BLOG),
)  # fmt: skip
_FIGURES: Final = ("schema_validity", "field_match", "full_match")

PUBLISHED: Final[tuple[Published, ...]] = (
    Published("sobench", "gpt-4o-mini", "schema_validity", 1520 / 1751, _DEMO, (1520, 1751)),
    Published("sobench", "gpt-4o-mini", "field_match", 0.499829, _DEMO),
    Published("sobench", "gpt-4o-mini", "full_match", 92 / 1736, _DEMO, (92, 1736)),
    Published("sobench", "gpt-4o-mini", "invalid", 15 / 1751, _DEMO, (15, 1751)),
    *(
        Published("sobench", model, figure, value / 100, _PAPER, second_hand=True)
        for model, *values in _TABLE_1
        for figure, value in zip(_FIGURES, values, strict=True)
    ),
    *(Published("ifstruct", model, "pass", value / 100, source) for model, value, source in _IFSTRUCT),
)
