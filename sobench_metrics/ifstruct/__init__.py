"""IFStruct: the official validation of one response, equal to the reference's, and findings beyond it."""

from sobench_metrics.ifstruct.spec import Spec, SpecError
from sobench_metrics.ifstruct.summary import summarise
from sobench_metrics.ifstruct.validation import validate
from sobench_metrics.ifstruct.verdict import Verdict

__all__ = ["Spec", "SpecError", "Verdict", "summarise", "validate"]
