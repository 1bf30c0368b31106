"""Ask an OpenAI-compatible chat endpoint; what comes back is text of bounded length, or None."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.generate.settings import Rewriting

__all__ = ["asked"]

_MOST_BYTES: Final = 1_000_000
_WORTH_WAITING: Final = (408, 425, 429, 500, 502, 503, 504, 529)
_TRIES: Final = 4
_FIRST_PAUSE: Final = 1.0  # seconds; doubled from try to try
_MOST_TOKENS: Final = 4096


def asked(rewriting: Rewriting, text: str, temperature: float) -> str | None:
    """Return the model's answer to one user message; None when it gives no text after several tries.

    The key, if any, is read from `OPENAI_API_KEY`. Raises UsageError when the server refuses for good (a wrong key, an
    unknown model) or cannot be reached at all.
    """
    body = {
        "model": rewriting.model,
        "messages": [{"role": "user", "content": text}],
        "temperature": temperature,
        "max_tokens": _MOST_TOKENS,
    }
    fault = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_FIRST_PAUSE * 2 ** (attempt - 1))
        try:
            return _text_of(_posted(rewriting, body))
        except urllib.error.HTTPError as error:
            fault = f"status {error.code}"
            if error.code not in _WORTH_WAITING:
                break
        except (OSError, http.client.HTTPException) as error:  # no route, refused, timed out, cut off
            fault = str(getattr(error, "reason", error)) or type(error).__name__
        except ValueError:
            return None  # an answer that is no JSON
    raise UsageError(
        f"{rewriting.url} does not answer as an OpenAI-compatible server for the model {rewriting.model} ({fault}): "
        "correct --rewrite-url, --rewrite-model or OPENAI_API_KEY; the same command goes on behind the rows made."
    )


def _posted(rewriting: Rewriting, body: dict[str, Any]) -> Any:
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    url = rewriting.url.rstrip("/") + "/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - the scheme is checked by the command
    with urllib.request.urlopen(request, timeout=rewriting.timeout) as answer:  # noqa: S310
        return json.loads(answer.read(_MOST_BYTES))


def _text_of(answer: Any) -> str | None:
    try:
        text = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        return None
    return text if isinstance(text, str) and text.strip() else None
