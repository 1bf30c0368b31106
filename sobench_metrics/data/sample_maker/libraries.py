"""The versions on which pixels and bytes depend."""

import importlib.metadata

import matplotlib as mpl
import PIL
from PIL import features

__all__ = ["libraries"]


def libraries() -> dict[str, str]:
    """Return the versions of what draws, compresses and writes."""
    return {
        "pillow": PIL.__version__,
        "libjpeg_turbo": str(features.version("libjpeg_turbo")),
        "freetype": str(features.version("freetype2")),
        "matplotlib": mpl.__version__,
        "pyarrow": importlib.metadata.version("pyarrow"),
    }
