"""The text files of the synthetic repository: its conversion script (never to be run) and its licences."""

from __future__ import annotations

__all__ = ["CONVERT_SCRIPT", "LICENCE", "LICENCE_DATA", "MARKER_VARIABLE", "SYSTEM_PROMPT", "USER_PROMPT"]

MARKER_VARIABLE = "SOBENCH_UPSTREAM_MARKER"

SYSTEM_PROMPT = """# Test reader — not the real wording

You copy what a drawn picture holds into a record.
• Numbers ≥ 0 stay numbers; an absent text becomes "#".
• Give one block only:
```json
{ "like": {"this": []} }
```
"""

USER_PROMPT = """Shape wanted:
```json
{schema_json}
```

Wish: {user_intent}

Answer with the record alone."""

CONVERT_SCRIPT = f'''"""Stands where the benchmark's own script stands; a reader of its two constants must not run it."""

import os
import pathlib

pathlib.Path(os.environ.get("{MARKER_VARIABLE}", "upstream_was_executed")).write_text("this file was executed")

_SYSTEM_PROMPT = """{SYSTEM_PROMPT}"""

_USER_PROMPT = """{USER_PROMPT}"""


def main():
    raise SystemExit("only a test")


if __name__ == "__main__":
    main()
'''

LICENCE = "Licence of the synthetic repository: made for tests, Apache-2.0.\n"
LICENCE_DATA = "Licence of the synthetic labels: made for tests, Apache-2.0.\n"
