"""What lm-eval logged is scored again from its texts: the same figures, errors and groups, bit for bit."""

import math

import pytest

from lm_eval_tasks.commands import baseline
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.results.score_table import figures_of, is_equal
from sobench_metrics.results.told_agreement import lines_of, pools_of
from sobench_metrics.sobench.figures import RATIOS
from tests.engines import tiny_text
from tests.engines.chat_server import ChatServer, FromRequest
from tests.lighteval_tasks.test_server import by_question, mixed
from tests.results.scoring import score_all

pytestmark = pytest.mark.engine
UI, ROWS = "sobench_ui_sample", "ifstruct_sample"


def save(results, folder, kind="m"):
    baseline._save(kind, results, str(folder))
    return folder


def assert_all_equal(results, found):
    """Every figure of the harness's results, with its error, is the re-scored one; plain means' errors to rounding."""
    for task, scored in found.items():
        told = {key.partition(",")[0]: value for key, value in results["results"][task].items()}
        lines = {line.figure: line for line in figures_of(scored)}
        numbers = {key for key, value in told.items() if isinstance(value, float) and not key.endswith("_stderr")}
        assert numbers == set(lines)
        for name, line in lines.items():
            assert line.value == told[name]
            error = told[f"{name}_stderr"]
            if isinstance(error, float):  # "N/A" where lm-eval has none
                assert line.stderr == error or math.isclose(line.stderr, error, rel_tol=1e-12)
        assert is_equal(scored)
        assert (scored.compared, scored.differing) == (scored.tally.samples, 0)


def test_a_run_on_a_server_with_right_wrong_and_refused_answers(evaluate, tmp_path):
    with ChatServer(mixed(by_question())) as server:
        results = evaluate(
            "local-chat-completions",
            [UI, ROWS, "sobench_ui_constrained_sample"],
            model_args=f"model=test-model,base_url={server.url},num_concurrent=4,max_retries=1",
            limit=30,
        )
    found = score_all(save(results, tmp_path))
    assert found.keys() == {UI, ROWS, "sobench_ui_constrained_sample"}
    assert_all_equal(results, found)
    full = found[UI].tally.figures["field_match"]
    assert 0 < full.a < full.b
    assert 0 < found[ROWS].tally.figures["pass"].a < 30
    # the errors of micro averages, which are our own sums in the harness too, are equal to the last bit
    for line in figures_of(found[UI]):
        if line.figure in RATIOS:
            assert line.stderr == results["results"][UI][f"{line.figure}_stderr,none"]


def test_a_model_that_answers_by_itself(evaluate, tmp_path, rows_file):
    model = tiny_text.build(tmp_path / "model")
    options = {"model_args": f"pretrained={model},dtype=float32", "device": "cpu", "gen_kwargs": {"max_gen_toks": 8}}
    results = evaluate("hf", ["ifstruct"], **options)
    found = score_all(save(results, tmp_path / "out"))
    assert_all_equal(results, found)
    assert found["ifstruct"].tally.samples == 6


def test_groups_are_the_sums_of_their_domains(evaluate, tmp_path):
    """Of right and wrong answers; lm-eval's error of a group's plain mean is by a formula of its own."""
    groups = ("sobench_sample", "sobench_constrained_sample")
    names = [f"sobench_sample:{domain}" for domain in DOMAINS]
    with ChatServer(mixed(by_question(names))) as server:
        options = {"model_args": f"model=m,base_url={server.url},num_concurrent=4,max_retries=1", "limit": 6}
        results = evaluate("local-chat-completions", list(groups), **options)
    found = score_all(save(results, tmp_path))
    assert_all_equal(results, found)
    pools = pools_of(list(found.values()))
    assert {(pool.task, pool.tally.samples) for pool in pools} == {(group, 24) for group in groups}
    for pool in pools:
        told = results["groups"][pool.task]
        lines = {line.figure: line for line in pool.lines}
        for line in lines.values():
            assert line.is_equal
            assert line.told == told[f"{line.figure},none"]
        for name in ("field_match", "full_match", "strict_field_f1"):
            assert (lines[name].value, lines[name].stderr) == (told[f"{name},none"], told[f"{name}_stderr,none"])
    invalid = next(
        line for pool in pools for line in pool.lines if "constrained" not in pool.task and line.figure == "invalid"
    )
    assert invalid.told_stderr != pytest.approx(invalid.stderr)  # so the other formula was met
    altered = lines_of(pools[0].tally, {"invalid_stderr": invalid.stderr * 1.01}, {"invalid": invalid.told_stderr})
    assert [line.figure for line in altered if not line.is_equal] == ["invalid"]


def test_reasoning_that_the_run_kept_is_kept(evaluate, tmp_path):
    with ChatServer(FromRequest(lambda request: "<think>hm</think>{}")) as server:
        options = {"model_args": f"model=m,base_url={server.url},max_retries=1", "limit": 2}
        results = evaluate("local-chat-completions", [UI], metadata={"reasoning": "keep"}, **options)
    found = score_all(save(results, tmp_path))
    assert_all_equal(results, found)
    assert found[UI].tally.figures["invalid"].a == 2  # with its reasoning cut, `{}` is valid
