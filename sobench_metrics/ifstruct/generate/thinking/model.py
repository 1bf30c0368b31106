"""Let a model put a request into the words of somebody thinking out loud, and take the result only when it is right.

The check is conservative: the readers that prove our own prompts must find the right last word on every field and
every rule, in the half sentences that the model was told to use. A prompt that lost a little is repaired as a person
would, by a last word on what was said wrongly; one that lost more is asked for again, then replaced.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.generate.prose.said import Speech, sample_speech, tokens
from sobench_metrics.ifstruct.generate.thinking.endpoint import asked
from sobench_metrics.ifstruct.generate.thinking.survival import losses, nest_words
from sobench_metrics.ifstruct.generate.thinking.voices import VOICES
from sobench_metrics.ifstruct.generate.wording.opening import amount, flavour
from sobench_metrics.ifstruct.generate.wording.rules import clause, sentence, wanted_states
from sobench_metrics.response import remove_reasoning

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sobench_metrics.ifstruct.generate.prompts import Prompt
    from sobench_metrics.ifstruct.generate.request import Request
    from sobench_metrics.ifstruct.generate.settings import Rewriting

__all__ = ["facts_of", "repaired", "rewriter", "task_for"]

_TEMPERATURE: Final = 0.8
_REPAIRED_SHARE: Final = 3  # at most one fact in three; beyond that the words would be ours and no longer the model's
_TASK: Final = """\
Somebody thinks out loud while typing a request to an assistant:

<message>
{draft}
</message>

Write this message again as another person would type it ({voice}). Keep word for word whatever it settles about \
fields (names in backticks, kinds, limits, what stands in which list or object), about the number, and about the \
form of the answer. Keep all of it, in the same order and paragraphs. Put in your own words how the person begins, \
hesitates, takes things back and ends. Add no wish and no name. Answer with the message alone."""
_LAST_WORDS: Final = (
    "One last time, so that nothing gets lost:", "To be clear about what I may have muddled:", "For the record:",
)  # fmt: skip


def rewriter(rewriting: Rewriting) -> Callable[[Request, Prompt], Prompt | None]:
    """Return what words a request by the model; it gives None when no try survives the check."""

    def rewrite(request: Request, prompt: Prompt) -> Prompt | None:
        for attempt in range(rewriting.tries):
            rng = random_for("rewrite", prompt.text, attempt)
            text = asked(rewriting, task_for(prompt), _TEMPERATURE)
            if text is None:
                continue
            plain = _message(text)
            if not losses(plain, request):
                return replace(prompt, text=plain, hand=f"model, {prompt.hand}")
            mended = repaired(plain, request, facts_of(request, rng), rng)
            if mended is not None:
                return replace(prompt, text=mended, hand=f"model and a last word, {prompt.hand}")
        return None

    return rewrite


def facts_of(request: Request, rng: Random) -> dict[str, str]:
    """Return what has to be said, in half sentences that the check can read, by field (in backticks), rule or count."""
    speech = sample_speech(rng)
    facts = {"count": f"{amount(request, rng)} {request.noun}", "topic": f"they are about {request.topic}"}
    facts |= {f"flavour {place}": said for place, said in enumerate(flavour(request, rng))}
    facts |= {f"'{rule}'": clause(rule, state, request, rng) for rule, state in wanted_states(request).items()}
    return facts | {f"`{token}`": _field(token, request, speech) for token in tokens(request.item)}


def _field(token: str, request: Request, speech: Speech) -> str:
    known = tokens(request.item)
    line = known[token]
    path = line.prefix.rstrip(".").removesuffix("[]")
    parent = next((name for name, other in known.items() if other.path == path), None)
    where = f" - {nest_words(parent)}" if parent and token != line.path else ""
    return f"`{token}`, {speech.said(line)}{where}"


def task_for(prompt: Prompt) -> str:
    """Return what the model is asked: to word our own message otherwise."""
    voice = next((voice.name for voice in VOICES if voice.name == prompt.hand), VOICES[0].name)
    return _TASK.format(voice=voice, draft=prompt.text)


def _message(text: str) -> str:
    """Return the answer without thoughts and without the marks that stood around the message."""
    return re.sub(r"</?message>", "", remove_reasoning(text).text).strip()


def repaired(text: str, request: Request, facts: dict[str, str], rng: Random) -> str | None:
    """Return the text with a last word on each fact that was lost or bent; None where that does not mend it.

    A name that came in, or a wish without one, cannot be taken back by somebody else's last word.
    """
    faults = [fault for found in losses(text, request).values() for fault in found]
    lost = [
        name
        for name in facts
        if any(fault.startswith((f"{name} ", f"of the rule {name} ", f"the remark on {name} ")) for fault in faults)
    ]
    lost += ["count"] if any(" items " in fault for fault in faults) else []
    if not lost or len(lost) * _REPAIRED_SHARE > len(facts):
        return None
    said = [sentence(facts[name]) if name[0] != "`" else f"{facts[name]}." for name in lost]
    mended = "\n".join([text.rstrip() + "\n", rng.choice(_LAST_WORDS), *said])
    return None if losses(mended, request) else mended
