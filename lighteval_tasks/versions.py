"""The one place that knows which lighteval this plugin was written for."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from sobench_metrics.errors import UsageError

__all__ = ["SUPPORTED", "lighteval_fault", "require_lighteval"]

SUPPORTED = "==0.13.0"
_LINE = (0, 13)


def lighteval_fault() -> str | None:
    """Return what is wrong with the installed lighteval, with the remedy, or None."""
    try:
        found = version("lighteval")
    except PackageNotFoundError:
        return "lighteval is not installed: `pip install 'sobench[lighteval]'`."
    numbers = tuple(int(part) for part in found.split("+")[0].split(".")[:2] if part.isdigit())
    if numbers == _LINE:
        return None
    return f"lighteval {found} is not supported (need {SUPPORTED}): `pip install 'sobench[lighteval]'`."


def require_lighteval() -> None:
    """Raise UsageError unless a supported lighteval is installed."""
    fault = lighteval_fault()
    if fault:
        raise UsageError(fault)
