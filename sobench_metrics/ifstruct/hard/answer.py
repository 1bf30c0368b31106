"""A right answer as text: JSON, or YAML whose texts and keys are all in quotes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

__all__ = ["written"]


def written(data: Any, output_format: str) -> str:
    """Return the data in block-style YAML, or as indented JSON."""
    if output_format == "json":
        return json.dumps(data, indent=2, ensure_ascii=False)
    import yaml

    class Quoting(yaml.SafeDumper):
        """Quotes every text, so that no reader can take one for something else, and writes no anchors."""

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML calls it so
            return True

    Quoting.add_representer(str, _text)
    text: str = yaml.dump(
        data, Dumper=Quoting, sort_keys=False, allow_unicode=True, default_flow_style=False, width=10**6
    )
    return text.rstrip("\n")


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"')
