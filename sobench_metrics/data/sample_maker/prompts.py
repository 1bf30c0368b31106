"""The prompt of the sample set, in our own words. The prompt of SO-Bench itself is read from its repository instead."""

import hashlib

__all__ = ["SYSTEM", "USER", "as_mapping"]

SYSTEM = """\
You read pictures and write down what they show as data.

You get one picture, a JSON Schema and a request. Answer with exactly one JSON value that follows the schema:
- take every value from the picture; copy texts as they are printed, and give numbers as JSON numbers without units;
- keep the order in which things appear (top to bottom, left to right) unless the request says otherwise;
- give every required field; use null only where the schema allows it and the picture shows nothing;
- add no field that the schema does not name, and write nothing before or after the JSON value."""

USER = """\
Schema:
{schema_json}

Request:
{user_intent}"""


def as_mapping() -> dict[str, str]:
    """Return the content of prompts.json: `user` is for `str.format`, `system` is used as it stands."""
    return {
        "system": SYSTEM,
        "user": USER,
        "sha256": hashlib.sha256(f"{SYSTEM}\0{USER}".encode()).hexdigest(),
        "source": "sobench_metrics.data.sample_maker.prompts",
    }
