"""Put a request into the words of somebody who thinks while writing: tries, takes back, settles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.presentation.chat import lowered
from sobench_metrics.ifstruct.generate.prose.said import Speech, tokens
from sobench_metrics.ifstruct.generate.thinking.second_thoughts import foreign_name, wrong_clause, wrong_line
from sobench_metrics.ifstruct.generate.thinking.voices import VOICES, Voice
from sobench_metrics.ifstruct.generate.wording.opening import ask, flavour
from sobench_metrics.ifstruct.generate.wording.rules import clause, sentence, wanted_states
from sobench_metrics.ifstruct.generate.wording.typos import with_a_typo

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.field_lines import FieldLine
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["Told", "thinking_out_loud"]

_FEWEST, _MOST = 2, 6  # changes of mind
_RECAPS = (
    "So each one ends up with {names}, and no more.",
    "Fields in the end: {names}.",
    "To sum up, {names}.",
)


@dataclass(frozen=True, slots=True)
class Told:
    """A prompt that changed its mind `turns` times, in a voice."""

    text: str
    voice: str
    turns: int


@dataclass
class _Teller:
    request: Request
    speech: Speech
    voice: Voice
    rng: Random
    turns: int

    def opening(self, *, turned: bool) -> list[str]:
        """Return what is wanted; turned, with another number first."""
        request, form = self.request, self.request.form
        if not turned:
            return [ask(request, self.rng, casual=self.voice.small)]
        more = form.high + self.rng.randint(1, 3)
        first = replace(request, form=replace(form, low=more, high=more))
        amount = f"{form.low}" if form.low == form.high else f"{form.low} to {form.high}"
        right = self.rng.choice(("make that {}", "let's say {}", "{} will do")).format(f"{amount} {request.noun}")
        return [ask(first, self.rng, casual=self.voice.small), self._turned(right)]

    def rule(self, rule: str, state: str, *, turned: bool) -> str:
        """Return one rule; turned, after a clause that says otherwise."""
        right = clause(rule, state, self.request, self.rng)
        wrong = wrong_clause(rule, state, self.request, self.rng) if turned else None
        if wrong is None:
            return sentence(right)
        return f"{self._tried(wrong)} {self._turned(right)}"

    def lead(self) -> str:
        """Return the words that turn to the fields."""
        return self.rng.choice(self.voice.leads)

    def field(self, token: str, line: FieldLine, *, turned: bool, first: bool) -> tuple[str, str]:
        """Return a field, and what has to be said of it later because it was told wrongly here.

        The first one of a record is tied to nothing before it.
        """
        start = "" if first else self.rng.choice(self.voice.starts)
        wrong = wrong_line(line, self.rng) if turned else None
        right = self.speech.said(line)
        if not turned:
            return self._line(f"{start}`{token}`, {right}."), ""
        if wrong is None:
            old = foreign_name(line.name, self._names(), self.rng)
            renamed = self.rng.choice(self.voice.renames).format(old=old, name=token)
            return self._line(f"{start}{renamed}, {right}."), ""
        if self.rng.randrange(2):
            swap = self.rng.choice(self.voice.swaps)
            return self._line(f"{start}`{token}`, {self.speech.bare(wrong)}{swap}{right}."), ""
        later = self.rng.choice(self.voice.returns).format(name=token) + right + "."
        return self._line(f"{start}`{token}`, {self.speech.bare(wrong)}."), later

    def extra(self) -> str:
        """Return a field that is thought of and dropped in one breath."""
        return self.rng.choice(self.voice.extras).format(old=foreign_name(None, self._names(), self.rng))

    def recap(self) -> str:
        names = [f"`{token}`" for token in tokens(self.request.item)]
        return self.rng.choice(_RECAPS).format(names=", ".join(names))

    def inside(self, token: str, line: FieldLine) -> str:
        entry = "each entry of " if line.kind == "object list" else ""
        return self._line(self.rng.choice((f"now for {entry}`{token}`:", f"what {entry}`{token}` contains:")))

    def _tried(self, wrong: str) -> str:
        return self._line(self.rng.choice(self.voice.tries).format(wrong=wrong))

    def _turned(self, right: str) -> str:
        return self._line(self.rng.choice(self.voice.turns).format(right=right))

    def _line(self, text: str) -> str:
        return text if self.voice.small else text[0].upper() + text[1:]

    def _names(self) -> set[str]:
        lines = tokens(self.request.item).values()
        return {line.name for line in lines} | {line.path for line in lines} | {self.request.key or ""}


def thinking_out_loud(request: Request, speech: Speech, rng: Random) -> Told:
    """Return a prompt whose last word on every field and rule is what the request asks."""
    wanted = rng.randint(_FEWEST, _MOST)
    voice = rng.choice(VOICES)
    teller = _Teller(request, speech, voice, rng, wanted)
    states = wanted_states(request)
    fields = tokens(request.item)
    possible = ["#count", *(f"#{rule}" for rule in states if rule != "closed"), "#extra", *fields]
    turned = set(rng.sample(possible, min(wanted, len(possible))))

    opening = [*teller.opening(turned="#count" in turned)]
    opening[0] = with_a_typo(opening[0], rng)
    rules = [teller.rule(rule, state, turned=f"#{rule}" in turned) for rule, state in states.items()]
    rng.shuffle(rules)
    early = rng.randint(0, len(rules))
    told, later = _told_fields(teller, fields, turned)
    between = rng.choice(("\n", " ", "\n"))
    paragraphs = [
        " ".join([*opening, *flavour(request, rng)]),
        " ".join(rules[:early]),
        *(between.join(part) for part in told),
        *([teller.extra()] if "#extra" in turned else []),
        " ".join(rules[early:]),
        "\n".join(later),
        teller.recap() if rng.randrange(3) == 0 else "",
        rng.choice(voice.ends),
    ]
    text = "\n\n".join(part for part in paragraphs if part)
    return Told(lowered(text) if voice.small else text, voice.name, len(turned))


def _told_fields(teller: _Teller, fields: dict[str, FieldLine], turned: set[str]) -> tuple[list[list[str]], list[str]]:
    """Return the sentences on the fields, one group a record, and those that set a field right afterwards."""
    groups: dict[str, list[str]] = {"": [teller.lead()]}
    later = []
    for token, line in fields.items():
        said, correction = teller.field(token, line, turned=token in turned, first=len(groups[line.prefix]) == 1)
        groups[line.prefix].append(said)
        if correction:
            later.append(correction)
        if line.inner is not None:
            groups[line.inner_prefix] = [teller.inside(token, line)]
    return list(groups.values()), later
