"""vLLM's CPU engine, text and vision, in an environment of its own: `make test-vllm`."""

import json
import os
import subprocess
import sys

import pytest

from tests.engines import tiny_text
from tests.engines.prepared_home import shape_samples

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(900)]
ENGINE = "dtype=float32,max_model_len=2048,enforce_eager=True"


@pytest.fixture
def run(tmp_path):
    def run(name, *words):
        out = tmp_path / name
        env = {**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}
        command = [sys.executable, "-m", "sobench_metrics.cli.main", "lm-eval", "run", *words, "--apply_chat_template"]
        command += [
            "--batch_size",
            "auto",
            "--log_samples",
            "--output_path",
            str(out),
            "--gen_kwargs",
            "max_gen_toks=24",
        ]
        done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        (file,) = out.rglob("results_*.json")
        lines = [
            json.loads(line) for path in sorted(out.rglob("samples_*.jsonl")) for line in path.read_text().splitlines()
        ]
        said = sorted((line["doc_hash"], line["resps"][0][0]) for line in lines)
        return json.loads(file.read_text()), said, done

    return run


def test_text_rows_on_the_text_engine(run, rows_file, tmp_path):
    model = tiny_text.build(tmp_path / "model")
    results, said, _ = run(
        "text", "--model", "vllm", "--model_args", f"pretrained={model},{ENGINE}", "--tasks", "ifstruct"
    )
    assert len(said) == 6
    assert results["results"]["ifstruct"]["pass,none"] == 0.0


def test_both_kinds_in_both_orders_and_from_the_cache(run, taught, shape_home, rows_file, tmp_path):
    words = ("--model", "vllm-vlm", "--model_args", f"pretrained={taught},{ENGINE},max_images=1", "--tasks")
    cache = ("--use_cache", str(tmp_path / "cache"))
    first, said_first, _ = run("first", *words, "ifstruct,sobench_ui,sobench_chart", *cache)
    second, said_second, _ = run("second", *words, "sobench_chart,sobench_ui,ifstruct")
    _, said_cached, done = run("cached", *words, "ifstruct,sobench_ui,sobench_chart", *cache)
    assert len(said_first) == 26
    assert said_first == said_second == said_cached
    assert "12 in the cache, 0 to ask" in done.stderr or "20 in the cache, 0 to ask" in done.stderr
    for results in (first, second):
        for task, count in (("sobench_ui", 12), ("sobench_chart", 8)):
            assert results["n-samples"][task]["effective"] == count
            assert results["results"][task]["strict_full_match,none"] >= 0.7
    answers = {json.dumps(sample.target) for sample in shape_samples(20)}
    assert sum(text in answers for _, text in said_first) >= 14


def test_each_prompt_brings_its_own_schema(run, taught, shape_home, rows_file, tmp_path):
    """One call of the engine with as many schemas as prompts, free ones among them; all that ended is valid."""
    import jsonschema

    words = ("--model", "vllm-vlm", "--model_args", f"pretrained={taught},{ENGINE},max_images=1", "--tasks")
    results, said, done = run("held", *words, "sobench_ui,sobench_ui_constrained")
    assert len(said) == 24
    figures = results["results"]["sobench_ui_constrained"]
    assert figures["schema_validity,none"] == 1.0
    assert (figures["free,none"], figures["skipped,none"]) == (0.0, 0.0)
    assert "|constraint=vllm/json_schema|samples=constrained:12|" in done.stderr

    model = tiny_text.build(tmp_path / "model")
    words = ("--model", "vllm", "--model_args", f"pretrained={model},{ENGINE}", "--tasks")
    run("text", *words, "ifstruct_json_constrained_sample", "--limit", "12")
    (file,) = (tmp_path / "text").rglob("samples_*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    schemas = {line["arguments"]["gen_args_0"]["arg_2"]["constraint"]["schema"] for line in lines}
    assert len(schemas) == 12
    for line in lines:
        assert line["resps"][0][0].lstrip()[:1] in ("[", "{")
        if line["diagnostics"]["generation"]["limit"] is False:
            schema = json.loads(line["arguments"]["gen_args_0"]["arg_2"]["constraint"]["schema"])
            jsonschema.validate(json.loads(line["resps"][0][0]), schema)
