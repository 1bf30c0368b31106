"""Messages between a process and its worker: a length, then so many bytes of pickle."""

from __future__ import annotations

import pickle
from typing import BinaryIO, Final

__all__ = ["EndOfStreamError", "receive", "send"]

_LENGTH_BYTES: Final = 8


class EndOfStreamError(Exception):
    """The other side is gone."""


def send(stream: BinaryIO, message: object) -> None:
    """Write one message; raises OSError when the other side is gone."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO) -> object:
    """Read one message; raises EndOfStreamError when the other side went before it was whole."""
    return pickle.loads(_exactly(stream, int.from_bytes(_exactly(stream, _LENGTH_BYTES), "big")))  # noqa: S301 - our own child's


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EndOfStreamError
    return data
