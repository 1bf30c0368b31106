"""Ad-hoc chat: the whole prompt as running sentences, by somebody who knows what they want."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.prose.said import tokens
from sobench_metrics.ifstruct.generate.wording.opening import ask, flavour
from sobench_metrics.ifstruct.generate.wording.rules import BLOCK_STYLE, STILL_A_LIST, clause, sentence, wanted_states
from sobench_metrics.ifstruct.generate.wording.typos import with_a_typo

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.field_lines import FieldLine
    from sobench_metrics.ifstruct.generate.prose.said import Speech
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["chat", "chat_fields", "lowered", "raised", "rule_clauses"]

_LEADS = (
    "Each one has", "For every one I need", "What goes into each:", "Every one of them carries", "Per piece, that's",
)  # fmt: skip
_INSIDE_LISTS = (
    "Every entry of `{name}` has", "In each entry of `{name}` there's", "`{name}` entries consist of",
)  # fmt: skip
_INSIDE_OBJECTS = ("Inside `{name}` there's", "`{name}` itself holds", "`{name}` is made of")
_STARTS = ("Start with", "First comes", "Begin with", "There's")
_TIES = ("Then", "After that", "Next is", "Also", "Then there's", "Besides that", "I also want", "Add")
_TURNS_TO = ("Now for `{name}`:", "About `{name}`:", "What belongs to `{name}`:")
_ENDINGS = ("Thanks!", "Cheers", "That's all.", "Much appreciated.", "", "", "")
_JOINTS = (", ", " as ", " - that's ", ": ")


def chat(request: Request, speech: Speech, rng: Random) -> str:
    """Return the whole prompt; small first letters throughout, or sentences as in a letter."""
    casual = rng.randrange(5) < 3
    opening = with_a_typo(" ".join([ask(request, rng, casual=casual), *flavour(request, rng)]), rng)
    tell = rng.choice((chat_fields, chat_fields_in_turn))
    fields = "\n".join(tell(request, speech, rng))
    rules = _rules(request, rng)
    middle = [fields, rules]
    if rng.randrange(3) == 0:
        middle.reverse()
    between = rng.choice(("\n\n", "\n\n", "\n"))
    text = between.join(part for part in [opening, *middle, rng.choice(_ENDINGS)] if part)
    return lowered(text) if casual and rng.randrange(2) else text


def chat_fields(request: Request, speech: Speech, rng: Random) -> list[str]:
    """Return one sentence a record: the item's own fields first, then what its containers hold."""
    groups: dict[str, list[str]] = {"": []}
    heads = {"": rng.choice(_LEADS)}
    joint = rng.choice(_JOINTS)
    for token, line in tokens(request.item).items():
        groups[line.prefix].append(f"`{token}`{joint}{speech.said(line)}")
        if line.inner is not None:
            groups[line.inner_prefix] = []
            heads[line.inner_prefix] = _inside(line, token, rng)
    return [f"{heads[prefix]} {_joined(parts)}." for prefix, parts in groups.items()]


def chat_fields_in_turn(request: Request, speech: Speech, rng: Random) -> list[str]:
    """Return a sentence a field, tied together as one talks, one paragraph a record."""
    groups: dict[str, list[str]] = {"": []}
    for token, line in tokens(request.item).items():
        first = not groups[line.prefix] or groups[line.prefix][-1].endswith(":")
        tie = rng.choice(_STARTS if first else _TIES)
        groups[line.prefix].append(f"{tie} `{token}`, {speech.said(line)}.")
        if line.inner is not None:
            groups[line.inner_prefix] = [rng.choice(_TURNS_TO).format(name=token)]
    return [" ".join(parts) for parts in groups.values()]


def rule_clauses(request: Request, rng: Random) -> list[str]:
    """Return the rules of form as clauses in a drawn order; that a fence is free is said now and then."""
    states = wanted_states(request)
    if states["fence"] == "free" and rng.randrange(2):
        del states["fence"]
    said = [clause(rule, state, request, rng) for rule, state in states.items()]
    if request.form.output_format == "yaml" and rng.randrange(2):
        said.append(rng.choice(BLOCK_STYLE))
    if request.form.high == 1 and rng.randrange(2):
        said.append(rng.choice(STILL_A_LIST))
    rng.shuffle(said)
    return said


def raised(text: str) -> str:
    """Return the text with capitals where sentences begin, and for `I`."""
    large = re.sub(r"(^|[.?!] )([a-z])", lambda match: match[1] + match[2].upper(), text)
    return re.sub(r"\bi(?='|\b)", "I", large)


def lowered(text: str) -> str:
    """Return the text with small letters where sentences begin; acronyms stay."""
    return re.sub(r"(^|[.?!:] )([A-Z])(?=[a-z ])", lambda match: match[1] + match[2].lower(), text, flags=re.MULTILINE)


def _rules(request: Request, rng: Random) -> str:
    said = rule_clauses(request, rng)
    joint = rng.choice((", and ", "; ", " - "))
    groups = []
    while said:  # one or two in a breath: three tied together read like a list that lost its bullets
        some = rng.randint(1, 2)
        groups.append(joint.join(said[:some]))
        del said[:some]
    return " ".join(map(sentence, groups))


def _inside(line: FieldLine, token: str, rng: Random) -> str:
    leads = _INSIDE_LISTS if line.kind == "object list" else _INSIDE_OBJECTS
    return rng.choice(leads).format(name=token)


def _joined(parts: list[str]) -> str:
    return "; ".join(parts[:-1]) + ("; and " if len(parts) > 1 else "") + parts[-1]
