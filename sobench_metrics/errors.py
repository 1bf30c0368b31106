"""The error that a user can act on."""

__all__ = ["UsageError"]


class UsageError(ValueError):
    """A user's mistake or a missing thing, told in one sentence that names the remedy.

    The commands print the sentence and exit with status 2; no traceback is shown.
    """
