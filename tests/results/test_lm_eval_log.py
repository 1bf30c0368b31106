"""What lm-eval leaves is read as it was meant; what is not whole is told with file and line."""

import json
import shutil

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.results.lm_eval_log import open_runs, samples
from sobench_metrics.results.records import Generation
from tests.engines.golden_logs import CHART, IFSTRUCT, LIMIT, SOBENCH, read_lines, results_file, sample_file


def refusal(act):
    with pytest.raises(UsageError) as caught:
        act()
    return str(caught.value)


def test_a_folder_gives_its_tasks_with_model_size_and_signature(golden):
    runs = open_runs(golden["oracle"])
    assert set(runs) == {SOBENCH, CHART, IFSTRUCT}
    run = runs[SOBENCH]
    assert (run.model, run.harness, run.planned) == ("known/oracle", "lm-eval 0.4.13", 14)
    assert run.where == results_file(golden["oracle"])
    assert run.signature["task"] == "sobench_ui_sample:1.0"
    assert run.signature["data"].startswith("sample-")
    assert run.signature["n"] == f"{LIMIT}/14"
    assert "system" not in run.signature
    assert run.seconds > 0
    assert {"invalid", "request_failed"} <= run.lower_is_better
    assert "schema_validity" not in run.lower_is_better


def test_a_task_that_tells_no_signature_gets_one_of_what_the_harness_noted(golden):
    signature = open_runs(golden["oracle"])[IFSTRUCT].signature
    assert signature["task"] == "ifstruct_json_sample:1.0"
    assert (signature["max_gen_toks"], signature["decoding"], signature["system"]) == ("1024", "greedy", "none")


@pytest.mark.parametrize("task", [SOBENCH, IFSTRUCT])
def test_a_sample_is_its_line(golden, task):
    found = list(samples(open_runs(golden["placeholder"])[task]))
    lines = read_lines(golden["placeholder"], task)
    assert len(found) == len(lines) == LIMIT
    for sample, line in zip(found, lines):
        assert sample.doc_id == str(line["doc"]["doc_id"])
        assert sample.answer == line["resps"][0][0]
        assert sample.characters == len(sample.answer) > 0
        assert (sample.prompt_hash, sample.data_hash) == (line["prompt_hash"], line["doc_hash"])
        assert not any(name.endswith("_stderr") for name in (*sample.means, *sample.ratios))
        assert sample.codes == tuple(line["diagnostics"]["codes"])
        assert sample.generation == Generation()


def test_figures_are_means_pairs_and_nothing_for_a_slice_that_a_sample_is_outside_of(golden):
    picture = next(samples(open_runs(golden["oracle"])[SOBENCH]))
    assert picture.means["schema_validity"] == 1
    top, below = picture.ratios["field_match"]
    assert top == below > 1
    text = next(samples(open_runs(golden["oracle"])[IFSTRUCT]))
    assert text.means["pass"] == text.means["pass_json"] == 1
    assert "pass_yaml" not in text.means


@pytest.mark.parametrize("task", [SOBENCH, IFSTRUCT])
def test_passed_is_the_official_verdict_and_an_invalid_answer_did_not(golden, task):
    assert all(sample.passed is True for sample in samples(open_runs(golden["oracle"])[task]))
    assert all(sample.passed is False for sample in samples(open_runs(golden["empty"])[task]))


def test_what_a_log_tells_of_the_generation_is_read_and_odd_types_are_not_told(edit):
    told = {"tokens": 7, "seconds": 0.5, "limit": False, "constrained": "skipped", "reason": "a pattern"}
    notes = [told, {"tokens": True, "seconds": "2", "limit": 1, "constrained": 3}, None, "?", {}, {"seconds": 2}]

    def note(number, line):
        line["diagnostics"]["generation"] = notes[number]

    run = open_runs(edit("oracle").lines(IFSTRUCT, note).folder)[IFSTRUCT]
    found = [sample.generation for sample in samples(run)]
    assert found[0] == Generation(7, 0.5, at_limit=False, state="skipped", reason="a pattern")
    assert found[1:5] == [Generation()] * 4
    assert found[5] == Generation(seconds=2)


def test_the_newest_run_of_a_folder_is_read_unless_a_file_is_named(golden, tmp_path):
    old, new = results_file(golden["empty"]), results_file(golden["oracle"])
    early, late = "2020-01-01T00-00-00.000001", "2020-01-01T00-00-00.000002"
    for file, date, model in ((new, late, "m"), (old, early, "n")):
        folder = tmp_path / "out" / model
        folder.mkdir(parents=True)
        mine = file.stem.removeprefix("results_")
        for part in file.parent.iterdir():
            shutil.copy(part, folder / part.name.replace(mine, date))
    assert open_runs(tmp_path / "out")[SOBENCH].model == "known/oracle"
    named = tmp_path / "out/n" / f"results_{early}.json"
    assert open_runs(named)[SOBENCH].model == "known/empty"


def test_a_results_file_with_a_name_of_the_users_is_found_beside_its_samples(edit):
    copy = edit("oracle")
    file = results_file(copy.folder)
    named = file.rename(file.with_name(file.name.replace("results_", "mine_")))
    assert open_runs(named)[SOBENCH].model == open_runs(named.parent)[SOBENCH].model == "known/oracle"


def test_of_several_filters_the_first_is_read(edit):
    copy = edit("oracle")
    lines = read_lines(copy.folder, IFSTRUCT)
    doubled = [*lines, *({**line, "filter": "last", "pass": 0.0} for line in lines)]
    sample_file(copy.folder, IFSTRUCT).write_text("".join(json.dumps(line) + "\n" for line in doubled))
    found = list(samples(open_runs(copy.folder)[IFSTRUCT]))
    assert [sample.passed for sample in found] == [True] * LIMIT


def test_another_tasks_log_is_read_too(edit):
    """Rows without a name of their own, boolean and boundless metrics, several responses."""

    def change(number, line):
        del line["doc"]["doc_id"]
        line.update(metrics=["acc", "spread", "words"], acc=True, spread=float("inf"), words=[1, 2, 3])
        line["filtered_resps"] = [["first", "second"]]

    found = list(samples(open_runs(edit("oracle").lines(IFSTRUCT, change).folder)[IFSTRUCT]))
    assert [sample.doc_id for sample in found] == [str(number) for number in range(LIMIT)]
    assert (found[0].answer, found[0].means, found[0].ratios, found[0].passed) == ("first", {"acc": 1}, {}, None)


def test_a_place_without_results_is_told(golden, tmp_path):
    assert "--output_path" in refusal(lambda: open_runs(tmp_path / "gone"))
    assert "holds no results of lm-eval" in refusal(lambda: open_runs(tmp_path))
    assert "is no results file" in refusal(lambda: open_runs(sample_file(golden["oracle"], SOBENCH)))
    (tmp_path / "results_2020-01-01T00-00-00.1.json").write_text('{"results": ')
    assert "it is no JSON" in refusal(lambda: open_runs(tmp_path))
    (tmp_path / "results_2020-01-01T00-00-00.1.json").write_text("[]")
    assert "is no results file" in refusal(lambda: open_runs(tmp_path))


def test_a_run_without_samples_is_told_to_log_them(edit):
    copy = edit("oracle")
    sample_file(copy.folder, SOBENCH).unlink()
    assert SOBENCH in refusal(lambda: open_runs(copy.folder))
    for task in (CHART, IFSTRUCT):
        sample_file(copy.folder, task).unlink()
    assert "repeat that run with --log_samples" in refusal(lambda: open_runs(copy.folder))


def test_a_half_written_line_is_told_by_file_and_number(edit):
    file = sample_file(edit("oracle").folder, SOBENCH)
    whole = file.read_bytes()
    run = open_runs(file.parent)[SOBENCH]
    broken = whole[: len(whole) * 2 // 3]
    file.write_bytes(broken)
    number = len(broken.splitlines())
    assert f"{file}, line {number} is not whole" in refusal(lambda: list(samples(run)))
    first, second = whole.splitlines(keepends=True)[:2]
    file.write_bytes(first + first)
    assert f"{file}, line 2: sample" in refusal(lambda: list(samples(run)))
    file.write_bytes(first + b"[1]\n")
    assert f"{file}, line 2 is no sample" in refusal(lambda: list(samples(run)))
    file.write_bytes(first + second[:9] + b"\xff" + second[9:])
    assert str(file) in refusal(lambda: list(samples(run)))
