"""From a lighteval doc to the body of a request; the picture's bytes are read here and nowhere earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lighteval.tasks.prompt_manager import PromptManager

from lighteval_tasks import data, docs
from lighteval_tasks.chat import schemas
from sobench_metrics.data.images import data_url, read_bytes
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from lighteval.tasks.requests import Doc

    from lighteval_tasks.chat.settings import ServerSettings

__all__ = ["body_of", "messages_of", "refuse_unaskable", "schema_of"]

_MOST_STOPS = 4  # what OpenAI's servers take


def body_of(doc: Doc, model: str, settings: ServerSettings) -> dict[str, Any]:
    """Return the JSON body that asks a doc; raises UsageError when its picture cannot be read."""
    body: dict[str, Any] = {"model": model, "messages": messages_of(doc, settings.system_prompt)}
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if doc.generation_size is not None:
        body[settings.limit_field] = doc.generation_size
    if doc.stop_sequences:
        body["stop"] = list(doc.stop_sequences)[:_MOST_STOPS]
    return {**body, **settings.extra_body, **_constraint(doc, settings.schema)}


def messages_of(doc: Doc, system_prompt: str = "") -> list[dict[str, Any]]:
    """Return the chat: the user's own system prompt before that of the benchmark, the text before its pictures.

    Docs of other tasks are asked as lighteval's own server backends ask them.
    """
    if not docs.is_ours(doc):
        manager = PromptManager(use_chat_template=True, system_prompt=system_prompt or None)
        return list(manager.prepare_prompt_api(doc))
    system = "\n\n".join(text for text in (system_prompt, doc.instruction) if text)
    images: list[Any] = doc.images or []  # references, where lighteval's own docs hold opened pictures
    pictures = [{"type": "image_url", "image_url": {"url": data_url(read_bytes(ref))}} for ref in images]
    content = [{"type": "text", "text": doc.query}, *pictures] if pictures else doc.query
    user = {"role": "user", "content": content}
    return [{"role": "system", "content": system}, user] if system else [user]


def refuse_unaskable(doc: Doc) -> None:
    """Raise UsageError for a doc of another task that a chat request of ours cannot carry."""
    if doc.images and not docs.is_ours(doc):
        raise UsageError(f"{doc.task_name} brings images of its own, which this backend does not send: leave it out.")
    if doc.num_samples != 1:
        raise UsageError(
            f"{doc.task_name} wants {doc.num_samples} answers a question, one is asked here: leave it out."
        )


def schema_of(doc: Doc) -> dict[str, Any] | None:
    """Return the schema that a doc's answer can be held to, or None."""
    return schemas.schema_for(data.row_behind(doc)) if docs.is_ours(doc) else None


def _constraint(doc: Doc, kind: str) -> dict[str, Any]:
    schema = schema_of(doc) if kind else None
    return {} if schema is None else schemas.request_fields(kind, str((doc.specific or {})["doc_id"]), schema)
