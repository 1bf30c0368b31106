"""What comes back for a request: the text with what was noted about its making, a failure, or nothing asked."""

from __future__ import annotations

from typing import Any

__all__ = ["FailedGeneration", "Generation", "Skipped", "notes_of"]


class Generation(str):  # noqa: SLOT000 - carries its notes through pickling
    """A text with the number of its tokens, the seconds it took (servers only), and whether it ended at the limit.

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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.tokens, self.seconds, self.at_limit, self.fault)


class FailedGeneration(str):  # noqa: SLOT000 - carries its reason through pickling
    """The empty text in place of an answer that a server refused to give, with the reason."""

    reason: str

    def __new__(cls, text: str = "", reason: str = "") -> FailedGeneration:  # noqa: PYI034 - Self needs Python 3.11
        self = super().__new__(cls, text)
        self.reason = reason
        return self


class Skipped(str):  # noqa: SLOT000 - as above
    """Stands for a request that was not sent, because the user chose so for schemas that cannot be enforced."""

    def __new__(cls) -> Skipped:  # noqa: PYI034 - Self needs Python 3.11
        return super().__new__(cls, "")

    def __reduce__(self) -> tuple[Any, ...]:
        return Skipped, ()


def notes_of(answer: Any) -> dict[str, Any]:
    """Return what the sample log holds under `generation`; {} for an answer without notes."""
    if not isinstance(answer, Generation):
        return {}
    notes = {"tokens": answer.tokens, "seconds": answer.seconds, "limit": answer.at_limit}
    return {"generation": {**notes, **({"fault": answer.fault} if answer.fault else {})}}
