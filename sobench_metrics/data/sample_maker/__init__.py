"""Draw the bundled sample set: every picture, name and sentence in it is made here, so no foreign licence applies.

    python -m sobench_metrics.data.sample_maker --out DIR [--seed 0] [--per-kind 2]

Pillow, matplotlib and pyarrow are imported inside this package only; reading the finished set needs none of it.
A kind (`settings`, `invoice`, `pie_chart` ...) is a function from a seeded generator to one drawn document, so that
any number of further documents can be had from it.
"""

__all__ = ["MAKER_VERSION"]

MAKER_VERSION = "1"  # rises with any change that alters a row or a pixel
