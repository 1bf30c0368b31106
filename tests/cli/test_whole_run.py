"""The command line on a tiny text model: what a user types, sees and finds on the disk."""

import json
import signal
import subprocess
import sys

import pytest

from tests.cli.conftest import assert_one_sentence
from tests.engines import tiny_text
from tests.engines.chat_server import ChatServer, digest
from tests.engines.prepared_home import shape_samples, write_home

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_text.build(tmp_path_factory.mktemp("model") / "tiny")


def words(model, **more):
    options = {"--gen_kwargs": "max_gen_toks=16", "--model_args": f"pretrained={model},dtype=float32", **more}
    flat = [word for pair in options.items() for word in pair]
    return ["lm-eval", "run", "--model", "hf", "--device", "cpu", "--batch_size", "8", "--apply_chat_template", *flat]


def test_a_text_run_prints_a_table_and_leaves_results_and_samples(sobench, model, tmp_path):
    done = sobench(*words(model), "--tasks", "ifstruct_sample", "--limit", "9", "--log_samples", "--output_path", "out")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "|ifstruct_sample|" in done.stdout
    assert "pass_escaping" in done.stdout
    assert (
        "ifstruct_sample signature: task=ifstruct_sample:1.0|scores=official|reasoning=removed by the scorer|data=file:"
        in done.stderr
    )
    (results,) = tmp_path.glob("out/*/results_*.json")
    found = json.loads(results.read_text())
    assert found["n-samples"]["ifstruct_sample"] == {"original": 72, "effective": 9}
    assert found["versions"]["ifstruct_sample"] == 1.0
    config = found["configs"]["ifstruct_sample"]
    assert config["generation_kwargs"] == {"until": [], "max_gen_toks": 16, "do_sample": False, "temperature": 0.0}
    (samples,) = tmp_path.glob("out/*/samples_*.jsonl")
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    assert len(lines) == 9
    assert all(line["diagnostics"]["codes"] for line in lines)


def test_a_limit_that_leaves_no_room_is_a_sentence(sobench, model):
    done = sobench(
        *words(model, **{"--gen_kwargs": "max_gen_toks=99999"}), "--tasks", "ifstruct_sample", "--limit", "1"
    )
    assert_one_sentence(done, "max_gen_toks=N")


def test_help_and_version_and_tasks_dir(sobench):
    assert "baseline" in sobench("--help").stdout
    assert sobench("--version").stdout.startswith("sobench ")
    assert sobench("tasks-dir").stdout.strip().endswith("lm_eval_tasks/tasks")
    assert "--apply_chat_template" in sobench("lm-eval", "run", "--help").stdout
    assert sobench().returncode == 2


def test_check_passes_on_the_sample_tasks(sobench):
    done = sobench("check", "--tasks", "sobench_sample,ifstruct_sample", "--model", "hf-multimodal", "--images", "-1")
    assert done.returncode == 0, done.stdout
    assert "ok   sobench_chart_sample: 14 of 14 samples" in done.stdout
    assert "ok   ifstruct_sample: 72 rows" in done.stdout


def test_the_oracle_command_says_100_and_prints_signatures(sobench):
    done = sobench("baseline", "oracle", "--tasks", "sobench_ui_sample,ifstruct_json_sample")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "oracle: every score is 100" in done.stdout
    assert "task=sobench_ui_sample:1.0|scores=official+strict|reasoning=removed|data=sample-" in done.stdout
    assert "scored=36 of 36" in done.stdout


def test_a_run_killed_in_the_middle_goes_on_where_it_was(tmp_path, monkeypatch):
    samples = shape_samples(12)
    targets = {digest(sample.image): json.dumps(sample.target) for sample in samples}
    monkeypatch.setenv("SOBENCH_HOME", str(write_home(tmp_path / "home", {"ui": samples})))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    process = None

    def answer(_text, images):
        if process is not None and len(server.requests) > 8:
            process.kill()
        return targets[images[0].sha256]

    with ChatServer(answer) as server:
        run = [sys.executable, "-m", "sobench_metrics.cli.main", "lm-eval", "run", "--model", "local-chat-completions"]
        run += ["--model_args", f"model=m,base_url={server.url},num_concurrent=1", "--tasks", "sobench_ui"]
        run += ["--apply_chat_template", "--use_cache", str(tmp_path / "cache"), "--output_path", str(tmp_path / "out")]
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert process.wait() == -signal.SIGKILL
        killed, process = len(server.requests), None
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    assert len(server.requests) - killed <= 12 - 7  # eight were answered; the last may not have reached the disk
    (file,) = (tmp_path / "out").rglob("results_*.json")
    assert json.loads(file.read_text())["results"]["sobench_ui"]["strict_full_match,none"] == 1.0
