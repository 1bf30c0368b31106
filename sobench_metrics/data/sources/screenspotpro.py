"""ScreenSpot-Pro: full screens of professional software, as plain files on the hub.

Labels name `images/<application>/<file>.png`, as the repository does. The card states no licence.
"""

from functools import partial

from sobench_metrics.data.sources.hub_files import HubFiles, plan_files
from sobench_metrics.data.sources.hub_repo import HubPlace
from sobench_metrics.data.sources.names import Renaming
from sobench_metrics.data.sources.source import Licence, Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name="screenspotpro",
    domain="ui",
    title="ScreenSpot-Pro",
    home="https://huggingface.co/datasets/likaixin/ScreenSpot-Pro",
    licence=Licence(
        name="not stated",
        url="https://huggingface.co/datasets/likaixin/ScreenSpot-Pro",
        note="no licence tag was found; the screens show software of many makers",
    ),
    plan=partial(
        plan_files,
        HubFiles(
            HubPlace("screenspotpro", "likaixin/ScreenSpot-Pro", "images/"),
            Renaming(label="images/", source="images/"),
            recipe="as_is",
        ),
    ),
)
