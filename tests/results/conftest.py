"""The golden logs of the baselines, made once a session, and copies of them to alter."""

import pytest

from tests.engines.golden_logs import Edit, GoldenLogs


@pytest.fixture(scope="session")
def golden(tmp_path_factory):
    """The folders of whole runs by baseline; not to be written into."""
    return GoldenLogs(tmp_path_factory.mktemp("golden"))


@pytest.fixture
def edit(golden, tmp_path):
    """`edit(kind)` copies a golden run so that it can be altered."""
    copies = iter(range(100))
    return lambda kind: Edit(golden[kind], tmp_path / f"copy{next(copies)}")
