"""Fixtures of whole runs: a folder of shapes, local IFStruct rows, the harness in this process."""

import json
import logging
import math

import pytest

from tests.engines.prepared_home import shape_samples, write_home

ROW = {
    "doc_id": 0,
    "entity_type": "test__escaping__note",
    "prompt": "Write two notes as a JSON list of objects with a text `t`.",
    "output_format": "json",
    "top_level_count": "2",
    "top_level_key": None,
    "require_wrapper_key": False,
    "require_code_block": False,
    "require_no_commentary": True,
    "json_schema": json.dumps(
        {
            "type": "array",
            "items": {"type": "object", "properties": {"t": {"type": "string"}}, "required": ["t"]},
            "minItems": 2,
            "maxItems": 2,
        }
    ),
}
GOOD_ANSWER = '[{"t": "a"}, {"t": "b"}]'


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    monkeypatch.setenv("OPENAI_API_KEY", "none")


@pytest.fixture
def rows_file(tmp_path, monkeypatch):
    """A local IFStruct file of six rows that SOBENCH_IFSTRUCT names."""
    rows = [{**ROW, "doc_id": n, "prompt": f"{ROW['prompt']} (number {n})"} for n in range(6)]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(file))
    return file


@pytest.fixture
def shape_home(tmp_path, monkeypatch):
    """A prepared folder of twelve shapes in the domain `ui` and eight in `chart`, named by SOBENCH_HOME."""
    samples = shape_samples(20)
    home = write_home(tmp_path / "home", {"ui": samples[:12], "chart": samples[12:]})
    monkeypatch.setenv("SOBENCH_HOME", str(home))
    return home


@pytest.fixture
def evaluate():
    """lm-eval's `simple_evaluate` with our tasks alone, chat template on, samples logged."""
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks.autoload import TASKS_DIR

    def run(model, tasks, *, metadata=None, **options):
        options = {"apply_chat_template": True, "log_samples": True, "bootstrap_iters": 100, **options}
        manager = TaskManager(include_path=TASKS_DIR, include_defaults=False, metadata=metadata)
        return simple_evaluate(model=model, tasks=tasks, task_manager=manager, **options)

    level = logging.getLogger("lm_eval").level
    yield run
    logging.getLogger("lm_eval").setLevel(level)


def answers(results, task):
    """The answers of a task in the order of its docs."""
    ordered = sorted(results["samples"][task], key=lambda sample: sample["doc_id"])
    return [sample["resps"][0][0] for sample in ordered]


def scores(results, task):
    """The figures of a task without names and lengths."""
    return {
        key: value
        for key, value in results["results"][task].items()
        if isinstance(value, float) and not math.isnan(value)
    }
