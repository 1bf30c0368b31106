"""HierText: photographs with text, the test split, as one tar.gz in the bucket of Open Images.

Labels name `images/test/<Open Images id>.jpg`: upstream unpacks the folder `test` into `images`. The file is sent as
it is, without the turn that EXIF may ask for. Annotations are CC BY-SA 4.0; the photographs are Open Images.
"""

from functools import partial

from sobench_metrics.data.sources.names import Renaming
from sobench_metrics.data.sources.site_archive import SiteArchive
from sobench_metrics.data.sources.source import Licence, Source
from sobench_metrics.data.sources.tar_images import TarImages, plan_tar

__all__ = ["SOURCE"]

SOURCE = Source(
    name="hiertext",
    domain="natural",
    title="HierText",
    home="https://github.com/google-research-datasets/hiertext",
    licence=Licence(
        name="CC BY-SA 4.0 (annotations)",
        url="https://github.com/google-research-datasets/hiertext",
        note="the photographs come from Open Images, which lists them as CC BY without having checked each of them",
    ),
    plan=partial(
        plan_tar,
        TarImages(
            SiteArchive("hiertext", "https://s3.amazonaws.com/open-images-dataset/ocr", "test.tgz"),
            Renaming(label="images/test/", source="test/"),
            recipe="as_is",
        ),
    ),
)
