"""What a sample's line in the log says beside its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import ItemsView, KeysView

__all__ = ["SampleMetrics"]


class SampleMetrics(dict[str, Any]):
    """The metrics of one sample, with `diagnostics` that reach the sample log but are not aggregated.

    lm-eval aggregates every key that `process_results` returns, but copies the mapping into the sample's line by
    `dict.update`, which looks at the storage of a dict and not at its overridden views.
    """

    def __init__(self, metrics: dict[str, Any], diagnostics: dict[str, Any]) -> None:
        super().__init__(metrics, diagnostics=diagnostics)

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return self._shown().keys()  # type: ignore[return-value]

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        return self._shown().items()  # type: ignore[return-value]

    def _shown(self) -> dict[str, Any]:
        return {key: value for key, value in super().items() if key != "diagnostics"}
