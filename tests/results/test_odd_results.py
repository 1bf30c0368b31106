"""A results file may say anything: it is read, or refused in a sentence."""

import json

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results.comparison import compare
from sobench_metrics.results.comparison_table import lines
from sobench_metrics.results.lm_eval_log import open_runs, samples
from sobench_metrics.results.pairing import pair
from sobench_metrics.results.scoring import score_run
from sobench_metrics.results.told_agreement import lines_of
from tests.engines.golden_logs import CHART, IFSTRUCT, SOBENCH, Edit, results_file
from tests.results.odd_values import ODD, odd_contents


@pytest.fixture(scope="module")
def copy(golden, tmp_path_factory):
    return Edit(golden["oracle"], tmp_path_factory.mktemp("odd") / "run").folder


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_odd_values_anywhere_are_read_or_refused_in_a_sentence(golden, copy, odd):
    sound = open_runs(golden["oracle"])[IFSTRUCT]
    tally, logged = score_run(sound).tally, list(samples(sound))  # the log beside the file stays as it is
    read = 0
    content = json.loads(results_file(golden["oracle"]).read_text(encoding="utf-8"))
    for path, altered in odd_contents(content, odd, but={SOBENCH, CHART}):
        results_file(copy).write_text(json.dumps(altered), encoding="utf-8")
        try:
            run = open_runs(copy)[IFSTRUCT]
        except (UsageError, KeyError):  # a sentence, or the task is gone with its configuration
            assert path[0] == "configs"
            continue
        assert all(isinstance(value, str) for value in run.signature.values()), path
        lines_of(tally, run.told.get(run.task, {}))
        try:
            whole = pair((run, sound), (logged, logged), "all", ("odd", "sound"))
        except UsageError:  # versions and numbers of examples must agree
            continue
        assert list(lines([compare(whole, resamples=0, seed=0)], listed=True))
        read += 1
    assert read > 50
