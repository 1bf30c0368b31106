"""The version of the generator: it rises with every change that alters a byte of what a seed gives."""

from typing import Final

__all__ = ["GENERATOR_VERSION"]

GENERATOR_VERSION: Final = "2"
