"""RICO: screenshots of Android apps, as one tar.gz of six gigabytes in a public bucket.

Labels name `images/<number>.jpg`: upstream unpacks the folder `combined`, which also holds a JSON file beside each
picture, and renames it to `images`. The page of the set states no licence.
"""

from functools import partial

from sobench_metrics.data.sources.names import Renaming
from sobench_metrics.data.sources.site_archive import SiteArchive
from sobench_metrics.data.sources.source import Licence, Source
from sobench_metrics.data.sources.tar_images import TarImages, plan_tar

__all__ = ["SOURCE"]

SOURCE = Source(
    name="rico",
    domain="ui",
    title="RICO",
    home="https://www.interactionmining.org/archive/rico",
    licence=Licence(
        name="not stated",
        url="https://www.interactionmining.org/archive/rico",
        note="mirrors tag it CC BY 4.0, its own page states no terms; the screens belong to the makers of the apps",
    ),
    plan=partial(
        plan_tar,
        TarImages(
            SiteArchive(
                "rico",
                "https://storage.googleapis.com/crowdstf-rico-uiuc-4540/rico_dataset_v0.1",
                "unique_uis.tar.gz",
            ),
            Renaming(label="images/", source="combined/"),
            recipe="as_is",
        ),
    ),
)
