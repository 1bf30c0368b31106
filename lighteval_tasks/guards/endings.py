"""An answer ends where the checkpoint says that it ends, as in lm-eval.

lighteval names the tokenizer's end token to the model, and with that takes all others of its generation config away
(no issue of upstream's was found). Chat models whose turns end with another token (Gemma 3, Phi 3) then write on into
turns of their own until the limit.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["all_endings"]


@contextmanager
def all_endings(model: Any) -> Iterator[None]:
    """Let a transformers model end at its own end tokens too, whichever of them lighteval names."""
    generate, own = model.generate, _ids(getattr(model.generation_config, "eos_token_id", None))

    def ending(*args: Any, eos_token_id: Any = None, **options: Any) -> Any:
        ends = list(dict.fromkeys([*_ids(eos_token_id), *own]))
        return generate(*args, eos_token_id=ends or None, **options)

    model.generate = ending
    try:
        yield
    finally:
        del model.generate  # the method of the class is back in its place


def _ids(named: Any) -> list[int]:
    return [] if named is None else [int(one) for one in (named if isinstance(named, list | tuple) else [named])]
