"""`accelerate` on text: IFStruct as lm-eval asks it, whole prompts, and no picture lost on the way."""

import json
import os
import subprocess
import sys

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct import figures
from tests.engines import tiny_text
from tests.lighteval_tasks.conftest import with_many_ends
from tests.lm_eval_tasks.conftest import answers

pytestmark = pytest.mark.engine
LIMIT = 12


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_text.build(tmp_path_factory.mktemp("text") / "model")


@pytest.fixture(autouse=True)
def _short_answers(monkeypatch):
    monkeypatch.setenv("SOBENCH_MAX_TOKENS", str(LIMIT))


def test_both_harnesses_agree(lighteval, evaluate, model_yaml, tmp_path, rows_file):
    model = with_many_ends(tiny_text.build(tmp_path / "model"))
    ours = lighteval("accelerate", model_yaml(model, batch_size=4), "ifstruct|0")
    theirs = evaluate(
        "hf",
        ["ifstruct"],
        model_args=f"pretrained={model},dtype=float32",
        batch_size=4,
        device="cpu",
        gen_kwargs={"max_gen_toks": LIMIT},
    )
    lines = sorted(theirs["samples"]["ifstruct"], key=lambda line: line["doc_id"])
    assert ours.answers("ifstruct") == answers(theirs, "ifstruct")
    assert len({len(line["model_response"]["text"][0]) for line in ours.details("ifstruct").values()}) > 1
    for number, detail in ours.details("ifstruct").items():
        assert detail["doc"]["query"] == lines[number]["doc"]["prompt"]
        found = detail["metric"]["ifstruct"]["figures"]
        assert found["pass"] == [lines[number]["pass"], 1.0]
        for name in figures.SLICES:
            expected = lines[number][f"pass_{name}"]
            assert found[f"pass_{name}"] == ([0.0, 0.0] if expected is None else [expected, 1.0])
    numbers = ours.figures("ifstruct")
    expected = {key.split(",")[0]: value for key, value in theirs["results"]["ifstruct"].items() if "," in key}
    expected = {key: value for key, value in expected.items() if isinstance(value, float)}
    assert {key: numbers[key] for key in expected} == pytest.approx(expected, abs=1e-12)
    assert ours.signature("ifstruct")["n"] == "6/6"


def test_the_tokens_of_a_prompt_are_those_of_lm_eval(lighteval, evaluate, model_yaml, model, rows_file, monkeypatch):
    from lm_eval.models.huggingface import HFLM

    asked = []
    encode = HFLM.tok_batch_encode
    monkeypatch.setattr(
        HFLM, "tok_batch_encode", lambda self, *a, **k: asked.append(encode(self, *a, **k)) or asked[-1]
    )
    options = {"model_args": f"pretrained={model},dtype=float32", "device": "cpu"}
    evaluate("hf", ["ifstruct"], batch_size=1, gen_kwargs={"max_gen_toks": 1}, **options)
    theirs = {tuple(ids[0].tolist()) for ids, _ in asked}
    ours = lighteval("accelerate", model_yaml(model, batch_size=1), "ifstruct|0").details("ifstruct")
    assert {tuple(line["model_response"]["input_tokens"]) for line in ours.values()} == theirs


def test_two_beginnings_are_told(lighteval, model_yaml, model, rows_file, caplog, tmp_path):
    # a tokenizer that begins every text with BOS, as Llama's do, behind a template that writes it too
    import shutil

    shutil.copytree(model, tmp_path / "doubling")
    file = tmp_path / "doubling/tokenizer.json"
    tokenizer = json.loads(file.read_text())
    begin = next(token for token in tokenizer["added_tokens"] if token["content"] == "<|turn|>")
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<|turn|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<|turn|>": {"id": "<|turn|>", "ids": [begin["id"]], "tokens": ["<|turn|>"]}},
    }
    file.write_text(json.dumps(tokenizer))
    lighteval("accelerate", model_yaml(tmp_path / "doubling", batch_size=6, add_special_tokens=False), "ifstruct|0")
    assert "two BOS tokens" not in caplog.text
    lighteval("accelerate", model_yaml(tmp_path / "doubling", batch_size=6, add_special_tokens=True), "ifstruct|0")
    assert caplog.text.count("two BOS tokens") == 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"max_length": 40}, r"takes \d+ tokens where 40 fit"),
        ({"generation_parameters": {"max_new_tokens": 16}}, "remove it and set SOBENCH_MAX_TOKENS"),
    ],
)
def test_a_prompt_is_never_cut(lighteval, model_yaml, model, rows_file, settings, sentence):
    with pytest.raises(UsageError, match=sentence):
        lighteval("accelerate", model_yaml(model, batch_size=2, **settings), "ifstruct|0")


THEIRS = """
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

def ask(line, task_name):
    return Doc(query=line["text"], choices=["yes"], gold_index=0, specific={"x": 1})

TASKS_TABLE = [
    LightevalTaskConfig(
        name="theirs", prompt_function=ask, hf_repo=FOLDER, hf_subset="default", hf_avail_splits=["test"],
        evaluation_splits=["test"], metrics=[Metrics.exact_match], generation_size=LIMIT, stop_sequence=[],
    )
]
"""


def test_what_others_prompts_lose_is_theirs_and_ours_stay_whole(lighteval, model_yaml, model, rows_file, tmp_path):
    """One run, one pool. Their prompt is cut to the window as ever; ours with the most tokens has the fewest letters."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    (tmp_path / "theirs").mkdir()
    pq.write_table(pa.table({"text": [f"{n} " + "word " * 400 for n in range(5)]}), tmp_path / "theirs/test.parquet")
    folder = str(tmp_path / "theirs")
    (tmp_path / "theirs.py").write_text(THEIRS.replace("FOLDER", repr(folder)).replace("LIMIT", str(LIMIT)))
    rows = [json.loads(line) for line in rows_file.read_text().splitlines()]
    rows[4]["prompt"] = "\U0001f642" * 50
    rows_file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = lighteval(
        "accelerate",
        model_yaml(model, batch_size=3, max_length=300),
        "theirs|0,ifstruct|0",
        "--custom-tasks",
        tmp_path / "theirs.py",
    )
    assert {len(line["model_response"]["input_tokens"]) for line in found.details("theirs").values()} == {300}
    tokens = {number: len(line["model_response"]["input_tokens"]) for number, line in found.details("ifstruct").items()}
    assert 200 < tokens[4] < 300
    alone = lighteval("accelerate", model_yaml(model, batch_size=3, max_length=300), "ifstruct|0")
    assert found.answers("ifstruct") == alone.answers("ifstruct")


def test_a_text_route_refuses_to_lose_pictures_before_a_model_is_loaded(lighteval, model_yaml, shape_home):
    with pytest.raises(UsageError, match="drops the image of sobench:ui"):
        lighteval("accelerate", model_yaml("no/such-model"), "sobench:ui|0")


def test_answers_are_reused_until_rows_or_weights_change(
    lighteval, model_yaml, model, rows_file, monkeypatch, tmp_path
):
    import shutil

    from lighteval.models.transformers.transformers_model import TransformersModel

    asked = []
    generate = TransformersModel._padded_greedy_until
    monkeypatch.setattr(
        TransformersModel,
        "_padded_greedy_until",
        lambda self, docs: asked.append(len(docs)) or generate(self, docs),
    )
    own = shutil.copytree(model, tmp_path / "own")
    settings = model_yaml(own, batch_size=6)
    first = lighteval("accelerate", settings, "ifstruct|0")
    again = lighteval("accelerate", settings, "ifstruct|0")
    assert asked == [6]
    assert again.answers("ifstruct") == first.answers("ifstruct")
    rows_file.write_text(rows_file.read_text().replace("(number 3)", "(number three)"))
    changed = lighteval("accelerate", settings, "ifstruct|0")
    assert asked == [6, 6]
    assert "(number three)" in changed.details("ifstruct")[3]["doc"]["query"]
    tiny_text.build(own, seed=1)  # the next checkpoint, in the same folder
    trained = lighteval("accelerate", settings, "ifstruct|0")
    assert asked == [6, 6, 6]
    assert trained.answers("ifstruct") != changed.answers("ifstruct")
    assert not [path for path in own.iterdir() if path.is_dir()]  # no answers among the weights


def test_the_plain_command_finds_the_tasks_wherever_one_stands(model_yaml, model, rows_file, tmp_path):
    """lighteval's own console command, offline, in a folder whose names are traps; the tasks module by its dotted name."""
    (tmp_path / "lighteval_tasks").mkdir()
    (tmp_path / "ifstruct").mkdir()
    # what its import of tinyBenchmarks fetches at every start, which only our own command repairs
    code = (
        "import requests, sys, types; requests.get = lambda *a, **k: types.SimpleNamespace(status_code=0);"
        "import nltk; nltk.download = lambda *a, **k: True;"
        "from lighteval.__main__ import app; sys.argv[0] = 'lighteval'; app()"
    )
    words = [
        "accelerate",
        str(model_yaml(model, batch_size=6)),
        "ifstruct|0",
        "--custom-tasks",
        "lighteval_tasks.tasks",
    ]
    done = subprocess.run(
        [sys.executable, "-P" if sys.version_info >= (3, 11) else "-s", "-c", code, *words, "--output-dir", "out"],
        cwd=tmp_path,
        env={**os.environ, "SOBENCH_MAX_TOKENS": "4", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "sobench signature: task=ifstruct:1|" in done.stderr
    assert "max_tokens=4|" in done.stderr
    assert "|ifstruct:0|" in done.stdout
