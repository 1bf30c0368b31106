"""What comes back for a request: the text with what was noted about its making, a failure, or nothing asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Answer", "FailedGeneration", "Generation", "Skipped", "notes_of"]


class Answer(str):  # noqa: SLOT000 - carries its notes through pickling
    """A text as the harness sees it; `constraint` is what its request said about a schema, {} where it said nothing."""

    constraint: Mapping[str, Any] = {}


class Generation(Answer):
    """A text with the number of its tokens, the seconds it took, and whether it ended at the limit.

    In an engine of this process the seconds are an equal share of those that its shard took.

    None where the backend does not tell; `fault` says why a grammar gave the answer up. Filters, caches and logs of the
    harness see the text.
    """

    tokens: int | None
    seconds: float | None
    at_limit: bool | None
    fault: str

    def __new__(  # noqa: PYI034 - Self needs Python 3.11
        cls,
        text: str = "",
        tokens: int | None = None,
        seconds: float | None = None,
        at_limit: bool | None = None,
        fault: str = "",
    ) -> Generation:
        self = super().__new__(cls, text)
        self.tokens, self.seconds, self.at_limit, self.fault = tokens, seconds, at_limit, fault
        return self


class FailedGeneration(Answer):
    """The empty text in place of an answer that a server refused to give, with the reason."""

    reason: str

    def __new__(cls, text: str = "", reason: str = "") -> FailedGeneration:  # noqa: PYI034 - Self needs Python 3.11
        self = super().__new__(cls, text)
        self.reason = reason
        return self


class Skipped(Answer):
    """Empty: stands for a request that was not sent, as the user chose for schemas that cannot be enforced."""


def notes_of(answer: Any) -> dict[str, Any]:
    """Return what the sample log holds under `generation`; {} for an answer without notes."""
    if not isinstance(answer, Generation):
        return {}
    notes = {"tokens": answer.tokens, "seconds": answer.seconds, "limit": answer.at_limit}
    return {"generation": {**notes, **({"fault": answer.fault} if answer.fault else {})}}
