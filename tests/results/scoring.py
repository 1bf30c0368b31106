"""Score a file in this process or in others, as `sobench score` does."""

from dataclasses import replace

from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.records import RowSource
from sobench_metrics.results.scoring import score_run


def scored(place, *, reasoning=None, workers=1, engine="", write=None, allow_repeats=False, **source):
    """The one task of a place, scored."""
    (run,) = open_runs(place, RowSource(**source)).values()
    if reasoning:
        run = replace(run, signature={**run.signature, "reasoning": reasoning})
    return score_run(run, workers=workers, engine=engine, write=write, allow_repeats=allow_repeats)


def score_all(place):
    """Every task of a place by name, scored."""
    return {task: score_run(run) for task, run in open_runs(place).items()}
