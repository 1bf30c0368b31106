"""The bounds on YAML that a model may write, and the exceptions that say which one was met."""

from __future__ import annotations

from typing import Final

__all__ = [
    "MAX_COMPOSE_DEPTH",
    "MAX_LOOK_DEPTH",
    "MAX_MERGE_DEPTH",
    "MAX_SCAN_STEPS",
    "MAX_SEXAGESIMAL_CHARS",
    "MAX_TAG_CHARS",
    "MAX_YAML_CHARS",
    "YamlLimitError",
    "YamlTooDeepError",
]

MAX_YAML_CHARS: Final = 1_000_000
"""Longest text handed to PyYAML's pure-Python scanner, which needs some ten seconds for it."""

MAX_LOOK_DEPTH: Final = 330
"""Nesting, aliases expanded, at which the reference's look at the tree runs out of stack (rule A12)."""

MAX_COMPOSE_DEPTH: Final = 490
"""Nesting at which PyYAML's own composer would run out of stack: two frames a level of Python's thousand."""

MAX_MERGE_DEPTH: Final = 50
"""Chain of merge keys, or of value keys (`=`), one inside the other: PyYAML recurses along it."""

MAX_SCAN_STEPS: Final = 20_000_000
"""Looks at possible simple keys: PyYAML makes one for each open flow level at each token."""

MAX_TAG_CHARS: Final = 10_000_000
"""Characters of all tags: a `%TAG` directive can give each of many nodes a long one."""

MAX_SEXAGESIMAL_CHARS: Final = 20_000
"""Longest integer of the form 1:2:3, whose value takes quadratic time."""


class YamlLimitError(Exception):
    """A text that PyYAML would load in unbounded time or memory; `code` names the limit."""

    def __init__(self, code: str, message: str) -> None:
        """Remember the code and the text of the finding."""
        super().__init__(message)
        self.code = code


class YamlTooDeepError(Exception):
    """Nesting at which the reference reports a recursion error."""
