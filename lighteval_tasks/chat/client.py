"""Ask many requests of one server: so many at once, each with its own tries, none with the fate of another.

httpx is used, which lighteval needs itself.
"""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from lighteval_tasks.chat import answers
from lighteval_tasks.chat.answers import Answer, Failure
from lighteval_tasks.chat.waits import retry_after, wait_before
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from httpx import AsyncClient

    from lighteval_tasks.chat.settings import ServerSettings

__all__ = ["ask"]

log = logging.getLogger(f"lighteval.{__name__}")
_CONNECTING = 30.0  # seconds; an address that swallows packets must not cost the whole time of an answer
_MOST_BYTES = 64 * 1024 * 1024
_FIRST = 4  # failures at the beginning that tell of a wrong setting, even where one request is sent at a time
_LOCAL = ("127.0.0.1", "::1", "localhost")


def ask(settings: ServerSettings, bodies: Sequence[Callable[[], dict[str, Any]]]) -> list[Answer | Failure]:
    """Return what the server says to each body, in their order; a body is made when its turn comes.

    A request that fails at every try is a `Failure` and costs no other. Raises UsageError when the first requests
    all fail for a reason that the others share: no server at the address, a wrong key, an unknown model.
    """
    with _quiet("httpx"):
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(_ask_all(settings, bodies))
        with ThreadPoolExecutor(1) as pool:  # a notebook's own loop runs on this thread
            return pool.submit(asyncio.run, _ask_all(settings, bodies)).result()


class _Watch:
    """Looks at how a run begins: the failures before the first outcome that a wrong address or key cannot explain."""

    def __init__(self, settings: ServerSettings, requests: int) -> None:
        self._settings, self._enough = settings, min(requests, max(settings.concurrent, _FIRST))
        self._failures: list[Failure] | None = []
        self._told = False

    def retried(self, failure: Failure) -> None:
        """Tell the first failure of a try: a run that only waits would look as one that hangs."""
        if not self._told:
            log.warning("a request failed and is sent again (%s); later ones are not told", failure.reason)
        self._told = True

    def note(self, outcome: Answer | Failure) -> None:
        """Raise UsageError when there were enough of them."""
        if self._failures is None:
            return
        if isinstance(outcome, Answer) or not outcome.concerns:
            self._failures = None
            return
        self._failures.append(outcome)
        if len(self._failures) >= self._enough:
            remedy = (
                "check the key in SOBENCH_SERVER_KEY"
                if outcome.concerns == answers.KEY
                else "check SOBENCH_SERVER_URL, the model's name, and whether the server runs"
            )
            raise UsageError(f"no request to {self._settings.url} succeeds ({outcome.reason}): {remedy}.")


async def _ask_all(settings: ServerSettings, bodies: Sequence[Callable[[], dict[str, Any]]]) -> list[Answer | Failure]:
    from httpx import AsyncClient, Limits, Timeout
    from tqdm import tqdm

    outcomes: list[Any] = [None] * len(bodies)
    places = iter(range(len(bodies)))
    watch = _Watch(settings, len(bodies))

    async def worker(client: AsyncClient) -> None:
        for place in places:
            body = await asyncio.to_thread(_encoded, bodies[place])
            outcomes[place] = await _with_tries(client, settings, body, watch.retried)
            watch.note(outcomes[place])
            bar.update()

    with tqdm(total=len(bodies), desc="Asking the server", unit="request") as bar:
        async with AsyncClient(
            headers={"Authorization": f"Bearer {settings.key}", "Content-Type": "application/json"},
            timeout=Timeout(None, connect=min(_CONNECTING, settings.timeout)),
            limits=Limits(max_connections=None, max_keepalive_connections=settings.concurrent),
            # a proxy of the environment is for the world outside
            trust_env=urlsplit(settings.url).hostname not in _LOCAL,
        ) as client:
            tasks = [asyncio.create_task(worker(client)) for _ in range(min(settings.concurrent, len(bodies)))]
            try:
                await asyncio.gather(*tasks)
            finally:  # one that raised, or Ctrl-C, ends them all
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    return outcomes


async def _with_tries(
    client: AsyncClient, settings: ServerSettings, body: bytes, on_retry: Callable[[Failure], None]
) -> Answer | Failure:
    outcome = await _once(client, settings, body)
    for number in range(2, settings.tries + 1):
        if isinstance(outcome, Answer) or not outcome.again:
            break
        on_retry(outcome)
        await asyncio.sleep(wait_before(number, outcome.wait))
        outcome = await _once(client, settings, body)
    return outcome


async def _once(client: AsyncClient, settings: ServerSettings, body: bytes) -> Answer | Failure:
    from httpx import ConnectError, ConnectTimeout

    try:
        outcome = await asyncio.wait_for(_exchange(client, settings.url, body), settings.timeout)
    except asyncio.TimeoutError:
        return Failure(f"no answer within {settings.timeout:g} seconds")
    except (ConnectError, ConnectTimeout) as error:
        return Failure(answers.short(f"cannot connect: {error or type(error).__name__}"), concerns=answers.ADDRESS)
    except Exception as error:  # noqa: BLE001 - whatever a server does, it costs one sample and no more
        return Failure(answers.short(f"{type(error).__name__}: {error}"))
    return _without_key(outcome, settings.key)


async def _exchange(client: AsyncClient, url: str, body: bytes) -> Answer | Failure:
    async with client.stream("POST", url, content=body) as response:
        data = bytearray()
        async for piece in response.aiter_bytes():
            data += piece
            if len(data) > _MOST_BYTES:
                return Failure(f"the answer is longer than {_MOST_BYTES} bytes", again=False)
        return answers.read(response.status_code, bytes(data), retry_after(response.headers.get("Retry-After")))


def _without_key(outcome: Answer | Failure, key: str) -> Answer | Failure:
    """Servers quote a wrong key in what they say, and reasons end up in files that may be published."""
    if isinstance(outcome, Failure) and len(key) > len("none") and key in outcome.reason:
        return Failure(outcome.reason.replace(key, "..."), outcome.again, outcome.wait, outcome.concerns)
    return outcome


def _encoded(make: Callable[[], dict[str, Any]]) -> bytes:
    return json.dumps(make()).encode()


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a library from logging a line for each request, which would tear the progress bar."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
