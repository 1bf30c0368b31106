"""The command line itself: Ctrl-C at any moment, an output that cannot be written, words that nobody knows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines.prepared_set import write_set

FULL = Path("/dev/full")

INTERRUPTED = """
import os, signal, sys
from sobench_metrics.cli.main import main

class Ctrl_C:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Ctrl_C)
sys.exit(main(["tasks-dir"]))
"""


@pytest.mark.parametrize("module", ["importlib.metadata", "sobench_metrics.cli.verify", "lm_eval_tasks.commands.run"])
def test_an_interrupt_while_commands_are_loaded_is_one_line(tmp_path, module):
    code = INTERRUPTED.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "sobench: interrupted\n")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full, which is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["status"], ["export-hashes"], ["verify"], ["tasks-dir"]])
def test_an_output_on_a_full_disk_is_one_sentence(tmp_path, words, unbuffered):
    write_set(tmp_path)
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sobench_metrics.cli.main", *words], stdout=full, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "SOBENCH_HOME": str(tmp_path), "PYTHONUNBUFFERED": unbuffered}, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "sobench: the disk is full, the output is not whole: free space and repeat the command.\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_went_away_is_no_mistake(tmp_path, unbuffered):
    write_set(tmp_path)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "sobench_metrics.cli.main", "status"], stdout=writer, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "SOBENCH_HOME": str(tmp_path), "PYTHONUNBUFFERED": unbuffered}, check=False,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "usage", "fault"),
    [
        (["prepare", "--bogus"], "usage: sobench prepare ", "--bogus"),
        (["verify", "extra"], "usage: sobench verify ", "extra"),
        (["--bogus"], "usage: sobench [", "--bogus"),
    ],
)
def test_an_unknown_word_is_told_with_the_usage_of_its_command(sobench, words, usage, fault):
    done = sobench(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(usage)
    assert done.stderr.splitlines()[-1].endswith(f"error: unrecognized arguments: {fault}")


def test_no_words_show_the_commands(sobench):
    done = sobench()
    assert done.returncode == 2
    assert "export-hashes" in done.stdout
    assert "(sobench" not in done.stdout
