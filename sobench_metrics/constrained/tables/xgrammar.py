"""What xgrammar does with each shape (vLLM's first choice, and the engine of the `hf` backends).

Measured with benchmarks/grammar_keywords.py, whose `--tables` prints these entries. Beside them, for every schema: keys
come in the order of `properties`, and an object that does not say `additionalProperties` is closed (strict mode).
A text that a pattern allows is written without escapes, so a pattern with a quote or a line break gives broken JSON.
"""

from __future__ import annotations

from typing import Final

from sobench_metrics.constrained.support import Table

__all__ = ["XGRAMMAR"]

XGRAMMAR: Final = Table(
    engine="xgrammar",
    version="0.2.8",
    date="2026-11-30",
    evidence="measured",
    refused={
        "$ref:escaped": "Cannot find field t~1u in #/$defs/t~1u",
        "$ref:index": "Cannot find field 1 in #/$defs/t/anyOf/1",
        "$ref:missing": "Cannot find field $defs in #/$defs/none",
        "$ref:percent": "Cannot find field t%20u in #/$defs/t%20u",
        "additionalItems": "items must be a boolean or an object",
        "enum:empty": "enum array must not be empty",
        "exclusiveMinimum:boolean": "Value must be a number",
        "items:none:minItems": "minItems is greater than the number of prefixItems, but additional items are not a",
        "items:tuple": "items must be a boolean or an object",
        "minContains": "minItems is greater than the number of prefixItems, but additional items are not allowed: ",
        "minimum:empty": "Invalid range: minimum greater than maximum",
        "minimum:fraction": "Integer constraint must be a whole number",
        "minimum:large": "Integer exceeds minimum limit",
        "pattern:backreference": "Regex parsing error at position 6: Backreference is not supported yet.",
        "pattern:boundary": "Regex parsing error at position 4: Word boundary is not supported yet.",
        "pattern:flags": "Regex parsing error at position 4: Group modifier flag is not supported yet.",
        "pattern:look:behind": "Regex parsing error at position 4: Lookbehind is not supported yet.",
        "pattern:look:unicode": "Regex parsing error at position 4: Lookahead is not supported yet.",
        "pattern:newline:literal": "EBNF lexer error at line 1, column 15: Character class should not contain newl",
        "pattern:unicode": "Regex parsing error at position 2: Unicode character class escape sequence is not supp",
        "prefixItems:minItems": "minItems is greater than the number of prefixItems, but additional items are not ",
        "schema:false": "Schema 'false' cannot accept any value",
    },
    ignored={
        "$dynamicRef": 'allows {"a": 3}',
        "$recursiveRef": 'allows {"n": 3}',
        "$ref:anchor": 'allows {"a": 3}',
        "$ref:id": 'allows {"a": 3}',
        "$ref:remote": "taken for a schema that allows anything",
        "$ref:siblings": 'allows {"a": "a"}',
        "allOf": 'allows {"a": "a"}',
        "allOf:single:siblings": 'allows {"a": "abcd"}',
        "anyOf:siblings": 'allows {"a": {}}',
        "contains": 'allows {"a": []}; forbids {"a": [1, 3]}',
        "dependencies": 'allows {"a": {"x": 1}}',
        "dependentRequired": 'allows {"a": {"x": 1}}',
        "dependentSchemas": 'allows {"a": {"x": 1}}',
        "enum:keywords": 'allows {"a": "x"}',
        "enum:type:other": 'allows {"a": null}',
        "format:idn-email": 'allows {"a": "nobody"}',
        "format:idn-hostname": 'allows {"a": "-a-.."}',
        "format:iri": 'allows {"a": "no iri"}',
        "format:iri-reference": 'allows {"a": "a b"}',
        "format:length": 'allows {"a": "a@b.co"}',
        "format:pattern": 'allows {"a": "b@x.org"}',
        "format:regex": 'allows {"a": "("}',
        "if": 'allows {"a": {"x": 1}}',
        "multipleOf:number": 'allows {"a": 1.2}',
        "not": 'allows {"a": "x"}',
        "oneOf:overlap": 'allows {"a": 4}',
        "oneOf:siblings": 'allows {"a": {}}',
        "pattern:backslash": 'allows {"a": "a\\b"}; forbids {"a": "a\\\\b"}',
        "pattern:length": 'allows {"a": "ab"}',
        "pattern:look": 'allows {"a": "abc"}',
        "pattern:newline": 'allows "{\\"a\\": \\"a\\nb\\"}"; forbids {"a": "a\\nb"}',
        "pattern:newline:class": 'allows "{\\"a\\": \\"a\\nb\\"}"; forbids {"a": "a\\nb"}',
        "pattern:quote": 'allows "{\\"a\\": \\"a\\"b\\"}"; forbids {"a": "a\\"b"}',
        "pattern:unicode:class": 'allows {"a": "pa"}; forbids {"a": "\\u00c9a"}',
        "required:only": 'allows {"a": {}}; forbids {"a": {"z": 1}}',
        "required:undeclared": 'allows {"a": {"x": 1}}; forbids {"a": {"z": 1}}',
        "type:none:applied": 'allows {"a": 3}',
        "type:none:number": 'allows {"a": 2}',
        "type:none:string": 'allows {"a": "a"}',
        "uniqueItems": 'allows {"a": [1, 1]}',
    },
    narrowed={
        "additionalProperties:open": 'forbids {"a": {"x": 1, "z": [2]}}',
        "items:none:keywords": 'forbids {"a": [1]}',
        "maxContains": 'forbids {"a": [3]}',
        "minLength": 'escapes: forbids {"a": "a\\"b"}',
        "pattern:dot": 'forbids {"a": "a\\"b"}',
        "pattern:half": 'forbids {"a": "ab-rest"}',
        "pattern:unanchored": 'forbids {"a": "xx-12-yy"}',
        "patternProperties:half": 'forbids {"a": {"n1": 2}}',
        "patternProperties:open": 'forbids {"a": {"m": "x"}}',
        "prefixItems:short": 'forbids {"a": [1, "x", 3]}',
    },
    first_read=("$ref", "const", "enum", "anyOf", "oneOf", "allOf"),
    unread=frozenset(("not", "if", "then", "else", "dependentSchemas", "dependencies", "contains")),
)
