"""What a harness wrote about its run, beside the figures: commit of the model, date, limits, errors of the figures."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["RunFile", "read_run_file"]

_DATE: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(\.\d+)?")
_SHA: Final = re.compile(r"[0-9a-f]{40}")
_YEAR_10_000: Final = 253_402_300_800


@dataclass(frozen=True, slots=True)
class RunFile:
    """`content` is the whole file, {} for runs without one; `rows` the figures by task, plain names without filter."""

    content: Mapping[str, Any] = field(default_factory=dict)
    rows: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    model_revision: str = ""
    dtype: str = ""
    backend: str = ""
    model_settings: Mapping[str, Any] = field(default_factory=dict)
    limit: str = ""
    seconds_since_1970: float | None = None


def read_run_file(file: Path) -> RunFile:
    """Return what lm-eval's or lighteval's results file tells; raises UsageError when it cannot be read.

    A file of another kind (bare predictions) tells nothing.
    """
    if file.suffix != ".json":
        return RunFile()
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): repeat that run.") from error
    if not isinstance(content, dict) or not isinstance(content.get("results"), dict):
        return RunFile()
    rows = {
        task.partition("|")[0].replace(":", "_"): _figures(row)
        for task, row in content["results"].items()
        if isinstance(row, dict)
    }
    if isinstance(content.get("config_general"), dict):
        return _of_lighteval(content, rows, file)
    return _of_lm_eval(content, rows)


def _of_lm_eval(content: dict[str, Any], rows: Mapping[str, Mapping[str, float]]) -> RunFile:
    config = _dict(content.get("config"))
    settings = config.get("model_args")
    settings = settings if isinstance(settings, dict) else _pairs(str(settings or ""))
    # an adapter or a delta is the model by whose name the run goes, and has a commit of its own
    kind = next((one for one in ("peft", "delta") if settings.get(one)), "model")
    loaded, asked = str(config.get(f"{kind}_sha") or ""), str(settings.get("revision") or "")
    return RunFile(
        content,
        rows,
        # backends that note no commit were still asked for one, and a full commit is what they loaded
        model_revision=loaded or (asked if _SHA.fullmatch(asked) else ""),
        dtype=str(config.get("model_dtype") or settings.get("dtype") or "").removeprefix("torch."),
        backend=str(config.get("model") or ""),
        model_settings=settings,
        limit=_limit("limit", config.get("limit")),
        seconds_since_1970=_moment(content.get("date")),
    )


def _of_lighteval(content: dict[str, Any], rows: Mapping[str, Mapping[str, float]], file: Path) -> RunFile:
    general = _dict(content["config_general"])
    settings = {key: value for key, value in _dict(general.get("model_config")).items() if value not in (None, {})}
    asked = str(settings.get("revision") or "")
    return RunFile(
        content,
        rows,
        model_revision=asked if _SHA.fullmatch(asked) else "",
        dtype=str(settings.get("dtype") or ""),
        model_settings=settings,
        limit=_limit("max_samples", general.get("max_samples")),
        seconds_since_1970=_dated(file.name),
    )


def _figures(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers of a row; where several filters were scored, of the first."""
    found: dict[str, float] = {}
    for key, value in row.items():
        number = _number(value)
        if number is not None:
            found.setdefault(key.partition(",")[0], number)
    return found


def _limit(name: str, value: Any) -> str:
    number = _number(value)
    return "" if value is None else f"{name} {one_line(value) if number is None else f'{number:g}'}"


def _moment(value: Any) -> float | None:
    """Return seconds since 1970 that a calendar has a day for."""
    number = _number(value)
    return number if number is not None and 0 <= number < _YEAR_10_000 else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:  # JSON sets no bound to a whole number
        return math.inf if value > 0 else -math.inf


def _dated(name: str) -> float | None:
    """Return the time in a results file's name, which lighteval writes in local time."""
    found = _DATE.search(name)
    if found is None:
        return None
    hour, minute, second, rest = found.groups()
    try:
        moment = dt.datetime.fromisoformat(f"{hour}:{minute}:{second}{(rest or '.0')[:7].ljust(7, '0')}")
        return _moment(moment.timestamp())
    except (ValueError, OverflowError, OSError):  # a file that was given a name like it
        return None


def _pairs(text: str) -> dict[str, Any]:
    return dict(piece.split("=", 1) for piece in text.split(",") if "=" in piece)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
