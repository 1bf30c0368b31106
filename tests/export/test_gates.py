"""What keeps a result from being published: each rule alone, and all of them told together."""

import math
from dataclasses import replace

import pytest

from sobench_metrics.export.collecting import collect
from sobench_metrics.export.profiles import profile_of
from sobench_metrics.export.result import Wishes
from sobench_metrics.export.targets import TARGETS
from tests.engines.golden_logs import SOBENCH, Edit
from tests.export.conftest import DATA, MODEL, SHA, SOBENCH_TASKS, WISHES, rename, respoken, sign


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
    content["config"]["model_args"]["generation_parameters"] = {"extra_body": {"guided_json": "{}"}}


def change_server(content):
    content["config"]["model_args"]["extra_body"] = '{"structured_outputs": {"json": {"type": "array"}}}'


def change_engine(content):
    """Words of an engine that say how it would hold an answer, and hold none."""
    content["config"]["model_args"].update(
        structured_outputs_config={"backend": "xgrammar"}, guided_decoding_backend="outlines", grammar_backend="none"
    )
    content["configs"]["ifstruct"]["generation_kwargs"]["response_format"] = {"type": "text"}


def change_data(content):
    sign(content, "ifstruct", data="file:0123456789ab")


def change_commit(content):
    content["config"]["model_sha"] = ""


def change_version(content):
    text = content["configs"]["ifstruct"]["metadata"]["signature"]
    content["configs"]["ifstruct"]["metadata"]["signature"] = "|".join(
        part for part in text.split("|") if not part.startswith("sobench=")
    )


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
        (change_server, {}, "run.constrained"),
        (change_version, {}, "run.unsigned"),
        (change_data, {}, "data.revision_unknown"),
        (change_commit, {}, "model.revision_unknown"),
        (change_commit, {"revision": "main"}, "model.revision_unclear"),
        (change_figure, {}, "figure.differs"),
        (change_model, {"model_id": ""}, "model.unnamed"),
        (change_model, {"model_id": "mine"}, "model.unnamed"),
        (None, {"model_id": "lab/model-2"}, "model.differs"),
        (None, {"revision": "c" * 40}, "model.revision_differs"),
        (None, {"dataset_revision": "c" * 40}, "data.revision_differs"),
        (None, {"dataset_revision": "b" * 12}, "data.revision_unclear"),
        (None, {"metric": "pass_json"}, "figure.other"),
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


def test_what_an_engine_would_do_holds_no_answer(story):
    assert closed(story(change_engine)) == []


def coded(code):
    def note(lines):
        lines[7]["diagnostics"]["codes"] = [code]
        return lines

    return note


def hold_one(lines):
    lines[7]["diagnostics"]["generation"] = {"constrained": "constrained"}
    return lines


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (coded("request.failed"), ["run.requests_failed"]),
        (coded("row.unscorable"), ["run.unscored"]),
        (coded("scorer.fault"), ["run.unscored"]),
        (hold_one, ["run.constrained"]),
        (lambda lines: lines[:-1], ["data.not_whole", "run.limited"]),
    ],
)
def test_one_sample_of_two_thousand_closes_a_gate(story, change, codes):
    assert closed(respoken(story(), "ifstruct", change)) == codes


def test_an_adapter_is_named_with_its_own_commit(story):
    def adapted(content):
        content["model_name"] = MODEL
        content["config"]["model_args"] = {"pretrained": "lab/base", "peft": MODEL}
        content["config"]["peft_sha"] = "d" * 40  # model_sha is the base's

    (result,) = collect(story(adapted))
    assert result.model.revision == "d" * 40


def test_a_folder_named_like_a_repository_is_none(story, tmp_path, monkeypatch):
    """Wherever the export is made: only a commit that was loaded tells the two apart."""

    def local(content):
        content["config"]["model_sha"] = ""

    monkeypatch.chdir(tmp_path)
    assert closed(story(local), wishes=Wishes(revision=SHA)) == ["model.unnamed"]
    (tmp_path / MODEL).mkdir(parents=True)
    assert closed(story(), wishes=Wishes()) == []


@pytest.mark.parametrize("name", ["ifstruct_hard", "ifstruct_mine"])
def test_rows_of_another_set_are_never_published_as_the_benchmark(story, name):
    folder = rename(story(), "ifstruct", name)
    for target in TARGETS:
        assert "data.other_set" in closed(folder, name, Wishes(MODEL, SHA, dataset_revision=DATA), target)


def test_answers_are_published_where_the_terms_of_their_prompts_allow_it(published):
    wishes = replace(WISHES, samples=True)
    assert closed(published, "ifstruct", wishes, "every-eval-ever") == []
    assert closed(published, "sobench", wishes, "every-eval-ever") == ["samples.licence"]


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
    rename(folder, "ifstruct", "ifstruct_json_constrained")
    assert closed(folder, "ifstruct_json_constrained", target="model-index") == ["task.constrained"]


def test_sobench_needs_every_sample_of_the_benchmark(story):
    def partial(content):
        sign(content, "sobench_ui", n="500/600")

    folder = story(partial, SOBENCH_TASKS)
    assert closed(folder, "sobench_ui", target="model-index") == ["data.not_whole"]
    assert closed(folder, "sobench_chart", target="model-index") == []
    # the pool has 1,751 here; without a sample it has not
    respoken(folder, "sobench_ui", lambda lines: lines[:-1])
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
