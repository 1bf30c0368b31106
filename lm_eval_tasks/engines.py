"""The engines of this process: prompts that carry a schema through the harness, and what each answer took."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import grammars, vllm_engine
from lm_eval_tasks.answer import Generation
from lm_eval_tasks.grammars import ConstrainedPrompt, Measures
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lm_eval.api.instance import Instance

__all__ = ["ConstrainedPrompt", "answering", "refuse_unready", "schema_fault"]


def refuse_unready(lm: Any) -> None:
    """Raise UsageError when this LM's engine cannot hold answers to schemas, before a batch is on its way."""
    fault = vllm_engine.fault(lm) if vllm_engine.is_vllm(lm) else grammars.ready(lm)
    if fault:
        raise UsageError(fault)


def schema_fault(lm: Any, schema: str) -> str | None:
    """Return why the engine of this LM refuses a schema (JSON text), asked of the engine itself; None when it does not.

    Raises UsageError when no schema at all can be held.
    """
    refuse_unready(lm)
    return vllm_engine.schema_fault(lm, schema) if vllm_engine.is_vllm(lm) else grammars.compile_fault(lm, schema)


@contextmanager
def answering(lm: Any) -> Iterator[Callable[[Sequence[Instance], Sequence[str]], list[Generation]]]:
    """Let prompts bring their schemas; yields what joins requests and their texts to answers with notes.

    An engine that is not known here leaves no notes, and takes no schema (`refuse_unready` says so first).
    """
    watch = vllm_engine.constraining if vllm_engine.is_vllm(lm) else grammars.constraining
    with watch(lm) as measures:
        yield lambda requests, texts: _joined(measures, requests, texts)


def _joined(measures: Measures, requests: Sequence[Instance], texts: Sequence[str]) -> list[Generation]:
    return [_noted(measures, request, text) for request, text in zip(requests, texts, strict=True)]


def _noted(measures: Measures, request: Instance, text: str) -> Generation:
    try:
        (found,) = measures.take([request])
    except LookupError:
        if request.args[0].schema is not None:
            raise
        return Generation(text)  # the note is missing, not the answer
    return Generation(text, tokens=found.tokens, at_limit=found.at_limit, fault=found.fault)
