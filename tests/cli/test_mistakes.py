"""Bad input: one clear sentence with the remedy, status 2, nothing half-written."""

import json
import os
import subprocess
import sys

import pytest

from tests.cli.conftest import assert_one_sentence
from tests.engines.prepared_home import shape_samples, write_home
from tests.lm_eval_tasks.conftest import ROW


@pytest.mark.parametrize(
    "command", [("baseline", "oracle", "--tasks", "sobench_iu"), ("check", "--tasks", "sobench_iu")]
)
def test_an_unknown_task_is_named_with_the_known_ones(sobench, command):
    assert_one_sentence(sobench(*command), "unknown task 'sobench_iu'", "sobench_ui")


def test_an_unknown_task_of_lm_eval(sobench):
    done = sobench("lm-eval", "run", "--model", "dummy", "--tasks", "sobench_iu", "--include_path", ".")
    assert_one_sentence(done, "sobench_iu", "sobench check")


def test_a_group_and_its_member(sobench):
    both = ("--tasks", "sobench_sample,sobench_ui_sample", "--apply_chat_template")
    assert_one_sentence(sobench("lm-eval", "run", "--model", "dummy", *both), "a group or its members")


def test_missing_prepared_data_is_told_before_a_model_is_loaded(sobench, tmp_path):
    model = ("--model", "hf-multimodal", "--model_args", "pretrained=/no/such/model")
    done = sobench("lm-eval", "run", *model, "--tasks", "sobench_ui", "--apply_chat_template")
    assert_one_sentence(done, "no prepared SO-Bench data", "sobench prepare")
    assert "such/model" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_task_behind_a_config_file_is_checked_too(sobench, tmp_path):
    (tmp_path / "run.yaml").write_text("model: dummy\napply_chat_template: true\ntasks: [sobench_ui]\n")
    assert_one_sentence(sobench("lm-eval", "run", "--config", "run.yaml"), "sobench prepare")


def test_a_missing_chat_template_is_told_before_a_model_is_loaded(sobench):
    model = ("--model", "hf-multimodal", "--model_args", "pretrained=/no/such/model")
    assert_one_sentence(sobench("lm-eval", "run", *model, "--tasks", "sobench_ui_sample"), "--apply_chat_template")


def test_a_text_backend_is_told_before_a_model_is_loaded(sobench):
    model = ("--model", "hf", "--model_args", "pretrained=/no/such/model", "--apply_chat_template")
    assert_one_sentence(sobench("lm-eval", "run", *model, "--tasks", "sobench_ui_sample"), "--model hf-multimodal")


def test_missing_ifstruct_file(sobench):
    done = sobench("baseline", "oracle", "--tasks", "ifstruct", SOBENCH_IFSTRUCT="nowhere.jsonl")
    assert_one_sentence(done, "nowhere.jsonl", "SOBENCH_IFSTRUCT")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{not json", ("rows.jsonl", "parquet or JSONL")),
        ('{"prompt": "p"}', ("row 0", "lacks the column")),
        (json.dumps({"prompt": ""}), ("row 0",)),
        ("[1]", ("row 0", "not an object")),
        ("", ("holds no rows",)),
        (json.dumps({**ROW, "output_format": "xml"}), ("row 0", "'xml'", "json or yaml")),
        (json.dumps({**ROW, "json_schema": "{"}), ("row 0", "json_schema")),
    ],
)
def test_a_malformed_row_is_named(sobench, tmp_path, line, words):
    (tmp_path / "rows.jsonl").write_text(line + "\n")
    done = sobench("baseline", "oracle", "--tasks", "ifstruct", SOBENCH_IFSTRUCT="rows.jsonl")
    assert_one_sentence(done, *words)


def test_a_row_without_entity_type_is_scored(sobench, tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps({**ROW, "entity_type": None}) + "\n")
    done = sobench("baseline", "oracle", "--tasks", "ifstruct", SOBENCH_IFSTRUCT="rows.jsonl")
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_subset_without_rows_is_told(sobench, tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    done = sobench("baseline", "oracle", "--tasks", "ifstruct_yaml", SOBENCH_IFSTRUCT="rows.jsonl")
    assert_one_sentence(done, "ifstruct_yaml")


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--tasks", ""),
        ("baseline", "oracle", "--tasks", ","),
        ("baseline", "oracle", "--limit", "0"),
        ("lm-eval", "run", "--model", "dummy"),
        ("lm-eval", "--model", "dummy"),
        ("lm-eval", "run", "--model", "dummy", "--tasks", ""),
    ],
)
def test_nothing_to_run_is_told(sobench, words):
    assert_one_sentence(sobench(*words))


def test_missing_data_behind_a_pattern_is_told_before_a_model_is_loaded(sobench):
    model = ("--model", "hf-multimodal", "--model_args", "pretrained=/no/such/model", "--apply_chat_template")
    assert_one_sentence(sobench("lm-eval", "run", *model, "--tasks", "sobench_u*"), "sobench prepare")


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("target_json", None, "target_json is no text"),
        ("schema_json", "{", "schema_json is no JSON"),
        ("evaluation_labels_json", "{", "evaluation_labels_json is no JSON"),
        ("width", None, "width is no positive number"),
        ("domain", "chart", "its domain is 'chart'"),
    ],
)
def test_a_malformed_sample_is_named(sobench, tmp_path, column, value, words):
    import pyarrow as pa
    import pyarrow.parquet as pq

    home = write_home(tmp_path / "home", {"ui": shape_samples(3)})
    file = home / "data/ui/test-00000-of-00001.parquet"
    rows = pq.read_table(file).to_pylist()
    rows[1][column] = value
    pq.write_table(pa.Table.from_pylist(rows), file)
    done = sobench("baseline", "oracle", "--tasks", "sobench_ui", SOBENCH_HOME=str(home))
    assert_one_sentence(done, "row 1 of", words)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("prompts.json", {"system": 1, "user": "{schema_json}{user_intent}"}, "pair of prompts"),
        ("prompts.json", {"system": "S", "user": "no places"}, "pair of prompts"),
        ("manifest.json", {"counts": []}, "'counts' of the manifest"),
        ("manifest.json", [], "does not hold a JSON object"),
    ],
)
def test_a_damaged_side_file_is_named(sobench, tmp_path, file, content, words):
    home = write_home(tmp_path / "home", {"ui": shape_samples(2)})
    (home / file).write_text(json.dumps(content))
    assert_one_sentence(sobench("baseline", "oracle", "--tasks", "sobench_ui", SOBENCH_HOME=str(home)), words)


def test_an_unreadable_image_is_named(sobench, tmp_path):
    home = write_home(tmp_path / "home", {"ui": shape_samples(2)})
    file = home / "data/ui/test-00000-of-00001.parquet"
    data = bytearray(file.read_bytes())
    start = data.index(b"\xff\xd8\xff")
    data[start + 200 : start + 260] = bytes(60)
    file.write_bytes(bytes(data))
    done = sobench("check", "--tasks", "sobench_ui", "--images", "-1", SOBENCH_HOME=str(home))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "FAIL sobench_ui: row 0" in done.stdout


def test_a_lost_sample_is_never_a_smaller_denominator(sobench, tmp_path):
    home = write_home(tmp_path / "home", {"ui": shape_samples(2)})
    manifest = json.loads((home / "manifest.json").read_text())
    manifest["counts"]["domain"]["ui"] = 3
    (home / "manifest.json").write_text(json.dumps(manifest))
    done = sobench("baseline", "oracle", "--tasks", "sobench_ui", SOBENCH_HOME=str(home))
    assert_one_sentence(done, "holds 2 ui samples", "promises 3")


def test_the_plain_harness_tells_a_mistake_in_one_sentence_too(tmp_path):
    from lm_eval_tasks.autoload import TASKS_DIR

    command = [
        sys.executable,
        "-m",
        "lm_eval",
        "run",
        "--model",
        "dummy",
        "--tasks",
        f"{TASKS_DIR}/sobench/sobench_ui.yaml",
    ]
    env = {**os.environ, "SOBENCH_HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert_one_sentence(done, "sobench prepare")


def test_a_wrong_lm_eval_is_told(monkeypatch, capsys):
    from lm_eval_tasks import versions
    from sobench_metrics.cli.main import main

    for found, fault in (("0.4.12", True), ("0.5.0", True), ("0.4.13", False), ("0.4.14", False)):
        monkeypatch.setattr(versions, "version", lambda _name, found=found: found)
        assert (versions.lm_eval_fault() is not None) is fault
    monkeypatch.setattr(versions, "version", lambda _name: "0.4.9")
    assert main(["lm-eval", "run", "--tasks", "sobench_ui"]) == 2
    assert "lm-eval 0.4.9 is not supported" in capsys.readouterr().err


def test_a_wrong_lm_eval_is_told_by_the_plain_harness_too(tmp_path):
    code = "from lm_eval_tasks import versions; versions.version = lambda _: '0.4.12'\nimport lm_eval_tasks.task"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert_one_sentence(done, "lm-eval 0.4.12 is not supported", "pip install")


def test_a_missing_extra_is_told_with_the_command_to_type(monkeypatch, capsys):
    from lm_eval_tasks.commands import check
    from sobench_metrics.cli.main import main

    known = check.find_spec
    monkeypatch.setattr(check, "find_spec", lambda name: None if name in ("vllm", "ray") else known(name))
    assert main(["check", "--tasks", "sobench_ui_sample", "--model", "vllm-vlm"]) == 2
    assert "--model vllm-vlm lacks vllm, ray: `pip install 'sobench[vllm]'`" in capsys.readouterr().out


def test_a_text_backend_with_an_image_task_is_told(capsys):
    from sobench_metrics.cli.main import main

    assert main(["check", "--tasks", "sobench_ui_sample", "--model", "hf"]) == 2
    assert "use --model hf-multimodal" in capsys.readouterr().out


def test_constrained_tasks_are_checked_for_their_engine(monkeypatch, capsys):
    from lm_eval_tasks.commands import check_constrained
    from sobench_metrics.cli.main import main

    words = ["check", "--tasks", "ifstruct_json_constrained_sample", "--model", "hf"]
    main(words)
    out = capsys.readouterr().out
    assert "guidance holds 12 of 36 answers to their schemas" in out
    assert "24 not asked (no schema can say it): 1, 7, 8, 13, 19 and 19 more" in out
    assert main([*words[:-1], "openai-chat-completions"]) == 0
    assert "openai holds 3 of 36" in capsys.readouterr().out
    monkeypatch.setattr(check_constrained.grammar_engine, "installed", lambda: False)
    assert main(words) == 2
    assert "llguidance 1.8 or newer: `pip install 'sobench[grammar]'`" in capsys.readouterr().out
