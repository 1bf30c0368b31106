"""lighteval's `custom` model for OpenAI-compatible servers: pictures, system prompts, a schema for each sample.

    SOBENCH_SERVER_URL=http://127.0.0.1:8000/v1 sobench lighteval custom MODEL server "sobench:ui|0,ifstruct|0"

lighteval takes the first model class that it finds in this file, so there must be one only. All tasks of a run are
asked in one pool; nothing is kept from one run to the next.
"""

from __future__ import annotations

import json
import logging
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.models.model_input import GenerationParameters
from lighteval.models.model_output import ModelResponse

from lighteval_tasks.chat import client, requests, settings
from lighteval_tasks.chat.answers import Answer, Failure
from lighteval_tasks.figures import FAILED
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from lighteval.tasks.requests import Doc

__all__ = ["ChatServer", "ServerConfig"]

_REMEDY = "look at the server's own log, and check model name, SOBENCH_MAX_TOKENS and the SOBENCH_SERVER_ settings"
log = logging.getLogger("lighteval.lighteval_tasks.server")  # this file has another name when lighteval loads it


class ServerConfig(CustomModelConfig):
    """What of the settings belongs into a results file: neither the key nor the address, which may be private."""

    constraint: str = ""
    limit_field: str = ""
    extra_body: str = ""


class ChatServer(LightevalModel):
    """Asks a chat server; `lighteval_tasks.guards.routes` reads `takes_images`, the signature the rest."""

    takes_images = True

    def __init__(self, config: CustomModelConfig) -> None:
        """Read the settings; raises UsageError for those that cannot be read."""
        self._settings = settings.from_environment()
        self.config = _noted(config, self._settings)
        self._cache = _NoCache()

    @property
    def constraint(self) -> str:
        """How answers are held to each sample's schema: `json_schema`, `vllm`, or "" for not at all."""
        return self._settings.schema

    @property
    def decoding(self) -> str:
        """How tokens are drawn: "greedy", or what the requests say about it as JSON."""
        sampling = self._settings.sampling
        greedy = sampling == {"temperature": 0.0}
        return "greedy" if greedy else json.dumps(sampling, sort_keys=True)

    @property
    def tokenizer(self) -> Any:
        """None: the server has its own."""
        return None

    @property
    def add_special_tokens(self) -> bool:
        """Text is sent, no token."""
        return False

    @property
    def max_length(self) -> int:
        """No limit of ours: a server refuses what is too long for its model."""
        return sys.maxsize

    def greedy_until(self, docs: list[Doc]) -> list[ModelResponse]:
        """Return the answers in the order of the docs, a failed request as an empty one with its reason.

        Raises UsageError for what cannot be asked and for a server that answers to nothing.
        """
        for doc in docs:
            requests.refuse_unaskable(doc)
        self._tell_constraint(docs)
        bodies = [partial(requests.body_of, doc, self.config.model_name, self._settings) for doc in docs]
        outcomes = client.ask(self._settings, bodies)
        _tell_failures(docs, outcomes, self._settings)
        return [_response(outcome) for outcome in outcomes]

    def loglikelihood(self, docs: list[Doc]) -> list[ModelResponse]:
        """Raise UsageError: chat servers give no likelihood of a text."""
        raise UsageError(f"{docs[0].task_name} needs log-likelihoods, which a chat server does not give: leave it out.")

    loglikelihood_rolling = loglikelihood

    def _tell_constraint(self, docs: list[Doc]) -> None:
        if self.constraint:
            held = sum(requests.schema_of(doc) is not None for doc in docs)
            log.info(
                "%d of %d requests carry their sample's schema (%s); YAML and code blocks cannot be held to one",
                held, len(docs), self.constraint,
            )  # fmt: skip


class _NoCache:
    """Stands where lighteval keeps answers: a server's model can change under the same name."""

    def _init_registry(self, registry: Any) -> None:
        """Hold nothing."""


def _noted(config: CustomModelConfig, asked: settings.ServerSettings) -> ServerConfig:
    return ServerConfig(
        model_name=config.model_name,
        model_definition_file_path=config.model_definition_file_path,
        generation_parameters=GenerationParameters(temperature=asked.temperature or 0),
        system_prompt=asked.system_prompt or None,
        constraint=asked.schema,
        limit_field=asked.limit_field,
        extra_body=json.dumps(asked.extra_body, sort_keys=True) if asked.extra_body else "",
    )


def _response(outcome: Answer | Failure) -> ModelResponse:
    if isinstance(outcome, Failure):
        return ModelResponse(text=[""], reasonings=[FAILED + outcome.reason])
    # a model must not be able to say that its request failed
    reasoning = f" {outcome.reasoning}" if outcome.reasoning.startswith(FAILED) else outcome.reasoning
    return ModelResponse(text=[outcome.text], reasonings=[reasoning or None])


def _tell_failures(docs: list[Doc], outcomes: list[Answer | Failure], asked: settings.ServerSettings) -> None:
    failed = [(doc, outcome) for doc, outcome in zip(docs, outcomes, strict=True) if isinstance(outcome, Failure)]
    if failed:
        doc, first = failed[0]
        if len(failed) == len(docs):  # numbers of no answer at all would look like those of a model that knows nothing
            raise UsageError(f"no request to {asked.url} succeeds, nothing was measured ({first.reason}): {_REMEDY}.")
        named = (doc.specific or {}).get("doc_id", doc.id)
        log.error(
            "%d of %d requests failed and count as wrong answers, the first: %s/%s: %s",
            len(failed), len(docs), doc.task_name, named, first.reason,
        )  # fmt: skip
