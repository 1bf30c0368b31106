"""The formats that are checked: by rules of our own, so that no verdict depends on which packages are installed.

`jsonschema` checks seven formats by itself and others only next to extra packages; `email` there means "has an @".
"""

from __future__ import annotations

import ipaddress
import re
from datetime import date, time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FORMATS", "format_checker", "unchecked_formats"]

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(r"(\d\d:\d\d):(\d\d)(\.\d+)?([Zz]|[-+]([01]\d|2[0-3]):[0-5]\d)", re.ASCII)
_DURATION: Final = re.compile(r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)", re.ASCII)
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOSTNAME: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LOCAL_PART: Final = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*", re.ASCII)
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:[\w.~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LONGEST_NAME: Final = 253
_LEAP_SECOND: Final = 60


def _is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text)) and _made(date.fromisoformat, text)


def _is_time(text: str) -> bool:
    found = _TIME.fullmatch(text)
    return found is not None and int(found[2]) <= _LEAP_SECOND and _made(time.fromisoformat, found[1])


def _is_date_time(text: str) -> bool:
    return len(text) > 11 and text[10] in "Tt" and _is_date(text[:10]) and _is_time(text[11:])


def _is_hostname(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and bool(_HOSTNAME.fullmatch(text))


def _is_email(text: str) -> bool:
    local, at, host = text.rpartition("@")
    return bool(at) and bool(_LOCAL_PART.fullmatch(local)) and _is_hostname(host)


def _is_ipv6(text: str) -> bool:
    return "%" not in text and _made(ipaddress.IPv6Address, text)


def _made(make: Callable[[str], Any], text: str) -> bool:
    try:
        make(text)
    except ValueError:
        return False
    return True


FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_date_time,
    "duration": lambda text: bool(_DURATION.fullmatch(text)),
    "email": _is_email,
    "hostname": _is_hostname,
    "ipv4": lambda text: _made(ipaddress.IPv4Address, text),
    "ipv6": _is_ipv6,
    "uri": lambda text: bool(_URI.fullmatch(text)),
    "uuid": lambda text: bool(_UUID.fullmatch(text)),
}
"""By name; RFC 3339 dates and times, host names of RFC 1123, addresses without quoted local parts, absolute URIs."""


@lru_cache(maxsize=1)
def format_checker() -> Any:
    """Return the `jsonschema` checker of exactly these formats."""
    import jsonschema  # heavy, loads where used

    checker = jsonschema.FormatChecker(formats=())
    for name, is_right in FORMATS.items():
        checker.checks(name)(_of_text(is_right))
    return checker


def _of_text(is_right: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or is_right(value)


def unchecked_formats(schema: Mapping[str, Any]) -> list[str]:
    """Return the formats that a schema names and nothing here checks, sorted."""
    named: set[str] = set()
    pending: list[Any] = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            pending += node.values()
            if isinstance(node.get("format"), str):
                named.add(node["format"])
        elif isinstance(node, list):
            pending += node
    return sorted(named - FORMATS.keys())
