"""`sobench report` as a user runs it: files whole or not at all, mistakes told in one sentence."""

import os
import signal
import subprocess
import sys

import pytest

from benchmarks.report_logs import write_run
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.data.sample import ifstruct_rows_file
from tests.cli.conftest import assert_one_sentence
from tests.results.prediction_files import write


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return str(write_run(tmp_path_factory.mktemp("runs"), "some", 24, seed=3, skill=0.5))


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Texts with the ids of the bundled rows, and nothing else."""
    lines = [{"id": row["doc_id"], "response": ifstruct_answer(row)} for row in load_rows(ifstruct_rows_file()).rows]
    return str(write(tmp_path_factory.mktemp("answers") / "answers.jsonl", lines))


def test_answers_without_rows_and_a_run_stand_on_one_page(sobench, run, answers, tmp_path):
    done = sobench("report", run, answers, "--rows", "ifstruct_sample", "--no-images", "--markdown", "both.md")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "both.md").read_text(encoding="utf-8")
    assert "(model not told) answers.jsonl" in text
    assert "100.0 [94.9 to 100.0] 72/72" in text


def test_page_markdown_and_csv(sobench, run, tmp_path):
    done = sobench("report", run, "-o", "page.html", "--markdown", "page.md", "--csv", "page.csv", "--published")
    assert done.returncode == 0, done.stderr
    assert "24 samples, 24 answers written to page.html" in done.stdout
    assert "Do not publish this page" in done.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count('id="picture-') == 12
    assert "Darwin-180B" in (tmp_path / "page.md").read_text(encoding="utf-8")
    assert (tmp_path / "page.csv").read_text(encoding="utf-8").startswith("task,run,model,kind,")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["page.csv", "page.html", "page.md"]


def test_without_images_and_of_one_task(sobench, run, tmp_path):
    done = sobench("report", run, "--tasks", "sobench_ui", "--no-images", "--published")
    assert done.returncode == 0, done.stderr
    assert "written to report.html" in done.stdout
    assert 'id="picture-' not in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "published figures are about the whole" in done.stderr


def test_pictures_that_find_no_room_are_counted(sobench, run):
    done = sobench("report", run, "--picture-megabytes", "0.00001")
    assert done.returncode == 0, done.stderr
    assert "12 of 12 pictures not shown" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), ("there is no nowhere",)),
        (("RUN", "RUN"), ("named twice",)),
        (("RUN", "--tasks", "other"), ("no task other", "ifstruct")),
        (("RUN", "-o", "no/such/folder/page.html"), ("cannot write", "folder")),
        (("RUN", "-o", "."), ("cannot write", "plain file")),
        (("RUN", "-o", "x", "--csv", "x"), ("same file",)),
        (("RUN", "--csv", "no/such/x.csv"), ("cannot write",)),
        (("RUN", "--picture-megabytes", "0"), ("--picture-megabytes 0",)),
        (("RUN", "--picture-megabytes", "nan"), ("--picture-megabytes nan",)),
        (("ANSWERS",), ("answers without rows", "--rows")),
        (("ANSWERS", "--rows", "nowhere.jsonl"), ("there is no nowhere.jsonl", "--rows")),
        (("ANSWERS", "--rows", "ifstruct_smple"), ("no task ifstruct_smple",)),
        (("ANSWERS", "--rows", "ifstruct_hard_sample"), ("line 1", "no row of")),
    ],
)
def test_mistakes(sobench, run, answers, tmp_path, words, told):
    places = {"RUN": run, "ANSWERS": answers}
    done = sobench("report", *(places.get(word, word) for word in words))
    assert_one_sentence(done, *told)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_log_leaves_the_old_page(sobench, tmp_path):
    folder = write_run(tmp_path / "runs", "cut", 8, seed=3, skill=0.5)
    (log,) = folder.rglob("samples_ifstruct_*.jsonl")
    log.write_text(log.read_text(encoding="utf-8")[:-200], encoding="utf-8")
    (tmp_path / "report.html").write_text("the old one")
    assert_one_sentence(sobench("report", str(folder)), "is not whole")
    assert (tmp_path / "report.html").read_text() == "the old one"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["report.html", "runs"]


INTERRUPTED = """
import os, signal, sys
from sobench_metrics.report import gathering
judge, seen = gathering.judge, []
def judged(*asked):
    seen.append(asked)
    if len(seen) == 5:
        os.kill(os.getpid(), signal.SIGINT)
    return judge(*asked)
gathering.judge = judged
from sobench_metrics.cli.main import main
sys.exit(main(["report", sys.argv[1], "-o", "page.html", "--csv", "page.csv"]))
"""


def test_ctrl_c_leaves_no_half_file(run, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, run], cwd=tmp_path, capture_output=True, text=True, env=os.environ.copy(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler), check=False,
    )  # fmt: skip
    assert done.returncode == 130
    assert done.stderr.strip() == "sobench: interrupted"
    assert list(tmp_path.iterdir()) == []
