"""The image sources of SO-Bench, one file each; a new one is its file and a line in this table."""

from sobench_metrics.data.sources import (
    chartmuseum,
    chartqapro,
    docvqa,
    hiertext,
    infographicvqa,
    omnidocbench,
    rico,
    screenspotpro,
    vistext,
    webui,
)
from sobench_metrics.data.sources.source import Source

__all__ = ["SOURCES"]

SOURCES: dict[str, Source] = {
    module.SOURCE.name: module.SOURCE
    for module in (
        hiertext,
        rico,
        screenspotpro,
        webui,
        omnidocbench,
        docvqa,
        infographicvqa,
        chartmuseum,
        chartqapro,
        vistext,
    )
}
