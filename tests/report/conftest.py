"""Golden runs of the baselines, synthetic runs with every kind of fault, and a browser to open pages in."""

import pytest

from benchmarks.report_logs import write_run
from sobench_metrics.report.columns import open_columns
from sobench_metrics.report.gathering import gather
from sobench_metrics.report.page import write_page
from tests.report.browser import BROWSER, Browser


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory):
    """Two runs of 120 samples of both benchmarks: a poor one and a better one."""
    folder = tmp_path_factory.mktemp("synthetic")
    return [
        write_run(folder, name, 120, seed=seed, skill=skill)
        for name, seed, skill in (("poor", 1, 0.3), ("good", 2, 0.7))
    ]


@pytest.fixture(scope="session")
def gathered(synthetic):
    """Both synthetic runs, read."""
    return gather(open_columns(synthetic))


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all pages."""
    if BROWSER is None:
        pytest.skip("no Chromium or Chrome on the PATH to open the page in")
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def page_of(tmp_path):
    """`page_of(runs)` writes the page of some runs, without pictures, and returns its file."""

    def written(places, **more):
        file = tmp_path / "report.html"
        with file.open("w", encoding="utf-8") as opened:
            write_page(opened, gather(open_columns(places)), **more)
        return file

    return written
