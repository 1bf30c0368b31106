"""What keeps a result from being published: each rule alone, and all of them told together."""

import json
import math
from dataclasses import replace

import pytest

from sobench_metrics.export.collecting import collect
from sobench_metrics.export.profiles import profile_of
from sobench_metrics.export.result import Wishes
from sobench_metrics.export.targets import TARGETS
from tests.engines.golden_logs import SOBENCH, Edit, sample_file
from tests.export.conftest import DATA, MODEL, SHA, WISHES, sign

SOBENCH_TASKS = ("sobench_ui", "sobench_natural", "sobench_document", "sobench_chart")


def closed(folder, task="ifstruct", wishes=WISHES, target="hf-eval-results"):
    """The codes of the gates that are closed."""
    (result,) = [one for one in collect(folder) if one.task == task]
    return [one.code for one in TARGETS[target].refuses(result, profile_of(result.benchmark), wishes)]


def test_a_whole_run_of_known_things_passes_every_gate(published):
    assert closed(published) == []
    for target in ("model-index", "every-eval-ever", "open-llm-leaderboard"):
        assert closed(published, "sobench", target=target) == []
        assert closed(published, "sobench_ui", target=target) == []


def change_limit(content):
    content["config"]["limit"] = 10.0


def change_size(content):
    content["n-samples"]["ifstruct"]["original"] = 2400


def change_task(content):
    sign(content, "ifstruct", constrained="llguidance")


def change_generation(content):
    content["configs"]["ifstruct"]["generation_kwargs"]["guided_json"] = {"type": "array"}


def change_settings(content):
    content["config"]["model_args"]["structured_outputs_config"] = {"backend": "xgrammar"}


def change_data(content):
    sign(content, "ifstruct", data="file:0123456789ab")


def change_commit(content):
    content["config"]["model_sha"] = ""


def change_figure(content):
    content["results"]["ifstruct"]["pass,none"] = 0.999


def change_model(content):
    content["model_name"] = "/models/mine"


@pytest.mark.parametrize(
    ("change", "wishes", "code"),
    [
        (change_limit, {}, "run.limited"),
        (change_size, {}, "run.limited"),
        (change_task, {}, "run.constrained"),
        (change_generation, {}, "run.constrained"),
        (change_settings, {}, "run.constrained"),
        (change_data, {}, "data.revision_unknown"),
        (change_commit, {}, "model.revision_unknown"),
        (change_commit, {"revision": "main"}, "model.revision_unclear"),
        (change_figure, {}, "figure.differs"),
        (change_model, {"model_id": ""}, "model.unnamed"),
        (change_model, {"model_id": "mine"}, "model.unnamed"),
        (None, {"revision": "c" * 40}, "model.revision_differs"),
        (None, {"dataset_revision": "c" * 40}, "data.revision_differs"),
        (None, {"dataset_revision": "b" * 12}, "data.revision_unclear"),
        (None, {"metric": "accuracy"}, "figure.absent"),
    ],
)
def test_one_thing_wrong_closes_one_gate(story, change, wishes, code):
    folder = story(change or (lambda content: None))
    assert closed(folder, wishes=Wishes(**{"model_id": MODEL, **wishes})) == [code]


def test_what_the_user_vouches_for_opens_gates(story):
    def change(content):
        change_data(content)
        change_commit(content)

    folder = story(change)
    assert closed(folder) == ["data.revision_unknown", "model.revision_unknown"]
    assert closed(folder, wishes=Wishes(model_id=MODEL, revision=SHA, dataset_revision=DATA)) == []


def test_failed_requests_missing_samples_and_held_ones(story, published, tmp_path):
    def spoil(change):
        folder = story()
        log = sample_file(folder, "ifstruct")
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        log.unlink()
        log.write_text("".join(json.dumps(line) + "\n" for line in change(lines)), encoding="utf-8")
        return folder

    def fail_one(lines):
        lines[7]["diagnostics"]["codes"] = ["request.failed"]
        return lines

    def hold_one(lines):
        lines[7]["diagnostics"]["generation"] = {"constrained": "constrained"}
        return lines

    assert closed(spoil(fail_one)) == ["run.requests_failed"]
    assert closed(spoil(hold_one)) == ["run.constrained"]
    assert closed(spoil(lambda lines: lines[:-1])) == ["data.not_whole", "run.limited"]


def test_the_sample_set_is_never_published_whatever_else_is_said(golden):
    wishes = Wishes(MODEL, SHA, "lab/bench", "t", DATA)
    for target in TARGETS:
        assert "data.sample_set" in closed(golden["oracle"], SOBENCH, wishes, target)


def test_a_constrained_sobench_is_told_and_a_constrained_ifstruct_refused(story):
    def held(content):
        sign(content, "ifstruct", constrained="llguidance")
        sign(content, "sobench_ui", constrained="llguidance")

    folder = story(held, ("ifstruct", "sobench_ui"))
    assert closed(folder, "sobench_ui", target="model-index") == []
    assert closed(folder, "ifstruct", target="model-index") == ["run.constrained"]


def test_sobench_needs_every_sample_of_the_benchmark(story):
    def partial(content):
        sign(content, "sobench_ui", n="500/600")

    folder = story(partial, SOBENCH_TASKS)
    assert closed(folder, "sobench_ui", target="model-index") == ["data.not_whole"]
    assert closed(folder, "sobench_chart", target="model-index") == []
    # the pool has 1,751 here; without a sample it has not
    log = sample_file(folder, "sobench_ui")
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.unlink()
    log.write_text("".join(lines[:-1]), encoding="utf-8")
    assert "data.not_whole" in closed(folder, "sobench", target="model-index")


def test_three_domains_are_no_sobench(story):
    folder = story(tasks=SOBENCH_TASKS[:3])
    assert [one.task for one in collect(folder)] == list(SOBENCH_TASKS[:3])


def test_sobench_has_no_place_on_the_hub_unless_the_user_has_one(published):
    assert closed(published, "sobench") == ["target.no_dataset"]
    assert closed(published, "sobench", Wishes(MODEL, dataset_id="lab/so", task_id="all")) == []
    assert "task.part" in closed(published, "sobench_ui", Wishes(MODEL, dataset_id="lab/so", task_id="ui"))


def test_a_run_that_says_nothing_of_itself_is_refused(published, golden, tmp_path):
    copy = Edit(golden["oracle"], tmp_path / "copy").results(
        lambda content: content["configs"][SOBENCH]["metadata"].pop("signature")
    )
    assert "data.revision_unknown" in closed(copy.folder, SOBENCH)
    (whole,) = [one for one in collect(published) if one.task == "ifstruct"]
    bare = replace(whole, signature={}, planned=None)
    target, profile = TARGETS["hf-eval-results"], profile_of("ifstruct")
    assert [one.code for one in target.refuses(bare, profile, WISHES)] == ["run.unsigned"]


def test_a_value_that_is_no_number_is_refused(published):
    (whole,) = [one for one in collect(published) if one.task == "ifstruct"]
    figures = tuple(replace(one, value=math.nan) if one.name == "pass" else one for one in whole.figures)
    (refusal,) = TARGETS["hf-eval-results"].refuses(replace(whole, figures=figures), profile_of("ifstruct"), WISHES)
    assert str(refusal) == "ifstruct: pass is nan [figure.not_finite]: repeat the run."
