"""How fast rewards are: completions a second in turn, and with worker processes, as a ratio within one run.

    python -m benchmarks.reward_speed [--completions 8192] [--workers 2]

One step of a training: the bundled rows, eight completions each, of which some are right, some broken, some cut. The
first call of a pool starts its processes and is told apart from those after it.
"""

from __future__ import annotations

import argparse
import itertools
import time
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer, ifstruct_placeholder, sobench_answer, sobench_placeholder
from sobench_metrics.data.prepared import DOMAINS, load
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.rewards import RewardPool, ifstruct_reward, ifstruct_shaped_reward, sobench_reward, with_guards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sobench_metrics.rewards import Reward

_GENERATIONS: Final = 8
_Sample = tuple["dict[str, Any]", str]


def main() -> None:
    """Print one line for each reward."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--completions", type=int, default=8_192)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    rewards = {
        ifstruct_reward: _ifstruct(),
        ifstruct_shaped_reward: _ifstruct(),
        with_guards(ifstruct_shaped_reward): _ifstruct(),
        sobench_reward: _sobench(),
    }
    with RewardPool(options.workers) as pool:
        started = _seconds(lambda: _call(pool.parallel(ifstruct_reward), _ifstruct()[: options.workers]))
        print(f"{options.workers} workers started in {started:.1f} s, once a training")
        for reward, samples in rewards.items():
            step = list(itertools.islice(itertools.cycle(samples), options.completions))
            print(_compared(reward, pool, step), flush=True)


def _compared(reward: Reward, pool: RewardPool, step: Sequence[_Sample]) -> str:
    found: dict[str, list[float | None]] = {}
    # The pool first, so that what the caller's process remembers of rows helps nobody.
    pooled = _seconds(lambda: found.update(pooled=_call(pool.parallel(reward), step)))
    serial = _seconds(lambda: found.update(serial=_call(reward, step)))
    if found["pooled"] != found["serial"]:
        raise SystemExit(f"{reward.name}: the pool's rewards differ")
    size = sum(len(text) for _, text in step) / len(step)
    name = f"{reward.name}{' guarded' if reward.floor < 1 else ''}"
    return (
        f"{name}: {len(step)} completions of {size:.0f} characters, in turn {len(step) / serial:.0f}/s, "
        f"{pool.workers} workers {len(step) / pooled:.0f}/s, ratio {serial / pooled:.2f}"
    )


def _call(reward: Reward, step: Sequence[_Sample]) -> list[float | None]:
    columns = {name: [row[name] for row, _ in step] for name in step[0][0]}
    return reward(completions=[text for _, text in step], **columns)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _ifstruct() -> list[_Sample]:
    rows = load_rows(ifstruct_rows_file()).rows
    return [(row, text) for row in rows for text in _texts(ifstruct_answer(row), ifstruct_placeholder(row))]


def _sobench() -> list[_Sample]:
    docs = [doc for domain in DOMAINS for doc in load(sample_home(), domain).docs]
    return [
        (doc, text) for doc in docs for text in _texts(sobench_answer(doc), sobench_placeholder(doc["schema_json"]))
    ]


def _texts(right: str, least: str) -> list[str]:
    """Return one row's completions: right, with a thought before, least, cut at several places, without data."""
    cut = [right[: len(right) * part // 4] for part in (1, 2, 3)]
    return [right, f"<think>so be it</think>{right}", right, least, *cut, "I would rather not."][:_GENERATIONS]


if __name__ == "__main__":
    main()
