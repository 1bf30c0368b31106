"""lighteval's vision backend: pictures opened batch by batch, prompts whole, and no answer on another's place.

The backend stores an answer as a text where the rest of lighteval expects a list of texts (no issue of upstream's was
found). Two things follow: a score of its first letter, and, since the prediction cache leaves out what is empty, all
answers behind an empty one on the docs of their neighbours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateError
from lighteval.models.transformers import vlm_transformers_model as backend

from lighteval_tasks import docs, settings
from lighteval_tasks.guards.endings import all_endings
from sobench_metrics.data.images import ImageRef, open_image, read_bytes
from sobench_metrics.data.prompt_text import IMAGE_PLACE, escape
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

__all__ = ["as_lists", "install"]


def install() -> None:
    """Put the list into its place for every task, and our collation into that of our questions."""
    generate = backend.VLMTransformersModel._greedy_until  # noqa: SLF001 - below the cache, which is misled otherwise
    backend.VLMTransformersModel._greedy_until = _with_lists(generate)  # noqa: SLF001
    collate = backend.BatchCollator.__call__
    backend.BatchCollator.__call__ = _collated(collate)


def as_lists(responses: list[ModelResponse]) -> list[ModelResponse]:
    """Return the responses with every text in a list of its own; those that have one already are left alone."""
    for response in responses:
        if isinstance(response.text, str):
            response.text = [response.text]
    return responses


def _with_lists(original: Callable[..., list[ModelResponse]]) -> Callable[..., list[ModelResponse]]:
    def greedy_until(self: Any, questions: list[Doc]) -> list[ModelResponse]:
        def ending(ours: list[Doc]) -> list[ModelResponse]:
            with all_endings(self.model):
                return original(self, ours)

        return as_lists(docs.asked_apart(questions, ending, partial(original, self)))

    return greedy_until


def _collated(original: Callable[..., Any]) -> Callable[..., Any]:
    def collate(self: Any, requests: list[Doc]) -> Any:
        if not any(docs.is_ours(doc) for doc in requests):
            return original(self, requests)
        asked = [_ready(doc, self) for doc in requests]
        texts = [_rendered(self.prompt_manager, doc) for doc in asked]
        options = {key: value for key, value in self.kwargs.items() if key not in {"truncation", "max_length"}}
        inputs = self.processor(text=texts, images=[doc.images for doc in asked], **options)
        _refuse_too_long(inputs, self.kwargs.get("max_length"))
        return inputs, requests, texts

    return collate


def _ready(doc: Doc, collator: Any) -> Doc:
    """The question with its pictures opened, and with no text that the processor would take for one."""
    own = getattr(collator.processor, "image_token", None)
    reserved = tuple(dict.fromkeys([IMAGE_PLACE, *([own] if isinstance(own, str) and own else [])]))
    instruction = escape(doc.instruction, reserved) if doc.instruction else None
    if instruction and collator.prompt_manager.system_prompt:
        instruction = f"\n\n{instruction}"  # lighteval joins the user's own system prompt and this one without a space
    images = [open_image(read_bytes(image)) if isinstance(image, ImageRef) else image for image in doc.images or ()]
    return replace(doc, query=escape(doc.query, reserved), instruction=instruction, images=images)


def _rendered(prompt_manager: Any, doc: Doc) -> str:
    try:
        return str(prompt_manager.prepare_prompt_multimodal(doc))
    except TemplateError as error:
        raise UsageError(
            f"the model's chat template refuses {doc.task_name}'s system prompt ({error}): set "
            f"{settings.MERGE_SYSTEM}=1 to put it into the user's message."
        ) from error


def _refuse_too_long(inputs: Any, longest: int | None) -> None:
    tokens = inputs["input_ids"].shape[1]
    if longest is not None and tokens > longest:
        raise UsageError(
            f"a prompt with its image takes {tokens} tokens where {longest} fit, and lighteval would cut it: raise "
            "max_length in the model's settings, or use a model with a longer window."
        )
