"""The environment of verifiers up to 0.3: rows in `info`, a rubric over the rewards."""

from __future__ import annotations

from typing import Any

from sobench_metrics.rewards import ifstruct_reward, ifstruct_shaped_reward, verifiers_reward

from .rows import rows_of

__all__ = ["load_environment"]


def load_environment(  # noqa: PLR0913 - the environment's settings, each with a default
    *,
    rows: str | None = None,
    eval_rows: str | None = None,
    num_train: int = 1000,
    num_eval: int = 100,
    seed: int = 0,
    shaped_weight: float = 0.0,
    **kwargs: Any,
) -> Any:
    """Return a `SingleTurnEnv` over generated rows, or those of the files; further arguments are the environment's.

    The training and evaluation rows have no entity type in common, unless files say otherwise.
    """
    import verifiers as vf  # type: ignore[import-not-found,unused-ignore]  # the environment's dependency, not ours

    train = rows_of(rows, seed=seed, split="train", number=num_train)
    held_out = rows_of(eval_rows, seed=seed, split="eval", number=num_eval)
    rubric = vf.Rubric(
        funcs=[verifiers_reward(ifstruct_reward), verifiers_reward(ifstruct_shaped_reward)],
        weights=[1.0, shaped_weight],
    )
    return vf.SingleTurnEnv(dataset=_data_set(train), eval_dataset=_data_set(held_out), rubric=rubric, **kwargs)


def _data_set(rows: Any) -> Any:
    from datasets import Dataset

    return Dataset.from_list(
        [
            {
                "prompt": [{"role": "user", "content": row["prompt"]}],
                "answer": "",
                "info": {name: value for name, value in row.items() if name != "prompt"},
            }
            for row in rows
        ]
    )
