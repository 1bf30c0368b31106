"""Which routes may ask what: a route that would lose a picture or half a prompt stops with a sentence."""

from types import SimpleNamespace

import pytest
from lighteval.models.abstract_model import ModelConfig
from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.transformers.transformers_model import TransformersModelConfig
from lighteval.models.transformers.vlm_transformers_model import VLMTransformersModelConfig
from lighteval.pipeline import Pipeline
from lighteval.tasks.requests import Doc

from lighteval_tasks import data, docs, guards
from lighteval_tasks.guards.routes import refuse
from sobench_metrics.errors import UsageError

OWN = CustomModelConfig(model_name="m", model_definition_file_path="f.py")
TEXT = TransformersModelConfig(model_name="m")
VISION = VLMTransformersModelConfig(model_name="m")
OTHERS = [TEXT, DummyModelConfig(seed=1), ModelConfig(model_name="litellm or any other")]


@pytest.fixture
def pictured():
    return docs.doc_of(data.load("sobench_sample:ui"), 0)


@pytest.fixture
def plain():
    return docs.doc_of(data.load("ifstruct_sample"), 0)


@pytest.mark.parametrize("config", OTHERS, ids=lambda config: type(config).__name__)
def test_routes_without_pictures_refuse_them_and_ask_text(config, pictured, plain):
    with pytest.raises(UsageError, match="drops the image"):
        refuse(config, None, [plain, pictured])
    refuse(config, None, [plain])


def test_a_custom_model_must_say_that_it_sends_pictures(pictured, plain):
    refuse(OWN, None, [pictured])  # not loaded yet
    with pytest.raises(UsageError, match="takes_images = True"):
        refuse(OWN, object(), [pictured, plain])
    refuse(OWN, object(), [plain])
    refuse(OWN, SimpleNamespace(takes_images=True), [pictured, plain])


def test_the_vision_backend_asks_nothing_without_a_picture(pictured, plain):
    refuse(VISION, None, [pictured])
    with pytest.raises(UsageError, match="asks nothing without an image"):
        refuse(VISION, None, [pictured, plain])


def test_settings_that_cut_prompts_are_told(pictured, plain):
    limit = {"generation_parameters": {"max_new_tokens": 9}}
    with pytest.raises(UsageError, match="SOBENCH_MAX_TOKENS"):
        refuse(TransformersModelConfig(model_name="m", **limit), None, [plain])
    with pytest.raises(UsageError, match="set generation_size"):
        refuse(VLMTransformersModelConfig(model_name="m", **limit), None, [pictured])
    with pytest.raises(UsageError, match="continuous_batching"):
        refuse(TransformersModelConfig(model_name="m", continuous_batching=True), None, [plain])


def test_other_peoples_tasks_are_none_of_our_business():
    theirs = Doc(query="q", choices=[""], gold_index=0, images=["a picture"], specific={"x": 1})
    for config in (TEXT, VISION, OWN):
        refuse(config, object(), [theirs])


def test_a_model_that_is_asked_nothing_of_ours_is_not_looked_at(tmp_path):
    class Shy(DummyModel):
        @property
        def tokenizer(self):
            raise OSError("would be fetched over the network")

    guards.install()
    model = Shy(DummyModelConfig(cache_dir=str(tmp_path)))
    theirs = SimpleNamespace(documents_dict={"theirs|0": [Doc(query="q", choices=[""], gold_index=0)]})
    assert Pipeline._init_model(theirs, None, model) is model
