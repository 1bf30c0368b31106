"""Who is thinking out loud: how each of them tries something, takes it back, and settles.

Every turn holds a word that takes back what went before (`prose.claims.RETRACTIONS`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["VOICES", "Voice"]


@dataclass(frozen=True, slots=True)
class Voice:
    """A way of changing one's mind. Slots: `wrong` and `right` are clauses, `name` and `old` names of fields.

    `tries` state a rule before it is dropped, `turns` replace it; `swaps` part two descriptions of a field; `renames`
    give up a name; `extras` give up a whole field; `returns` come back to a field that was said wrongly further up.
    `leads` turn to the fields, `starts` stand before each but the first of them.
    """

    name: str
    small: bool
    tries: tuple[str, ...]
    turns: tuple[str, ...]
    swaps: tuple[str, ...]
    renames: tuple[str, ...]
    extras: tuple[str, ...]
    returns: tuple[str, ...]
    leads: tuple[str, ...]
    starts: tuple[str, ...]
    ends: tuple[str, ...]


_RAMBLER = Voice(
    "rambler", True,
    ("i'd say {wrong}...", "could also go like this: {wrong}.", "my first idea was, {wrong}."),
    ("nah, {right}.", "hm no, {right}.", "forget that, {right}."),
    (" - no wait, ", " hmm, nope, make it ", " or no, better "),
    ("`{old}`? nah, forget that name, it's `{name}`", "`{old}` - no, ugly, so `{name}`"),
    ("i toyed with `{old}` too, but nah, skip it.", "also `{old}`... no, drop that one."),
    ("oh and `{name}`, i was wrong up there, it's ", "going back to `{name}`: on reflection that's "),
    ("ok, what goes into each one:", "so, per piece i want this:", "fields, let me see:"),
    ("", "then ", "and ", "next up "),
    ("ok that's it i think.", "phew, done.", "right, go.", ""),
)  # fmt: skip
_MANAGER = Voice(
    "manager", False,
    ("Originally I wanted this: {wrong}.", "The team asked for the following: {wrong}.", "Plan A: {wrong}."),
    ("Overruled, not happening: {right}.", "We will not do that. Final: {right}.", "Scrap it. Decision: {right}."),
    (", no, correction: ", ", or rather ", " - scrap that, "),
    ("`{old}` - not anymore, the name is now `{name}`", "what marketing calls `{old}`, but we do not: `{name}`"),
    ("Legal suggested `{old}` on top; drop it.", "There was talk of `{old}`. Not in this version."),
    ("Correction on `{name}`, ignore the above: ", "`{name}` was described wrongly above; I settle for `{name}` as "),
    ("Every one of them carries the following.", "What we want to see in each of them:"),
    ("", "Then ", "Also ", "Followed by "),
    ("Settled. Please go ahead.", "That is the final state.", "No further changes from my side."),
)  # fmt: skip
_DICTATION = Voice(
    "dictation", False,
    ("Um, so let's do it this way, {wrong}.", "Okay, {wrong}, I guess.", "Maybe, uh, {wrong}."),
    ("Actually no, {right}.", "Sorry, no, what I mean is, {right}.", "Let me rather say, {right}."),
    (", sorry, no, I mean ", ", uh, not that, ", ", well, no, "),
    ("something like `{old}`, no, sorry, `{name}`", "`{old}`, or rather, let's call it `{name}`"),
    ("I had `{old}` in my notes, but no, leave it out.", "And `{old}`, uh, never mind, forget `{old}`."),
    ("Let me go back to `{name}`, that should be ", "Wait, `{name}`, I have to fix that one, it is "),
    ("So, um, what is in each of them:", "Now, each one has the following."),
    ("", "And then ", "Um, ", "After that "),
    ("Okay, I think that was everything.", "Yes. That's what I want.", "Right, thanks for bearing with me."),
)  # fmt: skip
_ENGINEER = Voice(
    "engineer", True,
    ("draft 1: {wrong}.", "option a) {wrong}.", "naive approach: {wrong}."),
    ("rejected, not good. so: {right}.", "b) wins, not a): {right}.", "no, breaks the consumer. instead {right}."),
    (" => no, ", " - wrong, rather ", " -- edit: not that but "),
    ("`{old}`, scrap the name, final is `{name}`", "ex `{old}`, which is not used now, hence `{name}`"),
    ("considered `{old}`, scrap it, yagni.", "`{old}` was in v0, not in this one."),
    ("edit 2: `{name}` above is off, take ", "errata, `{name}` becomes "),
    ("record layout:", "per item:", "each element has:"),
    ("", "+ ", "plus ", "also "),
    ("eof", "spec frozen.", "lgtm, ship it.", ""),
)  # fmt: skip
_LETTER = Voice(
    "letter", False,
    ("At first I had intended the following: {wrong}.", "My colleague would prefer this: {wrong}."),
    ("Having slept on it, I would rather not; {right}.", "No, let us be sensible: {right}.",
     "I ask you to forget that again; {right}."),
    (" - or no, let us say ", ", no, better ", ", no, that was hasty, "),
    ("`{old}` - a poor name, forget it - so `{name}`", "first I wrote `{old}`, but no, `{name}`"),
    ("I was tempted to add `{old}`, but please leave it out.", "One could want `{old}` as well; I do not."),
    ("May I return to `{name}` once more: ", "As to `{name}`, I must correct myself: it is "),
    ("As to what each of them should hold:", "Each of them, please, with the following."),
    ("", "Furthermore ", "In addition ", "There is also "),
    ("Thank you for your patience.", "With that I have made up my mind.", ""),
)  # fmt: skip

VOICES: Final = (_RAMBLER, _MANAGER, _DICTATION, _ENGINEER, _LETTER)
