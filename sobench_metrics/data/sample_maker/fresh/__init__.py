"""Any number of further documents: bundled kinds in other lights and under other schemas, drawn pages and charts."""

__all__ = ["FRESH_VERSION"]

FRESH_VERSION = "1"  # rises with any change that alters a row or a pixel of what a seed gives
