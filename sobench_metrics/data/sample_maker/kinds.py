"""The bundled kinds, by domain."""

from sobench_metrics.data.sample_maker import chart, document, document_forms, natural, natural_goods, ui, ui_desktop
from sobench_metrics.data.sample_maker.drawn import Kind

__all__ = ["DOMAINS"]

DOMAINS: dict[str, dict[str, Kind]] = {
    "ui": ui.KINDS | ui_desktop.KINDS,
    "natural": natural.KINDS | natural_goods.KINDS,
    "document": document.KINDS | document_forms.KINDS,
    "chart": chart.KINDS,
}
