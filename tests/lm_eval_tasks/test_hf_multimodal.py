"""A real engine with a taught model: its score says whether the right picture came with the right prompt."""

import re

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
        r"task=sobench_ui:1.0\|scores=official\+strict\|reasoning=removed\|data=shapes\|n=12/12\|max_gen_toks=24"
        r"\|decoding=greedy\|prompt=[0-9a-f]{8}\|backend=HFMultimodalLM\|template=[0-9a-f]{8}\|sobench=[\d.]+",
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
