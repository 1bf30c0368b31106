"""Cases for objects, branches, references, dialects, annotations and roots."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from benchmarks.grammar_case import DRAFT_07, XY, Case, in_object, of_object

__all__ = ["BRANCHES", "OBJECTS", "REFERENCES", "WORDS"]

OBJECTS: Final = {
    "properties": of_object(
        {"properties": XY, "additionalProperties": False}, ({}, {"x": 1}, {"y": "b"}), ({"x": "a"}, {"z": 1})
    ),
    "note/order": of_object({"properties": XY, "additionalProperties": False}, ({"y": "b", "x": 1},)),
    "properties/empty": of_object({"properties": {}, "additionalProperties": False}, ({},), ({"z": 1},)),
    "properties:names": of_object(
        {"properties": {'q"\\é\n': {"type": "integer"}}, "required": ['q"\\é\n'], "additionalProperties": False},
        ({'q"\\é\n': 1},),
        ({},),
    ),
    "required": of_object(
        {"properties": XY, "required": ["x"], "additionalProperties": False}, ({"x": 1},), ({}, {"y": "b"})
    ),
    "required:optional": of_object(
        {"properties": XY, "required": ["x"], "additionalProperties": False},
        ({"x": 1}, {"x": 1, "y": "b"}),
        ({"y": "b"},),
    ),
    "required:undeclared": of_object({"properties": XY, "required": ["z"]}, ({"z": 1},), ({"x": 1},)),
    "required:only": of_object({"required": ["z"]}, ({"z": 1},), ({}, {"x": 1})),
    "additionalProperties:open": of_object(
        {"properties": XY, "required": ["x"]}, ({"x": 1}, {"x": 1, "z": [2]}), ({"x": "a"},)
    ),
    "additionalProperties:true": of_object(
        {"properties": XY, "required": ["x"], "additionalProperties": True},
        ({"x": 1}, {"x": 1, "z": [2]}),
        ({"x": "a"},),
    ),
    "additionalProperties:schema": of_object(
        {"properties": XY, "additionalProperties": {"type": "integer"}}, ({"x": 1, "z": 2},), ({"z": "a"},)
    ),
    "additionalProperties:map": of_object({"additionalProperties": {"type": "integer"}}, ({"z": 2}, {}), ({"z": "a"},)),
    "additionalProperties:schema/shadow": of_object(
        {"properties": XY, "additionalProperties": {"type": "array"}}, ({"z": []},), ({"x": []},)
    ),
    "object:closed": of_object({"additionalProperties": False}, ({},), ({"z": 1},)),
    "object:free": of_object({}, ({}, {"z": [1]})),
    "patternProperties": of_object(
        {"patternProperties": {"^n[0-9]$": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}},
        ({"n1": 2}, {}),
        ({"n1": "a"}, {"m": 1}),
    ),
    "patternProperties:several": of_object(
        {
            "patternProperties": {"^n[0-9]$": {"type": "integer"}, "^s[0-9]$": {"type": "string"}},
            "additionalProperties": {"type": "boolean"},
        },
        ({"n1": 2, "s1": "a"},),
        ({"n1": "a"}, {"s1": 1}),
    ),
    "patternProperties:open": of_object(
        {"patternProperties": {"^n[0-9]$": {"type": "integer"}}}, ({"n1": 2}, {"m": "x"}), ({"n1": "a"},)
    ),
    "patternProperties:properties": of_object(
        {"properties": XY, "patternProperties": {"^n[0-9]$": {"type": "integer"}}, "additionalProperties": False},
        ({"x": 1, "n1": 2},),
        ({"n1": "a"}, {"m": 1}),
    ),
    "patternProperties:half": of_object(
        {"patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}},
        ({"n1": 2}, {}),
        ({"n1": "a"}, {"m": 1}),
    ),
    "propertyNames": of_object({"propertyNames": {"pattern": "^n[a-z]*$"}}, ({"n": 1},), ({"m": 1},)),
    "propertyNames:enum": of_object({"propertyNames": {"enum": ["n", "o"]}}, ({"n": 1},), ({"m": 1},)),
    "propertyNames:properties": of_object(
        {"properties": XY, "propertyNames": {"pattern": "^[a-z]*$"}}, ({"x": 1},), ({"N": 1},)
    ),
    "minProperties": of_object({"additionalProperties": {"type": "integer"}, "minProperties": 1}, ({"n": 1},), ({},)),
    "maxProperties": of_object(
        {"additionalProperties": {"type": "integer"}, "maxProperties": 1}, ({"n": 1},), ({"n": 1, "m": 2},)
    ),
    "minProperties:optional": of_object({"properties": XY, "minProperties": 1}, ({"x": 1},), ({},)),
    "minProperties:optional/two": of_object(
        {"properties": XY, "additionalProperties": False, "minProperties": 2}, ({"x": 1, "y": "a"},), ({"x": 1},)
    ),
    "minProperties:properties": of_object(
        {"properties": XY, "additionalProperties": False, "minProperties": 1}, ({"x": 1},), ({},)
    ),
    "maxProperties:properties": of_object(
        {"properties": XY, "additionalProperties": False, "maxProperties": 1}, ({"x": 1},), ({"x": 1, "y": "a"},)
    ),
    "dependentRequired": of_object(
        {"properties": XY, "additionalProperties": False, "dependentRequired": {"x": ["y"]}},
        ({"x": 1, "y": "a"}, {"y": "a"}),
        ({"x": 1},),
    ),
    "dependentSchemas": of_object(
        {"properties": XY, "additionalProperties": False, "dependentSchemas": {"x": {"required": ["y"]}}},
        ({"x": 1, "y": "a"}, {"y": "a"}),
        ({"x": 1},),
    ),
    "dependencies": in_object(
        {"type": "object", "properties": XY, "additionalProperties": False, "dependencies": {"x": ["y"]}},
        ({"x": 1, "y": "a"}, {"y": "a"}),
        ({"x": 1},),
        **{"$schema": DRAFT_07},
    ),
    "unevaluatedProperties": of_object(
        {"properties": XY, "unevaluatedProperties": False}, ({"x": 1},), ({"x": 1, "z": 1},)
    ),
    "unevaluatedProperties:schema": of_object(
        {"properties": XY, "unevaluatedProperties": {"type": "integer"}}, ({"x": 1, "z": 1},), ({"x": 1, "z": "a"},)
    ),
}

_TWO: Final = {"type": "string", "minLength": 2}
_FIVE: Final = {"type": "string", "minLength": 5}
BRANCHES: Final = {
    "anyOf": in_object({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ("a", 3), (None, [1])),
    "anyOf:siblings": in_object(
        {
            "type": "object",
            "properties": XY,
            "additionalProperties": False,
            "anyOf": [{"required": ["x"]}, {"required": ["y"]}],
        },
        ({"x": 1}, {"y": "a"}),
        ({},),
    ),
    "anyOf:siblings/scalar": in_object(
        {"type": "string", "anyOf": [{"type": "string", "maxLength": 2}, _FIVE]},
        ("a", "abcde"),
        ("abcd", 3),
    ),
    "anyOf/shared": in_object(
        {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"k": {"const": "a"}, "v": {"type": "integer"}},
                    "required": ["k", "v"],
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {"k": {"const": "b"}, "w": {"type": "string"}},
                    "required": ["k", "w"],
                    "additionalProperties": False,
                },
            ]
        },
        ({"k": "a", "v": 1}, {"k": "b", "w": "x"}),
        ({"k": "a", "w": "x"},),
    ),
    "oneOf": in_object({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ("a", 3), (None,)),
    "oneOf:overlap": in_object(
        {"oneOf": [{"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 5}]}, (1, 9), (4,)
    ),
    "oneOf/objects": in_object(
        {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"k": {"const": "a"}, "v": {"type": "integer"}},
                    "required": ["k", "v"],
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {"k": {"const": "b"}, "w": {"type": "string"}},
                    "required": ["k", "w"],
                    "additionalProperties": False,
                },
            ]
        },
        ({"k": "a", "v": 1}, {"k": "b", "w": "x"}),
        ({"k": "a", "w": "x"},),
    ),
    "oneOf:overlap/numbers": in_object({"oneOf": [{"type": "integer"}, {"type": "number"}]}, (1.5,), (1,)),
    "oneOf/consts": in_object({"oneOf": [{"const": "a"}, {"const": "b"}]}, ("a", "b"), ("c",)),
    "oneOf:siblings": in_object(
        {
            "type": "object",
            "properties": XY,
            "additionalProperties": False,
            "oneOf": [{"required": ["x"]}, {"required": ["y"]}],
        },
        ({"x": 1}, {"y": "a"}),
        ({}, {"x": 1, "y": "a"}),
    ),
    "allOf:single": in_object({"allOf": [_TWO]}, ("ab",), ("a", 3)),
    "allOf:single:siblings": in_object({"type": "string", "maxLength": 3, "allOf": [_TWO]}, ("ab",), ("a", 3, "abcd")),
    "allOf": in_object({"allOf": [_TWO, {"type": "string", "maxLength": 3}]}, ("ab",), ("a", "abcd")),
    "allOf/objects": replace(
        in_object(
            {
                "allOf": [
                    {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
                    {"type": "object", "properties": {"y": {"type": "string"}}, "required": ["y"]},
                ]
            },
            ({"x": 1, "y": "a"},),
            ({"x": 1}, {"x": "a", "y": "a"}),
        ),
        broken=('{"a": {"x": 1}{"y": "a"}}',),
    ),
    "not": in_object({"type": "string", "not": {"const": "x"}}, ("y",), ("x",)),
    "not/required": in_object(
        {"type": "object", "properties": XY, "additionalProperties": False, "not": {"required": ["x", "y"]}},
        ({"x": 1},),
        ({"x": 1, "y": "a"},),
    ),
    "if": in_object(
        {
            "type": "object",
            "properties": XY,
            "additionalProperties": False,
            "if": {"required": ["x"]},
            "then": {"required": ["y"]},
        },
        ({"x": 1, "y": "a"}, {}),
        ({"x": 1},),
    ),
    "if:alone": in_object({"type": "string", "if": {"minLength": 3}}, ("a", "abcd")),
}

_LEFT: Final = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
    "required": ["n"],
    "additionalProperties": False,
}
_NESTED: Final = {"n": 1, "next": {"n": 2, "next": {"n": 3, "next": {"n": 4, "next": {"n": 5, "next": {"n": 6}}}}}}
_DRAFT_2019: Final = "https://json-schema.org/draft/2019-09/schema"
REFERENCES: Final = {
    "$ref": in_object({"$ref": "#/$defs/t"}, ("ab",), (3,), **{"$defs": {"t": {"type": "string"}}}),
    "$ref:definitions": in_object({"$ref": "#/definitions/t"}, ("ab",), (3,), definitions={"t": {"type": "string"}}),
    "$ref:elsewhere": Case(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
        ({"a": "x", "b": "y"},),
        ({"a": "x", "b": 1},),
    ),
    "$ref:index": in_object(
        {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/t/anyOf/1"}]},
        ("x", 3),
        (None,),
        **{"$defs": {"t": {"anyOf": [{"type": "null"}, {"type": "integer"}]}}},
    ),
    "$ref:recursive": in_object(
        {"$ref": "#/$defs/node"},
        ({"n": 1, "next": {"n": 2}}, _NESTED),
        ({"n": 1, "next": {"n": "x"}},),
        **{"$defs": {"node": _LEFT}},
    ),
    "$ref:root": Case(
        {
            "type": "object",
            "properties": {"n": {"type": "integer"}, "next": {"$ref": "#"}},
            "required": ["n"],
            "additionalProperties": False,
        },
        ({"n": 1, "next": {"n": 2}},),
        ({"n": 1, "next": {"n": "x"}},),
    ),
    "$ref/chain": in_object(
        {"$ref": "#/$defs/t"}, ("ab",), (3,), **{"$defs": {"t": {"$ref": "#/$defs/u"}, "u": {"type": "string"}}}
    ),
    "$ref:siblings": in_object(
        {"$ref": "#/$defs/t", "minLength": 2}, ("ab",), ("a", 3), **{"$defs": {"t": {"type": "string"}}}
    ),
    "$ref:siblings:draft-07": in_object(
        {"$ref": "#/definitions/t", "minLength": 2},
        ("ab", "a"),
        (3,),
        **{"$schema": DRAFT_07, "definitions": {"t": {"type": "string"}}},
    ),
    "$ref:annotated": in_object(
        {"$ref": "#/$defs/t", "description": "d"}, ("ab",), (3,), **{"$defs": {"t": {"type": "string"}}}
    ),
    "$ref:escaped": in_object({"$ref": "#/$defs/t~1u"}, ("ab",), (3,), **{"$defs": {"t/u": {"type": "string"}}}),
    "$ref:percent": in_object({"$ref": "#/$defs/t%20u"}, ("ab",), (3,), **{"$defs": {"t u": {"type": "string"}}}),
    "$ref:anchor": in_object(
        {"$ref": "#here"}, ("ab",), (3,), **{"$defs": {"t": {"$anchor": "here", "type": "string"}}}
    ),
    "$ref:id": in_object(
        {"$ref": "t.json"},
        ("ab",),
        (3,),
        **{"$id": "https://example.org/root.json", "$defs": {"t": {"$id": "t.json", "type": "string"}}},
    ),
    "$ref:remote": in_object({"$ref": "https://example.org/other.json"}, ("ab",)),
    "$ref:missing": in_object({"$ref": "#/$defs/none"}, ("ab",)),
    "note/unused": in_object({"type": "string"}, ("ab",), (3,), **{"$defs": {"t": {"$ref": "#/$defs/none"}}}),
    "note/endless": in_object({"$ref": "#/$defs/t"}, (), **{"$defs": {"t": {"$ref": "#/$defs/t"}}}),
    "$dynamicRef": in_object(
        {"$dynamicRef": "#node"}, ("ab",), (3,), **{"$defs": {"t": {"$dynamicAnchor": "node", "type": "string"}}}
    ),
    "$recursiveRef": Case(
        {
            "$schema": _DRAFT_2019,
            "type": "object",
            "properties": {"n": {"$recursiveRef": "#"}},
            "additionalProperties": False,
        },
        ({"n": {}},),
        ({"n": 3},),
    ),
    "$id": in_object({"type": "string"}, ("ab",), (3,), **{"$id": "https://example.org/root.json"}),
    "$id/local": in_object(
        {"$ref": "#/$defs/t"},
        ("ab",),
        (3,),
        **{"$id": "https://example.org/root.json", "$defs": {"t": {"type": "string"}}},
    ),
}

_CLOSED: Final = {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": False}
WORDS: Final = {
    **{
        word: in_object({"type": "string", word: value}, ("ab",), (3,))
        for word, value in {
            "title": "t",
            "description": "d",
            "default": "x",
            "examples": ["x"],
            "$comment": "c",
            "readOnly": True,
            "writeOnly": True,
            "deprecated": True,
            "contentMediaType": "text/plain",
            "example": "x",
            "x-other": 1,
            "nullable": True,
            "contentSchema": {"type": "string"},
            "externalDocs": {},
            "xml": {},
            "discriminator": {"propertyName": "k"},
            "unknown": {"deep": 1},
        }.items()
    },
    **{
        f"$schema:{name}": in_object({"type": "string"}, ("ab",), (3,), **{"$schema": address})
        for name, address in {
            "draft-04": "http://json-schema.org/draft-04/schema#",
            "draft-06": "http://json-schema.org/draft-06/schema#",
            "draft-07": DRAFT_07,
            "2019-09": _DRAFT_2019,
            "2020-12": "https://json-schema.org/draft/2020-12/schema",
            "other": "https://example.org/dialect",
        }.items()
    },
    "root:array": Case({"type": "array", "items": {"type": "integer"}}, ([1],), (["x"],)),
    "root:scalar": Case({"type": "integer"}, (3,), ("x",)),
    "root:any": Case({}, (3, {"a": 1})),
    "root:anyOf": Case(
        {
            "anyOf": [
                {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": False},
                {"type": "null"},
            ]
        },
        ({"x": 1}, None),
        ({"x": "a"},),
    ),
    "root:$ref": Case(
        {
            "$ref": "#/$defs/t",
            "$defs": {"t": {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": False}},
        },
        ({"x": 1},),
        ({"x": "a"},),
    ),
    "idle": in_object(
        {"type": "integer", "minLength": 3, "items": {"type": "string"}, "properties": {"q": {"type": "string"}}},
        (3,),
        ("abc",),
    ),
}
