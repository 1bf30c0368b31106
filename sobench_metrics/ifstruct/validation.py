"""The order of work on one response (reference rule A1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.display import ReferenceCrashError
from sobench_metrics.ifstruct.envelope import check_code_block, check_commentary, check_count, code_block_type, unwrap
from sobench_metrics.ifstruct.extraction import extract_json, extract_yaml
from sobench_metrics.ifstruct.leaves import expected_checks
from sobench_metrics.ifstruct.verdict import Payload, Verdict
from sobench_metrics.ifstruct.walk import MAX_CHECKS, Walked, walk
from sobench_metrics.json_schema.stack import on_fresh_stack
from sobench_metrics.response import find_fence, remove_reasoning

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.spec import Spec

__all__ = ["MAX_RESPONSE_CHARS", "validate"]

MAX_RESPONSE_CHARS: Final = 8_000_000
"""Longest response looked at; a longer one fails with the code "response.too_long"."""


def validate(response: Any, spec: Spec) -> Verdict:
    """Return the verdict on a response; never raises for any text, nor for a missing or non-text response.

    The verdict does not depend on how deep the caller's stack is: where it is nearly used up, the work is done on a
    fresh one. Where the reference raises or hangs, the verdict has failed, with a code of its own.
    """
    try:
        return _validate(response, spec)
    except RecursionError:
        return on_fresh_stack(lambda: _validate(response, spec))


def _failed(code: str, message: str, spec: Spec, details: dict[str, Any] | None = None) -> Verdict:
    return Verdict((Finding(code, "", message),), details or {"output_format": spec.output_format}, spec)


def _validate(response: Any, spec: Spec) -> Verdict:
    if response is None:
        return _failed("response.missing", "No response", spec)
    if not isinstance(response, str):
        return _failed("response.not_text", f"Response must be text, got {type(response).__name__}", spec)
    if len(response) > MAX_RESPONSE_CHARS:
        message = f"Response of {len(response)} characters exceeds the limit of {MAX_RESPONSE_CHARS}"
        return _failed("response.too_long", message, spec)
    details: dict[str, Any] = {}
    try:
        return _judge(remove_reasoning(response).text, spec, details)
    except ReferenceCrashError as crash:
        return _failed(
            f"reference.crash.{_snake(crash.kind)}", f"The reference validator raises {crash}", spec, details
        )


def _snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


def _judge(text: str, spec: Spec, details: dict[str, Any]) -> Verdict:
    """Run rules A3 to A10 on the cleaned text, filling `details` on the way."""
    is_yaml = spec.output_format == "yaml"
    fence = find_fence(text)
    details["output_format"] = spec.output_format
    details["uses_code_block"] = fence.kind == "block"
    details["code_block_type"] = code_block_type(fence)
    errors = list(check_code_block(fence, spec))

    extracted = extract_yaml(text, fence) if is_yaml else extract_json(text, fence)
    details["yaml_valid" if is_yaml else "json_valid"] = extracted.finding is None
    if extracted.finding:
        return Verdict((*errors, extracted.finding), details, spec)

    if spec.require_no_commentary:
        commentary = list(check_commentary(text, fence, spec))
        details["no_commentary"] = not commentary
        errors += commentary

    unwrapped = unwrap(extracted.data, spec)
    details["was_wrapped"] = bool(unwrapped.key)
    errors += unwrapped.findings

    walked = walk(spec.json_schema, unwrapped.data, unwrapped.place)
    details["schema_valid"] = walked.passed == walked.checks
    errors += walked.findings
    errors += _unlisted(walked)
    errors += check_count(unwrapped.data, unwrapped.place, spec)

    total = max(expected_checks(spec.json_schema, spec.top_level_count), walked.checks)
    details["schema_fields_total"] = total
    details["schema_fields_passed"] = walked.passed
    details["schema_match_ratio"] = walked.passed / total if total else 0.0
    return Verdict(tuple(errors), details, spec, Payload(extracted.text, is_yaml, unwrapped.data, unwrapped.key))


def _unlisted(walked: Walked) -> list[Finding]:
    """Return one finding that stands for all failed checks beyond the listing limits."""
    if walked.checks > MAX_CHECKS:
        return [Finding("limit.checks", "", f"The schema walk stopped after {MAX_CHECKS} checks")]
    if walked.unlisted:
        return [Finding("limit.findings", "", f"{walked.unlisted} more failed checks are not listed")]
    return []
