"""A real engine with a taught model: its score says whether the right picture came with the right prompt."""

import json
import os
import re
import subprocess
import sys

import pytest

from sobench_metrics.errors import UsageError
from tests.engines import taught_vlm
from tests.engines.prepared_home import Sample, shape_samples, write_home
from tests.lm_eval_tasks.conftest import answers, scores

pytestmark = pytest.mark.engine
RUN = {"batch_size": 5, "device": "cpu", "gen_kwargs": {"max_gen_toks": 24}}


def model_args(folder):
    return f"pretrained={folder},dtype=float32,max_length=4096,convert_img_format=True"


def test_the_right_picture_arrives_and_a_wrong_one_is_noticed(evaluate, taught, tmp_path, monkeypatch):
    report = taught_vlm.read_report(taught)
    right = shape_samples(60)
    swapped = [Sample(s.doc_id, right[n - 1].image, s.target, labels=s.labels) for n, s in enumerate(right)]
    figures = {}
    for name, samples in (("right", right), ("swapped", swapped)):
        monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / name, {"ui": samples})))
        results = evaluate("hf-multimodal", ["sobench_ui"], model_args=model_args(taught), **RUN)
        figures[name] = results["results"]["sobench_ui"]["strict_full_match,none"]
    assert figures["right"] >= report.unseen - 0.12
    assert figures["right"] >= 0.7
    assert figures["swapped"] <= 0.35


def test_both_orders_equal_each_task_alone_with_and_without_cache(evaluate, taught, shape_home, rows_file, tmp_path):
    tasks = ["ifstruct", "sobench_ui", "sobench_chart"]
    alone = {task: evaluate("hf-multimodal", [task], model_args=model_args(taught), **RUN) for task in tasks}
    assert scores(alone["sobench_ui"], "sobench_ui")["strict_field_recall,none"] > 0.7
    signature = alone["sobench_ui"]["configs"]["sobench_ui"]["metadata"]["signature"]
    assert re.fullmatch(
        r"task=sobench_ui:1.0\|scores=official\+strict\|reasoning=removed\|data=shapes\|prompt=[0-9a-f]{8}\|n=12/12"
        r"\|max_gen_toks=24\|backend=HFMultimodalLM\|template=[0-9a-f]{8}\|sobench=[\d.]+",
        signature,
    )
    cache = {"use_cache": str(tmp_path / "cache")}
    for order, options in ((tasks, {}), (tasks[::-1], cache), (tasks, cache)):
        together = evaluate("hf-multimodal", order, model_args=model_args(taught), **RUN, **options)
        for task in tasks:
            assert answers(together, task) == answers(alone[task], task)
            assert scores(together, task) == scores(alone[task], task)


def test_a_literal_placeholder_harms_nothing(evaluate, taught, tmp_path, monkeypatch):
    # the answer will be wrong (the model knows one prompt), but every request runs, with one picture each
    plain = shape_samples(3)
    marked = [
        Sample(s.doc_id, s.image, s.target, {"description": "<image>"}, s.labels, "an <image> here") for s in plain
    ]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "home", {"ui": marked})))
    results = evaluate("hf-multimodal", ["sobench_ui"], model_args=model_args(taught), **RUN)
    prompts = [line["arguments"][0][0] for line in results["samples"]["sobench_ui"]]
    assert all(prompt.count("<image>") == 1 for prompt in prompts)
    assert all("\\u003cimage>" in prompt for prompt in prompts)


def test_a_prompt_is_never_cut(evaluate, taught, shape_home):
    short = model_args(taught).replace("max_length=4096", "max_length=120")
    with pytest.raises(UsageError, match=r"takes \d+ tokens where max_length=120 leaves 96"):
        evaluate("hf-multimodal", ["sobench_ui"], model_args=short, **RUN)


def test_two_ranks_equal_one(taught, shape_home, rows_file, tmp_path):
    tasks = "ifstruct,sobench_ui,sobench_chart"
    words = ["--model", "hf-multimodal", "--model_args", model_args(taught), "--tasks", tasks, "--apply_chat_template"]
    words += ["--batch_size", "5", "--gen_kwargs", "max_gen_toks=24", "--limit", "7", "--log_samples"]
    ranks = ["-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2", "--num_machines", "1"]
    ranks += ["--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0"]
    figures = {}
    for name, launcher in (("one", []), ("two", ranks)):
        out = tmp_path / name
        command = [sys.executable, *launcher, "-m", "sobench_metrics.cli.main", "lm-eval", "run", *words]
        if not launcher:
            command += ["--device", "cpu"]
        env = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [*command, "--output_path", str(out)], capture_output=True, text=True, env=env, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        (file,) = out.rglob("results_*.json")
        results = json.loads(file.read_text())
        assert all(counts["effective"] in (6, 7) for counts in results["n-samples"].values())
        figures[name] = {
            task: {key: value for key, value in metrics.items() if isinstance(value, float)}
            for task, metrics in results["results"].items()
        }
        lines = [
            json.loads(line) for path in sorted(out.rglob("samples_*.jsonl")) for line in path.read_text().splitlines()
        ]
        figures[f"{name} answers"] = sorted((line["doc_hash"], line["resps"][0][0]) for line in lines)
        assert "diagnostics" in lines[0]
    assert figures["two answers"] == figures["one answers"]
    for task, metrics in figures["one"].items():
        assert figures["two"][task] == pytest.approx(metrics, nan_ok=True)
