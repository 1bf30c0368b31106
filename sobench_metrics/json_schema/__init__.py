"""JSON Schema, bounded: verdicts that open no connection and end in time on any thread, and measures of a schema.

`jsonschema` decides; this room only fences it in: references stay local (`engine`), patterns run under a time limit
(`patterns`), a well-formed schema is recognised cheaply (`wellformed`), and every check has a stack of its own
(`stack`), so that no verdict depends on who called.
"""

from sobench_metrics.json_schema.measures import depth, field_count
from sobench_metrics.json_schema.stack import MAX_DEPTH, is_deeper_than, run_nested
from sobench_metrics.json_schema.verdicts import TIME_LIMIT, SchemaVerdict, errors, follows

__all__ = [
    "MAX_DEPTH",
    "TIME_LIMIT",
    "SchemaVerdict",
    "depth",
    "errors",
    "field_count",
    "follows",
    "is_deeper_than",
    "run_nested",
]
