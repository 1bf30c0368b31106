"""No prompt of ours is cut: lighteval's text backend trims what is too long from the front and says nothing."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from functools import partial
from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Any

from lighteval.models.transformers.transformers_model import TransformersModel

from lighteval_tasks import docs
from lighteval_tasks.guards.endings import all_endings
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

__all__ = ["install"]

log = logging.getLogger(f"lighteval.{__name__}")


def install() -> None:
    """Watch the tokenizer while questions of ours are asked."""
    generate = TransformersModel._padded_greedy_until  # noqa: SLF001 - the continuous one is refused by `guards.routes`
    TransformersModel._padded_greedy_until = _watched(generate)  # noqa: SLF001


def _watched(original: Callable[..., list[ModelResponse]]) -> Callable[..., list[ModelResponse]]:
    def greedy_until(self: TransformersModel, questions: list[Doc]) -> list[ModelResponse]:
        def watched(ours: list[Doc]) -> list[ModelResponse]:
            with _uncut(self), all_endings(self.model):
                return original(self, ours)

        return docs.asked_apart(questions, watched, partial(original, self))

    return greedy_until


@contextmanager
def _uncut(model: Any) -> Iterator[None]:
    tokenizer = model._tokenizer  # noqa: SLF001 - what the property `tokenizer` returns
    model._tokenizer = _Tokenizer(tokenizer, model.max_length)  # noqa: SLF001
    try:
        yield
    finally:
        model._tokenizer = tokenizer  # noqa: SLF001


class _Tokenizer:
    """The model's tokenizer, which raises UsageError where it would cut."""

    def __init__(self, inner: Any, longest: int) -> None:
        self._inner, self._longest = inner, longest
        self._warned = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __call__(self, texts: Any, *, truncation: Any = False, max_length: Any = None, **kwargs: Any) -> Any:  # noqa: ARG002
        encoded = self._inner(texts, **kwargs)
        ids = encoded["input_ids"]
        rows = ids if len(ids) and not isinstance(ids[0], int) else [ids]
        tokens = max((len(row) for row in rows), default=0)
        # not `max_length`, which is guessed from the prompt with the most letters and can fall short of the window
        if truncation and tokens > self._longest:
            raise UsageError(
                f"a prompt takes {tokens} tokens where {self._longest} fit: set max_length in the model's settings, or "
                "use a model with a longer window."
            )
        if "add_special_tokens" in kwargs:  # not where lighteval only measures a text
            self._warn_of_two_beginnings(rows)
        return encoded

    def _warn_of_two_beginnings(self, rows: Any) -> None:
        begin, pad = self._inner.bos_token_id, self._inner.pad_token_id
        if self._warned or begin is None:
            return
        firsts = (list(islice(dropwhile(pad.__eq__, map(int, row)), 2)) for row in rows)
        if any(first == [begin, begin] for first in firsts):
            self._warned = True
            log.warning(
                "every prompt begins with two BOS tokens, the template's and the tokenizer's: set "
                "add_special_tokens: false in the model's settings to ask as lm-eval does"
            )
