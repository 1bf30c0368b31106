"""Our own IFStruct cases, written before the public ones were read in detail: what a careful reader says of each.

`GOOD` are answers whose data are there, `BAD` are answers whose data are not. The right data are two parts.
"""

from __future__ import annotations

ITEM = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "qty": {"type": "integer"},
        "kind": {"type": "string", "enum": ["raw", "made to order"]},
    },
    "required": ["name", "qty"],
}
DATA = '[{"name": "hinge", "qty": 4}, {"name": "bolt", "qty": 12}]'
WRAPPED = '{"parts": ' + DATA + "}"
PRETTY = '[\n  {"name": "hinge", "qty": 4},\n  {"name": "bolt", "qty": 12}\n]'
YAML = "- name: hinge\n  qty: 4\n- name: bolt\n  qty: 12"
F = "```"


def row(**columns):
    asked = {
        "json_schema": {"type": "array", "items": ITEM}, "top_level_count": 2, "top_level_key": None, "require_wrapper_key": False,
        "require_code_block": False, "require_no_commentary": False, "output_format": "json",
    }  # fmt: skip
    return {**asked, **columns}


BARE = row()
KEYED = row(require_wrapper_key=True, top_level_key="parts")
FENCED = row(require_code_block=True, require_no_commentary=True)
AS_YAML = row(output_format="yaml")

# (name, row, answer)
GOOD = [
    ("plain", BARE, DATA),
    ("wrapped as asked", KEYED, WRAPPED),
    ("byte order mark", BARE, "\ufeff" + DATA),
    ("byte order mark inside the fence", FENCED, f"{F}json\n\ufeff{DATA}\n{F}"),
    ("zero-width space in front", BARE, "\u200b" + DATA),
    ("sentence before", BARE, f"Sure! Here you go: {DATA}"),
    ("sentence after with a footnote", BARE, f"{DATA}\nCounts as of the last delivery [1]."),
    ("sentence with braces before", BARE, f"I used the {{name, qty}} layout.\n{DATA}"),
    ("commentary although forbidden", FENCED, f"Here it is:\n{F}json\n{PRETTY}\n{F}"),
    ("no fence although asked", FENCED, PRETTY),
    ("fence on one line", FENCED, f"{F}json {DATA} {F}"),
    ("fence indented", FENCED, f"   {F}json\n{PRETTY}\n   {F}"),
    ("fence of four backticks", FENCED, f"{F}`json\n{PRETTY}\n{F}`"),
    ("fence of tildes", FENCED, f"~~~json\n{PRETTY}\n~~~"),
    ("fence never closed", FENCED, f"{F}json\n{PRETTY}"),
    ("closing fence only", BARE, f"{PRETTY}\n{F}"),
    ("a shell block after it", BARE, f"{F}json\n{PRETTY}\n{F}\nRun:\n{F}bash\njq . parts.json\n{F}"),
    ("an example block before it", BARE, f'Format:\n{F}\n{{"name": "...", "qty": 0}}\n{F}\nAnswer:\n{F}json\n{PRETTY}\n{F}'),
    ("the same block twice", FENCED, f"{F}json\n{DATA}\n{F}\n{F}json\n{PRETTY}\n{F}"),
    ("reasoning with a draft", BARE, f'<think>maybe [{{"name": "x"}}]</think>\n{DATA}'),
    ("reasoning under another tag", BARE, f"<reasoning>{{}}</reasoning>{DATA}"),
    ("only the end of reasoning", BARE, f"So two parts, [4, 12].\n</think>\n\n{DATA}"),
    ("channel marks", BARE, f"<|channel|>analysis<|message|>Two parts.<|end|><|start|>assistant<|channel|>final<|message|>{DATA}<|return|>"),
    ("end-of-turn mark", BARE, f"{DATA}<|im_end|>"),
    ("answer tags", BARE, f"<answer>\n{DATA}\n</answer>"),
    ("think tag as data", BARE, '[{"name": "<think>", "qty": 4}, {"name": "</think>", "qty": 1}]'),
    ("fence as data", FENCED, f'{F}json\n[{{"name": "{F}sh\\nls\\n{F}", "qty": 4}}, {{"name": "b", "qty": 1}}]\n{F}'),
    ("wrapper missing", KEYED, DATA),
    ("wrapper of another name", KEYED, WRAPPED.replace("parts", "items")),
    ("wrapper not asked for", BARE, WRAPPED),
    ("two wrappers", KEYED, '{"response": ' + WRAPPED + "}"),
    ("enum word in capitals", BARE, DATA.replace("4}", '4, "kind": "Made to Order"}')),
    ("enum word in emphasis", BARE, DATA.replace("4}", '4, "kind": "**raw**"}')),
    ("YAML in place of JSON", BARE, YAML),
    ("YAML block in place of JSON", FENCED, f"{F}yaml\n{YAML}\n{F}"),
    ("JSON in place of YAML", AS_YAML, DATA),
    ("flow style YAML", AS_YAML, "- {name: hinge, qty: 4}\n- {name: bolt, qty: 12}"),
    ("YAML with prose around", AS_YAML, f"Here is the list.\n\n{YAML}\n\nLet me know if this helps!"),
    ("YAML with an introduction ending in a colon", AS_YAML, f"Here is your list:\n\n{YAML}"),
    ("YAML fence on an indented line, prose before", AS_YAML, f"Sure.\n  {F}yaml\n{YAML}\n{F}"),
    ("YAML words yes and on as text", AS_YAML, "- name: yes\n  qty: 4\n- name: on\n  qty: 12"),
    ("YAML clock time as text", AS_YAML, "- name: 12:30\n  qty: 4\n- name: 18:45\n  qty: 12"),
    ("YAML behind reasoning", AS_YAML, f"<think>\nfine\n</think>\n{YAML}"),
    ("YAML in answer tags", AS_YAML, f"<answer>\n{YAML}\n</answer>"),
    ("white space tail", BARE, DATA + "\n" * 500),
]  # fmt: skip

BAD = [
    ("nothing", BARE, ""),
    ("missing", BARE, None),
    ("refusal", BARE, "I am sorry, but I cannot do that."),
    ("one item too few", BARE, '[{"name": "hinge", "qty": 4}]'),
    ("one item too many", BARE, DATA[:-1] + ', {"name": "nut", "qty": 1}]'),
    ("required field missing", BARE, '[{"name": "hinge"}, {"name": "bolt", "qty": 12}]'),
    ("number as text", BARE, DATA.replace("4", '"4"')),
    ("fraction where a whole number was asked", BARE, DATA.replace("4", "4.5")),
    ("null for a required field", BARE, DATA.replace("12", "null")),
    ("enum word unknown", BARE, DATA.replace("4}", '4, "kind": "bought"}')),
    ("field nobody asked for", BARE, DATA.replace("4}", '4, "note": "x"}')),
    ("cut in the second item", BARE, DATA[:-8]),
    ("cut before the last bracket", BARE, DATA[:-1]),
    ("cut in the second item, first one complete, fenced", FENCED, f"{F}json\n{PRETTY[:-12]}"),
    ("only in the reasoning", BARE, f"<think>The list is {DATA}</think>"),
    ("only in reasoning that never ended", BARE, f"<think>The list is {DATA}"),
    ("reasoning right, answer wrong", BARE, f'<think>{DATA}</think>[{{"name": "hinge", "qty": 4}}]'),
    ("example block right, last block wrong", BARE, f'{F}json\n{DATA}\n{F}\nCorrected:\n{F}json\n[{{"name": "hinge", "qty": 4}}]\n{F}'),
    ("objects in a row", BARE, '{"name": "hinge", "qty": 4}\n{"name": "bolt", "qty": 12}'),
    ("two different lists in a row", BARE, DATA + "\n" + DATA.replace("hinge", "nut").replace(', {"name": "bolt", "qty": 12}', "")),
    ("single quotes", BARE, DATA.replace('"', "'")),
    ("Python words", BARE, DATA.replace("4", "None")),
    ("comment inside", BARE, PRETTY.replace("4}", "4} // hinges")),
    ("trailing comma", BARE, DATA[:-1] + ",]"),
    ("curly quotes for the syntax", BARE, DATA.replace('"hinge"', "“hinge”")),
    ("keys without quotes", BARE, DATA.replace('"name"', "name").replace('"qty"', "qty")),
    ("ellipsis for the rest", BARE, '[{"name": "hinge", "qty": 4}, ...]'),
    ("not a number", BARE, DATA.replace("12", "NaN")),
    ("JSON inside a text", BARE, '"[{\\"name\\": \\"hinge\\", \\"qty\\": 4}]"'),
    ("schema in place of data", BARE, '{"type": "array", "items": {"type": "object"}}'),
    ("fields by other names", BARE, DATA.replace("qty", "quantity")),
    ("prose with the data", BARE, "There are 4 hinges and 12 bolts."),
    ("Markdown table", BARE, "| name | qty |\n|---|---|\n| hinge | 4 |\n| bolt | 12 |"),
    ("wrapper with a second key", KEYED, '{"parts": ' + DATA + ', "total": 16}'),
    ("an object of objects", BARE, '{"1": {"name": "hinge", "qty": 4}, "2": {"name": "bolt", "qty": 12}}'),
    ("YAML number as text", AS_YAML, YAML.replace("4", '"4"')),
    ("YAML field missing", AS_YAML, YAML.replace("\n  qty: 12", "")),
    ("YAML with a tab", AS_YAML, YAML.replace("  qty: 4", "\tqty: 4")),
    ("YAML text with a colon", AS_YAML, YAML.replace("hinge", "hinge: steel")),
    ("YAML number where text was asked", AS_YAML, YAML.replace("hinge", "4711")),
    ("Python list behind a key, read as YAML", BARE, "Result: " + DATA.replace('"', "'")),
    ("inner list of a wrong answer", BARE, '{"parts": ' + DATA + ', "more": '),
    ("second document in YAML", AS_YAML, f"{YAML}\n---\n{YAML}"),
]  # fmt: skip
