"""Results put into a model's README.md: nothing of it is lost, and nothing is replaced unseen."""

import pytest
import yaml

from sobench_metrics.errors import UsageError
from sobench_metrics.export.card import merged

pytest.importorskip("huggingface_hub")

RESULT = {
    "task": {"type": "text-generation", "name": "Structured output"},
    "dataset": {"name": "IFStruct", "type": "lab/bench", "config": "default", "split": "test", "revision": "b" * 40},
    "metrics": [{"type": "pass", "name": "pass", "value": 0.25, "args": {"signature": "s"}}],
}
CARD = {"model-index": [{"name": "model-1", "results": [RESULT]}]}


def results_in(text):
    (model,) = yaml.safe_load(text.split("---\n")[1])["model-index"]
    return model["results"]


@pytest.mark.parametrize("there", [None, "", "# A model\n\nWithout metadata.\n", "---\nlicense: mit\n---\n# A model\n"])
def test_results_come_into_any_readme(there):
    text = merged(there, CARD, "lab/model-1")
    (result,) = results_in(text)
    assert result["dataset"]["revision"] == "b" * 40
    assert result["metrics"][0]["value"] == 0.25
    if there:
        assert text.endswith(there.rpartition("---\n")[2])
    assert merged(text, CARD, "lab/model-1") == text


def test_results_of_others_stay():
    other = {**RESULT, "dataset": {"name": "Other", "type": "lab/other"}}
    there = "---\n" + yaml.safe_dump({"model-index": [{"name": "theirs", "results": [other]}]}) + "---\n# A model\n"
    text = merged(there, CARD, "lab/model-1")
    assert [one["dataset"]["name"] for one in results_in(text)] == ["Other", "IFStruct"]
    assert yaml.safe_load(text.split("---\n")[1])["model-index"][0]["name"] == "theirs"


def test_another_value_for_the_same_run_is_refused():
    there = merged(None, CARD, "lab/model-1").replace("0.25", "0.75")
    with pytest.raises(UsageError, match="another value for pass of IFStruct"):
        merged(there, CARD, "lab/model-1")


@pytest.mark.parametrize(
    "metadata", ["model-index: 3", "model-index: [{name: x, results: 7}]", "- a", "a: [", "a: b: c"]
)
def test_broken_metadata_is_told_and_not_replaced(metadata):
    with pytest.raises(UsageError, match=r"lab/model-1's README.md cannot be read"):
        merged(f"---\n{metadata}\n---\n# A model\n", CARD, "lab/model-1")
