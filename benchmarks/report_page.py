"""What a report costs: time, memory and size of 2,000 samples x 5 runs, and in Chromium the time to open and filter.

    python -m benchmarks.report_page [--samples 2000] [--runs 5] [--keep FOLDER]

Runs are synthetic (`report_logs`); the page is built in a process of its own, whose peak memory is the figure.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.report_logs import write_run

_OPEN: Final = "document.body.dataset.ready === 'true'"
_PAINT: Final = """
const entries = performance.getEntriesByType("paint").filter((entry) => entry.name === "first-contentful-paint");
return entries.length ? entries[0].startTime : null;
"""
_READY: Final = f"""
while (!({_OPEN})) await new Promise((done) => requestAnimationFrame(done));
return performance.now();
"""
_FILTER: Final = """
const form = document.getElementById("filters");
const before = performance.now();
form.elements["verdict-0"].value = "failed";
form.elements["verdict-1"].value = "passed";
await applyFilters();
await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
return [performance.now() - before, found.length];
"""
_SEARCH: Final = """
const form = document.getElementById("filters");
form.elements["verdict-0"].value = form.elements["verdict-1"].value = "";
form.elements.search.value = WORD;
const before = performance.now();
await applyFilters();
await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
return [performance.now() - before, found.length];
"""
_SHOW: Final = """
const before = performance.now();
await showSample(index.samples[index.samples.length - 3], false);
await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
return performance.now() - before;
"""


def main() -> int:
    """Make the runs, build the page, open it, print what it took."""
    args = _arguments()
    if args.child:
        from sobench_metrics.cli.main import main as sobench

        status = sobench(["report", *args.child])
        print(f"peak={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
        return status
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        runs = [
            write_run(folder, f"run{number}", args.samples, seed=number, skill=0.3 + 0.12 * number)
            for number in range(args.runs)
        ]
        _build(folder, runs)
        _browse(folder / "report.html", folder / "profile")
    return 0


def _build(folder: Path, runs: list[Path]) -> None:
    logs = sum(file.stat().st_size for run in runs for file in run.rglob("*.jsonl"))
    words = [*map(str, runs), "-o", str(folder / "report.html"), "--csv", str(folder / "report.csv")]
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.report_page", "--child", *words],
        capture_output=True, text=True, check=True,
        env={**os.environ, "SOBENCH_HOME": str(folder / "no-home")},
    )  # fmt: skip
    seconds = time.perf_counter() - began
    peak = done.stdout.rpartition("peak=")[2].strip()
    page = (folder / "report.html").stat().st_size
    print(f"built from {logs / 1e6:.0f} MB of logs in {seconds:.1f} s, peak {peak} MB, page {page / 1e6:.1f} MB")
    print(done.stdout.splitlines()[0])


def _browse(page: Path, profile: Path) -> None:
    from tests.report.browser import BROWSER, Browser

    if BROWSER is None:
        print("no Chromium or Chrome here: the page was not opened")
        return
    browser = Browser(profile)
    browser.open(page)
    ready = browser.run(_READY)
    print(f"first paint after {browser.run(_PAINT):.0f} ms, samples listed after {ready:.0f} ms")
    spent, number = browser.run(_FILTER)
    print(f"failed in A and passed in B: {number} samples in {spent:.0f} ms")
    for times, word in (("first search, unpacks all texts", "alder"), ("next search", "zebra"), ("next", "the")):
        spent, number = browser.run(_SEARCH.replace("WORD", repr(word)))
        print(f"{times}: {number} samples in {spent:.0f} ms")
    print(f"a sample with all its answers: {browser.run(_SHOW):.0f} ms")
    memory = browser.run("return performance.memory ? performance.memory.usedJSHeapSize / 1e6 : null")
    print(f"memory of the page's script {memory:.0f} MB")
    browser.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", help="a folder for runs and page")
    parser.add_argument("--child", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
