"""One question, one answer, in verifiers 0.4 and later: the harness that runs unless the command names another."""

from __future__ import annotations

from verifiers.v1.harnesses.null import NullHarness  # type: ignore[import-not-found,unused-ignore]  # as in taskset

__all__ = ["IfstructHarness"]


class IfstructHarness(NullHarness):  # type: ignore[misc,unused-ignore]
    """Sends the prompt and nothing else; verifiers' own default lays a shell and its tools before the model."""
