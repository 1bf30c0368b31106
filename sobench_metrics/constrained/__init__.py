"""Constrained decoding: the schema of a whole answer, what an engine makes of it, and what it does to the answer.

    row -> answer_schema -> convert -> check -> plan          before sending
    text -> signs                                             after the answer

No engine is imported here: `tables` hold what was measured on each.
"""

from sobench_metrics.constrained.answer_schema import AnswerSchema, NotPossible, answer_schema
from sobench_metrics.constrained.convert import Change, Converted, convert
from sobench_metrics.constrained.engines import ENGINES, check, is_supported, shape_of
from sobench_metrics.constrained.plan import Plan, Summary, plan, summary
from sobench_metrics.constrained.signs import signs, signs_of

__all__ = [
    "ENGINES",
    "AnswerSchema",
    "Change",
    "Converted",
    "NotPossible",
    "Plan",
    "Summary",
    "answer_schema",
    "check",
    "convert",
    "is_supported",
    "plan",
    "shape_of",
    "signs",
    "signs_of",
    "summary",
]
