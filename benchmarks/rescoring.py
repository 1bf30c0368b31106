"""What re-scoring costs: samples a second with one and two workers, and the peak memory of all processes.

    python -m benchmarks.rescoring [--rollouts 100000] [--workers 1,2] [--answers sample|short]

The rollouts are synthetic. `sample`: answers to the rows of the bundled IFStruct sample, joined by their ids, right,
cut short and in prose, half of them YAML, which its pure Python loader reads slowly. `short`: lists of two items in
JSON and YAML, each line with its row's columns, as a trainer writes them. Each number of workers is a run of the
command of its own; peaks are added up over its processes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_EVERY_SECONDS: Final = 0.2
_COMMAND: Final = (sys.executable, "-m", "sobench_metrics.cli.main", "score")


def main() -> int:
    """Write the rollouts, score them with each number of workers, print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=100_000)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--answers", choices=("sample", "short"), default="sample")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sobench-rescoring-") as folder:
        rollouts = Path(folder) / "rollouts.jsonl"
        with rollouts.open("w", encoding="utf-8") as file:
            file.writelines((_short if args.answers == "short" else _lines)(args.rollouts))
        asked = () if args.answers == "short" else ("--task", "ifstruct_sample")
        print(f"{args.rollouts:,} rollouts, {rollouts.stat().st_size / 1e6:,.0f} MB")
        seconds, figures = {}, set()
        for workers in map(int, args.workers.split(",")):
            out = Path(folder) / f"figures-{workers}.json"
            seconds[workers], peak = _timed(
                [*_COMMAND, str(rollouts), *asked, "--workers", str(workers), "--json", str(out)]
            )
            figures.add(out.read_text(encoding="utf-8"))
            rate = args.rollouts / seconds[workers]
            print(f"{workers} workers: {seconds[workers]:.1f} s, {rate:,.0f} samples/s, peak {peak:,.0f} MB in all")
    first, *others = seconds
    for workers in others:
        print(f"{workers} workers are {seconds[first] / seconds[workers]:.2f} times as fast as {first}")
    print("equal figures" if len(figures) == 1 else "the figures DIFFER")
    return 0 if len(figures) == 1 else 1


def _lines(count: int) -> Iterator[str]:
    from sobench_metrics.data.ifstruct_rows import load_rows
    from sobench_metrics.data.oracle import ifstruct_answer
    from sobench_metrics.data.sample import sample_home

    rows = load_rows(sample_home() / "ifstruct.jsonl").rows
    right = [ifstruct_answer(row) for row in rows]
    for number in range(count):
        place, kind = number % len(rows), number // len(rows) % 4
        text = (right[place], right[place][:-9], f"Here it is:\n{right[place]}", "I cannot do that.")[kind]
        line = {"id": rows[place]["doc_id"], "rollout": number // len(rows), "response": text}
        yield json.dumps(line) + "\n"


def _short(count: int) -> Iterator[str]:
    item = {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]}
    asked = {
        "json_schema": {"type": "array", "items": item}, "top_level_count": 2, "top_level_key": None,
        "require_wrapper_key": False, "require_code_block": False, "require_no_commentary": True,
    }  # fmt: skip
    texts = ('[{"t": "a"}, {"t": "b"}]', '[{"t": "a"}]', "```json\n[", "<think>no</think>[]", "- t: a\n- t: b\n", "no")
    for number in range(count):
        kind = ("json", "yaml")[number // 8 % 2]
        line = {"id": number // 8, "rollout": number % 8, "response": texts[number % len(texts)], "output_format": kind}
        yield json.dumps({**line, **asked}) + "\n"


def _timed(command: list[str]) -> tuple[float, float]:
    """Return seconds, start included, and the sum of the processes' peaks in megabytes."""
    peaks: dict[int, float] = {}
    over = threading.Event()
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def watch() -> None:
        while not over.wait(_EVERY_SECONDS):
            for child in (process.pid, *_children(process.pid)):
                peaks[child] = max(peaks.get(child, 0.0), _peak(child))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        status = process.wait()
    finally:
        over.set()
        watcher.join()
    seconds = time.perf_counter() - started
    if status:
        raise SystemExit(f"scoring ended with status {status}")
    return seconds, sum(peaks.values())


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:  # it ended, or no Linux
        return []
    return [int(word) for word in text.split()]


def _peak(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = [line.split()[1] for line in text.splitlines() if line.startswith("VmHWM")]
    return int(found[0]) / 1024 if found else 0.0


if __name__ == "__main__":
    sys.exit(main())
