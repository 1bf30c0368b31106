"""What can go wrong between a server and the disk, each in one sentence."""

__all__ = ["FetchError", "Refused"]


class FetchError(Exception):
    """A file that could not be had; the text names it, the reason and what to do, and is shown to the user."""


class Refused(FetchError):  # noqa: N818 - a verdict on the answer, not a fault of ours
    """An answer that must not be used and is never asked for again: unsafe, of the wrong kind, or changed meanwhile."""
