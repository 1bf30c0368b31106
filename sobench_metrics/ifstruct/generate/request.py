"""One row before it is put into words: what is asked for, and how the answer must look."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate import targets
from sobench_metrics.ifstruct.generate.chance import happens, weighted
from sobench_metrics.ifstruct.generate.form import Form, sample_form
from sobench_metrics.ifstruct.generate.schema_sampling import Schema, sample_item
from sobench_metrics.ifstruct.generate.taxonomy import entity_types

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.dials import Dials
    from sobench_metrics.ifstruct.generate.entity import EntityType, Split

__all__ = ["Request", "columns", "sample_request"]

_PLURAL_KEY_PERCENT = 24  # of the test set's 59 public rows, 14 have another key than the type's name


@dataclass(frozen=True, slots=True)
class Request:
    """An entity type with a topic and a source, the schema of one item, the form, and the wrapper key if any."""

    entity: EntityType
    topic: str
    source: str
    item: Schema
    form: Form
    key: str | None

    @property
    def noun(self) -> str:
        """What the wanted items are called, in the number that fits."""
        return self.entity.singular if self.form.high == 1 else self.entity.plural

    @property
    def list_schema(self) -> Schema:
        """The schema of the list, as the column holds it."""
        return {"type": "array", "items": self.item, "minItems": self.form.low, "maxItems": self.form.high}

    @property
    def answer_schema(self) -> Schema:
        """The schema of the whole answer, wrapper included."""
        if self.key is None:
            return self.list_schema
        return {"type": "object", "properties": {self.key: self.list_schema}, "required": [self.key]}


def sample_request(split: Split, dials: Dials, rng: Random) -> Request:
    """Return a drawn request; type, schema and form are drawn for themselves, never by the style of the prompt."""
    entity = rng.choice(_types(split, escaping=weighted(rng, targets.ESCAPING)))
    form = sample_form(rng)
    key = entity.plural.lower().replace(" ", "_") if happens(rng, _PLURAL_KEY_PERCENT) else entity.name
    return Request(
        entity=entity,
        topic=rng.choice(entity.topics),
        source=rng.choice(entity.sources),
        item=sample_item(entity.fields, dials, rng),
        form=form,
        key=key if form.wrapped else None,
    )


def columns(request: Request, prompt: str, number: int) -> dict[str, Any]:
    """Return the row in the Hugging Face columns; `top_level_count` and `json_schema` are JSON-encoded there."""
    form = request.form
    return {
        "doc_id": number,
        "entity_type": request.entity.entity_type,
        "prompt": prompt,
        "output_format": form.output_format,
        "top_level_count": json.dumps(form.low if form.low == form.high else [form.low, form.high]),
        "top_level_key": request.key,
        "require_wrapper_key": form.wrapped,
        "require_code_block": form.fenced,
        "require_no_commentary": form.silent,
        "json_schema": json.dumps(request.list_schema, ensure_ascii=False),
    }


@lru_cache(maxsize=4)
def _types(split: Split, *, escaping: bool) -> tuple[EntityType, ...]:
    return tuple(entity for entity in entity_types() if entity.split == split and entity.escaping == escaping)
