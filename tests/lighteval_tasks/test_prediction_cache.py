"""The name under which lighteval keeps answers: another one as soon as anything that answers is another."""

from types import SimpleNamespace

import pytest
from lighteval.models.abstract_model import ModelConfig
from lighteval.models.transformers.transformers_model import TransformersModelConfig
from lighteval.models.transformers.vlm_transformers_model import VLMTransformersModelConfig

from lighteval_tasks.guards.prediction_cache import cache_name


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """The hub's folder on this disk; `hub(name, commit)` brings a model, and its branch `main` to that commit."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))

    def bring(name, commit, file="config.json"):
        folder = tmp_path / "hub" / f"models--{name.replace('/', '--')}"
        for part in ("refs", f"snapshots/{commit}"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "refs/main").write_text(commit)
        (folder / "snapshots" / commit / file).write_text("{}")

    return bring


@pytest.fixture
def folder(tmp_path):
    """A folder on this disk, and how the next training overwrites it."""

    def write(content):
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own/weights").write_text(content)
        return str(tmp_path / "own")

    return write


@pytest.mark.parametrize("file", ["config.json", "adapter_config.json"])
def test_a_hub_models_answers_are_those_of_the_commit_that_was_loaded(hub, file):
    asked = TransformersModelConfig(model_name="org/model")
    names = []
    for commit in ("a" * 40, "b" * 40, "a" * 40):
        hub("org/model", commit, file)
        names.append(cache_name(asked))
    assert names[0] == names[2] != names[1]
    assert all(name.startswith("org/model-") for name in names)


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (TransformersModelConfig, "model_name"),
        (TransformersModelConfig, "tokenizer"),
        (VLMTransformersModelConfig, "processor"),
        (SimpleNamespace, "base_model"),
    ],
)
def test_a_folder_counts_with_its_files_whatever_its_part(hub, folder, kind, part):
    asked = kind(**{"model_name": "org/model", part: folder("first")})
    before, again = cache_name(asked), cache_name(asked)
    folder("the next one")
    assert before == again != cache_name(asked)


@pytest.mark.parametrize("name", ["gpt-5", "org/model", "openai/org/model:latest"])
def test_what_is_not_on_this_disk_keeps_its_name(hub, name):
    assert cache_name(ModelConfig(model_name=name)) == name
