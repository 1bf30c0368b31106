"""`accelerate --vision-model`: the right picture with the right prompt, every answer on its own doc, as in lm-eval."""

import json
import re
from dataclasses import replace

import pytest

from lighteval_tasks.guards import vision
from sobench_metrics.errors import UsageError
from sobench_metrics.sobench import figures
from tests.engines import tiny_vlm
from tests.engines.prepared_home import Sample, shape_samples, write_home
from tests.lighteval_tasks.conftest import with_many_ends
from tests.lm_eval_tasks.conftest import answers

pytestmark = pytest.mark.engine
LIMIT = 24


def lm_eval_run(evaluate, model, tasks):
    return evaluate(
        "hf-multimodal",
        tasks,
        model_args=f"pretrained={model},dtype=float32,max_length=8192,convert_img_format=True",
        batch_size=5,
        device="cpu",
        gen_kwargs={"max_gen_toks": LIMIT},
    )


@pytest.mark.parametrize(("architecture", "domain"), [("llava", "ui"), ("gemma3", "chart")])
def test_both_harnesses_agree_on_the_sample_set(lighteval, evaluate, model_yaml, tmp_path, architecture, domain):
    """Prompt, answer and every figure of every sample, and the totals.

    The models are random: their noise depends on every pixel and every letter of the prompt.
    """
    model = with_many_ends(tiny_vlm.build(tmp_path / architecture, architecture))
    ours = lighteval(
        "accelerate",
        model_yaml(model, generation_size=LIMIT, batch_size=5),
        f"sobench_sample:{domain}|0",
        "--vision-model",
    )
    theirs = lm_eval_run(evaluate, model, [f"sobench_{domain}_sample"])
    assert_equal(ours, f"sobench_sample:{domain}", theirs, f"sobench_{domain}_sample")


def test_a_taught_model_scores_the_same_in_both_and_averages_are_pooled(
    lighteval, evaluate, model_yaml, taught, tmp_path, monkeypatch
):
    # No shape has two corners: whatever this machine's model learnt, one domain is at most half right,
    # so that pooled figures cannot equal the mean of the domains.
    samples = shape_samples(20)
    charts = [replace(sample, target={**sample.target, "corners": 2}) for sample in samples[12:]]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "home", {"ui": samples[:12], "chart": charts})))
    settings = model_yaml(taught, generation_size=LIMIT, batch_size=5)
    ours = lighteval("accelerate", settings, "sobench:ui|0,sobench:chart|0", "--vision-model")
    theirs = lm_eval_run(evaluate, taught, ["sobench_ui", "sobench_chart"])
    for task, theirs_name in (("sobench:ui", "sobench_ui"), ("sobench:chart", "sobench_chart")):
        assert_equal(ours, task, theirs, theirs_name)
    assert ours.figures("sobench:ui")["strict_full_match"] > 0.5
    lines = [line for name in ("sobench_ui", "sobench_chart") for line in theirs["samples"][name]]
    for name in figures.RATIOS:
        above, below = (sum(line[name][side] for line in lines) for side in (0, 1))
        assert ours.figures("sobench:_average|0")[name] == ours.figures("all")[name] == above / below
        assert ours.figures("sobench:_average|0")[name] != pytest.approx(
            (ours.figures("sobench:ui")[name] + ours.figures("sobench:chart")[name]) / 2, abs=1e-12
        )


def assert_equal(ours, task, theirs, theirs_name):
    lines = sorted(theirs["samples"][theirs_name], key=lambda line: line["doc_id"])
    assert ours.answers(task) == answers(theirs, theirs_name)
    assert len(set(ours.answers(task))) > 1
    # lm-eval logs the text with its own mark in the picture's place, and puts the processor's there when it asks
    asked = [re.sub("<start_of_image>", "<image>", prompt) for prompt in ours.prompts(task)]
    assert asked == [re.sub("<start_of_image>", "<image>", line["arguments"][0][0]) for line in lines]
    for number, detail in ours.details(task).items():
        assert detail["doc"]["images"] == [str(lines[number]["arguments"][0][2]["visual"][0])]
        found = detail["metric"]["sobench"]["figures"]
        for name in figures.RATIOS:
            assert found[name] == list(lines[number][name])
        for name in figures.MEANS:
            assert found[name] == [lines[number][name], 1.0]
        diagnostics = json.loads(detail["metric"]["sobench"]["diagnostics"])
        assert diagnostics["codes"] == lines[number]["diagnostics"]["codes"]
    numbers = ours.figures(task)
    expected = {
        key.split(",")[0]: value for key, value in theirs["results"][theirs_name].items() if key.endswith(",none")
    }
    expected = {key: value for key, value in expected.items() if isinstance(value, float)}
    assert {key: numbers.get(key) for key in expected} == pytest.approx(expected, abs=1e-12)
    assert set(numbers) - set(expected) <= {f"{name}_stderr" for name in (*figures.MEANS, *figures.RATIOS)}
    theirs_signature = dict(
        part.split("=", 1) for part in theirs["configs"][theirs_name]["metadata"]["signature"].split("|")
    )
    for part in ("scores", "reasoning", "n", "decoding", "prompt", "template", "sobench"):
        assert ours.signature(task)[part] == theirs_signature[part]
    assert ours.signature(task)["max_tokens"] == theirs_signature["max_gen_toks"]


@pytest.fixture
def silent_on_red(monkeypatch):
    """A model that says nothing when it sees red, in the middle of batches."""
    from transformers import LlavaProcessor

    decode = LlavaProcessor.batch_decode

    def silenced(self, *args, **kwargs):
        return ["" if '"red"' in text else text for text in decode(self, *args, **kwargs)]

    monkeypatch.setattr(LlavaProcessor, "batch_decode", silenced)


def test_an_empty_answer_moves_no_other(lighteval, model_yaml, taught, shape_home, silent_on_red):
    settings = model_yaml(taught, generation_size=LIMIT, batch_size=5)
    found = lighteval("accelerate", settings, "sobench:ui|0", "--vision-model")
    colours = [sample.target["colour"] for sample in shape_samples(20)[:12]]
    told = [json.loads(answer)["colour"] if answer else "red" for answer in found.answers("sobench:ui")]
    assert "" in found.answers("sobench:ui")[1:-1]
    assert sum(a == b for a, b in zip(told, colours)) >= 9
    assert found.signature("sobench:ui")["n"] == "12/12"


def test_without_the_repair_answers_are_lost(lighteval, model_yaml, taught, shape_home, silent_on_red, monkeypatch):
    # the control of the test above: should upstream mend this, the repair can go
    monkeypatch.setattr(vision, "as_lists", lambda responses: responses)
    settings = model_yaml(taught, generation_size=LIMIT, batch_size=5)
    found = lighteval("accelerate", settings, "sobench:ui|0", "--vision-model")
    assert found.signature("sobench:ui")["n"] != "12/12"


def test_a_literal_placeholder_harms_nothing(lighteval, model_yaml, taught, tmp_path, monkeypatch):
    plain = shape_samples(3)
    marked = [
        Sample(s.doc_id, s.image, s.target, {"description": "<image>"}, s.labels, "an <image> here") for s in plain
    ]
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "home", {"ui": marked})))
    settings = model_yaml(taught, generation_size=LIMIT)
    found = lighteval("accelerate", settings, "sobench:ui|0", "--vision-model")
    assert all(prompt.count("<image>") == 1 for prompt in found.prompts("sobench:ui"))
    assert all("\\u003cimage>" in prompt for prompt in found.prompts("sobench:ui"))


def test_a_prompt_is_never_cut(lighteval, model_yaml, taught, shape_home):
    settings = model_yaml(taught, generation_size=LIMIT, max_length=60)
    with pytest.raises(UsageError, match=r"takes \d+ tokens where 59 fit"):
        lighteval("accelerate", settings, "sobench:ui|0", "--vision-model")


def test_a_template_without_system_role_is_told_with_the_remedy(lighteval, model_yaml, taught, shape_home, monkeypatch):
    from transformers import PreTrainedTokenizerBase

    template = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    render = PreTrainedTokenizerBase.apply_chat_template

    def refusing(self, conversation, *args, **kwargs):
        return render(self, conversation, *args, **{**kwargs, "chat_template": template + self.chat_template})

    monkeypatch.setattr(PreTrainedTokenizerBase, "apply_chat_template", refusing)
    settings = model_yaml(taught, generation_size=LIMIT)
    with pytest.raises(UsageError, match="SOBENCH_MERGE_SYSTEM=1"):
        lighteval("accelerate", settings, "sobench:ui|0", "--vision-model")
    monkeypatch.setenv("SOBENCH_MERGE_SYSTEM", "1")
    found = lighteval("accelerate", settings, "sobench:ui|0", "--vision-model")
    assert all(
        prompt.startswith("<|turn|>user\nYou read shapes.\n\nSchema: ") for prompt in found.prompts("sobench:ui")
    )
