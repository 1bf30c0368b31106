"""Cases for types, listed values, texts, numbers and lists."""

from __future__ import annotations

from typing import Final

from benchmarks.grammar_case import DRAFT_07, XY, in_object, of_text

__all__ = ["ARRAYS", "NUMBERS", "STRINGS", "TYPES"]

_FORMATS: Final = {
    "date": ("2024-02-29", "yesterday"),
    "time": ("10:20:30Z", "noon"),
    "date-time": ("2024-02-29T10:20:30Z", "2024-02-29"),
    "duration": ("P1D", "a day"),
    "email": ("a@example.org", "nobody"),
    "idn-email": ("a@example.org", "nobody"),
    "hostname": ("example.org", "-a-.."),
    "ipv4": ("127.0.0.1", "127.0.0"),
    "ipv6": ("::1", "1.2"),
    "uri": ("https://example.org/a", "no uri"),
    "uri-reference": ("/a", "a b"),
    "uri-template": ("/a/{b}", "{"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123"),
    "json-pointer": ("/a", "a"),
    "relative-json-pointer": ("0/a", "/a"),
    "regex": ("a+", "("),
    "idn-hostname": ("example.org", "-a-.."),
    "iri": ("https://example.org/a", "no iri"),
    "iri-reference": ("/a", "a b"),
}

TYPES: Final = {
    "type": in_object({"type": "integer"}, (3, -1), ("3", None, True)),
    "type:list": in_object({"type": ["string", "null"]}, ("a", None), (3,)),
    "type:list:containers": in_object({"type": ["array", "null"], "items": {"type": "integer"}}, ([1], None), (["x"],)),
    "type:list:keywords": in_object({"type": ["integer", "null"], "minimum": 3}, (3, None), (2,)),
    "type:none": in_object({}, ("a", 3, None, {"b": [1]})),
    "type:none:annotated": in_object({"description": "d"}, ("a", 3, None)),
    "type:none:applied": in_object({"not": {"const": 3}}, ("a", 4), (3,)),
    "type:none:applied/if": in_object({"if": {"const": 3}, "then": False}, ("a", 4), (3,)),
    "type:none:array": in_object({"items": {"type": "integer"}, "minItems": 1}, ([1],), (["x"], [])),
    "type:none:object": in_object({"properties": XY, "required": ["x"]}, ({"x": 1},), ({"x": "a"}, {})),
    "type:none:string": in_object({"minLength": 3}, ("abc",), ("a",)),
    "type:none:number": in_object({"minimum": 3}, (3,), (2,)),
    "schema:true": in_object(True, ("a", 3)),
    "schema:false": in_object({}, ("a",), (), properties={"a": {"type": "string"}, "b": False}),
    "enum": in_object({"enum": ["x", "y"]}, ("x",), ("z",)),
    "enum:mixed": in_object({"enum": ["x", 3, None, True]}, ("x", 3, None, True), ("z", 4)),
    "enum:containers": in_object({"enum": [{"b": 1}, [2]]}, ({"b": 1}, [2]), ({"b": 2}, [1])),
    "enum:type": in_object({"type": "string", "enum": ["x", "y"]}, ("x",), ("z",)),
    "enum:type:other": in_object({"type": "string", "enum": ["x", None]}, ("x",), (None,)),
    "enum:keywords": in_object({"type": "string", "enum": ["x", "yyy"], "minLength": 2}, ("yyy",), ("x",)),
    "enum:single": in_object({"enum": ["x"]}, ("x",), ("z",)),
    "enum:empty": in_object({"enum": []}, (), ("z",)),
    "const": in_object({"const": "x"}, ("x",), ("z",)),
    "const:containers": in_object({"const": {"b": [1]}}, ({"b": [1]},), ({"b": [2]},)),
    "const:type": in_object({"type": "string", "const": "x"}, ("x",), ("z",)),
    "const:null": in_object({"const": None}, (None,), ("z",)),
}

STRINGS: Final = {
    "minLength": of_text("abc", bad=("ab",), minLength=3),
    "maxLength": of_text("abc", bad=("abcd",), maxLength=3),
    "minLength/escapes": of_text('a"b', "a\nb", "é😀x", minLength=3),
    "pattern": of_text("ab1", bad=("AB", "ab1!"), pattern="^[a-z]+[0-9]$"),
    "pattern:unanchored": of_text("xx-12-yy", "12", bad=("xx",), pattern="[0-9]{2}"),
    "pattern:half": of_text("ab-rest", bad=("xab",), pattern="^ab"),
    "pattern/alternatives": of_text("ab", "cd", bad=("xcd", "abx"), pattern="^(ab|cd)$"),
    "pattern:branches": of_text("ab", "cd", bad=("xab", "abx"), pattern="^ab$|^cd$"),
    "pattern:anchors": of_text("ab", bad=("xab", "abx"), pattern="^(^ab$)$"),
    "pattern:surrogate": of_text("ab", bad=("a1",), pattern="^[a-z\\uD83C-\\uDBFF]+$"),
    "pattern:look": of_text("ab", bad=("abc",), pattern="^(?!abc)[a-z]+$"),
    "pattern:look:behind": of_text("b", bad=("ab",), pattern="^(?<!a)b$"),
    "pattern:look:unicode": of_text("ab", bad=("xb",), pattern="^(?!x)[\\p{L}]b$"),
    "pattern:newline:literal": of_text("a\nb", bad=("ab",), pattern="^a[\r\n]b$", raw="a\nb"),
    "pattern:backreference": of_text("abab", bad=("abac",), pattern="^(ab)\\1$"),
    "pattern:boundary": of_text("ab cd", bad=("abcd",), pattern="^ab\\b.*$"),
    "pattern/classes": of_text("1 a", bad=("a 1",), pattern="^\\d\\s\\w$"),
    "pattern:unicode": of_text("Éa", bad=("éa",), pattern="^\\p{Lu}a$"),
    "pattern:lazy": of_text("aab", bad=("b",), pattern="^a+?b$"),
    "pattern:flags": of_text("AB", bad=("A1",), pattern="^(?i)ab$"),
    "pattern:quote": of_text('a"b', bad=("ab",), pattern='^a"b$', raw='a"b'),
    "pattern:backslash": of_text("a\\b", bad=("ab", "a\b"), pattern="^a\\\\b$"),
    "pattern:dot": of_text("axb", 'a"b', bad=("ab",), pattern="^a.b$", raw='a"b'),
    "pattern:negated": of_text("axb", bad=("a-b",), pattern="^a[^-]b$", raw='a"b'),
    "pattern:large": of_text("a" * 900, bad=("a" * 1001,), pattern="^[a-z]{1,1000}$"),
    "pattern:unicode:class": of_text("Éa", bad=("pa",), pattern="^[\\p{Lu}]a$"),
    "pattern:newline:class": of_text("a\nb", bad=("ab",), pattern="^a[\\r\\n]b$", raw="a\nb"),
    "pattern:newline": of_text("a\nb", bad=("ab",), pattern="^a\\nb$", raw="a\nb"),
    "pattern/slash": of_text("a/b", bad=("ab",), pattern="^a\\/b$"),
    "pattern/hyphen": of_text("a-b", bad=("ab",), pattern="^[a\\-]+-b$"),
    "pattern:length": of_text("abc", bad=("ab", "ABC"), pattern="^[a-z]+$", minLength=3),
    "format:length": of_text("a@example.org", bad=("a@b.co", "nobody at all"), format="email", minLength=10),
    "format:pattern": of_text("a@x.org", bad=("b@x.org", "a"), format="email", pattern="^a.*$"),
    **{f"format:{name}": of_text(good, bad=(bad,), format=name) for name, (good, bad) in _FORMATS.items()},
    "contentEncoding": of_text("aGk=", bad=(), contentEncoding="base64"),
}
STRINGS["format:other"] = of_text("x", "y", format="int32")  # says nothing

NUMBERS: Final = {
    "minimum": in_object({"type": "integer", "minimum": 13}, (13, 240), (12, -5)),
    "maximum": in_object({"type": "integer", "maximum": 13}, (13, -240), (14, 130)),
    "minimum:number": in_object({"type": "number", "minimum": 1.5}, (1.5, 3, 20.25), (1.4, -2)),
    "maximum:number": in_object({"type": "number", "maximum": 1.5}, (1.5, -3, 0.25), (1.6, 2)),
    "minimum:fraction": in_object({"type": "integer", "minimum": 1.5}, (2, 30), (1,)),
    "minimum:large": in_object({"type": "integer", "minimum": -(10**20), "maximum": 10**20}, (0, 10**19), (10**21,)),
    "minimum:large:number": in_object({"type": "number", "minimum": -1e20, "maximum": 1e20}, (0.5,), (1e21,)),
    "exclusiveMinimum": in_object({"type": "integer", "exclusiveMinimum": 13}, (14,), (13,)),
    "exclusiveMaximum": in_object({"type": "integer", "exclusiveMaximum": 13}, (12,), (13,)),
    "exclusiveMinimum:number": in_object({"type": "number", "exclusiveMinimum": 0}, (0.5, 1), (0, -1)),
    "exclusiveMaximum:number": in_object({"type": "number", "exclusiveMaximum": 1}, (0.5, 0), (1, 2)),
    "exclusiveMinimum:boolean": in_object({"type": "integer", "minimum": 3, "exclusiveMinimum": True}, (4,), (3,)),
    "minimum:empty": in_object({"type": "integer", "minimum": 5, "maximum": 3}, (), (4,)),
    "multipleOf": in_object({"type": "integer", "multipleOf": 5}, (10, 0), (7,)),
    "multipleOf:number": in_object({"type": "number", "multipleOf": 0.5}, (1.5, 2), (1.2,)),
    "multipleOf:bounds": in_object({"type": "integer", "multipleOf": 5, "minimum": 3, "maximum": 20}, (5, 20), (7, 25)),
    "type/exponent": in_object({"type": "number"}, (1e30, 2.5)),
}

ARRAYS: Final = {
    "items": in_object({"type": "array", "items": {"type": "integer"}}, ([], [1, 2]), (["x"],)),
    "items:false": in_object({"type": "array", "items": False}, ([],), ([1],)),
    "items:none": in_object({"type": "array"}, ([], [1, "x", {"b": None}])),
    "items:none:minItems": in_object({"type": "array", "minItems": 1}, ([1], ["x", 2]), ([],)),
    "items:none:keywords": in_object({"type": "array", "maxItems": 1}, ([1], []), ([1, 2],)),
    "prefixItems:minItems": in_object(
        {"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 2}, ([1, "x"],), ([1], ["x", 1])
    ),
    "items:tuple": in_object(
        {"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "minItems": 2},
        ([1, "x"],),
        (["x", 1],),
        **{"$schema": DRAFT_07},
    ),
    "additionalItems": in_object(
        {"type": "array", "items": [{"type": "integer"}], "additionalItems": False, "minItems": 1},
        ([1],),
        ([1, 2],),
        **{"$schema": DRAFT_07},
    ),
    "prefixItems": in_object(
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2},
        ([1, "x"],),
        (["x", 1],),
    ),
    "prefixItems:short": in_object(
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        ([1, "x"], [1], [1, "x", 3]),
        (["x"],),
    ),
    "prefixItems:closed": in_object(
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": False, "minItems": 1}, ([1],), ([1, 2], [])
    ),
    "minItems": in_object({"type": "array", "items": {"type": "integer"}, "minItems": 2}, ([1, 2, 3],), ([1],)),
    "maxItems": in_object({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, ([1, 2], []), ([1, 2, 3],)),
    "uniqueItems": in_object(
        {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, ([1, 2],), ([1, 1],)
    ),
    "uniqueItems:false": in_object({"type": "array", "items": {"type": "integer"}, "uniqueItems": False}, ([1, 1],)),
    "contains": in_object({"type": "array", "contains": {"const": 3}}, ([1, 3], [3]), ([1], [])),
    "minContains": in_object({"type": "array", "contains": {"const": 3}, "minContains": 2}, ([3, 3],), ([3],)),
    "maxContains": in_object({"type": "array", "contains": {"const": 3}, "maxContains": 1}, ([3],), ([3, 3],)),
    "unevaluatedItems": in_object(
        {"type": "array", "prefixItems": [{"type": "integer"}], "unevaluatedItems": False}, ([1],), ([1, 2],)
    ),
    "unevaluatedItems:alone": in_object({"type": "array", "unevaluatedItems": {"type": "integer"}}, ([1],), (["x"],)),
}
