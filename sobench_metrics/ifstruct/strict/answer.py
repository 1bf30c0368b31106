"""What a strict rule looks at: the request, the data, and the text they were read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yaml

    from sobench_metrics.ifstruct.spec import Spec
    from sobench_metrics.ifstruct.verdict import Payload
    from sobench_metrics.ifstruct.walk import Place

__all__ = ["Answer", "answer_of"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer that held data; `root` is its YAML node tree, None for JSON and for an empty document."""

    spec: Spec
    payload: Payload
    root: yaml.Node | None

    @property
    def place(self) -> Place:
        """Where the data stands in the answer as the model wrote it."""
        return (None, self.payload.wrapper[0]) if self.payload.wrapper else None


def answer_of(spec: Spec, payload: Payload) -> Answer:
    """Return the answer, its YAML composed once for all rules."""
    root = None
    if payload.is_yaml:
        from sobench_metrics.ifstruct.yaml_loading import compose  # PyYAML: only when used

        root = compose(payload.text)
    return Answer(spec, payload, root)
