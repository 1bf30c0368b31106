"""A real run of lighteval beside one of lm-eval: the same rows, in the same tables, with the harness's own figures."""

import json

import pytest

from sobench_metrics.report.columns import differing_keys, open_columns
from sobench_metrics.report.figures import figures_of, headline
from sobench_metrics.report.gathering import gather
from tests.engines.golden_logs import LIMIT, SOBENCH

pytestmark = pytest.mark.engine
UI, ROWS = "sobench_sample:ui", "ifstruct_sample"


def test_both_harnesses_stand_in_one_table(tmp_path, golden):
    pytest.importorskip("lighteval")
    from lighteval_tasks.commands.run import run
    from tests.engines.chat_server import ChatServer
    from tests.lighteval_tasks.test_server import by_question, mixed

    with pytest.MonkeyPatch.context() as patch, ChatServer(mixed(by_question((UI, ROWS)))) as server:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("SOBENCH_SERVER_URL", server.root)
        words = ["custom", "test-model", "server", f"{UI}|0,{ROWS}|0", "--output-dir", str(tmp_path), "--save-details"]
        assert run(words) == 0
    found = gather(open_columns([golden["oracle"], tmp_path]))
    (results,) = tmp_path.glob("results/**/results_*.json")
    told = json.loads(results.read_text(encoding="utf-8"))["results"]
    views = {view.name: view for view in found.tasks}
    for name, key in ((SOBENCH, f"{UI}|0"), (ROWS, f"{ROWS}|0")):
        for one in headline(views[name], "B", figures_of(views[name], recoverable=False)):
            assert one.value == pytest.approx(told[key][one.figure.name], abs=1e-12)
    shared = [asked for asked in views[SOBENCH].samples if set(asked.answers) == {"A", "B"}]
    assert (len(shared), len(views[SOBENCH].samples)) == (LIMIT, 14), "the same rows are one sample"
    assert not {"task", "data", "scores", "prompt", "max_gen_toks"} & set(differing_keys(views[SOBENCH]))
    assert "backend" in differing_keys(views[SOBENCH])
    assert not [told for told in found.warnings if "other data" in told or "otherwise" in told]
