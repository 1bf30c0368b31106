"""How the server is asked, set by environment variable: lighteval gives a model of ours its name and nothing else."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ServerSettings", "from_environment"]

_PREFIX = "SOBENCH_SERVER_"
_PATH = "/chat/completions"
_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens")
_SCHEMA_KINDS = ("json_schema", "vllm")
_NO_TEMPERATURE = "none"
# fields of a request that are ours to fill, and what to use in their place
_TAKEN = {
    "messages": "nothing else can be asked",
    "model": "name the model on the command line",
    "stream": "answers are read whole",
    "max_tokens": "set SOBENCH_MAX_TOKENS",
    "max_completion_tokens": "set SOBENCH_MAX_TOKENS and SOBENCH_SERVER_LIMIT_FIELD",
    "temperature": "set SOBENCH_SERVER_TEMPERATURE",
}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """One server and the way to ask it; `temperature` is None for the server's own, `schema` "" for no constraint."""

    url: str
    key: str = field(default="none", repr=False)
    concurrent: int = 8
    tries: int = 5
    timeout: float = 600.0
    system_prompt: str = ""
    temperature: float | None = 0.0
    schema: str = ""
    limit_field: str = "max_tokens"
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sampling(self) -> dict[str, Any]:
        """What decides how tokens are drawn, beyond the model."""
        named = {} if self.temperature is None else {"temperature": self.temperature}
        return {**named, **self.extra_body}


def from_environment(environment: Mapping[str, str] | None = None) -> ServerSettings:
    """Return the settings that the environment names.

    Raises UsageError, naming the variable, for a server that is not named and for values that cannot be read.
    """
    given = os.environ if environment is None else environment
    return ServerSettings(
        url=_url(given),
        key=_key(given),
        concurrent=_count(given, "CONCURRENT", 8),
        tries=_count(given, "TRIES", 5),
        timeout=_seconds(given, "TIMEOUT", 600.0),
        system_prompt=given.get(f"{_PREFIX}SYSTEM_PROMPT", ""),
        temperature=_temperature(given),
        schema=_choice(given, "SCHEMA", _SCHEMA_KINDS, ""),
        limit_field=_choice(given, "LIMIT_FIELD", _LIMIT_FIELDS, _LIMIT_FIELDS[0]),
        extra_body=_extra_body(given),
    )


def _url(given: Mapping[str, str]) -> str:
    name = next((name for name in (f"{_PREFIX}URL", "OPENAI_BASE_URL") if given.get(name)), None)
    if name is None:
        raise UsageError(
            f"no server is named: set {_PREFIX}URL to its address up to /v1, such as http://127.0.0.1:8000/v1."
        )
    text = given[name].strip()
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host or not text.isprintable() or " " in text:
        raise UsageError(f"{name} is no address of a server: write it up to /v1, such as http://127.0.0.1:8000/v1.")
    if "@" in parts.netloc:  # it would replace the key, and stand in messages
        raise UsageError(f"{name} must not hold a user or password: put the key into {_PREFIX}KEY.")
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path if path.endswith(_PATH) else path + _PATH, fragment=""))


def _key(given: Mapping[str, str]) -> str:
    name = next((name for name in (f"{_PREFIX}KEY", "OPENAI_API_KEY") if given.get(name)), None)
    if name is None:
        return "none"
    key = given[name].strip()
    if not key or not key.isascii() or not key.isprintable():
        raise UsageError(f"{name} holds what no header can carry: set it to the server's key, or unset it.")
    return key


def _count(given: Mapping[str, str], name: str, otherwise: int) -> int:
    text = given.get(_PREFIX + name, "").strip()
    if not text:
        return otherwise
    if not (text.isascii() and text.isdecimal()) or len(text) > 6 or int(text) < 1:
        raise UsageError(f"{_PREFIX}{name}={text!r} is no count: give a whole number from 1, or unset it.")
    return int(text)


def _number(text: str) -> float:
    """NaN for what is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _seconds(given: Mapping[str, str], name: str, otherwise: float) -> float:
    text = given.get(_PREFIX + name, "").strip()
    seconds = _number(text) if text else otherwise
    if not 0 < seconds < math.inf:
        raise UsageError(f"{_PREFIX}{name}={text!r} is no time in seconds: give a number above 0, or unset it.")
    return seconds


def _temperature(given: Mapping[str, str]) -> float | None:
    text = given.get(f"{_PREFIX}TEMPERATURE", "").strip()
    if text.lower() == _NO_TEMPERATURE:
        return None
    temperature = _number(text) if text else 0.0
    if not 0 <= temperature < math.inf:
        raise UsageError(
            f"{_PREFIX}TEMPERATURE={text!r} is no temperature: give a number from 0, or `{_NO_TEMPERATURE}` to send "
            "none."
        )
    return temperature


def _choice(given: Mapping[str, str], name: str, known: tuple[str, ...], otherwise: str) -> str:
    text = given.get(_PREFIX + name, "").strip()
    if text and text not in known:
        raise UsageError(f"{_PREFIX}{name}={text!r} is not known: set it to {' or '.join(known)}, or unset it.")
    return text or otherwise


def _extra_body(given: Mapping[str, str]) -> dict[str, Any]:
    name = f"{_PREFIX}EXTRA_BODY"
    text = given.get(name, "").strip()
    if not text:
        return {}
    try:
        extra = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f'{name} is no JSON ({error}): write an object such as {{"top_k": 1}}.') from error
    if not isinstance(extra, dict):
        raise UsageError(f'{name} is no JSON object: write one such as {{"top_k": 1}}.')
    taken = next((field for field in extra if field in _TAKEN), None)
    if taken is not None:
        raise UsageError(f"{name} must not hold {taken!r}: {_TAKEN[taken]}.")
    constraint = next((field for field in ("response_format", "structured_outputs") if field in extra), None)
    if constraint and given.get(f"{_PREFIX}SCHEMA", "").strip():
        raise UsageError(f"{name} holds {constraint!r} and {_PREFIX}SCHEMA asks for another: unset one of the two.")
    return extra
