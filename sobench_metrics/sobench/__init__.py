"""SO-Bench: the official score of one answer, equal to the reference's, and strict counts beside it.

`score` gives one sample's verdicts, `aggregate` the numbers of a run; `comparison` states the strict rules.
"""

from sobench_metrics.sobench.aggregate import aggregate
from sobench_metrics.sobench.counts import FieldCounts, StrictCounts
from sobench_metrics.sobench.field_verdicts import FieldVerdict
from sobench_metrics.sobench.score import LEFT_OUT, SampleError, Score, sample_schema, score

__all__ = [
    "LEFT_OUT",
    "FieldCounts",
    "FieldVerdict",
    "SampleError",
    "Score",
    "StrictCounts",
    "aggregate",
    "sample_schema",
    "score",
]
