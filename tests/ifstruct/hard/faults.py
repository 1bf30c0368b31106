"""One fault for each strict rule, put into a right answer: what the tests expect to be found, and nothing else."""

import json
import re
from copy import deepcopy

from sobench_metrics.ifstruct.hard.answer import written
from sobench_metrics.ifstruct.strict.places import at


def data_of(row):
    """Return the list that a row's right answer holds."""
    import yaml

    text = row["oracle_answer"].removeprefix(f"```{row['output_format']}\n").removesuffix("\n```")
    data = json.loads(text) if row["output_format"] == "json" else yaml.safe_load(text)
    return data[row["top_level_key"]] if row["top_level_key"] else data


def answer_of(row, data):
    """Return data as the row's answer, in its form."""
    key = row["top_level_key"]
    text = written({key: data} if key else data, row["output_format"])
    return f"```{row['output_format']}\n{text}\n```" if row["require_code_block"] else text


def faulty_answers(row, code):
    """Yield answers to a row, each with one fault of that code, where the row gives an occasion."""
    kind = code.removeprefix("strict.").removeprefix("content.")
    if kind in _IN_TEXT:
        yield from _IN_TEXT[kind](row)
        return
    data = data_of(row)
    for place, change in _occasions(row, data, kind):
        changed = deepcopy(data)
        target = changed
        for part in place:
            target = target[part]
        change(target)
        yield answer_of(row, changed)


def _occasions(row, data, kind):
    if kind in _OF_SCHEMA:
        yield from _in_schema(json.loads(row["json_schema"]), data, (), kind)
    for rule in json.loads(row["content_rules"]):
        if rule["rule"] == kind:
            parent, _, name = rule["path"].rpartition("/")
            holders = at(data, parent) if kind in _OF_TEXT else at(data, rule["path"])
            for _, place in holders:
                change = _OF_TEXT[kind](name, rule) if kind in _OF_TEXT else _OF_RECORD[kind](rule)
                yield _parts(place), change


def _parts(place):
    parts = []
    while place is not None:
        place, part = place
        parts.insert(0, part)
    return parts


def _in_schema(schema, value, place, kind):
    if schema["type"] == "array":
        for index, item in enumerate(value):
            yield from _in_schema(schema["items"], item, (*place, index), kind)
    for name, below in schema.get("properties", {}).items():
        if name in value:
            if _OF_SCHEMA[kind][0] in below and not name.endswith("_code"):  # codes are linked to others
                yield place, _OF_SCHEMA[kind][1](name, below)
            yield from _in_schema(below, value[name], (*place, name), kind)
    if kind == "condition":
        for each in schema.get("allOf", ()):
            yield place, _turn_condition(each["then"]["required"][0])


def _turn_condition(name):
    return lambda record: record.pop(name) if name in record else record.update({name: "AA000"})


def _set(value):
    return lambda name, below: lambda record: record.update({name: value(record[name], below)})


_OF_SCHEMA = {
    "pattern": ("pattern", _set(lambda _value, _below: "nothing like it")),
    "format": ("format", _set(lambda _value, _below: "nothing like it")),
    "length": ("maxLength", _set(lambda value, below: value + "x" * below["maxLength"])),
    "number": ("multipleOf", _set(lambda _value, below: below["minimum"] + 1)),
    "unique": ("uniqueItems", _set(lambda value, _below: [value[0], value[0], *value[2:]])),
    "condition": ("never", None),
}
_OF_TEXT = {
    "lines": lambda name, _rule: lambda record: record.update({name: record[name] + "\nmore"}),
    "words": lambda name, _rule: lambda record: record.update({name: record[name] * 3}),
    "quotes": lambda name, _rule: lambda record: record.update({name: record[name].replace('"', "'")}),
    "phrase": lambda name, _rule: lambda record: record.update({name: "something else"}),
    "absent": lambda name, rule: lambda record: record.update({name: re.sub(r"\w+$", rule["text"], record[name])}),
}


def _swap_keys(rule):
    def change(record):
        turned = dict(reversed(record.items()))
        record.clear()
        record.update(turned)

    return change


def _same(rule):
    return lambda items: items[-1].update({rule["by"]: items[0][rule["by"]]})


_OF_RECORD = {
    "key_order": _swap_keys,
    "ascending": lambda _rule: list.reverse,
    "descending": lambda _rule: list.reverse,
    "distinct": _same,
    "total": lambda rule: lambda record: record.update({rule["field"]: record[rule["field"]] + 1}),
    "count": lambda rule: lambda record: record.update({rule["field"]: record[rule["field"]] + 1}),
    "reference": lambda rule: lambda record: record.update({rule["field"]: "XX000"}),
}


def _duplicated(row):
    line = re.search(r'^ *"?\w+"?: (true|false|\d+),?$', row["oracle_answer"], re.MULTILINE)
    if line and (line[0].endswith(",") or row["output_format"] == "yaml") and "- " not in line[0]:
        yield row["oracle_answer"].replace(line[0], f"{line[0]}\n{line[0]}", 1)


def _unquoted(value):
    def change(row):
        if row["output_format"] == "yaml":
            for item in re.finditer(rf'^( *"{value[0]}": )".*"$', row["oracle_answer"], re.MULTILINE):
                yield row["oracle_answer"].replace(item[0], item[1] + value[1], 1)

    return change


_IN_TEXT = {
    "duplicate_key": _duplicated,
    "yaml_retyped": _unquoted(("owner", "no")),
    "yaml_ambiguous": _unquoted(("owner", "2024-01-01")),
}
