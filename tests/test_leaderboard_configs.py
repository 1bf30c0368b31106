"""Every ready-made configuration: understood by its harness as it stands, and run on a tiny model or the test server."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest
import yaml

from sobench_metrics import run_config
from sobench_metrics.cli import main as entry
from sobench_metrics.cli.run import RUN, plan_of
from sobench_metrics.export.collecting import collect
from sobench_metrics.export.profiles import profile_of
from sobench_metrics.export.result import Wishes
from sobench_metrics.export.targets import TARGETS
from sobench_metrics.leaderboard_files import configs, home
from tests.engines import tiny_text, tiny_vlm, vllm_stand_in
from tests.engines.chat_server import ChatServer, always
from tests.lm_eval_tasks.conftest import GOOD_ANSWER, rows_file, shape_home

__all__ = ["rows_file", "shape_home"]

FILES = {f"{file.parent.name}/{file.stem}": file for _, file in configs()}
LM_EVAL = sorted(name for name in FILES if name.startswith("lm_eval/"))
LIGHTEVAL = sorted(name for name in FILES if name.startswith("lighteval/"))
VLLM = [name for name in LM_EVAL if "vllm" in name]


def kind_of(name):
    """By what a file is run: folder, and backend or subcommand."""
    content = yaml.safe_load(FILES[name].read_text(encoding="utf-8"))
    if name in LM_EVAL:
        return "lm_eval", content["model"]
    run = content["sobench_run"]
    return "lighteval", run["command"] + (" vision" if run["options"].get("vision-model") else "")


RUNS = {}
"""By kind, the test that runs all files of it."""


def runs(*kind):
    """Let a test run every file of a kind; a new file of that kind needs nothing more."""
    names = [name for name in FILES if kind_of(name) == kind]

    def mark(test):
        assert RUNS.setdefault(kind, test) is test
        return pytest.mark.parametrize("name", names)(test)

    return mark


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    monkeypatch.setenv("OPENAI_API_KEY", "none")


# --- as they stand


def test_a_file_for_every_backend():
    told = {yaml.safe_load(FILES[name].read_text(encoding="utf-8"))["model"] for name in LM_EVAL}
    assert told == {"hf", "vllm", "hf-multimodal", "vllm-vlm", "local-chat-completions"}
    assert len(LIGHTEVAL) >= 4


@pytest.mark.parametrize("name", LM_EVAL)
def test_words_say_what_the_file_says(name, monkeypatch):
    import argparse

    from lm_eval._cli.run import Run
    from lm_eval.config.evaluate_config import EvaluatorConfig

    parser = argparse.ArgumentParser()
    Run(parser.add_subparsers())
    plan = plan_of(run_config.read(FILES[name]))
    by_words = EvaluatorConfig.from_cli(parser.parse_args(list(plan.words)))
    by_file = EvaluatorConfig.from_config(FILES[name])
    for key in (one for one in EvaluatorConfig.__slots__ if one != "config"):
        ours, theirs = getattr(by_words, key), getattr(by_file, key)
        assert (str(ours) if key == "batch_size" else ours) == (str(theirs) if key == "batch_size" else theirs), key
    assert by_file.log_samples  # what report, compare and export read


@pytest.mark.parametrize("name", LM_EVAL)
def test_tasks_and_backends_exist(name):
    from lm_eval.models import MODEL_MAPPING

    from lm_eval_tasks.catalog import needs

    content = yaml.safe_load(FILES[name].read_text(encoding="utf-8"))
    assert content["model"] in MODEL_MAPPING
    with_pictures = any(need.domain for need in needs(content["tasks"]))
    assert with_pictures <= (content["model"] in ("hf-multimodal", "vllm-vlm", "local-chat-completions"))
    assert content["apply_chat_template"] is True
    assert ("limit" in content) == (name == "lm_eval/quick_local_gpu")
    if name in VLLM:
        assert {"tensor_parallel_size", "data_parallel_size", "max_model_len"} <= content["model_args"].keys()


@pytest.mark.parametrize("name", LIGHTEVAL)
def test_lighteval_takes_the_settings_and_knows_the_tasks(name):
    from lighteval.models.transformers.transformers_model import TransformersModelConfig
    from lighteval.models.transformers.vlm_transformers_model import VLMTransformersModelConfig
    from lighteval.models.vllm.vllm_model import VLLMModelConfig

    from lighteval_tasks.commands.registration import ours_asked

    content = yaml.safe_load(FILES[name].read_text(encoding="utf-8"))
    run = content["sobench_run"]
    plan = plan_of(run_config.read(FILES[name]))
    assert ours_asked(run["tasks"])
    assert all(word.split("|")[1] == "0" for word in run["tasks"].split(","))
    if run["command"] == "custom":
        assert plan.words[:3] == ("custom", run["model"], "server")
        return
    if not run["options"].get("vision-model"):
        assert content["model_parameters"]["add_special_tokens"] is False  # or a prompt begins with two BOS
    kinds = {"vllm": VLLMModelConfig, "accelerate": TransformersModelConfig}
    kind = VLMTransformersModelConfig if "--vision-model" in plan.words else kinds[run["command"]]
    assert kind.from_path(str(FILES[name])).model_name == content["model_parameters"]["model_name"]


def test_profiles_name_what_the_benchmarks_have():
    from sobench_metrics.sobench.figures import MEANS, RATIOS

    for benchmark, n, may_be_constrained in (("ifstruct", 2000, False), ("sobench", 1751, True)):
        profile = profile_of(benchmark)
        assert (profile.n, profile.may_be_constrained) == (n, may_be_constrained)
        assert profile.metric in profile.figures
    assert set(profile_of("sobench").figures) <= {*MEANS, *RATIOS}


def test_the_readme_names_every_file():
    text = (home() / "README.md").read_text(encoding="utf-8")
    assert [name for name in FILES if f"`{name}`" not in text] == []


# --- run


@pytest.fixture(scope="module")
def text_model(tmp_path_factory):
    return tiny_text.build(tmp_path_factory.mktemp("text") / "model")


@pytest.fixture(scope="module")
def image_model(tmp_path_factory):
    return tiny_vlm.build(tmp_path_factory.mktemp("image") / "model")


@pytest.fixture
def run(monkeypatch, capfd, tmp_path):
    """`sobench run WORDS...` from a folder of its own; returns what it wrote to standard output."""
    from lm_eval.tasks import TaskManager

    plain = TaskManager.__init__

    def ours_alone(self, *args, **more):  # reading the thousands of others takes seconds
        plain(self, *args, **{**more, "include_defaults": False})

    monkeypatch.setattr(TaskManager, "__init__", ours_alone)
    monkeypatch.setattr(entry, "commands", lambda: {"run": RUN})
    monkeypatch.chdir(tmp_path)

    def call(*words):
        capfd.readouterr()
        status = entry.main(["run", *map(str, words)])
        said = capfd.readouterr()
        assert status == 0, said.err[-3000:]
        return said.out

    return call


def effective(folder):
    (file,) = folder.rglob("results_*.json")
    content = json.loads(file.read_text(encoding="utf-8"))
    assert list(folder.rglob("samples_*.jsonl"))
    return {task: sizes["effective"] for task, sizes in content["n-samples"].items()}


def scored(folder):
    (file,) = folder.rglob("results_*.json")
    assert list(folder.rglob("details_*.parquet"))
    return json.loads(file.read_text(encoding="utf-8"))["results"]


def settings(**values):
    return [word for key, value in values.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


SHORT = settings(gen_kwargs__max_gen_toks=4, limit=2)
# the shapes have two domains; the whole is asked where the data are
SHAPES = {"sobench": "sobench_ui", "sobench_constrained": "sobench_ui_constrained"}


def tasks_of(name):
    wanted = yaml.safe_load(FILES[name].read_text(encoding="utf-8"))["tasks"]
    return [SHAPES.get(task, task) for task in wanted]


@pytest.mark.engine
@runs("lm_eval", "hf")
def test_text_files_on_a_tiny_model(run, rows_file, tmp_path, name, text_model):
    if "constrained" in name:
        pytest.importorskip("llguidance")
    more = settings(model_args__pretrained=text_model, model_args__dtype="float32", device="cpu", batch_size=2)
    out = run(name, *more, *SHORT)
    assert effective(tmp_path / "results") == dict.fromkeys(tasks_of(name), 2)
    command = shlex.split(out.splitlines()[0])
    assert command[:3] == ["sobench", "lm-eval", "run"]
    assert str(text_model) in " ".join(command)


@pytest.mark.engine
@runs("lm_eval", "hf-multimodal")
def test_image_files_on_a_tiny_model(run, rows_file, shape_home, tmp_path, name, image_model):
    if "constrained" in name:
        pytest.importorskip("llguidance")
    more = settings(
        model_args__pretrained=image_model, model_args__dtype="float32", model_args__max_pixels="null", device="cpu",
        batch_size=2, tasks=",".join(tasks_of(name)),
    )  # fmt: skip
    run(name, *more, *SHORT)
    assert effective(tmp_path / "results") == dict.fromkeys(tasks_of(name), 2)


@pytest.mark.engine
@runs("lm_eval", "local-chat-completions")
def test_server_files_on_the_test_server(run, rows_file, shape_home, tmp_path, name):
    tasks = tasks_of(name)
    with ChatServer(always(GOOD_ANSWER)) as server:
        more = settings(model_args__model=server.model, model_args__base_url=server.url, tasks=",".join(tasks))
        run(name, *more, *SHORT)
        assert len(server.requests) == 2 * len(tasks)
    assert effective(tmp_path / "results") == dict.fromkeys(tasks, 2)


@pytest.mark.engine
@runs("lighteval", "custom")
def test_server_files_of_lighteval_on_the_test_server(run, rows_file, shape_home, tmp_path, name):
    with ChatServer(always(GOOD_ANSWER)) as server:
        more = settings(
            sobench_run__model=server.model, sobench_run__tasks="[sobench_ui|0, ifstruct|0, sobench_sample|0]",
            sobench_run__environment__SOBENCH_SERVER_URL=server.root,
        )  # fmt: skip
        run(name, *more, "--", "--max-samples", "2")
        assert len(server.requests) == 4 + 2 * 4
    assert {"sobench_ui|0", "ifstruct|0"} <= scored(tmp_path / "results").keys()
    rows_file.unlink()  # an export needs no rows
    what_lighteval_left_can_be_exported(tmp_path / "results", server.model)


def what_lighteval_left_can_be_exported(folder, model):
    found = {one.task: one for one in collect(folder)}
    whole, ifstruct = found["sobench_sample"], found["ifstruct"]
    assert (whole.n, whole.planned) == (8, 56)  # the pool of four domains
    assert ifstruct.figure("pass").value == ifstruct.figure("pass").told == 1.0
    wishes = Wishes("lab/model-1", "a" * 40, dataset_revision="b" * 40, source_url="https://example.org/logs")
    codes = {
        one.code
        for result in (whole, ifstruct)
        for one in TARGETS["every-eval-ever"].refuses(result, profile_of(result.benchmark), wishes)
    }
    assert codes == {"data.sample_set", "data.not_whole", "run.limited"}  # all figures are those of the file
    assert ifstruct.harness.startswith("lighteval 0.13")
    assert ifstruct.model.name == model
    as_if_whole = replace(ifstruct, n=2000, planned=2000, limit="")
    for target in TARGETS.values():
        assert target.refuses(as_if_whole, profile_of("ifstruct"), wishes) == []
        for file in target.build([(as_if_whole, profile_of("ifstruct"))], wishes):
            assert yaml.safe_load(file.text)
    (file,) = TARGETS["hf-eval-results"].build([(as_if_whole, profile_of("ifstruct"))], wishes)
    (told,) = yaml.safe_load(file.text)
    assert told["value"] == 100.0
    assert "rows from file:" in told["notes"]


def run_by_lighteval(run, folder, name, model, monkeypatch, task, *more):
    import torch

    monkeypatch.setenv("SOBENCH_MAX_TOKENS", "4")
    more += tuple(
        settings(
            model_parameters__model_name=model, model_parameters__dtype="float32", model_parameters__batch_size=2,
            model_parameters__cache_dir=folder / "cache", sobench_run__tasks=task,
        )
    )  # fmt: skip
    try:
        out = run(name, *more, "--", "--max-samples", "2")
    finally:
        torch.set_grad_enabled(True)
    assert "results/model_" in out.splitlines()[0]  # the altered settings, kept beside the results
    assert task in scored(folder / "results")


@pytest.mark.engine
@runs("lighteval", "accelerate")
def test_text_files_of_lighteval_on_a_tiny_model(run, rows_file, tmp_path, monkeypatch, name, text_model):
    run_by_lighteval(run, tmp_path, name, text_model, monkeypatch, "ifstruct|0")


@pytest.mark.engine
@runs("lighteval", "accelerate vision")
def test_image_files_of_lighteval_on_a_tiny_model(run, shape_home, tmp_path, monkeypatch, name, image_model):
    more = settings(model_parameters__generation_size=4)
    run_by_lighteval(run, tmp_path, name, image_model, monkeypatch, "sobench_ui|0", *more)


@pytest.mark.engine
@runs("lighteval", "vllm")
def test_vllm_files_of_lighteval_on_a_stand_in(rows_file, tmp_path, name, text_model):
    """A process of its own, as a user starts it: what stands in for vLLM notes with what it was made and asked."""
    found = vllm_stand_in.write(tmp_path / "site", GOOD_ANSWER)
    more = settings(model_parameters__model_name=text_model, model_parameters__cache_dir=tmp_path / "cache")
    done = subprocess.run(
        [sys.executable, "-m", "sobench_metrics.cli.main", "run", name, *more, "--", "--max-samples", "2"],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, **found},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert scored(tmp_path / "results")["ifstruct|0"]["pass"] == 1.0
    noted = vllm_stand_in.asked(tmp_path / "site")
    wanted = yaml.safe_load(FILES[name].read_text(encoding="utf-8"))["model_parameters"]
    assert noted["engine"]["max_model_len"] == wanted["max_model_length"]
    assert noted["engine"]["tensor_parallel_size"] == wanted["tensor_parallel_size"]
    assert noted["sampling"]["max_tokens"] == 16_000
    assert noted["sampling"]["temperature"] == 0
    assert len(noted["prompts"]) == 2


def vllm_by_lm_eval(run, name, model, folder):
    more = settings(
        model_args__pretrained=model, model_args__dtype="float32", model_args__max_model_len=2048,
        model_args__enforce_eager="true", tasks=",".join(tasks_of(name)),
    )  # fmt: skip
    run(name, *more, *SHORT)
    assert effective(folder / "results") == dict.fromkeys(tasks_of(name), 2)


@pytest.fixture
def _small_engine(monkeypatch):
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
    monkeypatch.setenv("VLLM_NO_USAGE_STATS", "1")


@pytest.mark.vllm
@pytest.mark.usefixtures("_small_engine")
@runs("lm_eval", "vllm")
def test_vllm_files_on_a_tiny_model(run, rows_file, tmp_path, name, text_model):
    vllm_by_lm_eval(run, name, text_model, tmp_path)


@pytest.mark.vllm
@pytest.mark.usefixtures("_small_engine")
@runs("lm_eval", "vllm-vlm")
def test_vllm_image_files_on_a_tiny_model(run, rows_file, shape_home, tmp_path, name, image_model):
    vllm_by_lm_eval(run, name, image_model, tmp_path)


def test_every_file_is_run_by_a_test_above():
    assert {name: kind_of(name) for name in FILES if kind_of(name) not in RUNS} == {}
