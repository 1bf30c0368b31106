"""Fixtures of whole runs: lighteval's command line in this process, its files read back."""

import json
import os

import lighteval.__main__
import pytest

from tests.lm_eval_tasks.conftest import GOOD_ANSWER, evaluate, rows_file, shape_home

__all__ = ["GOOD_ANSWER", "evaluate", "rows_file", "shape_home"]


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    for name in list(os.environ):
        if name.startswith("SOBENCH_"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _gradients():
    """lighteval's backends switch them off for the whole process, and other tests teach models."""
    import torch

    yield
    torch.set_grad_enabled(True)  # and not what was before: a wider fixture may have run a model already


def with_many_ends(model):
    """Let a model's turns end with many tokens besides its tokenizer's own, as those of Gemma and Phi end with another."""
    file = model / "generation_config.json"
    settings = json.loads(file.read_text())
    settings["eos_token_id"] = [settings["eos_token_id"], *range(300, 1000, 9)]
    file.write_text(json.dumps(settings))
    return model


class Outcome:
    """What one run of lighteval left on the disk."""

    def __init__(self, folder):
        (results,) = folder.glob("results/**/results_*.json")
        # a file that others can read: no NaN in it
        self.results = json.loads(results.read_text(), parse_constant=lambda name: pytest.fail(f"{name} in {results}"))
        self._details = {file.name: file for file in folder.glob("details/**/details_*.parquet")}

    def figures(self, task):
        """The numbers of a task."""
        return self.results["results"][task if task == "all" or "|" in task else f"{task}|0"]

    def signature(self, task):
        """The signature as a dict."""
        text = self.results["config_tasks"][f"{task}|0"]["signature"]
        return dict(part.split("=", 1) for part in text.split("|"))

    def details(self, task):
        """The samples of a task by row number."""
        import pyarrow.parquet as pq

        (file,) = [path for name, path in self._details.items() if name.startswith(f"details_{task}|0_")]
        return {int(line["doc"]["id"]): line for line in pq.read_table(file).to_pylist()}

    def answers(self, task):
        """The answers of a task in the order of its rows."""
        return [line["model_response"]["text"][0] for _, line in sorted(self.details(task).items())]

    def prompts(self, task):
        """The rendered prompts of a task in the order of its rows."""
        return [line["model_response"]["input"] for _, line in sorted(self.details(task).items())]


@pytest.fixture
def lighteval(tmp_path):
    """`sobench lighteval ...` in this process: raises UsageError as the command would print it, returns what it wrote."""
    from lighteval_tasks.commands.run import run

    runs = []

    def call(*words):
        folder = tmp_path / f"out{len(runs)}"
        runs.append(folder)
        status = run([*map(str, words), "--output-dir", str(folder), "--save-details"])
        assert status == 0
        return Outcome(folder)

    return call


@pytest.fixture
def model_yaml(tmp_path):
    """Write the settings of a model as lighteval reads them, with a cache of answers of the test's own."""

    def write(model, **settings):
        file = tmp_path / f"model{len(list(tmp_path.glob('model*.yaml')))}.yaml"
        settings = {"add_special_tokens": False, "cache_dir": str(tmp_path / "answers"), **settings}
        # JSON is YAML
        file.write_text(json.dumps({"model_parameters": {"model_name": str(model), **settings}}))
        return file

    return write
