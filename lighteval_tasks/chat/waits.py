"""How long to wait before a request is sent again."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

__all__ = ["LONGEST", "retry_after", "wait_before"]

LONGEST = 60.0
"""A server that wants a longer pause is asked again after this many seconds; its tries are counted."""

_SHORTEST, _LONGEST_OWN = 1.0, 10.0


def wait_before(next_try: int, asked: float | None) -> float:
    """Return the seconds before try number `next_try` (the second is 2): what the server asked for, else lm-eval's."""
    if asked is not None:
        return min(asked, LONGEST)
    return min(_LONGEST_OWN, max(_SHORTEST, 0.5 * 2.0 ** min(next_try - 2, 10)))


def retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for, given as a number or a date; None for anything else."""
    text = (header or "").strip()
    try:
        seconds = float(text)
    except ValueError:
        return _until(text, now or datetime.now(timezone.utc))
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(text: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(text)
        return max(0.0, (then - now).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):  # no date, or one without a zone
        return None
