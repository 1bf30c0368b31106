"""ChartMuseum: charts from the web, as plain files on the hub.

Labels name `images/<file>`, as the repository does. CC BY-SA 4.0 for the set; each chart stays with its owner.
"""

from functools import partial

from sobench_metrics.data.sources.hub_files import HubFiles, plan_files
from sobench_metrics.data.sources.hub_repo import HubPlace
from sobench_metrics.data.sources.names import Renaming
from sobench_metrics.data.sources.source import Licence, Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name="chartmuseum",
    domain="chart",
    title="ChartMuseum",
    home="https://huggingface.co/datasets/lytang/ChartMuseum",
    licence=Licence(
        name="CC BY-SA 4.0",
        url="https://huggingface.co/datasets/lytang/ChartMuseum",
        note="the copyright of each chart stays with its owner",
    ),
    plan=partial(
        plan_files,
        HubFiles(
            HubPlace("chartmuseum", "lytang/ChartMuseum", "images/"),
            Renaming(label="images/", source="images/"),
            recipe="as_is",
        ),
    ),
)
