"""Our own SO-Bench cases, written before the public ones were read in detail: what a careful reader says of each.

`TEXTS` and `VALUES` compare one value `v` of the answer with the target's; `WHOLE` are whole answers to one target.
"""

from __future__ import annotations

import json

F = "```"


def row(target, labels="exact", schema=None):
    return {
        "target_json": json.dumps(target),
        "schema_json": json.dumps(schema or {}),
        "evaluation_labels_json": json.dumps(labels),
    }


# (target value, answered value, label, same)
VALUES = [
    ("Blue Door Café", "Blue Door Café", "exact", True),
    ("Blue Door Café", "**Blue Door Café**", "exact", True),
    ("Blue Door Café", "`Blue Door Café`", "exact", True),
    ("Blue Door Café", "[Blue Door Café](https://blue.example)", "exact", True),
    ("Blue Door Café", "BLUE DOOR CAFÉ", "fuzzy", True),
    ("Blue Door Café", "Blue  Door\nCafé.", "exact", True),
    ("Blue Door Café", "“Blue Door Café”", "fuzzy", True),
    ("Blue Door Café", "Blue Door Cafe\u0301", "exact", True),
    ("Blue Door Café", "Red Door Café", "exact", False),
    ("Blue Door Café", "Red Door Café", "fuzzy", False),
    ("Blue Door Café", "Blue Door", "exact", False),
    ("Blue Door Café", "", "exact", False),
    ("it's here", "it\u2019s here", "exact", True),
    ("it's here", "it\u2019s here", "fuzzy", True),
    ("Salt & Co", "Salt &amp; Co", "fuzzy", True),
    ("A - B", "A — B", "exact", True),
    ("Room\uff08\uff12\uff09", "Room(2)", "fuzzy", True),
    ("$1,250.00", "$1250", "exact", True),
    ("$1,250.00", "$1,250.00", "fuzzy", True),
    ("$1,250.00", "$1,205.00", "exact", False),
    ("$1,250.00", "$125.00", "exact", False),
    ("$12.50", "$1250", "exact", False),
    ("$12.50", "€12.50", "exact", False),
    ("12.50 EUR", "EUR 12.50", "exact", True),
    ("12,50 €", "12.50 €", "exact", True),
    ("45%", "45 %", "exact", True),
    ("45%", "54%", "exact", False),
    ("-5 °C", "5 °C", "exact", False),
    ("007", "7", "exact", False),
    ("v1.0", "v10", "exact", False),
    ("3-5", "35", "exact", False),
    ("1/2", "12", "exact", False),
    ("2:30", "230", "exact", False),
    ("555-123-4567", "(555) 123 4567", "exact", True),
    ("555-123-4567", "555-123-4568", "exact", False),
    ("INV-2041", "inv 2041", "exact", True),
    ("INV-2041", "INV-2014", "exact", False),
    ("2024-03-05", "March 5, 2024", "exact", True),
    ("2024-03-05", "5 Mar 2024", "fuzzy", True),
    ("2024-03-25", "25/03/2024", "exact", True),
    ("2024-03-05", "2024/03/05", "exact", True),
    ("March 5th, 2024", "5 March 2024", "exact", True),
    ("2024-03-05", "05/03/2024", "exact", False),
    ("03/05/2024", "05/03/2024", "exact", False),
    ("2024-03-05", "2024-03-06", "exact", False),
    ("2024-03-05", "2023-03-05", "fuzzy", False),
    ("March 5, 2024", "May 5, 2024", "exact", False),
    ("Sum of the first half of the year 2023 for all shops", "Sum of the first half of the year 2022 for all shops", "fuzzy", False),
    ("Sum of the first half of the year 2023 for all shops", "Sum of the first half of the year 2023 in all shops", "fuzzy", True),
    (12, 12, "exact", True),
    (12, 12.0, "exact", True),
    (12, 13, "exact", False),
    (12, "12", "exact", False),
    ("12", 12, "exact", False),
    (104.0, 101.5, "fuzzy", True),
    (104.0, 94.0, "fuzzy", False),
    (104.0, 101.5, "exact", False),
    (True, True, "exact", True),
    (True, 1, "exact", False),
    (True, "true", "exact", False),
    (None, None, "exact", True),
    (None, "", "exact", False),
    (["a", "b"], ["a", "b"], "exact", True),
    (["a", "b"], ["b", "a"], "exact", False),
    (["a", "b"], ["a", "b", "c"], "exact", False),
    (["a", "b"], "a, b", "exact", False),
    ([], [], "exact", True),
    ([], ["x"], "exact", False),
    ({"x": 1}, {"x": 1, "more": 2}, "exact", True),
    ({"x": 1}, [1], "exact", False),
    ("a", ["a"], "exact", False),
    ("anything", "something else", "ignore", True),
]  # fmt: skip

SHOP = {"shop": "Kiosk", "total": 12.5}
RIGHT = json.dumps(SHOP)
WRONG = RIGHT.replace("12.5", "13.5")

# (name, answer, recoverable)
WHOLE = [
    ("plain", RIGHT, True),
    ("prose around", f"Here: {RIGHT} Hope it helps.", True),
    ("prose with marks after", f"{RIGHT}\n(see [1] and {{}})", True),
    ("fence without a tag", f"{F}\n{RIGHT}\n{F}", True),
    ("fence unclosed", f"{F}json\n{RIGHT}", True),
    ("fence closed twice", f"{F}json\n{RIGHT}\n{F}\n{F}", True),
    ("draft in reasoning", f"<think>{WRONG}</think>{RIGHT}", True),
    ("right only in reasoning", f"<think>{RIGHT}</think>{WRONG}", False),
    ("example first", f"{F}json\n{WRONG}\n{F}\nResult:\n{F}json\n{RIGHT}\n{F}", True),
    ("right one first, another one last", f"{F}json\n{RIGHT}\n{F}\nResult:\n{F}json\n{WRONG}\n{F}", False),
    ("the same twice", f"{RIGHT}\n{RIGHT}", True),
    ("two different in a row", f"{WRONG}\n{RIGHT}", False),
    ("turn end", f"{RIGHT}<turn_end>", True),
    ("byte order mark", "\ufeff" + RIGHT, True),
    ("tool call", '<tool_call>{"name": "extract", "arguments": ' + RIGHT + "}</tool_call>", False),
    ("one wrapper", '{"receipt": ' + RIGHT + "}", True),
    ("one wrapper, wrong inside", '{"receipt": ' + WRONG + "}", False),
    ("wrapper with a list", '{"receipts": [' + RIGHT + "]}", False),
    ("list of one", f"[{RIGHT}]", False),
    ("YAML", "shop: Kiosk\ntotal: 12.5", True),
    ("YAML block", f"{F}yaml\nshop: Kiosk\ntotal: 12.5\n{F}", True),
    ("keys in another case", RIGHT.replace("shop", "Shop"), False),
    ("field missing", '{"shop": "Kiosk"}', False),
    ("cut", RIGHT[:-3], False),
    ("cut bracket", RIGHT[:-1], False),
    ("single quotes", RIGHT.replace('"', "'"), False),
    ("trailing comma", RIGHT[:-1] + ",}", False),
    ("comment", RIGHT.replace("12.5", "12.5 /* sum */"), False),
    ("not a number", RIGHT.replace("12.5", "NaN"), False),
    ("text where a number was asked", RIGHT.replace("12.5", '"12.5"'), False),
    ("JSON in a text", json.dumps(RIGHT), False),
    ("prose", "The shop is Kiosk, the total 12.5.", False),
    ("empty", "", False),
    ("missing", None, False),
    ("schema", '{"type": "object", "properties": {"shop": {"type": "string"}}}', False),
    ("further field", RIGHT[:-1] + ', "currency": "EUR"}', True),
    ("inner object of a broken answer", '{"a": ' + RIGHT + ', "b": ', False),
]  # fmt: skip
