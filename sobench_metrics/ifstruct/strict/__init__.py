"""Findings beyond the reference, none of which changes `passed`: one small rule each, all in the table `RULES`.

| codes | what is found |
| --- | --- |
| strict.duplicate_key | a key that stands twice: readers keep one of the values without a word |
| strict.yaml_retyped, strict.yaml_ambiguous | unquoted YAML scalars that a reader takes for another type |
| strict.pattern, .format, .length, .number, .unique, .value, .condition, .schema | ignored keywords |
| strict.content.* | what a row's `content_rules` ask for: number of lines, quotes, an order of keys, sums, ... |
| strict.skipped | a rule could not be checked within its bounds |
"""

from sobench_metrics.ifstruct.strict.checking import MAX_PER_CODE, MAX_STRICT_CHARS, RULES, strict_findings

__all__ = ["MAX_PER_CODE", "MAX_STRICT_CHARS", "RULES", "strict_findings"]
