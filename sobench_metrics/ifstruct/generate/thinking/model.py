"""Let a model put a request into the words of somebody thinking out loud, and take the result only when it is right.

The check is conservative: the readers that prove our own prompts must find the right last word on every field and
every rule, in the half sentences that the model was told to use. A prompt that fails is asked for again, then replaced.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.generate.prose.claims import prose_faults
from sobench_metrics.ifstruct.generate.prose.said import sample_speech, tokens
from sobench_metrics.ifstruct.generate.thinking.endpoint import asked
from sobench_metrics.ifstruct.generate.thinking.voices import VOICES
from sobench_metrics.ifstruct.generate.wording.opening import amount, flavour
from sobench_metrics.ifstruct.generate.wording.rules import clause, rule_faults, wanted_states
from sobench_metrics.response import remove_reasoning

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sobench_metrics.ifstruct.generate.prompts import Prompt
    from sobench_metrics.ifstruct.generate.request import Request
    from sobench_metrics.ifstruct.generate.settings import Rewriting

__all__ = ["rewriter", "survived", "task_for"]

_SHORTEST, _LONGEST = 200, 12_000  # characters
_TEMPERATURE: Final = 0.8
_TASK: Final = """\
Write the message of a person who asks an assistant for data and thinks out loud while typing. The person has second \
thoughts: names a field one way and renames it, changes a limit, drops an extra field, turns the format, the wrapper \
or the number around. Everything is settled by the end, as the facts below say. Voice: {voice}. \
About {turns} changes of mind.

Facts, each to be used word for word where the person settles it (what is tried before must be taken back with a word \
such as "no", "rather", "forget" or "scrap"):
{facts}

Write field names in backticks exactly as given. After a field's settled half sentence say nothing else about its kind \
or limits. Mention no other name in backticks unless the person takes it back in the same sentence. End each sentence \
with a full stop. Answer with the message alone."""


def rewriter(rewriting: Rewriting) -> Callable[[Request, Prompt], Prompt | None]:
    """Return what words a request by the model; it gives None when no try survives the check."""

    def rewrite(request: Request, prompt: Prompt) -> Prompt | None:
        for attempt in range(rewriting.tries):
            rng = random_for("rewrite", prompt.text, attempt)
            text = asked(rewriting, task_for(request, prompt, rng), _TEMPERATURE)
            if text is not None and survived(text, request):
                return replace(prompt, text=_plain(text), hand=f"model, {prompt.hand}")
        return None

    return rewrite


def task_for(request: Request, prompt: Prompt, rng: Random) -> str:
    """Return what the model is asked: the facts in half sentences that the check can read."""
    speech = sample_speech(rng)
    facts = [f"{amount(request, rng)} {request.noun}", f"they are about {request.topic}", *flavour(request, rng)]
    facts += [clause(rule, state, request, rng) for rule, state in wanted_states(request).items()]
    for token, line in tokens(request.item).items():
        where = f" (inside {line.prefix.rstrip('.')})" if line.prefix else ""
        facts.append(f"`{token}`, {speech.said(line)}" + where)
    voice = next((voice.name for voice in VOICES if voice.name == prompt.hand), VOICES[0].name)
    return _TASK.format(voice=voice, turns=prompt.turns, facts="\n".join(f"- {fact}" for fact in facts))


def survived(text: str, request: Request) -> bool:
    """Return whether names, kinds, limits, choices and rules all came through, none contradicted by the last word."""
    plain = _plain(text)
    if not _SHORTEST <= len(plain) <= _LONGEST or "<think" in plain.lower():
        return False
    return not prose_faults(plain, request) and not rule_faults(plain, request)


def _plain(text: str) -> str:
    return remove_reasoning(text).text.strip()
