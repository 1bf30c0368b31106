"""The prompt of a row: what is wanted, the fields, the rules in words, the form of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.hard.presentation import conditions, presented
from sobench_metrics.ifstruct.hard.wording import rule_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.ifstruct.hard.nodes import Schema
    from sobench_metrics.ifstruct.hard.subjects import Subject

__all__ = ["Form", "prompt_of"]


@dataclass(frozen=True, slots=True)
class Form:
    """What surrounds the items, and the style of the prompt; `key` is None for a bare list.

    `silent` forbids words around the data; without a fence it must, as no reader could tell words from data there.
    """

    output_format: str
    key: str | None
    low: int
    high: int
    fenced: bool
    silent: bool
    style: str


def prompt_of(subject: Subject, form: Form, schema: Schema, rules: Sequence[dict[str, Any]]) -> str:
    """Return the prompt; whatever is scored, officially or strictly, is said in it."""
    amount = f"exactly {form.low}" if form.low == form.high else f"{form.low} to {form.high}"
    noun = subject.plural if form.high > 1 else subject.name.replace("_", " ")
    parts = [
        f"Invent {amount} {noun} for {subject.setting}. The values are free as long as every rule below holds.",
        "\n".join(_form_words(form)),
        presented(form.style, schema),
    ]
    said = [*([] if form.style == "raw_schema" else conditions(schema)), *map(rule_words, rules)]
    if said:
        lead = "Further rules, all of them checked (`[]` stands for each item of a list):"
        parts.append("\n".join([lead, *(f"{number}. {words}" for number, words in enumerate(said, 1))]))
    return "\n\n".join(parts)


def _form_words(form: Form) -> list[str]:
    name = form.output_format.upper()
    words = [f"Answer in {name}."]
    if form.output_format == "yaml":
        words.append(
            "Write block style, no mapping in braces. Quote every text and every key that YAML 1.1 or YAML 1.2 could "
            "read as something else (a number, boolean, null, date or time). Write numbers in plain decimal digits and "
            "booleans as true or false."
        )
    if form.key:
        words.append(f"The root is an object with the single key `{form.key}`, which holds the list.")
    else:
        words.append("The root is the list itself, without an object around it.")
    words.append("All fields are required unless a rule says otherwise; no other key may occur, and none twice.")
    words.append("Put the data into a fenced code block." if form.fenced else "Write the data plainly, no code block.")
    if form.silent:
        words.append("Write nothing before or after the data.")
    words.append("What stands in double quotes below is written as a JSON string: \\\\ there means one backslash.")
    return words
