"""Tokens per second with each sample's own schema, as a share of the same backend's without.

    python -m benchmarks.constrained_throughput --model vllm-vlm --model_args pretrained=MODEL,max_model_len=4096 \
        --tasks sobench_ui_sample,ifstruct_json_sample --limit 16 --max_gen_toks 128

One model is loaded; each task is asked free and constrained in turn, `--rounds` times after a first one that is not
counted (engines compile grammars and kernels in it). Answers differ in length, so tokens are compared and not requests;
with answers of a few tokens each the engine's start dominates and the ratio says nothing, so lengths are printed too.
The tokens of a chat server are counted with `--tokenizer`.
`python -m tests.engines.small_vlm OUT` makes a vision model with the speed of a real one.
"""

from __future__ import annotations

import argparse
import statistics
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TARGET = 0.9


class Round(NamedTuple):
    """One asking of all requests of a task."""

    tokens: int
    answers: int
    seconds: float

    @property
    def rate(self) -> float:
        """Tokens per second."""
        return self.tokens / self.seconds


def main() -> int:
    """Print one line a task; the status is 1 when a ratio lies below the target."""
    options = _options()
    import lm_eval.models  # noqa: F401 - fills the registry
    from lm_eval.api.registry import get_model

    lm = get_model(options.model).create_from_arg_string(options.model_args, {"batch_size": options.batch_size})
    count = _counter(lm, options.tokenizer)
    below = False
    for task in options.tasks.split(","):
        free, held = [], []
        chosen = _common(task, _constrained(task), options.limit)
        for number in range(options.rounds + 1):
            for name, rounds in ((task, free), (_constrained(task), held)):
                found = _round(lm, name, chosen[name], count, options)
                if number:
                    rounds.append(found)
        ratio = statistics.median(one.rate for one in held) / statistics.median(one.rate for one in free)
        below |= ratio < _TARGET
        print(
            f"{task}: free {_told(free)}; constrained {_told(held)}; ratio {ratio:.2f} (target {_TARGET})", flush=True
        )
    return int(below)


def _told(rounds: list[Round]) -> str:
    rate = statistics.median(one.rate for one in rounds)
    length = sum(one.tokens for one in rounds) / sum(one.answers for one in rounds)
    return f"{rate:.1f} tokens/s, {length:.0f} tokens an answer"


def _common(free: str, held: str, limit: int) -> dict[str, list[int]]:
    """Return the places of the first rows that both tasks have: a fuller batch on one side would decide the ratio."""
    from lm_eval.tasks import get_task_dict

    places = {
        name: {doc["doc_id"]: place for place, doc in enumerate(task.eval_docs)}
        for name, task in get_task_dict([free, held], _manager()).items()
    }
    both = [doc_id for doc_id in places[held] if doc_id in places[free]][:limit]
    return {name: [found[doc_id] for doc_id in both] for name, found in places.items()}


def _manager() -> Any:
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks.autoload import TASKS_DIR

    return TaskManager(include_path=TASKS_DIR, include_defaults=False)


def _round(lm: Any, task: str, chosen: list[int], count: Callable[[str], int], options: argparse.Namespace) -> Round:
    from lm_eval import simple_evaluate

    from lm_eval_tasks import chat_server, local_engine

    spent: list[float] = []
    engine = chat_server if chat_server.serves(lm) else local_engine
    with _timed(engine, "ask", spent), _timed(lm, "generate_until", spent):
        results = simple_evaluate(
            model=lm,
            tasks=[task],
            task_manager=_manager(),
            apply_chat_template=True,
            samples={task: chosen},
            log_samples=True,
            bootstrap_iters=0,
            gen_kwargs={"max_gen_toks": options.max_gen_toks},
        )
    texts = [line["resps"][0][0] for line in results["samples"][task]]
    return Round(sum(map(count, texts)), len(texts), sum(spent))


@contextmanager
def _timed(owner: Any, name: str, spent: list[float]) -> Iterator[None]:
    """Time the answering alone, loading and scoring are not the engine's; a call inside a timed call counts once."""
    ask = getattr(owner, name)

    def watch(*args: Any, **kwargs: Any) -> Any:
        begin, before = time.perf_counter(), len(spent)
        try:
            return ask(*args, **kwargs)
        finally:
            del spent[before:]
            spent.append(time.perf_counter() - begin)

    setattr(owner, name, watch)
    try:
        yield
    finally:
        setattr(owner, name, ask)


def _counter(lm: Any, tokenizer: str | None) -> Callable[[str], int]:
    if tokenizer:
        from transformers import AutoTokenizer

        coder = AutoTokenizer.from_pretrained(tokenizer)
    else:
        coder = getattr(lm, "tokenizer", None)
    if coder is None or not callable(getattr(coder, "encode", None)):
        raise SystemExit("name the folder of the model's tokenizer with --tokenizer: this backend has none.")
    return lambda text: len(coder.encode(text, add_special_tokens=False))


def _constrained(task: str) -> str:
    name, sample, _ = task.partition("_sample")
    return f"{name}_constrained{sample}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--model_args", required=True)
    parser.add_argument("--tasks", default="sobench_ui_sample")
    parser.add_argument("--batch_size", default="8")
    parser.add_argument("--tokenizer", help="folder, where the backend has none (chat servers)")
    parser.add_argument("--limit", type=int, default=16)
    parser.add_argument("--max_gen_toks", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
