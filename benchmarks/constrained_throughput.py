"""Tokens per second with each sample's own schema, as a share of the same backend's without.

    python -m benchmarks.constrained_throughput --model vllm-vlm --model_args pretrained=MODEL,max_model_len=4096 \
        --tasks sobench_ui_sample,ifstruct_json_sample --limit 16 --max_gen_toks 128

One model is loaded; each task is asked free and constrained in turn, `--rounds` times after a first one that is not
counted (engines compile grammars and kernels in it). Answers differ in length, so tokens are compared and not requests.
For a chat server give its model type and arguments as lm-eval takes them.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

_TARGET = 0.9


def main() -> int:
    """Print one line a task; the status is 1 when a ratio lies below the target."""
    options = _options()
    import lm_eval.models  # noqa: F401 - fills the registry
    from lm_eval.api.registry import get_model

    lm = get_model(options.model).create_from_arg_string(options.model_args, {"batch_size": options.batch_size})
    below = False
    for task in options.tasks.split(","):
        free, held = [], []
        for number in range(options.rounds + 1):
            for name, rates in ((task, free), (_constrained(task), held)):
                rate = _rate(lm, name, options)
                if number:
                    rates.append(rate)
        ratio = statistics.median(held) / statistics.median(free)
        below |= ratio < _TARGET
        print(
            f"{task}: free {statistics.median(free):.1f}, constrained {statistics.median(held):.1f} tokens/s, "
            f"ratio {ratio:.2f} (target {_TARGET})"
        )
    return int(below)


def _rate(lm: Any, task: str, options: argparse.Namespace) -> float:
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks.autoload import TASKS_DIR

    spent = []

    class Watch:
        """Times the answering alone: loading, building and scoring are not the engine's."""

        def __init__(self, ask: Any) -> None:
            self.ask = ask

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            begin = time.perf_counter()
            try:
                return self.ask(*args, **kwargs)
            finally:
                spent.append(time.perf_counter() - begin)

    from lm_eval_tasks import chat_server, local_engine

    engine = chat_server if chat_server.serves(lm) else local_engine
    ask = engine.ask
    engine.ask = Watch(ask)  # type: ignore[assignment]
    try:
        results = simple_evaluate(
            model=lm,
            tasks=[task],
            task_manager=TaskManager(include_path=TASKS_DIR, include_defaults=False),
            apply_chat_template=True,
            limit=options.limit,
            log_samples=True,
            bootstrap_iters=0,
            gen_kwargs={"max_gen_toks": options.max_gen_toks},
        )
    finally:
        engine.ask = ask
    tokens = sum(line["diagnostics"]["generation"]["tokens"] or 0 for line in results["samples"][task])
    return tokens / sum(spent)


def _constrained(task: str) -> str:
    name, sample, _ = task.partition("_sample")
    return f"{name}_constrained{sample}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--model_args", required=True)
    parser.add_argument("--tasks", default="sobench_ui_sample")
    parser.add_argument("--batch_size", default="8")
    parser.add_argument("--limit", type=int, default=16)
    parser.add_argument("--max_gen_toks", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
