"""Measure structured output: SO-Bench and IFStruct scorers without a harness.

`ifstruct` and `sobench` are the two public rooms; both load their heavy libraries where used, so that
importing this package stays under 0.2 s.
"""

from sobench_metrics import ifstruct, sobench
from sobench_metrics.findings import Finding

__all__ = ["Finding", "__version__", "ifstruct", "sobench"]
__version__ = "0.3.0"
