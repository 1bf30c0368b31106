"""Say a schema in words that an engine understands, where that changes no verdict; everything else is left as it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained import rules_branches, rules_objects, rules_values, rules_words
from sobench_metrics.constrained.engines import table_for
from sobench_metrics.constrained.malformed import SIZES, broken_place, unusable
from sobench_metrics.constrained.places import Schema, places
from sobench_metrics.constrained.shapes import shapes
from sobench_metrics.constrained.whole_rules import has_own_addresses, in_newest_dialect, with_plain_references
from sobench_metrics.constrained.words import ANNOTATIONS
from sobench_metrics.findings import pointer

if TYPE_CHECKING:
    from collections.abc import Callable

    from sobench_metrics.constrained.places import Place
    from sobench_metrics.constrained.support import Table

__all__ = ["Change", "Converted", "convert"]

_ROUNDS: Final = 6
_AT_ONE_PLACE: Final = 20
_MOST_CHANGES: Final = 10_000
_LARGEST: Final = 3_000_000


@dataclass(frozen=True, slots=True)
class Change:
    """One conversion: its stable code, the JSON Pointer of the place at that moment, and why it changes nothing."""

    code: str
    path: str
    note: str


@dataclass(frozen=True, slots=True)
class Converted:
    """The schema as it can be sent, and what was changed; the schema given itself when nothing was."""

    schema: Any
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rule:
    code: str
    note: str
    apply: Callable[[dict[str, Any], str, Schema], dict[str, Any] | None]


_ANNOTATION: Final = _Rule("convert.annotation", "the word changes no verdict", rules_words.drop_annotation)
_BARE: Final = _Rule("convert.annotation", _ANNOTATION.note, rules_words.drop_annotations)
_FORMAT: Final = _Rule("convert.format", "formats are not asserted by the scorers", rules_words.drop_format)
_JOIN: Final = _Rule("convert.all_of", "all branches together ask for the same", rules_branches.join_all)
_SPREAD: Final = _Rule("convert.spread", "what stands beside branches counts in each", rules_branches.spread)
_WRITE_OUT: Final = _Rule("convert.reference", "a reference means what it names", rules_branches.write_out)
_ENUM: Final = _Rule("convert.enum", "values that the other keywords forbid never counted", rules_values.enum_filtered)
_ROOT: Final = _Rule("convert.root_word", "nothing in the schema depends on the word", rules_words.drop_root_word)
_BOUND: Final = _Rule("convert.bound", "the same whole numbers are allowed", rules_values.whole_bounds)
_EXCLUSIVE: Final = _Rule("convert.bound", "the same whole numbers are allowed", rules_values.exclusive_as_inclusive)
_REQUIRED: Final = _Rule("convert.required", "the property was allowed as any other", rules_objects.declare_required)
_CLOSED: Final = _Rule("convert.unevaluated", "nothing else evaluates it", rules_objects.close_plainly)
_CONST: Final = _Rule("convert.const", "a list of one value allows that value", rules_values.const_as_enum)
_ITEMS: Final = _Rule("convert.items", "items without a rule may be anything", rules_objects.open_items)
_CHILDREN: Final = _Rule("convert.children", "true is {}, what can never be is absent", rules_objects.plain_children)

_RULES: Final[dict[str, tuple[_Rule, ...]]] = {
    **dict.fromkeys((*ANNOTATIONS, "x-other", "uniqueItems:false"), (_ANNOTATION,)),
    "unknown": (_Rule("convert.unknown", "no dialect knows the keyword", rules_words.drop_unknown),),
    "if:alone": (_Rule("convert.if", "nothing follows from the condition", rules_words.drop_lone_if),),
    "idle": (_Rule("convert.idle", "the keyword is for types that are not allowed", rules_words.drop_idle),),
    "allOf": (_JOIN,),
    "allOf:siblings": (_JOIN,),
    "allOf:single": (_JOIN,),
    "allOf:single:siblings": (_JOIN,),
    "root:allOf": (_JOIN,),
    "oneOf": (_Rule("convert.one_of", "no value follows two branches", rules_branches.one_of_as_any_of),),
    "oneOf:siblings": (_SPREAD,),
    "anyOf:siblings": (_SPREAD,),
    "$ref:siblings": (_WRITE_OUT,),
    "$ref:siblings:draft-07": (_WRITE_OUT,),
    "$ref:annotated": (_BARE,),
    "type:none:annotated": (_BARE,),
    "root:$ref": (_WRITE_OUT,),
    "enum:type:other": (_ENUM,),
    "enum:keywords": (_ENUM,),
    "enum:type": (_ENUM,),
    "minimum:fraction": (_BOUND,),
    "exclusiveMinimum": (_EXCLUSIVE,),
    "exclusiveMaximum": (_EXCLUSIVE,),
    "required:undeclared": (_REQUIRED,),
    "required:only": (_REQUIRED,),
    "unevaluatedProperties": (_CLOSED,),
    "unevaluatedProperties:schema": (_CLOSED,),
    "unevaluatedItems": (_CLOSED,),
    "unevaluatedItems:alone": (_CLOSED,),
    "items:none:keywords": (_ITEMS,),
    "items:none:minItems": (_ITEMS,),
    "prefixItems:minItems": (_ITEMS,),
    "const": (_CONST,),
    "const:type": (_CONST,),
    "const:null": (_CONST,),
    "const:containers": (_CONST,),
    "type:list": (_Rule("convert.types", "one branch a type", rules_values.split_types),),
    "type:list:keywords": (_Rule("convert.types", "one branch a type", rules_values.split_types),),
    "$id": (_ROOT,),
    "id": (_ROOT,),
}
_REFERENCES: Final = frozenset((
    "$ref:definitions", "$ref:elsewhere", "$ref:escaped", "$ref:percent", "$ref:anchor", "$ref:index",
))  # fmt: skip
_DIALECT: Final = frozenset((
    "items:tuple", "additionalItems", "dependencies", "$ref:siblings:draft-07", "$schema:draft-06", "$schema:draft-07",
    "$schema:2019-09",
))  # fmt: skip


def convert(schema: Any, engine: str) -> Converted:
    """Return the schema in words that the engine takes, as far as that keeps every verdict, and the list of changes.

    Only shapes that the engine refuses or ignores are touched, and counts that are written 2.0. A schema that is broken
    or too large, or in which parts have addresses of their own, comes back as it is. Raises UsageError for an engine
    without a table.
    """
    table_for(engine, {})
    try:
        if unusable(schema) or broken_place(Schema.of(schema)):
            return Converted(schema)
        text = json.dumps(schema)
        if len(text) > _LARGEST or has_own_addresses(schema):
            return Converted(schema)
        return _converted(schema, json.loads(text), engine)
    except (RecursionError, ValueError, TypeError):
        return Converted(schema)


def _converted(given: Any, root: dict[str, Any], engine: str) -> Converted:
    changes = _whole_sizes(root)
    before = _unsupported(root, table_for(engine, root))
    if not before:
        return Converted(root, tuple(changes)) if changes else Converted(given)
    root = _references(root, before, changes)
    for _ in range(_ROUNDS):
        root = _dialect(root, _unsupported(root, table_for(engine, root)), changes)
        done = len(changes)
        _one_round(root, table_for(engine, root), changes)
        if len(changes) == done or len(changes) > _MOST_CHANGES:
            break
    if [change for change in changes if change.code != "convert.references"] or _REFERENCES & before:
        return Converted(root, tuple(changes))
    return Converted(given)


def _whole_sizes(root: dict[str, Any]) -> list[Change]:
    """Write counts such as 2.0 as 2, in the schema itself; return the changes."""
    changes = []
    for place in places(Schema.of(root)):
        for word in sorted(SIZES & place.node.keys()) if isinstance(place.node, dict) else ():
            if isinstance(place.node[word], float):
                place.node[word] = int(place.node[word])
                changes.append(Change("convert.whole_number", pointer((*place.path, word)), "2.0 is the integer 2"))
    return changes


def _unsupported(root: dict[str, Any], table: Table) -> frozenset[str]:
    whole = Schema.of(root)
    found = {shape for place in places(whole) for shape, _ in shapes(place, whole)}
    return frozenset(shape for shape in found if _needs_change(table, shape))


def _needs_change(table: Table, shape: str) -> bool:
    """Return whether an engine refuses or ignores a shape, or narrows it so far that only an empty list is left."""
    support = table.support(shape)
    return support in ("refused", "ignored") or (support == "narrowed" and shape == "items:none:keywords")


def _references(root: dict[str, Any], unsupported: frozenset[str], changes: list[Change]) -> dict[str, Any]:
    """Write all references plainly where one is not supported, or leads to a place that a change could move."""
    whole = Schema.of(root)
    kinds = {shape for place in places(whole) for shape, _ in shapes(place, whole)}
    if not (_REFERENCES & unsupported or (_REFERENCES - {"$ref:definitions"}) & kinds):
        return root
    plain = with_plain_references(root)
    if plain is None:
        return root
    changes.append(Change("convert.references", "", "the same parts, named in $defs"))
    return plain


def _dialect(root: dict[str, Any], unsupported: frozenset[str], changes: list[Change]) -> dict[str, Any]:
    named = next((shape for shape in unsupported if shape.startswith("$schema:")), None)
    whole = Schema.of(root)
    if named and (made := rules_words.drop_root_word(root, "$schema", whole)) is not None:
        changes.append(Change("convert.root_word", "/$schema", _ROOT.note))
        return made
    if not _DIALECT & unsupported:
        return root
    plain = with_plain_references(root)
    made = in_newest_dialect(plain) if plain is not None else None
    if made is None:
        return root
    changes.append(Change("convert.dialect", "/$schema", "the same rules in the words of draft 2020-12"))
    return made


def _one_round(root: dict[str, Any], table: Table, changes: list[Change]) -> None:
    whole = Schema.of(root)
    for place in places(whole):
        if isinstance(place.node, dict) and len(changes) <= _MOST_CHANGES:
            _at(place, whole, table, changes)


def _at(place: Place, whole: Schema, table: Table, changes: list[Change]) -> None:
    """Apply rules at one place, in the place itself, until none applies."""
    tried: set[tuple[str, str]] = set()
    for _ in range(_AT_ONE_PLACE):
        found = _next(place, whole, table, tried)
        if found is None:
            return
        rule, keyword, node = found
        changes.append(Change(rule.code, pointer((*place.path, keyword) if keyword else place.path), rule.note))
        place.node.clear()
        place.node.update(node)


def _next(
    place: Place, whole: Schema, table: Table, tried: set[tuple[str, str]]
) -> tuple[_Rule, str, dict[str, Any]] | None:
    for shape, keyword in [*shapes(place, whole), ("children", "")]:
        if shape == "children":
            needed = any(table.support(f"schema:{word}") in ("refused", "ignored") for word in ("true", "false"))
            rules: tuple[_Rule, ...] = (_CHILDREN,) if needed else ()
        else:
            needed = _needs_change(table, shape)
            rules = _RULES.get(shape, (_FORMAT,) if shape.startswith("format:") else ()) if needed else ()
        for rule in rules:
            if (rule.code, keyword) in tried:
                continue
            tried.add((rule.code, keyword))
            node = rule.apply(place.node, keyword, whole)
            if node is not None and node != place.node:
                return rule, keyword, node
    return None
