"""`lighteval eval` takes four more things and does nothing with them, or nothing is told of them.

- `--model-base-url`: the prompts would go to the provider's own address instead of the one that was given.
- `--logit-bias`: never handed on.
- `--model-roles`: never handed on; refused here, as its form (a dictionary or a file) is not told anywhere.
- a failed evaluation prints a line and ends with status 0; here with 1.

Upstream: none found.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from lighteval_tasks.repairs.eval_command import given, remember_options
from lighteval_tasks.repairs.repair import Repair
from lighteval_tasks.repairs.source import calls
from sobench_metrics.errors import UsageError

__all__ = ["EVAL_FORGOTTEN"]

_FORGOTTEN = {"model_base_url", "logit_bias", "model_roles"}


def _needed() -> bool:
    asked = calls("lighteval.main_inspect", "eval", "inspect_ai_eval_set")
    if not asked or _FORGOTTEN & {keyword.arg for call in asked for keyword in call.keywords}:
        return False
    from lighteval import main_inspect

    return not hasattr(main_inspect.inspect_ai_eval_set, "hands_all_on")


def _apply() -> None:
    import typer
    from lighteval import main_inspect

    real = main_inspect.inspect_ai_eval_set

    @wraps(real)
    def eval_set(*args: Any, **options: Any) -> Any:
        if given("model_roles") is not None:
            raise UsageError("lighteval does nothing with --model-roles: leave it out, or use `inspect eval`.")
        if given("model_base_url") is not None:
            options["model_base_url"] = given("model_base_url")
        if given("logit_bias") is not None:
            options["logit_bias"] = _bias(given("logit_bias"))
        success, logs = real(*args, **options)
        if not success:
            print(f"Error evaluating models: repeat the command with --log-dir {options.get('log_dir')} to go on.")
            raise typer.Exit(1)
        return success, logs

    eval_set.hands_all_on = True  # type: ignore[attr-defined]
    main_inspect.inspect_ai_eval_set = eval_set
    remember_options()


def _bias(text: str) -> dict[int, float]:
    """Return token ids and biases of `10=100,-10=-100`, the form that the help of `--logit-bias` shows."""
    try:
        return {int(token): float(bias) for token, bias in (pair.split("=") for pair in text.split(","))}
    except ValueError as error:
        raise UsageError(f"--logit-bias takes TOKEN=BIAS,TOKEN=BIAS with numbers, not {text!r}.") from error


EVAL_FORGOTTEN = Repair("forgotten options of `eval`", "none found", _needed, _apply)
