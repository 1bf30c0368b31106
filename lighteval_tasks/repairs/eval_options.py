"""`lighteval eval` names three generation options as inspect-ai does not, which now refuses every run for it.

`frequence_penalty` and `log_probs` reach inspect under its names; the JSON schema of `--response-format` reaches it
as `response_schema`, when inspect's model of a schema holds all of it, and is refused otherwise: inspect drops the
keywords that it does not know, and most of its providers drop more, and the answers would be held to another schema
than the one given.

Upstream: #1327, PRs #1328 and #1331.
"""

from __future__ import annotations

import json
from functools import wraps
from typing import Any

from lighteval_tasks.repairs.repair import Repair, is_repaired, repaired
from lighteval_tasks.repairs.source import calls
from sobench_metrics.errors import UsageError

__all__ = ["EVAL_OPTIONS"]

_TODAY = {"frequence_penalty": "frequency_penalty", "log_probs": "logprobs"}
_FORMAT = "response_format"
# held by inspect, and taken off before the request by its providers, wherever the word stands
_TAKEN_OFF = frozenset({"pattern", "minLength", "maxLength", "minimum", "maximum", "examples"})


def _needed() -> bool:
    asked = calls("lighteval.main_inspect", "eval", "inspect_ai_eval_set")
    passed = {keyword.arg for call in asked for keyword in call.keywords}
    if not passed & {*_TODAY, _FORMAT}:
        return False
    from inspect_ai.model import GenerateConfig
    from lighteval import main_inspect

    unknown = (passed & {*_TODAY, _FORMAT}) - set(GenerateConfig.model_fields)
    return bool(unknown) and not is_repaired(main_inspect.inspect_ai_eval_set)


def _apply() -> None:
    from lighteval import main_inspect

    real = main_inspect.inspect_ai_eval_set

    @wraps(real)
    def eval_set(*args: Any, **options: Any) -> Any:
        return real(*args, **_renamed(options))

    main_inspect.inspect_ai_eval_set = repaired(eval_set, real)


def _renamed(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options under inspect's names; what the user did not give is left out.

    Raises UsageError for a response format that inspect cannot hold.
    """
    known = {name: value for name, value in options.items() if name not in _TODAY and name != _FORMAT}
    known |= {_TODAY[name]: value for name, value in options.items() if name in _TODAY and value is not None}
    if options.get(_FORMAT) is not None:
        known["response_schema"] = _response_schema(options[_FORMAT])
    return known


def _response_schema(text: str) -> Any:
    from inspect_ai.model import ResponseSchema
    from pydantic import ValidationError

    try:
        given = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--response-format takes a JSON schema: {error}.") from error
    wrapped = given.get("json_schema") if isinstance(given, dict) and given.get("type") == "json_schema" else None
    asked = wrapped if isinstance(wrapped, dict) else {"schema": given}
    schema = asked.get("schema")
    try:
        held = ResponseSchema(name=asked.get("name", "response"), json_schema=schema, strict=asked.get("strict"))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "its top"
        raise UsageError(
            f"--response-format takes a JSON schema that inspect-ai can hold; at {place}: {first['msg']}."
        ) from error
    lost = _lost(schema, held.json_schema.model_dump(exclude_unset=True))
    if lost:
        raise UsageError(f"--response-format: inspect-ai would drop `{lost}` of this schema on its way: leave it out.")
    return held


def _lost(given: Any, held: Any, path: str = "") -> str | None:
    """Return the path of the first thing in the given schema that the held one lacks, or None."""
    if isinstance(given, dict) and isinstance(held, dict):
        for key, value in given.items():
            inner = f"{path}.{key}" if path else key
            lost = inner if key not in held or key in _TAKEN_OFF else _lost(value, held[key], inner)
            if lost:
                return lost
        return None
    if isinstance(given, list) and isinstance(held, list) and len(given) == len(held):
        found = (_lost(one, other, f"{path}[{place}]") for place, (one, other) in enumerate(zip(given, held)))  # noqa: B905
        return next((lost for lost in found if lost), None)
    return None if given == held else path


EVAL_OPTIONS = Repair("generation options of `eval`", "#1327, PRs #1328, #1331", _needed, _apply)
