"""Workers that are ended, and a user who has seen enough."""

import multiprocessing
import os
import signal
import subprocess
import sys

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results.in_processes import in_processes
from sobench_metrics.results.reading import FORMATS, open_runs
from sobench_metrics.results.scored_pieces import pieces_of
from tests.results.prediction_files import ifstruct_row, mixed_rollouts, write


@pytest.fixture
def under_way(tmp_path):
    """A run of which two workers have given the first piece back."""
    (run,) = open_runs(write(tmp_path / "a.jsonl", mixed_rollouts(4000))).values()
    pieces = in_processes(run, None, pieces_of(FORMATS[run.format].items(run)), 2)
    next(pieces)
    yield pieces
    pieces.close()


def test_a_worker_that_the_system_ends_is_told(under_way):
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(UsageError, match=r"a scoring process ended.*fewer --workers"):
        list(under_way)
    assert multiprocessing.active_children() == []


def test_workers_that_cannot_start_are_told_whatever_they_should_have_been_given(tmp_path):
    """The rows are more than a pipe holds, and the main program is one that no worker can load."""
    rows = write(tmp_path / "rows.jsonl", [ifstruct_row(number, note="x" * 2000) for number in range(800)])
    answers = write(tmp_path / "a.jsonl", [{"id": number, "response": "[]"} for number in range(800)])
    program = (
        "import sys; from pathlib import Path; from tests.results.scoring import scored\n"
        "scored(Path(sys.argv[1]), file=Path(sys.argv[2]), workers=2)"
    )
    done = subprocess.run(
        [sys.executable, "-", str(answers), str(rows)],
        input=program, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        "a scoring process ended, mostly for lack of memory: repeat with fewer --workers."
    )


def test_workers_end_with_whoever_asked_them(under_way):
    assert multiprocessing.active_children()
    under_way.close()
    assert multiprocessing.active_children() == []


def test_ctrl_c_ends_the_command_and_leaves_nothing(tmp_path):
    file = write(tmp_path / "a.jsonl", mixed_rollouts(20_000))
    program = (
        "import sys, sobench_metrics.cli.main as m, sobench_metrics.cli.score as s; shown = s._shown;"
        "s._shown = lambda run, pieces: ((print('a piece', flush=True), piece)[1] for piece in shown(run, pieces));"
        "m.commands = lambda: {'score': s.SCORE};"
        "sys.exit(m.main(['score', sys.argv[1], '--workers', '2', '--out', sys.argv[2]]))"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", program, str(file), str(tmp_path / "out.jsonl")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert started.stdout.readline() == "a piece\n"
    os.killpg(started.pid, signal.SIGINT)  # as a terminal sends it, to the workers too
    _, told = started.communicate(timeout=60)  # returns when the last process that holds the pipes is gone
    assert started.returncode == 130
    assert told.strip() == "sobench: interrupted"
    assert list(tmp_path.iterdir()) == [file]
