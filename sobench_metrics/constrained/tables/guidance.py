"""What llguidance does with each shape (vLLM's second choice).

Measured with benchmarks/grammar_keywords.py, whose `--tables` prints these entries. It refuses what it cannot enforce.
Beside them, for every schema: keys come in the order of `properties`.
"""

from __future__ import annotations

from typing import Final

from sobench_metrics.constrained.support import Table

__all__ = ["GUIDANCE"]

GUIDANCE: Final = Table(
    engine="guidance",
    version="1.7.6",
    date="2026-11-30",
    evidence="measured",
    refused={
        "$dynamicRef": 'Unimplemented keys: ["$dynamicRef"]',
        "$recursiveRef": 'Unimplemented keys: ["$recursiveRef"]',
        "$ref:missing": "Pointer '/$defs/none' does not exist",
        "$ref:remote": "Resource 'https://example.org/other.json' is not present in a registry and retrieving it",
        "$schema:other": "Resource 'https://example.org/dialect' is not present in a registry and retrieving it ",
        "contains": 'Unimplemented keys: ["contains"]',
        "dependencies": 'Unimplemented keys: ["dependencies"]',
        "dependentRequired": 'Unimplemented keys: ["dependentRequired"]',
        "dependentSchemas": 'Unimplemented keys: ["dependentSchemas"]',
        "enum:empty": "Unsatisfiable schema: required property 'a' is unsatisfiable",
        "format:idn-email": "Unknown format: idn-email",
        "format:idn-hostname": "Unknown format: idn-hostname",
        "format:iri": "Unknown format: iri",
        "format:iri-reference": "Unknown format: iri-reference",
        "format:json-pointer": "Unknown format: json-pointer",
        "format:other": "Unknown format: int32",
        "format:regex": "Unknown format: regex",
        "format:relative-json-pointer": "Unknown format: relative-json-pointer",
        "format:uri-reference": "Unknown format: uri-reference",
        "format:uri-template": "Unknown format: uri-template",
        "if": 'Unimplemented keys: ["if", "then"]',
        "if:alone": 'Unimplemented keys: ["if"]',
        "maxContains": 'Unimplemented keys: ["contains", "maxContains"]',
        "minContains": 'Unimplemented keys: ["contains", "minContains"]',
        "minProperties:optional": 'min/maxProperties only supported when all keys listed in "properties" are requi',
        "minimum:empty": "Unsatisfiable schema: required property 'a' is unsatisfiable",
        "minimum:large": "Failed to generate regex for integer range: min=Some(-9223372036854775808), max=Some(922",
        "minimum:large:number": "Failed to generate regex for float range: min=Some(-1e20), max=Some(1e20)",
        "not": 'Unimplemented keys: ["not"]',
        "oneOf:overlap": "oneOf constraints are not supported. Enable 'coerce_one_of' option to approximate oneO",
        "oneOf:siblings": "oneOf constraints are not supported. Enable 'coerce_one_of' option to approximate one",
        "pattern:anchors": "lookarounds not supported yet; End in regex /^(^ab$)$/",
        "pattern:backreference": "regex parse error:",
        "pattern:boundary": "lookarounds not supported yet; WordUnicode in regex /^ab\\b.*$/",
        "pattern:look": "regex parse error:",
        "pattern:look:behind": "regex parse error:",
        "pattern:look:unicode": "regex parse error:",
        "pattern:surrogate": "regex parse error:",
        "propertyNames": 'Unimplemented keys: ["propertyNames"]',
        "propertyNames:enum": 'Unimplemented keys: ["propertyNames"]',
        "propertyNames:properties": 'Unimplemented keys: ["propertyNames"]',
        "type:none:applied": 'Unimplemented keys: ["not"]',
        "unevaluatedItems": 'Unimplemented keys: ["unevaluatedItems"]',
        "unevaluatedItems:alone": 'Unimplemented keys: ["unevaluatedItems"]',
        "unevaluatedProperties": 'Unimplemented keys: ["unevaluatedProperties"]',
        "unevaluatedProperties:schema": 'Unimplemented keys: ["unevaluatedProperties"]',
        "uniqueItems": 'Unimplemented keys: ["uniqueItems"]',
        "uniqueItems:false": 'Unimplemented keys: ["uniqueItems"]',
    },
    ignored={},
    limits={"schema_chars": 500_000},
    narrowed={
        "$ref:siblings:draft-07": 'forbids {"a": "a"}',
    },
)
