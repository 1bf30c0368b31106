"""The commands, run as a user runs them: in a process of their own."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def sobench(tmp_path):
    """Run `sobench WORDS...` in an empty folder and return the finished process."""

    def run(*words, **environment):
        env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SOBENCH_")},
            "HF_HUB_OFFLINE": "1",
            "HOME": str(tmp_path),
            "HF_HOME": str(tmp_path / "hf"),
            **environment,
        }
        command = [sys.executable, "-m", "sobench_metrics.cli.main", *words]
        return subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)

    return run


def assert_one_sentence(done, *words):
    """The process ended with status 2, a sentence holding the words, and no traceback."""
    assert done.returncode == 2, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("sobench: ")]
    for word in words:
        assert word in sentence, sentence


def assert_told(called, *words):
    """The command was called by `typed`, ended with status 2, and told one sentence holding the words."""
    status, out, err = called
    assert (status, out) == (2, "")
    (sentence,) = err.splitlines()
    for word in ("sobench: ", *words):
        assert word in sentence
