"""What may be done with a prepared set, in the words of its ten sources: printed, and written into its card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.data.set_layout import card_configs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.data.sources.source import Licence

__all__ = ["LABELS_LICENCE", "card", "in_words", "summary"]

LABELS_LICENCE = "labels and prompts: CC BY-NC-ND 4.0 and Apple Sample Code License (non-commercial)"


def in_words(licence: Licence) -> str:
    """Return a licence in one line, with its address and what is unclear about it."""
    return f"{licence.name} ({licence.url})" + (f"; {licence.note}" if licence.note else "")


def summary(sources: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return one line a source (entries as in a manifest) and one for labels and prompts."""
    return [LABELS_LICENCE, *(f"{name}: {entry['licence']}" for name, entry in sources.items())]


def card(head: Mapping[str, Any], domains: Sequence[str]) -> str:
    """Return the set's README: the configurations that `datasets` reads, where it comes from, and its licences."""
    upstream, partial = head["upstream"], head["partial"]
    lines = ["---", "license: other", *card_configs(domains), "---", "# SO-Bench, prepared for evaluation", ""]
    lines += [
        f"Set `{head['prep_id']}`, made on a user's machine by {head['tool']}",
        f"from {upstream['repository']} at {upstream['commit']}.",
        "For the evaluation of models by whoever prepared it. Do not publish: the terms below do not allow it.",
        "",
    ]
    if partial:
        shares = ", ".join(f"{name} {share}" for name, share in partial["domains"].items())
        lines += [f"**Partial** ({partial['allowed_by']}): {shares}. Numbers from it are not SO-Bench results.", ""]
    lines += ["## Licences", *(f"- {line}" for line in summary(head["sources"])), ""]
    return "\n".join(lines)
