"""What `validate` says about one response."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.findings import Finding
    from sobench_metrics.ifstruct.spec import Spec

__all__ = ["Payload", "Verdict"]


@dataclass(frozen=True, slots=True)
class Payload:
    """The part of a response that held the data, kept so that `Verdict.strict` can be worked out when asked for."""

    text: str
    is_yaml: bool
    data: Any
    """The data the schema was applied to: the list inside the wrapper where there is one (rule A7)."""
    wrapper: tuple[Any, ...]
    """The wrapper key, or ()."""


@dataclass(frozen=True)
class Verdict:
    """The official verdict, equal to the reference's, and on demand the findings beyond it.

    `errors` are in the reference's order with its texts; their paths point into the answer as the model wrote it,
    wrapper key included. `details` has the reference's keys and values.
    """

    errors: tuple[Finding, ...]
    details: Mapping[str, Any]
    spec: Spec = field(repr=False)
    payload: Payload | None = field(default=None, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        """True exactly when there is no error."""
        return not self.errors

    @property
    def score(self) -> float:
        """1.0 when passed, else 0.0."""
        return 1.0 if self.passed else 0.0

    @cached_property
    def strict(self) -> tuple[Finding, ...]:
        """Findings beyond the reference; worked out at first use, empty when the response held no data."""
        from sobench_metrics.ifstruct.strict import strict_findings  # loads jsonschema: only when used

        return strict_findings(self.spec, self.payload) if self.payload else ()
