"""Models without a model: oracle, empty, placeholder. They calibrate every task through the whole harness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lm_eval.api.model import LM

from lm_eval_tasks.dispatch import REQUEST_TYPE
from sobench_metrics.data import oracle

if TYPE_CHECKING:
    from collections.abc import Callable

    from lm_eval.api.instance import Instance

__all__ = ["BASELINES", "BaselineLM"]


def _oracle(doc: dict[str, Any]) -> str:
    return oracle.sobench_answer(doc) if "target_json" in doc else oracle.ifstruct_answer(doc)


def _empty(_doc: dict[str, Any]) -> str:
    return ""


def _placeholder(doc: dict[str, Any]) -> str:
    if "target_json" in doc:
        return oracle.sobench_placeholder(doc["schema_json"])
    return oracle.ifstruct_placeholder(doc)


BASELINES: dict[str, Callable[[dict[str, Any]], str]] = {
    "oracle": _oracle,  # the target itself: every score must be 1
    "empty": _empty,  # the floor of a model that says nothing
    "placeholder": _placeholder,  # the floor of a model that knows the schema and nothing else
}


class BaselineLM(LM):
    """An LM that answers from the doc of each request, text and image requests alike."""

    MULTIMODAL = True

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        return [BASELINES[self.kind](request.doc) for request in requests]

    def apply_chat_template(self, chat_history: list[dict[str, Any]], add_generation_prompt: bool = True) -> str:
        return "\n".join(f"{message['role']}: {message['content']}" for message in chat_history)

    @property
    def tokenizer_name(self) -> str:
        return f"baseline-{self.kind}"

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise TypeError("a baseline only generates")

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise TypeError("a baseline only generates")


setattr(BaselineLM, REQUEST_TYPE, BaselineLM.generate_until)  # needs no pixels, so it opens none
