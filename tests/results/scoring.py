"""Score a file in this process or in others, as `sobench score` does."""

from dataclasses import replace

from sobench_metrics.results.in_processes import in_processes, in_turn
from sobench_metrics.results.reading import FORMATS, open_runs
from sobench_metrics.results.records import RowSource
from sobench_metrics.results.scored_pieces import gathered, pieces_of


def scored(place, *, workers=1, engine=None, reasoning=None, write=None, allow_repeats=False, **source):
    """The one task of a place, scored."""
    (run,) = open_runs(place, RowSource(**source)).values()
    if reasoning:
        run = replace(run, signature={**run.signature, "reasoning": reasoning})
    format_ = FORMATS[run.format]
    context = format_.context(run)
    lines = write is not None
    if engine:
        pieces = engine(run, context, workers, as_lines=lines)
    elif workers > 1:
        pieces = in_processes(run, context, pieces_of(format_.items(run)), workers, as_lines=lines)
    else:
        pieces = in_turn(run, context, pieces_of(format_.items(run)), as_lines=lines)
    return gathered(run, context, pieces, write=write, allow_repeats=allow_repeats)
