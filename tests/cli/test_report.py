"""`sobench report` as a user runs it: files whole or not at all, mistakes told in one sentence."""

import os
import signal
import subprocess
import sys

import pytest

from benchmarks.report_logs import write_run
from tests.cli.conftest import assert_one_sentence


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return str(write_run(tmp_path_factory.mktemp("runs"), "some", 24, seed=3, skill=0.5))


def test_page_markdown_and_csv(sobench, run, tmp_path):
    done = sobench("report", run, "-o", "page.html", "--markdown", "page.md", "--csv", "page.csv", "--published")
    assert done.returncode == 0, done.stderr
    assert "24 samples, 24 answers written to page.html" in done.stdout
    assert "do not publish it" in done.stdout
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
    ],
)
def test_mistakes(sobench, run, tmp_path, words, told):
    done = sobench("report", *(run if word == "RUN" else word for word in words))
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
def judged(sample):
    seen.append(sample)
    if len(seen) == 5:
        os.kill(os.getpid(), signal.SIGINT)
    return judge(sample)
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
