"""Real runs of both harnesses, scored again from their texts: every figure is the harness's own, bit for bit."""

import json
import shutil

import pytest

from lighteval_tasks.commands.run import run as run_lighteval
from sobench_metrics.cli.main import main
from sobench_metrics.errors import UsageError
from sobench_metrics.results.partners import partners
from sobench_metrics.results.reading import open_runs, samples
from sobench_metrics.results.rescoring import rescored
from tests.engines.chat_server import ChatServer, FromRequest
from tests.engines.golden_logs import CHART, IFSTRUCT, SOBENCH
from tests.lighteval_tasks.test_server import by_question, mixed

pytestmark = pytest.mark.engine
UI, ROWS = "sobench_sample:ui", "ifstruct_sample"


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """The folder that one run of lighteval leaves: right, empty, missing, smallest and useless answers in turn."""
    folder = tmp_path_factory.mktemp("light")
    with pytest.MonkeyPatch.context() as patch, ChatServer(mixed(by_question((UI, ROWS)))) as server:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("SOBENCH_SERVER_URL", server.root)
        words = ["custom", "test-model", "server", f"{UI}|0,{ROWS}|0", "--output-dir", str(folder), "--save-details"]
        assert run_lighteval(words) == 0
    return folder


def scored(place, tmp_path, *words):
    """Score a place by the command; return its exit status and what it told by task."""
    file = tmp_path / "figures.json"
    status = main(["score", str(place), "--json", str(file), *words])
    return status, {one["task"]: one for one in json.loads(file.read_text())}


def test_a_run_of_lighteval_is_read_as_lighteval_wrote_it(light):
    runs = open_runs(light)
    assert set(runs) == {UI, ROWS}
    run = runs[UI]
    assert (run.harness, run.model, run.format) == ("lighteval 0.13.0", "test-model", "lighteval")
    assert run.asked == 14
    assert run.signature["task"].startswith(f"{UI}:")
    assert run.signature["backend"] == "lighteval.ChatServer"
    found = list(samples(run))
    assert len(found) == run.planned == 14
    assert len({sample.doc_id for sample in found}) == 14
    assert all(sample.row["doc_id"] == sample.doc_id for sample in found)  # joined from the data that was asked
    assert {sample.passed for sample in found} == {True, False}
    assert all(sample.prompt for sample in found)


def test_the_figures_of_lighteval_are_those_of_its_texts(light, tmp_path, capsys):
    status, found = scored(light, tmp_path)
    assert status == 0
    (results,) = light.glob("results/**/results_*.json")
    told = json.loads(results.read_text())["results"]
    for task in (UI, ROWS):
        figures = {name: figure["value"] for name, figure in found[task]["figures"].items()}
        harness = {name: told[f"{task}|0"][name] for name in figures}
        assert figures == harness
        assert len(figures) >= 9
        assert found[task]["compared_samples"] == found[task]["samples"]
    assert 0 < found[ROWS]["figures"]["pass"]["value"] < 1
    assert capsys.readouterr().out.count("the run's own figures: equal") == 2


def test_a_details_table_alone_is_the_same_samples(light, tmp_path):
    (table,) = light.glob(f"details/**/details_{UI}*.parquet")
    whole, part = scored(light, tmp_path)[1], scored(table, tmp_path)[1]
    assert part[UI]["figures"] == whole[UI]["figures"]


def test_answers_to_other_data_are_refused(light, tmp_path):
    """A row of the same name with another content must not be scored in the place of the one that was asked."""
    (results,) = light.glob("results/**/results_*.json")
    copy = tmp_path / "out" / results.relative_to(light)
    copy.parent.mkdir(parents=True)
    copy.write_text(results.read_text().replace("data=sample-", "data=other-"))
    (tmp_path / "out/details").symlink_to(light / "details")
    run = open_runs(tmp_path / "out")[UI]
    assert [sample.row for sample in samples(run)] == [{}] * 14  # its own figures are still told
    with pytest.raises(UsageError, match="the run asked the data other-"):
        rescored(run, next(samples(run)))
    assert main(["score", str(tmp_path / "out"), "--task", UI]) == 2


def test_a_failed_request_is_scored_as_the_harness_did(tmp_path, monkeypatch):
    rows = by_question((ROWS,))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    refused = iter([True] * 5)
    with ChatServer(FromRequest(lambda _: 400 if next(refused, False) else "[]")) as server:
        monkeypatch.setenv("SOBENCH_SERVER_URL", server.root)
        monkeypatch.setenv("SOBENCH_SERVER_CONCURRENT", "1")
        words = ["custom", "m", "server", f"{ROWS}|0", "--output-dir", str(tmp_path / "out"), "--save-details"]
        assert run_lighteval(words) == 0
    status, found = scored(tmp_path / "out", tmp_path)
    assert status == 0
    assert (found[ROWS]["samples"], found[ROWS]["failed"]) == (len(rows), 5)
    assert found[ROWS]["figures"]["pass"]["denominator"] == len(rows)  # a refused sample leaves no hole


def test_of_a_folder_with_runs_of_both_harnesses_the_newest_is_read(light, golden, tmp_path, capsys):
    both = tmp_path / "both"
    shutil.copytree(light, both)
    (results,) = golden["oracle"].rglob("results_*.json")
    date = results.stem.removeprefix("results_")
    for year, tasks in (("2000", {UI, ROWS}), ("2999", {SOBENCH, CHART, IFSTRUCT})):
        folder = both / "test-model"
        folder.mkdir(exist_ok=True)
        for file in results.parent.iterdir():
            shutil.copy(file, folder / file.name.replace(date, f"{year}{date[4:]}"))
        assert set(open_runs(both)) == tasks
    assert scored(both, tmp_path, "--task", SOBENCH)[0] == 0
    told = f"note: of {both} the newest run is scored: name a results file to score one of the 2 older runs\n"
    assert told in capsys.readouterr().err
    folder.rename(both / "another-model")
    with pytest.raises(UsageError, match=f"holds runs of 2 models: name one of {both}/another-model, {both}/results"):
        open_runs(both)
    (both / "results/test-model").joinpath(f"results_3{date[1:]}.json").write_text("{")
    shutil.rmtree(both / "another-model")
    with pytest.raises(UsageError, match="it is no JSON"):  # an older run does not take its place unseen
        open_runs(both)


def test_a_task_is_the_same_task_in_either_harness(light, golden, capsys):
    runs = open_runs(golden["empty"]), open_runs(light)
    assert [(a.task, b.task) for a, b in partners(*runs, [SOBENCH])] == [(SOBENCH, UI)]
    assert main(["compare", str(golden["empty"]), str(light), "--tasks", UI]) == 0
    told = capsys.readouterr().out
    assert f"{SOBENCH}: 6 samples of 14 compared" in told
    assert "data differs" not in told


def test_a_results_file_that_lost_its_name_is_not_read_with_the_details_of_another_run(light, tmp_path):
    shutil.copytree(light, tmp_path / "out")
    (results,) = tmp_path.glob("out/results/**/results_*.json")
    with pytest.raises(UsageError, match=r"has lost its name results_DATE\.json"):
        open_runs(results.rename(results.with_name("mine.json")))
