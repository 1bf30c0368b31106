"""The log line of a sample: diagnostics in, but nothing extra for the aggregation."""

from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.findings import MAX_FINDINGS, Finding, compact


def test_update_copies_diagnostics_that_the_views_hide():
    # the harness does exactly this: example.update(metrics); for metric, value in metrics.items()
    metrics = SampleMetrics({"pass": 1.0}, {"codes": []})
    line = {"doc_id": 0}
    line.update(metrics)
    assert line == {"doc_id": 0, "pass": 1.0, "diagnostics": {"codes": []}}
    assert dict(metrics.items()) == {"pass": 1.0}
    assert list(metrics.keys()) == ["pass"]


def test_compact_names_each_code_once_and_counts_what_it_leaves_out():
    findings = [Finding("a.b", f"/{n}", "x" * 1000) for n in range(MAX_FINDINGS + 3)]
    entry = compact(findings)
    assert entry["codes"] == ["a.b"]
    assert len(entry["findings"]) == MAX_FINDINGS
    assert entry["more"] == 3
    assert all(len(item["message"]) <= 200 for item in entry["findings"])
