"""Is a row what it should be: an oracle passes, the fields read back, every rule's last word is right?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics import ifstruct
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.ifstruct.generate.parse_back.annotated_example import read_annotated_example
from sobench_metrics.ifstruct.generate.parse_back.path_list import read_path_list
from sobench_metrics.ifstruct.generate.parse_back.raw_schema import read_raw_schema
from sobench_metrics.ifstruct.generate.parse_back.read_back import differences
from sobench_metrics.ifstruct.generate.parse_back.table import read_table
from sobench_metrics.ifstruct.generate.prose.claims import prose_faults
from sobench_metrics.ifstruct.generate.wording.rules import rule_faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.ifstruct.generate.prompts import Prompt
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["PARSE_BACK", "field_faults", "oracle_faults", "rule_faults"]

PARSE_BACK: Final = MappingProxyType({
    "raw_schema": read_raw_schema,
    "annotated_example": read_annotated_example,
    "path_list": read_path_list,
    "table": read_table,
})  # fmt: skip
"""The machine-readable styles: their prompts are parsed back into the very schema."""


def oracle_faults(row: Mapping[str, Any]) -> list[str]:
    """Return the official findings on the oracle's answer to a row."""
    verdict = ifstruct.validate(ifstruct_answer(row), ifstruct.Spec.from_row(row))
    return [f"{finding.code}: {finding.message}" for finding in verdict.errors]


def field_faults(prompt: Prompt, request: Request) -> list[str]:
    """Return what the prompt says of the fields otherwise than the request, by the reader of its style.

    The whole prompt is read, so that nothing around the block can be mistaken for a part of it.
    """
    if prompt.style not in PARSE_BACK:
        return prose_faults(prompt.text, request)
    try:
        return differences(PARSE_BACK[prompt.style](prompt.text), request)
    except (ValueError, KeyError) as error:
        return [f"the prompt cannot be read back ({error})"]
