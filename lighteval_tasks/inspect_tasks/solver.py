"""Ask one sample: the picture joins when its turn comes, and a request that fails costs this sample only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyio import to_thread
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, ModelOutput, get_model
from inspect_ai.solver import solver
from inspect_ai.util import LimitExceededError

from lighteval_tasks.inspect_tasks.samples import located
from sobench_metrics.data.images import data_url, read_bytes
from sobench_metrics.data.prepared import image_of
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inspect_ai.solver import Generate, Solver, TaskState

__all__ = ["ask", "failure_of", "faults"]

faults: list[UsageError] = []
"""Data that could not be asked with in this process: inspect tells of it in its log alone."""


_LONGEST_REASON = 300
_OF_INSPECT = {"TerminateSampleError", "TerminateTaskError", "SentinelFailure"}  # no public names
_REFUSED = {"content_filter": "the server refused: ", "model_length": "the prompt is too long for the model: "}


@solver(name="sobench_ask")
def ask(max_tokens: int, timeout: int | None, content: str) -> Solver:  # noqa: ARG001 - for the log
    """Return the solver of our tasks; the user's own `--max-tokens` and `--temperature` win over what is set here.

    `timeout` are the seconds for one sample with all its tries, None for what the user set. `content` names rows and
    prompts: inspect knows a finished run by the parameters of its solver, and would take one on other data for this.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        found, row = located(state.metadata)
        if found.prepared is not None:
            state.messages = [
                *state.messages[:-1],
                await _with_picture(state.messages[-1].text, found.prepared.root, row),
            ]
        try:
            # never from inspect's disk cache, which takes two servers of one model name for one
            return await generate(state, cache=False, **_settings(max_tokens, timeout))
        except LimitExceededError:
            raise
        except Exception as error:  # each provider has exceptions of its own
            if type(error).__name__ in _OF_INSPECT:
                raise
            reason = f"{type(error).__name__}: {error}"[:_LONGEST_REASON]
            state.output = ModelOutput(model=str(state.model), error=reason)
            return state

    return solve


def failure_of(output: ModelOutput) -> str:
    """Return why there is no answer of the model's, or "" when there is one, be it empty."""
    if output.error:
        return output.error
    if output.empty:
        return "the server sent no answer"
    refused = _REFUSED.get(output.stop_reason)  # the text is the server's then, not the model's
    return f"{refused}{output.completion}"[:_LONGEST_REASON] if refused else ""


async def _with_picture(text: str, root: Path, row: Mapping[str, Any]) -> ChatMessageUser:
    ref = image_of(root, dict(row))
    try:
        picture = data_url(await to_thread.run_sync(read_bytes, ref))
    except UsageError as error:
        faults.append(error)
        raise
    return ChatMessageUser(content=[ContentText(text=text), ContentImage(image=picture)])


def _settings(max_tokens: int, timeout: int | None) -> dict[str, Any]:
    chosen = get_model().config
    wanted: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
    if chosen.max_tokens is None:
        wanted["max_tokens"] = max_tokens
    if chosen.temperature is None:
        wanted["temperature"] = 0.0
    return wanted
