"""`sobench run` as a user types it: what there is, what it comes to, and what is told before a model is loaded."""

import os
import shlex
from pathlib import Path

import pytest
import yaml

from sobench_metrics.cli import main as entry
from sobench_metrics.cli import run as command
from sobench_metrics.cli.command import Command

GOOD = {"model": "hf", "model_args": {"pretrained": "m"}, "tasks": ["ifstruct_sample"]}


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run `sobench run WORDS...` in an empty folder and return status, output and what was told on the side."""
    monkeypatch.setattr(entry, "commands", lambda: {"run": command.RUN})
    monkeypatch.chdir(tmp_path)

    def call(*words):
        status = entry.main(["run", *map(str, words)])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def config(tmp_path):
    """Write a configuration and return its file."""

    def write(content, name="mine.yaml"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
        return file

    return write


def words_of(done):
    status, out, err = done
    assert (status, err) == (0, "")
    return shlex.split(out)


def told(done):
    status, out, err = done
    assert (status, out) == (2, "")
    (sentence,) = err.splitlines()
    return sentence


def test_without_a_name_every_configuration_has_a_line(run):
    status, out, _ = run()
    assert status == 0
    lines = out.splitlines()
    assert all("  " in line for line in lines[: lines.index("")])
    assert any(line.startswith("lm_eval/ifstruct_vllm") and "tensor_parallel_size" in line for line in lines)
    assert any(line.startswith("lighteval/both_server") for line in lines)


def test_a_bare_name_works_from_any_folder_and_means_lm_eval_s(run):
    assert words_of(run("ifstruct_vllm", "--dry-run"))[:5] == ["sobench", "lm-eval", "run", "--model", "vllm"]
    assert words_of(run("lighteval/ifstruct_vllm.yaml", "--dry-run"))[1:3] == ["lighteval", "vllm"]


def test_a_file_where_one_stands_comes_before_a_name(run, config):
    config({**GOOD, "model": "dummy"}, "ifstruct_hf")
    assert "dummy" in words_of(run("ifstruct_hf", "--dry-run"))


def test_values_are_set_inside_and_read_as_yaml(run, config):
    file = config({**GOOD, "gen_kwargs": {"temperature": 0.0, "until": []}})
    words = words_of(
        run(
            file,
            "--set",
            "gen_kwargs.max_gen_toks=16",
            "--set",
            "tasks=[a, b]",
            "--set",
            "limit=3",
            "--set",
            "metadata.reasoning=keep",
            "--dry-run",
            "--",
            "--verbosity",
            "DEBUG",
        )
    )
    options = dict(zip(words[3::2], words[4::2]))
    assert options["--gen_kwargs"] == '{"temperature": 0.0, "until": [], "max_gen_toks": 16}'  # merged, not replaced
    assert options["--tasks"] == "a,b"
    assert options["--limit"] == "3"
    assert options["--metadata"] == '{"reasoning": "keep"}'
    assert words[-2:] == ["--verbosity", "DEBUG"]


def test_every_kind_of_key_becomes_words(run, config):
    file = config(
        {
            **GOOD, "apply_chat_template": True, "fewshot_as_multiturn": False, "log_samples": True, "write_out": False,
            "output_path": "out", "seed": [0, None, 2, 3], "cache_requests": {"cache_requests": True}, "use_cache": None,
            "system_instruction": "Costs $5 at ~/home",
        }
    )  # fmt: skip
    line = " ".join(words_of(run(file, "--dry-run")))
    assert "--apply_chat_template" in line
    assert "--fewshot_as_multiturn false" in line
    assert "--log_samples" in line
    assert "--write_out" not in line
    assert "--seed 0,None,2,3" in line
    assert "--cache_requests true" in line
    assert "--use_cache" not in line
    assert "Costs $5 at ~/home" in line


def test_what_is_printed_is_what_is_run(run, config, monkeypatch):
    seen = []

    def note(args):
        seen.append((args.rest, os.environ.get("SOBENCH_SERVER_URL")))
        return 7

    class Found:
        def load(self):
            return Command("", note)

    real = __import__("importlib.metadata").metadata.entry_points

    def entry_points(group, name):
        return [Found()] if group == "sobench.commands" else real(group=group, name=name)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    monkeypatch.delenv("SOBENCH_SERVER_URL", raising=False)
    status, out, _ = run("both_server", "--", "--max-samples", "2")
    assert status == 7
    ((rest, url),) = seen
    assert shlex.split(out)[2:] == ["sobench", "lighteval", *rest]
    assert out.startswith(f"SOBENCH_SERVER_URL={url} ")
    assert "SOBENCH_SERVER_URL" not in os.environ


@pytest.mark.parametrize(("end", "status"), [(KeyboardInterrupt(), 130), (SystemExit(3), 3)])
def test_how_the_harness_ends_is_how_it_ends(run, monkeypatch, end, status):
    def harness(args):
        raise end

    registered = command._registered
    monkeypatch.setattr(
        command,
        "_registered",
        lambda group, name: Command("", harness) if group == command._COMMANDS else registered(group, name),
    )
    monkeypatch.delenv("SOBENCH_SERVER_URL", raising=False)
    if isinstance(end, SystemExit):
        with pytest.raises(SystemExit) as ended:
            run("both_server")
        assert ended.value.code == status
    else:
        done = run("both_server")
        assert (done[0], done[2]) == (status, "sobench: interrupted\n")
    assert "SOBENCH_SERVER_URL" not in os.environ


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"model_arg": {}}, "unknown key model_arg: did you mean model_args?"),
        ({"config": "other.yaml"}, "unknown key config"),
        ({"log_samples": True}, "log_samples needs a place: add output_path"),
        ({"limit": 3, "samples": {"ifstruct_sample": [1]}}, "samples and limit exclude each other"),
        ({"cache_requests": True}, "cache_requests must be a mapping"),
        (
            {"cache_requests": {"cache_requests": True, "delete_requests_cache": True}},
            "alone, not cache_requests, delete",
        ),
        ({"log_samples": "false"}, "log_samples is 'false', which counts as true"),
        ({"fewshot_as_multiturn": True}, "fewshot_as_multiturn needs a chat"),
        ({"tasks": []}, "no tasks are named"),
        ({"batch_size": None}, "batch_size is empty: leave it out"),
        ({"include_path": "nowhere"}, "there is no folder nowhere for include_path"),
        ({"include_path": ["a", "b"]}, "one include_path"),
        ({"output_path": "$HOME/out"}, "output_path holds $HOME, which nobody expands"),
        ({"model_args": {"pretrained": "~/models/m"}}, "model_args.pretrained holds ~/"),
    ],
)
def test_what_lm_eval_would_take_wrongly(run, config, change, sentence):
    assert sentence in told(run(config({**GOOD, **change}), "--dry-run"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"other": 1}, "unknown key other"),
        ({"sobench_run": None}, "has no sobench_run:"),
        ({"sobench_run": {"command": "baseline", "tasks": "t|0"}}, "sobench_run.command is 'baseline'"),
        ({"sobench_run": {"command": "accelerate"}}, "no tasks are named"),
        ({"sobench_run": {"command": "custom", "tasks": "t|0"}}, "custom needs a model's name"),
        ({"sobench_run": {"command": "vllm", "tasks": "t|0", "option": {}}}, "did you mean sobench_run.options?"),
        ({"sobench_run": {"command": "vllm", "tasks": "t|0", "options": "x"}}, "sobench_run.options must hold"),
        ({"model_parameters": None}, "has no model_parameters:"),
    ],
)
def test_what_lighteval_would_take_wrongly(run, config, change, sentence):
    good = {
        "model_parameters": {"model_name": "m"},
        "sobench_run": {"command": "accelerate", "tasks": "ifstruct_sample|0"},
    }
    assert sentence in told(run(config({**good, **change}), "--dry-run"))


def test_altered_settings_of_a_model_lie_beside_the_results(run):
    words = words_of(run("ifstruct_accelerate", "--set", "model_parameters.batch_size=2", "--dry-run"))
    written = yaml.safe_load(Path(words[3]).read_text(encoding="utf-8"))["model_parameters"]
    assert written["batch_size"] == 2
    assert written["model_name"] == "LiquidAI/LFM2.5-350M"
    assert words[3].startswith("results/model_")


def test_own_tasks_lie_beside_the_file_or_where_one_stands(run, config, tmp_path):
    (tmp_path / "elsewhere" / "tasks").mkdir(parents=True)
    file = config({**GOOD, "include_path": "tasks"}, "elsewhere/mine.yaml")
    words = words_of(run(file, "--dry-run"))
    assert words[words.index("--include_path") + 1] == str(tmp_path / "elsewhere" / "tasks")


def test_a_date_is_a_revision_and_no_date(run, config):
    """YAML makes dates of what a hub calls a revision, and neither JSON nor a harness takes them."""
    file = config("model: hf\nmodel_args: {pretrained: m, revision: 2024-08-06}\ntasks: [ifstruct_sample]\n")
    words = words_of(run(file, "--set", "metadata.when=2025-01-02T03:04:05", "--dry-run"))
    assert words[words.index("--model_args") + 1] == '{"pretrained": "m", "revision": "2024-08-06"}'
    assert words[words.index("--metadata") + 1] == '{"when": "2025-01-02T03:04:05"}'


@pytest.mark.parametrize("key", ["output-dir", "output_dir"])
def test_altered_settings_follow_the_results_however_the_option_is_written(run, config, key):
    run_part = {"command": "accelerate", "tasks": "ifstruct_sample|0", "options": {key: "elsewhere"}}
    file = config({"model_parameters": {"model_name": "m"}, "sobench_run": run_part})
    words = words_of(run(file, "--set", "model_parameters.batch_size=2", "--dry-run"))
    assert words[3].startswith("elsewhere/model_")
    assert words[-2:] == ["--output-dir", "elsewhere"]


def test_an_installation_of_before_is_told_so(run, monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group, name: [])
    assert "knows no `sobench lm-eval`: install it again" in told(run("ifstruct_hf", "--dry-run"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nobody",), "no file and no ready-made configuration 'nobody'"),
        (("ifstruct_hf", "--set", "limit"), "--set limit is no key=value"),
        (("ifstruct_hf", "--set", "model.name=x"), "--set model.name: model holds no keys"),
        (("--set", "limit=3"), "no configuration named"),
        (("list.yaml",), "is no run configuration"),
        (("broken.yaml",), "it must be YAML"),
        (("itself.yaml",), "itself.yaml is nested too deeply"),
        (("binary.yaml",), "binary.yaml holds a bytes, which no harness takes"),
        (("ifstruct_hf", "--set", "tasks=!!set {a, b}"), "--set tasks holds a set, which no harness takes"),
    ],
)
def test_mistakes_are_one_sentence(run, config, words, sentence):
    config("- a\n- b\n", "list.yaml")
    config("model: [", "broken.yaml")
    config("model: &one\n  again: *one\n", "itself.yaml")
    config("model: !!binary aGY=\n", "binary.yaml")
    assert sentence in told(run(*words))
