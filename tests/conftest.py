"""What several rooms of tests share: the thread policy, and the taught model, which is taught once a session."""

import os
import signal

# before torch is imported: threads that spin while they wait make it many times slower on shared cores
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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
