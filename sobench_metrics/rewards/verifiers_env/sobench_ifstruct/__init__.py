"""IFStruct as a verifiers environment: a taskset for verifiers 0.4 and later, `load_environment` for those before."""

from __future__ import annotations

from typing import Any

__all__ = ["IfstructHarness", "IfstructTaskset", "load_environment"]


def __getattr__(name: str) -> Any:
    """Return the door that is asked for: each loads another verifiers, and no version has both for long."""
    if name == "IfstructHarness":
        from .harness import IfstructHarness

        return IfstructHarness
    if name == "IfstructTaskset":
        from .taskset import IfstructTaskset

        return IfstructTaskset
    if name == "load_environment":
        from .classic import load_environment

        return load_environment
    raise AttributeError(name)
