"""Constrained tasks on engines of this process: every answer valid under its own schema, in whole batches."""

import json

import jsonschema
import pytest

from tests.engines import tiny_text, tiny_vlm

pytest.importorskip("llguidance")
pytestmark = pytest.mark.engine
LIMIT = 48


def ended(results, task):
    """The samples that ended before the limit, which a grammar promises something for."""
    return [line for line in results["samples"][task] if line["diagnostics"]["generation"]["limit"] is False]


@pytest.fixture
def batches(monkeypatch):
    """How many rows each call of the model's generation had."""
    from transformers import GenerationMixin

    sizes = []
    generate = GenerationMixin.generate

    def counted(self, *args, **kwargs):
        ids = kwargs.get("input_ids", args[0] if args else None)
        sizes.append(len(ids))
        return generate(self, *args, **kwargs)

    monkeypatch.setattr(GenerationMixin, "generate", counted)
    return sizes


def test_text_rows_follow_their_schemas_in_whole_batches(evaluate, tmp_path, batches):
    model = tiny_text.build(tmp_path / "model")
    results = evaluate(
        "hf",
        ["ifstruct_json_constrained_sample"],
        model_args=f"pretrained={model},dtype=float32",
        batch_size=6,
        device="cpu",
        limit=12,
        gen_kwargs={"max_gen_toks": LIMIT},
    )
    lines = results["samples"]["ifstruct_json_constrained_sample"]
    assert batches == [6, 6]
    assert len({line["arguments"][0][2]["constraint"]["schema"] for line in lines}) == 12
    for line in lines:
        assert line["diagnostics"]["generation"]["constrained"] == "constrained"
        assert line["diagnostics"]["generation"]["tokens"] <= LIMIT
    for line in ended(results, "ifstruct_json_constrained_sample"):
        schema = json.loads(line["arguments"][0][2]["constraint"]["schema"])
        jsonschema.validate(json.loads(line["resps"][0][0]), schema)


@pytest.mark.parametrize("architecture", ["llava", "gemma3"])
def test_image_rows_follow_their_schemas_beside_free_ones(evaluate, tmp_path, shape_home, batches, architecture):
    model = tiny_vlm.build(tmp_path / architecture, architecture)
    options = {
        "model_args": f"pretrained={model},dtype=float32,max_length=4096,convert_img_format=True",
        "batch_size": 6,
        "device": "cpu",
        "gen_kwargs": {"max_gen_toks": LIMIT},
    }
    alone = evaluate("hf-multimodal", ["sobench_ui"], **options)
    batches.clear()
    both = evaluate("hf-multimodal", ["sobench_ui", "sobench_ui_constrained"], **options)
    assert batches == [6, 6, 6, 6]
    assert [line["resps"] for line in both["samples"]["sobench_ui"]] == [
        line["resps"] for line in alone["samples"]["sobench_ui"]
    ]
    assert all(line["resps"][0][0].startswith("{") for line in both["samples"]["sobench_ui_constrained"])
    held = ended(both, "sobench_ui_constrained")
    assert len(held) > 6 or architecture == "gemma3"  # whose noise writes one number to the limit
    for line in held:
        jsonschema.validate(json.loads(line["resps"][0][0]), json.loads(line["doc"]["schema_json"]))
    assert both["results"]["sobench_ui"]["schema_validity,none"] == 0.0
    assert both["results"]["sobench_ui_constrained"]["schema_validity,none"] >= len(held) / 12


def test_two_runs_can_be_compared(evaluate, taught, shape_home, tmp_path, capsys):
    """The plain task and its constrained variant of one run, paired sample by sample."""
    from lm_eval.loggers import EvaluationTracker

    from sobench_metrics.cli.main import main

    results = evaluate(
        "hf-multimodal",
        ["sobench_ui", "sobench_ui_constrained"],
        model_args=f"pretrained={taught},dtype=float32,max_length=4096,convert_img_format=True",
        batch_size=6,
        device="cpu",
        gen_kwargs={"max_gen_toks": LIMIT},
    )
    samples = results.pop("samples")
    tracker = EvaluationTracker(output_path=str(tmp_path / "out"))
    tracker.save_results_aggregated(results=results, samples=samples)
    for task, lines in samples.items():
        tracker.save_results_samples(task_name=task, samples=lines)
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "out"), "--resamples", "50"]) == 0
    printed = capsys.readouterr().out
    assert "sobench_ui_constrained" in printed
    assert "sobench_ui: 12 samples of 12 compared (both ran 12)" in printed


def test_what_the_engine_itself_refuses_is_told_before_it_is_asked(evaluate, tmp_path, monkeypatch, shape_home):
    """No table foresees everything: the compiler has the last word, and one sample's schema costs no other's."""
    from lm_eval_tasks import grammars
    from sobench_metrics.errors import UsageError

    compile_fault = grammars.compile_fault
    refused = iter([None, "not this one"])
    verdicts = {}

    def picky(lm, schema):
        if schema not in verdicts:
            verdicts[schema] = next(refused, None) or compile_fault(lm, schema)
        return verdicts[schema]

    monkeypatch.setattr(grammars, "compile_fault", picky)
    model = tiny_text.build(tmp_path / "model")
    options = {
        "model_args": f"pretrained={model},dtype=float32",
        "batch_size": 4,
        "device": "cpu",
        "limit": 4,
        "gen_kwargs": {"max_gen_toks": 16},
    }
    results = evaluate("hf", ["ifstruct_json_constrained_sample"], **options)
    generations = [line["diagnostics"]["generation"] for line in results["samples"]["ifstruct_json_constrained_sample"]]
    assert [one["constrained"] for one in generations] == ["constrained", "free", "constrained", "constrained"]
    assert generations[1]["reason"] == "not this one"
    assert "constrained.engine_refused" in generations[1]["codes"]
    assert all(one["seconds"] > 0 for one in generations)
    with pytest.raises(UsageError, match="has an engine of its own"):
        evaluate("hf", ["ifstruct_json_constrained_sample"], metadata={"engine": "openai"}, **options)
