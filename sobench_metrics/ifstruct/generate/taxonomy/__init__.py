"""The kinds of thing that rows ask for, one text file a subject area; `reading` says how such a file is written."""

from sobench_metrics.ifstruct.generate.taxonomy.reading import entity_types

__all__ = ["entity_types"]
