"""Rules of form as clauses, and what a text claims about each rule: the last clause counts.

A clause can stand in the middle of a sentence; no clause of one state occurs inside one of another.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["BLOCK_STYLE", "CLAUSES", "STILL_A_LIST", "clause", "rule_faults", "sentence", "wanted_states"]

CLAUSES: Final = MappingProxyType({
    "format": MappingProxyType({
        "json": ("answer in JSON", "the output format is JSON", "I need it as JSON", "use JSON for the answer",
                 "it has to be valid JSON", "make the answer JSON", "please reply with JSON"),
        "yaml": ("answer in YAML", "the output format is YAML", "I need it as YAML", "use YAML for the answer",
                 "it has to be valid YAML", "make the answer YAML", "please reply with YAML"),
    }),
    "wrap": MappingProxyType({
        "wrapped": ("put the list under the single top-level key `{key}`",
                    "the outermost level is an object whose only key is `{key}`, holding the list",
                    "enclose the list in an object with the one key `{key}`",
                    "`{key}` is the only top-level key and the list is its value",
                    "hang everything below one root key named `{key}`, which holds the list"),
        "bare": ("the top level is the list itself, with no object around it",
                 "give me the unwrapped list as the top level", "no outer object, just the list at the root",
                 "start straight with the list, no surrounding key",
                 "the document is one list and is not nested under any key"),
    }),
    "fence": MappingProxyType({
        "specific": ("the answer goes into a ```{f} code block", "fence it with ```{f}",
                     "use a ```{f} fence around the data", "open the block with ```{f} and close it again"),
        "generic": ("the answer goes into a fenced code block", "surround the data with triple backticks",
                    "set the data in a Markdown code block", "fence the data off as a code block"),
        "none": ("print the data directly, no code fence", "leave out the backticks",
                 "no Markdown, only the bare data", "there is no need for a code block"),
        "free": ("a code block or none, as you like", "whether you fence it does not matter"),
    }),
    "silence": MappingProxyType({
        "silent": ("nothing but the data belongs in the reply", "write no words before or after the data",
                   "skip greetings and explanations altogether", "the reply consists of the data alone"),
        "talk": ("a remark around the data is fine", "feel free to comment beside the data"),
    }),
    "closed": MappingProxyType({
        "closed": ("no fields beyond these", "keep to the listed fields and add none", "extra keys are not allowed",
                   "every key outside this list makes the import fail", "take these fields and nothing else"),
    }),
})  # fmt: skip
"""Clauses by rule and state. Slots: the wrapper `key`, the format in small letters `f`."""

BLOCK_STYLE: Final = (
    "write block style, without curly braces",
    "use indentation rather than brackets and braces",
    "plain block style, please, nothing inline",
)
"""Said in some YAML rows; the scorer refuses mappings in braces in all of them."""

STILL_A_LIST: Final = (
    "it stays a list although there is one element in it",
    "a list with a single element is still a list",
    "keep the list even for the one element",
)
"""Said in some rows that want one element."""

_DENIED: Final = re.compile(
    r"\b(?:not|\w+n't|never|no longer|without|cannot|avoid|refuse to|stop|rather than|instead of|unless|nobody|nothing)"
    r"\b[^.,;:!?\n-]{0,25}$",
    re.IGNORECASE,
)
"""What turns a clause behind it into its opposite."""

_TAKEN_BACK: Final = re.compile(
    r"[\s.?!,\u2026-]*(?:\b(?:is|are|was) )?"
    r"\b(?:no|nope|nah|not|never mind|forget (?:it|that)|scrap (?:it|that))(?:[.,!?;:]|$)"
    r"| (?:is|are|was) (?:not|out|wrong|dropped|the wrong)",
    re.IGNORECASE,
)
"""What takes a clause in front of it back, in the same breath."""

_SLOTS = MappingProxyType({"{key}": r"(?P<key>\w+)", "{f}": r"(?P<f>json|yaml)"})


def clause(rule: str, state: str, request: Request, rng: Random) -> str:
    """Return a drawn clause that says a rule of the request."""
    return fill(rng.choice(CLAUSES[rule][state]), request.key or "", request.form.output_format)


def fill(template: str, key: str, output_format: str) -> str:
    """Return a clause with its slots filled."""
    return template.format(key=key, f=output_format)


def sentence(clauses: str) -> str:
    """Return clauses as a sentence of their own."""
    return clauses[0].upper() + clauses[1:] + "."


def wanted_states(request: Request) -> dict[str, str]:
    """Return the state of each rule that a prompt must say; what may stay unsaid is left out."""
    form = request.form
    states = {"format": form.output_format, "wrap": "wrapped" if form.wrapped else "bare", "fence": form.fence}
    states |= {"silence": "silent"} if form.silent else {}
    return states | ({"closed": "closed"} if form.closed else {})


def rule_faults(text: str, request: Request) -> list[str]:
    """Return which rules the last clause about them states wrongly, or which are not stated, in words."""
    wanted, faults = wanted_states(request), []
    for rule, states in CLAUSES.items():
        claims = [claim for state, templates in states.items() for claim in _claims(text, state, templates, request)]
        said = max(claims, default=(-1, None))[1]
        # what may go unsaid: that the fence is free, that talk is allowed
        if said != wanted.get(rule) and (said, wanted.get(rule)) not in ((None, "free"), ("talk", None)):
            faults.append(f"of the rule '{rule}' {said} is said last, and should be {wanted.get(rule)}")
    return faults + _count_faults(text, request)


def _claims(text: str, state: str, templates: tuple[str, ...], request: Request) -> Iterator[tuple[int, str | None]]:
    """Yield where a state is claimed; with another key or language than the wanted one it is another state."""
    for template in templates:
        pattern = re.escape(template)
        for slot, reader in _SLOTS.items():
            pattern = pattern.replace(re.escape(slot), reader)
        for match in re.finditer(pattern, text, re.IGNORECASE):
            said = {name: word.lower() for name, word in match.groupdict().items()}
            if _DENIED.search(text[max(0, match.start() - 60) : match.start()]):
                yield match.start(), f"{state} denied"
                continue
            if _TAKEN_BACK.match(text, match.end()):
                yield match.start(), f"{state} taken back"
                continue
            key_fits = request.key is None or said.get("key", request.key.lower()) == request.key.lower()
            tag_fits = said.get("f", request.form.output_format) == request.form.output_format
            yield match.start(), state if key_fits and tag_fits else f"{state} otherwise"


def _count_faults(text: str, request: Request) -> list[str]:
    nouns = "|".join(map(re.escape, (request.entity.plural, request.entity.singular)))
    found = re.findall(rf"(\d+)(?:(?:-| to | and )(\d+))? (?:{nouns})\b", text, re.IGNORECASE)
    if not found:
        return ["the number of items is not stated"]
    low, high = found[-1]
    said = (int(low), int(high or low))
    wanted = (request.form.low, request.form.high)
    return [] if said == wanted else [f"{said} items are said last, and should be {wanted}"]
