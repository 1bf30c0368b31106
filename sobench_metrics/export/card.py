"""The README.md of a model repository, with results put among those that its metadata has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["merged"]

_NOTHING = "---\n{}\n---\n"


def merged(there: str | None, card: Mapping[str, Any], repo: str) -> str:
    """Return the README with the results of a `model-index` among its own; unchanged when it has them all.

    `there` is its text, None where there is none. Raises UsageError for metadata that cannot be read, which would be
    lost, and for a figure that the card has with another value for the same run.
    """
    import yaml
    from huggingface_hub import ModelCard
    from huggingface_hub.repocard_data import model_index_to_eval_results

    name, results = model_index_to_eval_results(card["model-index"])
    try:
        readme: Any = ModelCard(_NOTHING if there is None else there, ignore_metadata_errors=False)
    except (ValueError, TypeError, KeyError, AttributeError, yaml.YAMLError) as error:
        why = one_line(error)[:200]
        raise UsageError(f"the metadata of {repo}'s README.md cannot be read ({why}): mend them first.") from error
    known = list(readme.data.eval_results or [])
    for result in results:
        same = [one for one in known if result.is_equal_except_value(one)]
        if any(one.metric_value != result.metric_value for one in same):
            raise UsageError(
                f"the card of {repo} has another value for {one_line(result.metric_name)} of "
                f"{one_line(result.dataset_name)} by the same settings: look into it before it is replaced by hand."
            )
    new = [one for one in results if one not in known]
    if there is not None and not new:
        return there
    readme.data.eval_results = [*known, *new]
    readme.data.model_name = readme.data.model_name or name
    return str(readme)
