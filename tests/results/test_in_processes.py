"""Workers that are ended, and a user who has seen enough."""

import errno
import multiprocessing
import os
import pickle
import signal
import struct
import subprocess
import sys

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results import worker
from sobench_metrics.results.in_processes import in_processes
from sobench_metrics.results.reading import FORMATS, open_runs
from sobench_metrics.results.scored_pieces import pieces_of
from tests.results.prediction_files import ifstruct_row, mixed_rollouts, write
from tests.results.scoring import scored


@pytest.fixture
def under_way(tmp_path):
    """A run of which two workers have given the first piece back; pieces and results are more than a pipe holds."""
    lines = [{**line, "response": f"{line['response']}{' ' * 400}"} for line in mixed_rollouts(4000)]
    (run,) = open_runs(write(tmp_path / "a.jsonl", lines)).values()
    pieces = in_processes(run, None, pieces_of(FORMATS[run.format].items(run)), 2, as_lines=True)
    next(pieces)
    yield pieces
    pieces.close()


def test_a_worker_that_the_system_ends_is_told(under_way):
    multiprocessing.active_children()[0].kill()
    with pytest.raises(UsageError, match=r"a scoring process ended.*fewer --workers"):
        list(under_way)
    assert multiprocessing.active_children() == []


def serve_half(_work, pipe):
    """A worker that is killed while it writes: the length of a long result, and then nothing."""
    os.write(pipe.fileno(), struct.pack("!i", 1_000_000) + b"the beginning")
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_in_the_middle_of_a_result_is_lost_and_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "_serve", serve_half)
    lost = worker.Worker(tmp_path)
    with pytest.raises(worker.WorkerLostError):
        lost.result()
    with pytest.raises(worker.WorkerLostError):
        lost.give([(1, "x" * 1_000_000)])
    lost.end()


def test_a_fault_in_a_worker_is_told_in_whole(tmp_path):
    (tmp_path / "work").write_bytes(pickle.dumps((None, None, False)))
    one = worker.Worker(tmp_path / "work")
    one.give([(1, "{}")])
    with pytest.raises(RuntimeError, match=r"(?s)a scoring process failed:.*Traceback.*AttributeError"):
        one.result()
    one.end()


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


def started_on(file, out):
    """The command in a process group of its own, with a word for every piece."""
    program = (
        "import sys, sobench_metrics.cli.main as m, sobench_metrics.cli.score as s; shown = s._shown;"
        "s._shown = lambda run, pieces: ((print('a piece', flush=True), piece)[1] for piece in shown(run, pieces));"
        "m.commands = lambda: {'score': s.SCORE};"
        "sys.exit(m.main(['score', sys.argv[1], '--workers', '2', '--out', sys.argv[2]]))"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, str(file), str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def test_ctrl_c_ends_the_command_and_leaves_nothing(tmp_path):
    file = write(tmp_path / "a.jsonl", mixed_rollouts(20_000))
    started = started_on(file, tmp_path / "out.jsonl")
    assert started.stdout.readline() == "a piece\n"
    os.killpg(started.pid, signal.SIGINT)  # as a terminal sends it, to the workers too
    _, told = started.communicate(timeout=60)  # returns when the last process that holds the pipes is gone
    assert started.returncode == 130
    assert told.strip() == "sobench: interrupted"
    assert list(tmp_path.iterdir()) == [file]


def test_workers_end_when_their_parent_is_killed(tmp_path):
    """And when it is asked to end, as schedulers ask, nothing half-written is left either."""
    file = write(tmp_path / "a.jsonl", mixed_rollouts(20_000))
    for number, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 143)):
        started = started_on(file, tmp_path / "out.jsonl")
        assert started.stdout.readline() == "a piece\n"
        started.send_signal(number)
        _, told = started.communicate(timeout=60)  # the workers hold the pipes, too
        assert (started.returncode, told) == (status, "")
        left = [path for path in tmp_path.iterdir() if path != file]
        assert bool(left) == (number == signal.SIGKILL)
        for path in left:
            path.unlink()


def test_workers_end_at_once_when_a_line_cannot_be_written(tmp_path):
    """And not when the error is forgotten: it is told much later, perhaps at the interpreter's end."""

    def full(_line):
        raise OSError(errno.ENOSPC, "no space left")

    with pytest.raises(OSError, match="no space left"):
        scored(write(tmp_path / "a.jsonl", mixed_rollouts(4000)), workers=2, write=full)
    assert multiprocessing.active_children() == []
