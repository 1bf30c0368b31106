"""What several rooms of tests share: the thread policy, and the models and logs that are made once a session."""

import os
import signal

# before torch is imported: threads that spin while they wait make it many times slower on shared cores
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sobench_metrics.cli import main as entry
from tests.engines.golden_logs import Edit, GoldenLogs
from tests.engines.prepared_home import SYSTEM, USER_TEXT

# a suite started in the background of a shell is deaf to Ctrl-C, and so would be every command that it starts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# no verdict may hang on how busy the machine is
settings.register_profile("sobench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sobench")

CACHE = Path(__file__).resolve().parents[1] / ".cache"


@pytest.fixture(scope="session")
def taught():
    """A tiny vision model that answers the shape prompt, and no other, by what it sees; kept in .cache."""
    pytest.importorskip("torch")
    from filelock import FileLock

    from tests.engines import taught_vlm

    CACHE.mkdir(exist_ok=True)
    with FileLock(CACHE / "taught.lock"):  # tests run in several processes
        return taught_vlm.cached(CACHE, SYSTEM, USER_TEXT)


@pytest.fixture(scope="session")
def golden(tmp_path_factory):
    """The folders of whole runs by baseline; not to be written into."""
    return GoldenLogs(tmp_path_factory.mktemp("golden"))


@pytest.fixture
def edit(golden, tmp_path):
    """`edit(kind)` copies a golden run so that it can be altered."""
    copies = iter(range(100))
    return lambda kind: Edit(golden[kind], tmp_path / f"copy{next(copies)}")


@pytest.fixture
def typed(monkeypatch, capsys):
    """`typed("score", SCORE)` calls `sobench score WORDS...` here: status, output and what was told on the side."""

    def called(name, command):
        monkeypatch.setattr(entry, "commands", lambda: {name: command})

        def run(*words):
            capsys.readouterr()  # what was said before, as by the making of golden logs
            status = entry.main([name, *map(str, words)])
            return status, *capsys.readouterr()

        return run

    return called
