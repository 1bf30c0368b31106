"""Files of answers as people have them, made of rows of our own."""

import json
import random

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "t": {"type": "string"}}, "required": ["n", "t"]}
LABELS = {"n": "exact", "t": "exact"}
ITEMS = {
    "type": "array",
    "items": {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]},
}


def sobench_line(name, generation, *, target=None, **more):
    """A line in SO-Bench's own layout."""
    target = {"n": 3, "t": "red"} if target is None else target
    return {
        "id": name, "generation": generation, "target_content": json.dumps(target), "target_schema": SCHEMA,
        "evaluation_labels": LABELS, **more,
    }  # fmt: skip


def ifstruct_row(name, *, output_format="json", **more):
    return {
        "doc_id": name, "entity_type": "test__note", "prompt": f"Write two notes ({name}).", "json_schema": ITEMS,
        "output_format": output_format, "top_level_count": 2, "top_level_key": None, "require_wrapper_key": False,
        "require_code_block": False, "require_no_commentary": True, **more,
    }  # fmt: skip


GOOD, SHORT = '[{"t": "a"}, {"t": "b"}]', '[{"t": "a"}]'


def write(file, lines):
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def mixed_rollouts(count, seed=0):
    """Rollouts of a few prompts of IFStruct: right, wrong, broken and missing answers."""
    draw = random.Random(seed)
    answers = (GOOD, SHORT, "```json\n[", None, "<think>no</think>" + GOOD, "- t: a\n- t: b")
    return [
        {**ifstruct_row(number // 8, output_format=("json", "yaml")[number // 8 % 2]), "rollout": number % 8,
         "response": draw.choice(answers)}
        for number in range(count)
    ]  # fmt: skip
