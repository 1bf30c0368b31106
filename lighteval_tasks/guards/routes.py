"""Only routes that carry pictures may ask SO-Bench: text routes would drop them without a word and score the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.models.transformers.transformers_model import TransformersModelConfig
from lighteval.models.transformers.vlm_transformers_model import VLMTransformersModelConfig
from lighteval.pipeline import Pipeline

from lighteval_tasks import docs, signature
from lighteval_tasks.guards import orders
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lighteval.tasks.requests import Doc

__all__ = ["TAKES_IMAGES", "install", "refuse"]

TAKES_IMAGES = "takes_images"
"""A custom backend says with an attribute of this name that it sends `Doc.images`, which may be references."""

_WAYS = "`accelerate ... --vision-model`, `custom MODEL server ...` (sobench lighteval) or `eval`"


def install() -> None:
    """Look at model and questions before the model is loaded, and note the model for the signature."""
    Pipeline._init_model = _init_model(Pipeline._init_model)  # noqa: SLF001 - the one place where both are known


def refuse(config: Any, model: Any, questions: Iterable[Doc]) -> None:
    """Raise UsageError when these questions would reach the model without their picture or with half a prompt.

    `model` is None before it is loaded.
    """
    ours = [doc for doc in questions if docs.is_ours(doc)]
    if not ours:
        return
    pictured = next((doc for doc in ours if doc.images), None)
    plain = next((doc for doc in ours if not doc.images), None)
    vision = isinstance(config, VLMTransformersModelConfig)
    own = isinstance(config, CustomModelConfig)
    if pictured and not vision and not own:
        raise UsageError(f"this route of lighteval drops the image of {pictured.task_name}: use {_WAYS}.")
    if pictured and own and model is not None and not getattr(model, TAKES_IMAGES, False):
        raise UsageError(
            f"{type(model).__name__} does not say that it sends images ({TAKES_IMAGES} = True), which "
            f"{pictured.task_name} asks with: use {_WAYS}."
        )
    if plain and vision:
        raise UsageError(
            f"--vision-model asks nothing without an image: run {plain.task_name} in a second command without it, "
            "or both through one server."
        )
    if getattr(config, "continuous_batching", False):
        raise UsageError(
            "continuous_batching cuts the front of every prompt when the longest one and its answer do not fit: "
            "remove it from the model's settings."
        )
    if _answer_limit(config) is not None and isinstance(config, VLMTransformersModelConfig | TransformersModelConfig):
        instead = "generation_size in the model's settings" if vision else "SOBENCH_MAX_TOKENS"
        raise UsageError(
            "generation_parameters.max_new_tokens does not limit answers here, lighteval cuts prompts to it or stops: "
            f"remove it and set {instead}."
        )


def _init_model(original: Callable[..., Any]) -> Callable[..., Any]:
    def init_model(self: Pipeline, model_config: Any, model: Any) -> Any:
        questions = [doc for found in self.documents_dict.values() for doc in found]
        config = model_config if model_config is not None else getattr(model, "config", None)
        if any(docs.is_ours(doc) for doc in questions):
            orders.refuse_count(self.pipeline_parameters.max_samples)
            orders.refuse_folder(self.evaluation_tracker.output_dir, "--output-dir")
        refuse(config, model, questions)
        loaded = original(self, model_config, model)
        refuse(config, loaded, questions)
        if any(docs.is_ours(doc) for doc in questions):  # to look at a model can cost, or fail: some fetch a tokenizer
            signature.note_model(loaded)
        return loaded

    return init_model


def _answer_limit(config: Any) -> Any:
    return getattr(getattr(config, "generation_parameters", None), "max_new_tokens", None)
