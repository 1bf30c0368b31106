"""The one place that knows which lm-eval this plugin was written for."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from sobench_metrics.errors import UsageError

__all__ = ["SUPPORTED", "lm_eval_fault", "require_lm_eval"]

SUPPORTED = ">=0.4.13,<0.5"
_LOWEST, _TOO_HIGH = (0, 4, 13), (0, 5)


def lm_eval_fault() -> str | None:
    """Return what is wrong with the installed lm-eval, with the remedy, or None."""
    try:
        found = version("lm_eval")
    except PackageNotFoundError:
        return "lm-eval is not installed: `pip install 'sobench[lm-eval]'` (or [api], [vllm])."
    numbers = tuple(int(part) for part in found.split("+")[0].split(".")[:3] if part.isdigit())
    if _LOWEST <= numbers < _TOO_HIGH:
        return None
    return f"lm-eval {found} is not supported (need {SUPPORTED}): `pip install 'lm_eval{SUPPORTED}'`."


def require_lm_eval() -> None:
    """Raise UsageError unless a supported lm-eval is installed."""
    fault = lm_eval_fault()
    if fault:
        raise UsageError(fault)
