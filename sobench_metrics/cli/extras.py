"""What a command needs beyond the core, told with the remedy before anything is done."""

from __future__ import annotations

from importlib.util import find_spec

from sobench_metrics.errors import UsageError

__all__ = ["need"]

_PACKAGES = {
    "PIL": "pillow", "filelock": "filelock", "huggingface_hub": "huggingface_hub", "matplotlib": "matplotlib",
    "pyarrow": "pyarrow", "tqdm": "tqdm",
}  # fmt: skip


def need(command: str, *modules: str, extra: str | None = "prepare") -> None:
    """Raise UsageError when a library is not installed; `extra` is what brings it, None where no extra is for that."""
    lacking = [_PACKAGES[module] for module in modules if find_spec(module) is None]
    if lacking:
        wanted = " ".join(lacking) if extra is None else f"'sobench[{extra}]'"
        raise UsageError(f"`sobench {command}` lacks {', '.join(lacking)}: `pip install {wanted}`.")
