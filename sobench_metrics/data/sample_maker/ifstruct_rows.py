"""IFStruct-like rows: entity types crossed with presentation styles and with every combination of form rules."""

import json
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from sobench_metrics.data.sample_maker.drawn import Schema
from sobench_metrics.data.sample_maker.entity_types import ENTITY_TYPES, EntityType, record_of
from sobench_metrics.data.sample_maker.presentation import STYLES, Presentation

__all__ = ["Form", "rows"]


@dataclass(frozen=True, slots=True)
class Form:
    """The rules about the answer's outside. `fence` is none, generic or tagged (```json, ```yaml)."""

    output_format: str
    wrapped: bool
    fence: str
    no_commentary: bool


def rows(seed: int) -> list[dict[str, Any]]:
    """Return one row for each entity type in each style; the 24 forms are dealt out evenly over them."""
    rng = Random(f"{seed}/ifstruct")  # noqa: S311 - data, no secret
    forms = [
        Form(*values)
        for values in product(("json", "yaml"), (True, False), ("none", "generic", "tagged"), (True, False))
    ]
    deck = forms * (len(ENTITY_TYPES) * len(STYLES) // len(forms))
    rng.shuffle(deck)
    pairs = zip(product(ENTITY_TYPES, STYLES), deck, strict=True)
    return [_row(number, entity, style, form, rng) for number, ((entity, style), form) in enumerate(pairs)]


def _row(number: int, entity: EntityType, style: str, form: Form, rng: Random) -> dict[str, Any]:
    item = _item(entity, rng)
    low = rng.randint(1, 3)
    count = (low, low if rng.random() < 0.5 else low + rng.randint(1, 2))
    wrapper = entity.plural.lower().replace(" ", "_") if form.wrapped else None
    this = Presentation(item, count, wrapper, form.output_format)
    write = _chat_prompt if style == "chat" else _plain_prompt
    return {
        "doc_id": number,
        "entity_type": entity.entity_type,
        "prompt": write(entity, this, form, STYLES[style](this, rng), rng),
        "output_format": form.output_format,
        "top_level_count": json.dumps(count[0] if count[0] == count[1] else list(count)),
        "top_level_key": wrapper,
        "require_wrapper_key": form.wrapped,
        "require_code_block": form.fence != "none",
        "require_no_commentary": form.no_commentary,
        "json_schema": json.dumps({"type": "array", "items": item, "minItems": count[0], "maxItems": count[1]}),
    }


def _item(entity: EntityType, rng: Random) -> Schema:
    """Take the core fields and a drawn few of the others, and narrow every list to a drawn number of elements."""
    others = [name for name in entity.fields if name not in entity.core]
    taken = {*entity.core, *rng.sample(others, rng.randint(2, len(others)))}
    fields = {name: entity.fields[name] for name in entity.fields if name in taken}
    return record_of({name: _narrowed(schema, rng) for name, schema in fields.items()})


def _narrowed(schema: Schema, rng: Random) -> Schema:
    if schema["type"] != "array":
        return schema
    low = rng.randint(schema["minItems"], schema["maxItems"])
    return {**schema, "minItems": low, "maxItems": rng.randint(low, schema["maxItems"])}


def _plain_prompt(entity: EntityType, this: Presentation, form: Form, block: str, rng: Random) -> str:
    low, high = this.count
    amount = f"{low} to {high} entries" if low != high else f"exactly {low} {'entry' if low == 1 else 'entries'}"
    topic = rng.choice(entity.topics)
    opening = [
        rng.choice([
            f"Write {amount} for a collection of {entity.plural} about {topic}.",
            f'Produce {amount} of the kind "{entity.plural}" for {topic}.',
        ]),
        f"The values should look as if taken from {rng.choice(entity.sources)}. {entity.coherence}",
        *entity.demands,
    ]  # fmt: skip
    rules = [_format_rule(form, rng), _wrapper_rule(this, rng), _fence_rule(form, rng), _closed_rule(this, rng)]
    closing = [_commentary_rule(form, rng)] if form.no_commentary else []
    return "\n\n".join(["\n".join(opening), "\n".join(rules), block, *closing])


def _chat_prompt(entity: EntityType, this: Presentation, form: Form, block: str, rng: Random) -> str:
    low, high = this.count
    amount = f"exactly {low}" if low == high else f"between {low} and {high}"
    name = form.output_format.upper()
    shape = (
        f"top level is one object with the single key {this.wrapper}, and under it the list."
        if this.wrapper
        else "top level is just the list itself, no object around it."
    )
    fence = {
        "none": "no need for a code block, start right with the data.",
        "generic": "put it in a fenced code block (three backticks).",
        "tagged": f"put it in a ```{form.output_format} code block.",
    }[form.fence]
    block_style = (
        " block style please, so no {curly} mappings and no [bracket] list at the top." if name == "YAML" else ""
    )
    silence = " and nothing but the data, no hello, no explanations around it." if form.no_commentary else ""
    hello = rng.choice(["hey,", "hi!", "quick one:"])
    voice = f"should read like {rng.choice(entity.sources)}. {entity.coherence.lower()}"
    lines = [
        f"{hello} can you make me {amount} {entity.plural} about {rng.choice(entity.topics)}? {voice}",
        *(demand[0].lower() + demand[1:] for demand in entity.demands),
        block,
        f"{name} please.{block_style} {shape} {fence}{silence}",
        "only those fields, spelled like that, whole numbers where i say integer."
        + (" the optional ones you may drop, but don't set them to null." if _has_optional(this.item) else ""),
    ]
    return "\n\n".join(lines)


def _format_rule(form: Form, rng: Random) -> str:
    if form.output_format == "json":
        return rng.choice(["Answer in JSON.", "The answer is one JSON document.", "Format: JSON."])
    name = rng.choice(["Answer in YAML.", "The answer is one YAML document.", "Format: YAML."])
    return name + " Use block style: no mapping in curly braces, and no square brackets around the whole answer."


def _wrapper_rule(this: Presentation, rng: Random) -> str:
    if this.wrapper:
        single = " The value is a list even though it has a single element." if this.count == (1, 1) else ""
        return rng.choice([
            f"The root is an object whose only key is `{this.wrapper}`; its value is the list.{single}",
            f"Put the list under the key `{this.wrapper}` of an otherwise empty root object.{single}",
        ])  # fmt: skip
    return rng.choice([
        "The root is the list itself, without an object around it.",
        "Give a bare top-level list; do not wrap it in an object.",
    ])  # fmt: skip


def _fence_rule(form: Form, rng: Random) -> str:
    choices: dict[str, list[str]] = {
        "none": ["A code block is not needed; begin directly with the data.",
                 "Plain output without fences is fine: start with the data."],
        "generic": ["Put the data into a fenced code block.", "Enclose the data in a Markdown code fence."],
        "tagged": [f"Put the data into a ```{form.output_format} code block.",
                   f"Fence the data with ```{form.output_format} and ```."],
    }  # fmt: skip
    return rng.choice(choices[form.fence])


def _closed_rule(this: Presentation, rng: Random) -> str:
    closed = rng.choice(["Use these fields and no others, at every level.", "No field may be added, renamed or moved."])
    optional = (
        " Leave an optional field out where it does not apply; never set it to null."
        if _has_optional(this.item)
        else ""
    )
    return closed + optional


def _commentary_rule(form: Form, rng: Random) -> str:
    name = form.output_format.upper()
    return rng.choice([
        f"Return the {name} alone: no text before or after it.",
        f"Do not write anything besides the {name}, no greeting and no explanation.",
    ])  # fmt: skip


def _has_optional(item: Schema) -> bool:
    inner = [schema.get("items", schema) for schema in item["properties"].values()]
    return len(item["required"]) < len(item["properties"]) or any(
        _has_optional(schema) for schema in inner if schema["type"] == "object"
    )
