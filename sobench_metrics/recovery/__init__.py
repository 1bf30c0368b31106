"""Form or content: a tolerant reading that says of an answer whether the data asked for were there."""

from sobench_metrics.recovery.ifstruct_reading import recover_ifstruct
from sobench_metrics.recovery.record import STEPS, FieldTally, Recovery
from sobench_metrics.recovery.sobench_reading import recover_sobench

__all__ = ["STEPS", "FieldTally", "Recovery", "recover_ifstruct", "recover_sobench"]
