"""What lighteval saved is scored again from its texts: the same figures and errors, bit for bit."""

import json
import shutil
from contextlib import suppress

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.score_table import figures_of, is_equal
from sobench_metrics.results.told_agreement import lines_of
from sobench_metrics.results.told_figures import plain_row
from tests.engines.chat_server import ChatServer
from tests.lighteval_tasks.test_server import by_question, mixed
from tests.results.odd_values import ODD, odd_contents
from tests.results.scoring import score_all

pytestmark = pytest.mark.engine
UI, ROWS = "sobench_sample:ui", "ifstruct_sample"


@pytest.fixture
def ran(lighteval, monkeypatch, tmp_path):
    """Run tasks on a server whose answers are right, wrong, empty and refused; returns the outcome and its folder."""

    def run(*tasks):
        with ChatServer(mixed(by_question())) as server:
            monkeypatch.setenv("SOBENCH_SERVER_URL", server.root)
            words = ",".join(f"{task}|0" for task in tasks)
            outcome = lighteval("custom", "test-model", "server", words, "--max-samples", 30)
        return outcome, tmp_path / "out0"

    return run


def test_a_run_of_both_benchmarks(ran, monkeypatch, tmp_path):
    outcome, folder = ran(UI, ROWS)
    found = score_all(folder)
    assert found.keys() == {UI, ROWS}
    for task, scored in found.items():
        told = outcome.figures(task)
        lines = figures_of(scored)
        assert {line.figure for line in lines} == {name for name in told if not name.endswith("_stderr")}
        for line in lines:
            assert (line.value, line.stderr) == (told[line.figure], told.get(f"{line.figure}_stderr"))
        assert is_equal(scored)
        assert (scored.compared, scored.differing) == (scored.tally.samples, 0)
        assert scored.run.signature == outcome.signature(task)
    assert 0 < found[ROWS].tally.figures["pass"].a < 30
    assert found[UI].run.model == "test-model"
    assert found[UI].run.planned == 14

    # whatever the results file says, it is read or refused in a sentence
    file = found[ROWS].run.where
    before = file.read_text(encoding="utf-8")
    read = 0
    for odd in ODD:
        for _, content in odd_contents(json.loads(before), odd):
            file.write_text(json.dumps(content), encoding="utf-8")
            with suppress(UsageError):
                for run in open_runs(folder).values():
                    assert all(isinstance(value, str) for value in run.signature.values())
                    lines_of(found[run.task].tally, run.told.get(plain_row(run.task), {}))
                    read += 1
    assert read > 500
    file.write_text(before, encoding="utf-8")

    # a table alone knows what it needs, and one whose run is not beside it too
    (table,) = folder.rglob(f"details_{UI}*.parquet")
    assert score_all(table)[UI].run.where.name.startswith("results_")
    alone = tmp_path / "elsewhere" / table.name
    alone.parent.mkdir()
    shutil.copy(table, alone)
    lone = score_all(alone)[UI]
    assert lone.tally == found[UI].tally
    assert (lone.run.where, lone.differing) == (alone, 0)

    table.unlink()
    with pytest.raises(UsageError, match=f"no details of {UI} near it: repeat that run with --save-details"):
        open_runs(folder)
