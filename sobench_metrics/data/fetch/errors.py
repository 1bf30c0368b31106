"""What can go wrong between a server and the disk, each in one sentence."""

__all__ = ["FetchError", "Missing", "Refused"]


class FetchError(Exception):
    """A file that could not be had; the text names it, the reason and what to do, and is shown to the user."""


class Missing(FetchError):  # noqa: N818 - what the server says, not a fault of ours
    """A file that the server does not have."""


class Refused(FetchError):  # noqa: N818 - a verdict on the answer, not a fault of ours
    """An answer that must not be used and is never asked for again: unsafe, of the wrong kind, or changed meanwhile."""
