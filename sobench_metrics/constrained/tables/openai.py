"""What OpenAI's strict `json_schema` mode takes, as its guide to structured outputs documents it.

Documented, not measured: no key is at hand. A list of what is allowed; everything else counts as refused, which is how
the service answers too ("is not permitted"). Objects must be closed and every property required: both change what a
schema means, so a schema that does otherwise is unsupported, not converted.
"""

from __future__ import annotations

from typing import Final

from sobench_metrics.constrained.support import Table

__all__ = ["OPENAI"]

OPENAI: Final = Table(
    engine="openai",
    version="strict",
    date="2026-11-30",
    evidence="documented",
    refused={
        "additionalProperties:map": "every object must say additionalProperties: false",
        "additionalProperties:open": "every object must say additionalProperties: false",
        "additionalProperties:schema": "every object must say additionalProperties: false",
        "additionalProperties:true": "every object must say additionalProperties: false",
        "default": "not permitted",
        "maxLength": "not permitted",
        "minLength": "not permitted",
        "object:free": "every object must say additionalProperties: false",
        "oneOf": "not permitted; anyOf is",
        "required:optional": "every property must be required",
        "root:any": "the root must be an object",
        "root:anyOf": "the root must be an object, not anyOf",
        "root:array": "the root must be an object",
        "root:scalar": "the root must be an object",
        "type:none": "every schema must say its type",
    },
    enforced=frozenset((
        "$ref", "$ref:root", "$ref:recursive", "anyOf", "const", "const:null", "const:type", "description", "enum",
        "enum:mixed", "enum:single", "enum:type", "exclusiveMaximum", "exclusiveMaximum:number", "exclusiveMinimum",
        "exclusiveMinimum:number", "format:date", "format:date-time", "format:duration", "format:email",
        "format:hostname", "format:ipv4", "format:ipv6", "format:time", "format:uuid", "items", "maxItems", "maximum",
        "maximum:number", "minItems", "minimum", "minimum:number", "multipleOf", "multipleOf:bounds",
        "multipleOf:number", "pattern", "pattern:backslash", "pattern:dot", "pattern:negated", "properties", "required",
        "title", "type", "type:list", "type:list:containers", "type:list:keywords",
    )),
    otherwise="refused",
    limits={
        "properties": 5_000,
        "levels": 10,
        "name_chars": 120_000,
        "enum_values": 1_000,
        "large_enum_chars": 15_000,
    },
)  # fmt: skip
