"""A server that misbehaves on demand, and a client whose pauses are noted instead of waited for."""

import pytest

from sobench_metrics.data.fetch.http import Http
from tests.engines.hostile_server import HostileServer


@pytest.fixture
def server():
    with HostileServer() as running:
        yield running


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def http(pauses):
    client = Http(sleep=pauses.append, timeout=20)
    yield client
    client.close()
