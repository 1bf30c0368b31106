"""Synthetic runs in lm-eval's log format: many samples, answers right, wrong and broken in every way that occurs.

Rows are those of the bundled sample set under further names, so pictures and prompts are of the usual size; scores are
our scorers'. Nothing here says anything about a model.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.oracle import ifstruct_answer, sobench_answer
from sobench_metrics.data.prepared import DOMAINS, load
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.ifstruct.figures import sample_figures as ifstruct_figures
from sobench_metrics.sobench.figures import sample_figures as sobench_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["write_run"]

_DATE: Final = "2026-01-01T00-00-0{}.000000"
_SIGNATURE: Final = "scores=official+strict|reasoning=removed|data=synthetic"
_CARELESS: Final = 0.35


def write_run(folder: Path, name: str, count: int, *, seed: int, skill: float) -> Path:
    """Write one run of `count` samples, half of each benchmark, and return its folder; `skill` is 0 to 1."""
    place = folder / name / f"synthetic__{name}"
    place.mkdir(parents=True)
    draw = random.Random(seed)  # noqa: S311 - a test's answers, no secret
    date = _DATE.format(seed % 10)
    tasks = {"ifstruct": list(_ifstruct(count // 2))}
    for number, doc in enumerate(_sobench(count - count // 2)):
        tasks.setdefault(f"sobench_{doc['domain']}", []).append({**doc, "doc_id": f"{doc['doc_id']}_{number:05}"})
    for task, rows in tasks.items():
        with (place / f"samples_{task}_{date}.jsonl").open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(_line(task, row, draw, skill)) + "\n")
    sizes = {task: {"original": len(rows), "effective": len(rows)} for task, rows in tasks.items()}
    results = {
        "results": {},
        "configs": {task: {"task": task, "metadata": {"signature": _SIGNATURE}} for task in tasks},
        "versions": dict.fromkeys(tasks, 1.0),
        "n-samples": sizes,
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": {},
        "config": {"model": "synthetic"},
        "model_name": f"synthetic/{name}",
        "lm_eval_version": "0.4.13",
        "total_evaluation_time_seconds": "1.0",
    }
    (place / f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    return folder / name


def _ifstruct(count: int) -> Iterator[dict[str, Any]]:
    rows = [json.loads(line) for line in ifstruct_rows_file().read_text(encoding="utf-8").splitlines()]
    for number in range(count):
        yield {**rows[number % len(rows)], "doc_id": number}


def _sobench(count: int) -> Iterator[dict[str, Any]]:
    docs = [doc for domain in DOMAINS for doc in load(sample_home(), domain).docs]
    for number in range(count):
        yield docs[number % len(docs)]


def _line(task: str, row: dict[str, Any], draw: random.Random, skill: float) -> dict[str, Any]:
    is_text = task == "ifstruct"
    right = ifstruct_answer(row) if is_text else sobench_answer(row)
    answer = right if draw.random() < skill else draw.choice(_BREAKS)(right, draw)
    prompt = str(row["prompt"] if is_text else f"{row['schema_json']}\n\n{row['user_intent']}")
    if is_text:
        text = ifstruct_figures(row, answer)
        figures: dict[str, Any] = {"pass": text.passed}
        diagnostics = text.diagnostics
    else:
        found = sobench_figures(row, answer)
        figures = {**found.means, **found.ratios}
        diagnostics = found.diagnostics
    return {
        "doc_id": row["doc_id"],
        "doc": row,
        "target": "",
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": "none",
        "metrics": list(figures),
        "doc_hash": hashlib.sha256(json.dumps(row).encode()).hexdigest(),
        "prompt_hash": hashlib.sha256(prompt.encode()).hexdigest(),
        "diagnostics": diagnostics,
        **figures,
    }


def _careless(text: str, draw: random.Random) -> str:
    """Change some digits and letters inside the text, as a model does that reads badly."""
    return "".join(chr(ord(sign) ^ 1) if sign.isalnum() and draw.random() < _CARELESS / 10 else sign for sign in text)


_BREAKS: Final[tuple[Callable[[str, random.Random], str], ...]] = (
    _careless,
    _careless,
    lambda text, _: text[: len(text) * 2 // 3],
    lambda text, _: f"Here is what you asked for:\n\n{text}\n\nI hope this helps!",
    lambda text, _: f"```json\n{text}\n```",
    lambda text, _: f"<think>\nLet me see what the picture shows. {text[:80]}\n</think>\n{text}",
    lambda text, _: f"<think>\nI begin to think and do not end. {text[:200]}",
    lambda text, _: text.replace(": ", ": null, ", 1),
    lambda text, _: f'{{"answer": {text}}}',
    lambda _, __: "",
)
