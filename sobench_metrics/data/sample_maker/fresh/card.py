"""The dataset card of a generated set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.set_layout import card_configs

if TYPE_CHECKING:
    from sobench_metrics.data.sample_maker.fresh.settings import Settings

__all__ = ["card"]

_TEXT = """\
# Generated pictures with schemas and answers

{rows:,} rows, seed {seed}, generator {version}, made by `sobench generate sobench-sample`. No picture, name or
sentence comes from elsewhere, and none of SO-Bench is among them: a number on these rows is never SO-Bench's.

Columns are those of a prepared SO-Bench: `image` (encoded bytes), `schema_json`, `user_intent`, `target_json`,
`evaluation_labels_json`. `prompts.json` holds the two prompts; `manifest.json` holds seed, versions, counts and hashes.
Same seed, number, version and libraries (named in the manifest): same bytes.

- Ask them: `SOBENCH_SAMPLE=THIS_FOLDER sobench lm-eval --tasks sobench_sample ...`; the signature says
  `data={prep_id}`.
- Train on them: `datasets.load_dataset("THIS_FOLDER", "all", split="test")`, with `sobench_metrics.rewards`.

Proven of every row: the target follows the schema, scores every point by the official and the strict rules, and its
labels have its shape; no two pictures are the same. What is not proven is that a picture is pleasant to read: look at
`sobench contact-sheet --set THIS_FOLDER`.
"""


def card(settings: Settings) -> str:
    """Return the card; `datasets.load_dataset(FOLDER, DOMAIN)` finds each domain by its head, and `all`."""
    record = settings.record()
    head = ["---", "license: apache-2.0", "tags:", "- structured-output", "- synthetic"]
    head += card_configs(settings.domains)
    text = _TEXT.format(
        rows=settings.rows, seed=settings.seed, version=record["generator_version"], prep_id=settings.prep_id
    )
    return "\n".join([*head, "---", "", text])
