"""What can go wrong on the way, and a count of what went over it."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase

__all__ = ["Fault", "Faults", "Traffic"]


@dataclass(frozen=True)
class Fault:
    """One misbehaviour: the first `skip` matching requests are answered well, the next `times` are not (None: all).

    Make it with one of the functions below; they say what the client sees.
    """

    kind: str
    times: int | None = 1
    skip: int = 0
    number: float = 0
    text: str = ""
    data: bytes = b""

    @classmethod
    def status(cls, code: int, times: int | None = 1, *, retry_after: str = "", skip: int = 0) -> Fault:
        """The status, perhaps with Retry-After."""
        return cls("status", times, skip, code, retry_after)

    @classmethod
    def cut(cls, after: int, times: int | None = 1, *, skip: int = 0) -> Fault:
        """The right headers, `after` bytes of the body, then a closed connection."""
        return cls("cut", times, skip, after)

    @classmethod
    def truncated(cls, size: int, times: int | None = None, *, skip: int = 0) -> Fault:
        """The file as if it ended after `size` bytes, in good order otherwise."""
        return cls("truncated", times, skip, size)

    @classmethod
    def etag(cls, tag: str = '"another"', times: int | None = None, *, skip: int = 1, data: bytes = b"") -> Fault:
        """Another ETag (and other bytes, if given) from the second request on: the file was replaced meanwhile."""
        return cls("etag", times, skip, text=tag, data=data)

    @classmethod
    def replaced(cls, data: bytes, times: int | None = None, *, skip: int = 0) -> Fault:
        """Other bytes under the same name, with headers to match them (hub hashes stay those of the true file)."""
        return cls("replaced", times, skip, data=data)

    @classmethod
    def html(cls, times: int | None = None, *, skip: int = 0) -> Fault:
        """A page for people, with status 200."""
        return cls("html", times, skip)

    @classmethod
    def hang(cls, times: int | None = 1, *, skip: int = 0) -> Fault:
        """No answer at all until the client goes or the server is closed."""
        return cls("hang", times, skip)

    @classmethod
    def dribble(cls, size: int = 4096, pause: float = 0.01, times: int | None = 1, *, skip: int = 0) -> Fault:
        """The body in pieces of `size` bytes with a pause after each."""
        return cls("dribble", times, skip, pause, data=b"." * size)

    @classmethod
    def no_ranges(cls, times: int | None = None, *, skip: int = 0) -> Fault:
        """The whole file with 200, whatever range was asked for."""
        return cls("no_ranges", times, skip)

    @classmethod
    def wrong_range(cls, times: int | None = None, *, skip: int = 0) -> Fault:
        """206 with another part of the file than was asked for."""
        return cls("wrong_range", times, skip)

    @classmethod
    def redirect(cls, to: str, times: int | None = None, *, skip: int = 0) -> Fault:
        """302 to any address, of any scheme."""
        return cls("redirect", times, skip, text=to)


class Faults:
    """Faults by path; the first that matches and still has turns left answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rules: list[tuple[str, str, Fault]] = []
        self._seen: Counter[int] = Counter()
        self.met: Counter[str] = Counter()  # how often each kind was served
        self._served = threading.Condition(self._lock)

    def add(self, path: str, fault: Fault, *, method: str = "GET") -> None:
        """Answer requests whose path fits the pattern ("*.zip*"; the path has no query and is decoded) with `fault`.

        Only answers that carry a file misbehave, except for `status`, `hang`, `html` and `redirect`, which any can.
        """
        with self._lock:
            self._rules.append((path, method, fault))

    def clear(self) -> None:
        """Let everything be well from here on."""
        with self._lock:
            self._rules.clear()
            self._seen.clear()

    def wait_for(self, kind: str, patience: float = 60) -> None:
        """Return when a fault of this kind was served."""
        with self._served:
            assert self._served.wait_for(lambda: self.met[kind], patience), f"nobody met a {kind}"

    def take(self, method: str, path: str, *, file: bool) -> Fault | None:
        """Return the fault whose turn it is."""
        with self._lock:
            for place, (pattern, wanted, fault) in enumerate(self._rules):
                any_answer = fault.kind in {"status", "hang", "html", "redirect"}
                if method != wanted or not fnmatchcase(path, pattern) or not (file or any_answer):
                    continue
                self._seen[place] += 1
                turn = self._seen[place] - fault.skip
                if turn >= 1 and (fault.times is None or turn <= fault.times):
                    self.met[fault.kind] += 1
                    self._served.notify_all()
                    return fault
        return None


class Traffic:
    """Requests and body bytes by path; hub and CDN paths of one file count under one name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.bytes_by_path: Counter[str] = Counter()
        self.requests_by_path: Counter[str] = Counter()

    def note(self, path: str, *, requests: int = 0, sent: int = 0) -> None:
        with self._lock:
            self.requests_by_path[path] += requests
            self.bytes_by_path[path] += sent

    def bytes(self, prefix: str = "") -> int:
        """Return the body bytes sent for paths that start so, e.g. "sites/s3.amazonaws.com" or "hub/lmms-lab/DocVQA"."""
        with self._lock:
            return sum(count for path, count in self.bytes_by_path.items() if path.startswith(prefix))

    def requests(self, prefix: str = "") -> int:
        """Return the number of requests for paths that start so."""
        with self._lock:
            return sum(count for path, count in self.requests_by_path.items() if path.startswith(prefix))

    def reset(self) -> None:
        """Count from nought."""
        with self._lock:
            self.bytes_by_path.clear()
            self.requests_by_path.clear()
