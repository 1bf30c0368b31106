"""What `sobench check` says of tasks whose answers are held to schemas: which samples the planned engine can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lm_eval_tasks import grammar_engine
from sobench_metrics.constrained.plan import plan, summary
from sobench_metrics.data.plain_words import counted, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["ENGINE_OF", "grammar_fault", "told"]

ENGINE_OF: Final = {
    "hf": "guidance",
    "hf-multimodal": "guidance",
    "vllm": "vllm",
    "vllm-vlm": "vllm",
    "local-chat-completions": "xgrammar",  # of vLLM and SGLang; `--metadata` names another in a run
    "openai-chat-completions": "openai",
}
"""The engine that holds the answers of each lm-eval model type."""

_LISTED: Final = 5


def grammar_fault(backend: str | None) -> str | None:
    """Return what is missing to hold answers on this backend, with the remedy; None where nothing is."""
    if backend is not None and ENGINE_OF[backend] == "guidance" and not grammar_engine.installed():
        return f"--model {backend} holds answers with llguidance 1.8 or newer: `pip install 'sobench[grammar]'`."
    return None


def told(
    task: str, backend: str | None, rows: Iterable[Mapping[str, Any]], engine_: str | None = None
) -> Iterator[tuple[str, str]]:
    """Yield (level, sentence) on how the rows of a task will be asked; without a backend, for each engine."""
    found = list(rows)
    named = engine_ or (backend and ENGINE_OF[backend])
    engines = [named] if named else list(dict.fromkeys(ENGINE_OF.values()))
    for engine in engines:
        plans = [plan(row, engine) for row in found]
        figures = summary(plans)
        converted = sum(made.state == "constrained" and bool(made.changes) for made in plans)
        held = figures.states.get("constrained", 0)
        text = (
            f"{task}: {engine} holds {held} of {counted(len(found), 'answer')} to their schemas ({converted} converted)"
        )
        for state, ids in figures.doc_ids.items():
            not_asked = state == "excluded" and not task.startswith("sobench")  # IFStruct's other rows stay out
            word = "not asked (no schema can say it)" if not_asked else "asked free or skipped, as you choose"
            more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
            text += f"; {len(ids)} {word}: {', '.join(map(one_line, ids[:_LISTED]))}{more}"
        yield ("ok" if held else "warn"), text
