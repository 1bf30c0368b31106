"""Image and text tasks in one run: what each backend call is handed, cache, resume, failures, padding."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lm_eval.api.model import LM

from lm_eval_tasks import dispatch
from sobench_metrics.errors import UsageError
from tests.engines import shapes
from tests.lm_eval_tasks.conftest import GOOD_ANSWER, answers, scores


class SpyVLM(LM):
    """Fails as the real multimodal backends do when a list mixes both kinds; answers shapes by their colour."""

    MULTIMODAL = True
    batch_size = 2

    def __init__(self, stop_after=None):
        super().__init__()
        self.calls = []
        self.left = stop_after

    def apply_chat_template(self, chat_history, add_generation_prompt=True):
        return json.dumps(chat_history)

    @property
    def tokenizer_name(self):
        return "spy"

    def generate_until(self, requests, disable_tqdm=False):
        kinds = {len(request.args) for request in requests}
        assert len(kinds) == 1, "one list, two kinds of requests"
        self.calls.append((kinds.pop(), len(requests)))
        return [self._answer(request) for request in requests]

    def _answer(self, request):
        if self.left == 0:
            raise KeyboardInterrupt
        self.left = None if self.left is None else self.left - 1
        if len(request.args) == 2:
            return GOOD_ANSWER
        (picture,) = request.args[2]["visual"]
        middle = picture.getpixel((picture.width // 2, picture.height // 2))
        colour = min(shapes.COLOURS, key=lambda name: sum(abs(a - b) for a, b in zip(shapes.COLOURS[name], middle)))
        return json.dumps({"colour": colour, "corners": 4})

    def loglikelihood(self, requests):
        raise AssertionError

    def loglikelihood_rolling(self, requests):
        raise AssertionError


@pytest.mark.parametrize("order", [["sobench_ui", "ifstruct"], ["ifstruct", "sobench_ui"]])
def test_each_call_gets_one_kind_and_results_equal_running_alone(evaluate, shape_home, rows_file, order):
    spy = SpyVLM()
    together = evaluate(spy, order)
    assert {kind for kind, _ in spy.calls} == {2, 3}
    for task in order:
        alone = evaluate(SpyVLM(), [task])
        assert answers(together, task) == answers(alone, task)
        assert scores(together, task) == scores(alone, task)
    assert together["results"]["ifstruct"]["pass,none"] == 1.0
    assert together["results"]["sobench_ui"]["schema_validity,none"] == 1.0


def test_the_harness_still_dispatches_by_request_type(evaluate, shape_home):
    # everything rests on this: if evaluate() ever calls generate_until for our type, this fails
    called = []

    class Own(SpyVLM):
        pass

    setattr(Own, dispatch.REQUEST_TYPE, lambda self, requests: called.append(len(requests)) or ["{}"] * len(requests))
    evaluate(Own(), ["sobench_ui"])
    assert called == [12]


def test_the_mixed_group_is_pooled_over_samples(evaluate, shape_home, tmp_path, monkeypatch):
    from tests.engines.prepared_home import shape_samples, write_home

    samples = shape_samples(20)
    home = write_home(
        tmp_path / "four",
        dict(zip(("ui", "natural", "document", "chart"), (samples[:9], samples[9:11], samples[11:13], samples[13:]))),
    )
    monkeypatch.setenv("SOBENCH_HOME", str(home))
    results = evaluate(SpyVLM(), ["sobench"])
    lines = [sample for task in results["samples"].values() for sample in task]
    for metric in ("field_match", "full_match", "strict_field_recall", "strict_field_precision", "strict_field_f1"):
        above, below = (sum(line[metric][side] for line in lines) for side in (0, 1))
        assert results["groups"]["sobench"][f"{metric},none"] == above / below
        assert results["groups"]["sobench"][f"{metric}_stderr,none"] > 0
    assert results["groups"]["sobench"]["sample_len"] == 20


def test_cached_run_asks_nothing_and_scores_the_same(evaluate, shape_home, rows_file, tmp_path):
    first, second = SpyVLM(), SpyVLM()
    options = {"use_cache": str(tmp_path / "cache")}
    before = evaluate(first, ["ifstruct", "sobench_ui"], **options)
    after = evaluate(second, ["ifstruct", "sobench_ui"], **options)
    assert second.calls == []
    for task in ("ifstruct", "sobench_ui"):
        assert scores(before, task) == scores(after, task)
        assert answers(before, task) == answers(after, task)


def test_equal_prompts_with_other_pictures_are_other_cache_entries(evaluate, shape_home, tmp_path):
    results = evaluate(SpyVLM(), ["sobench_ui"], use_cache=str(tmp_path / "cache"))
    again = evaluate(SpyVLM(), ["sobench_ui"], use_cache=str(tmp_path / "cache"))
    assert len(set(answers(results, "sobench_ui"))) == 3
    assert answers(again, "sobench_ui") == answers(results, "sobench_ui")


def test_a_killed_run_resumes_at_the_last_finished_shard(evaluate, shape_home, tmp_path, monkeypatch):
    from lm_eval_tasks import local_engine

    monkeypatch.setattr(local_engine, "_PIXELS_FIXED", 1)  # a shard is one batch of two
    options = {"use_cache": str(tmp_path / "cache")}
    with pytest.raises(KeyboardInterrupt):
        evaluate(SpyVLM(stop_after=7), ["sobench_ui"], **options)
    resumed = SpyVLM()
    results = evaluate(resumed, ["sobench_ui"], **options)
    assert sum(count for _, count in resumed.calls) == 6  # 12 docs, three shards of two were done
    assert answers(results, "sobench_ui") == answers(evaluate(SpyVLM(), ["sobench_ui"]), "sobench_ui")


def test_images_reach_the_log_as_stable_hashes_only(evaluate, shape_home):
    runs = [evaluate(SpyVLM(), ["sobench_ui"]) for _ in range(2)]
    lines = [run["samples"]["sobench_ui"] for run in runs]
    assert [line["doc_hash"] for line in lines[0]] == [line["doc_hash"] for line in lines[1]]
    argument = lines[0][0]["arguments"][0][2]["visual"][0]
    assert str(argument) == f"sha256:{lines[0][0]['doc']['image_sha256']}"
    assert str(shape_home) not in json.dumps(lines[0])


def test_without_chat_template_an_image_task_says_what_to_add(evaluate, shape_home):
    with pytest.raises(UsageError, match="--apply_chat_template"):
        evaluate(SpyVLM(), ["sobench_ui"], apply_chat_template=False)


def test_predict_only_keeps_answers_and_computes_nothing(evaluate, shape_home):
    results = evaluate(SpyVLM(), ["sobench_ui"], predict_only=True)
    assert len(results["samples"]["sobench_ui"]) == 12
    assert set(scores(results, "sobench_ui")) <= {"bypass,none"}


def test_the_order_of_a_prompt_is_system_text_image(evaluate, shape_home):
    results = evaluate(SpyVLM(), ["sobench_ui"], limit=1)
    chat = json.loads(results["samples"]["sobench_ui"][0]["arguments"][0][0])
    assert [message["role"] for message in chat] == ["system", "user"]
    assert chat[1]["content"].startswith("Schema: ")
    assert chat[1]["content"].endswith("<image>")


def test_no_room_for_a_prompt_is_told_before_anything_is_generated(evaluate, shape_home):
    spy = SpyVLM()
    spy.max_length = 4096
    with pytest.raises(UsageError, match="max_gen_toks=4096 leaves no room"):
        evaluate(spy, ["sobench_ui"])
    assert spy.calls == []


def test_a_fault_of_the_scorer_costs_one_sample_and_is_named(evaluate, shape_home, monkeypatch):
    from sobench_metrics.sobench import figures

    real, seen = figures.score, []

    def faulty(*args, **kwargs):
        seen.append(1)
        if len(seen) == 2:
            raise RecursionError("too deep")
        return real(*args, **kwargs)

    monkeypatch.setattr(figures, "score", faulty)
    results = evaluate(SpyVLM(), ["sobench_ui"])
    codes = [line["diagnostics"]["codes"] for line in results["samples"]["sobench_ui"]]
    assert sum("scorer.fault" in line for line in codes) == 1
    assert results["results"]["sobench_ui"]["invalid,none"] == pytest.approx(1 / 12)
    assert results["n-samples"]["sobench_ui"]["effective"] == 12


def test_two_ranks_equal_one(evaluate, shape_home, rows_file, tmp_path):
    pytest.importorskip("torch")
    script = Path(__file__).with_name("two_ranks.py")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", str(script)]
    root = str(script.parents[2])
    env = {**os.environ, "PYTHONPATH": root, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    views = [json.loads((tmp_path / f"rank{rank}.json").read_text()) for rank in (0, 1)]
    assert [view["world_size"] for view in views] == [2, 2]
    # 7 docs a task: ranks get 4 and 3; without padding by our own request type they would ask 8 and 6 image requests
    asked = [{kind: sum(n for k, n in view["calls"] if k == kind) for kind in (2, 3)} for view in views]
    assert asked == [{2: 3, 3: 8}, {2: 3, 3: 8}]
    tasks = ["ifstruct", "sobench_ui", "sobench_chart"]
    one = evaluate(SpyVLM(), tasks, limit=7)
    for task in tasks:
        assert views[0]["answers"][task] == [[n, text] for n, text in enumerate(answers(one, task))]
        figures = {key: value for key, value in views[0]["results"][task].items() if isinstance(value, float)}
        assert figures == pytest.approx(scores(one, task), nan_ok=True)
    for task, count in (("sobench_ui", 12), ("sobench_chart", 8)):
        assert f"|n=7/{count}|" in views[0]["configs"][task]["metadata"]["signature"]
    assert views[0]["diagnosed"]


def test_a_row_that_cannot_be_scored_is_counted_and_named():
    from lm_eval_tasks.sobench_scores import sample_metrics

    doc = {
        "target_json": "{broken",
        "schema_json": "{}",
        "evaluation_labels_json": "null",
        "domain": "ui",
        "source": "s",
    }
    metrics = sample_metrics(doc, "{}", keep_reasoning=False)
    assert "row.unscorable" in metrics["diagnostics"]["codes"]
    assert metrics["invalid"] == 1.0
    assert metrics["strict_field_recall"] == (0, 1)


def test_a_fault_of_the_ifstruct_scorer_costs_one_row(evaluate, rows_file, monkeypatch):
    from sobench_metrics.ifstruct import figures

    def faulty(*_args):
        raise MemoryError

    monkeypatch.setattr(figures, "validate", faulty)
    results = evaluate(SpyVLM(), ["ifstruct"])
    assert results["results"]["ifstruct"]["pass,none"] == 0.0
    assert all(line["diagnostics"]["codes"] == ["scorer.fault"] for line in results["samples"]["ifstruct"])


def test_diagnostics_name_what_failed(evaluate, shape_home):
    results = evaluate(SpyVLM(), ["sobench_ui"])
    wrong = [line for line in results["samples"]["sobench_ui"] if line["doc"]["target_json"].endswith('"corners": 0}')]
    assert wrong
    for line in wrong:
        fields = {field["path"]: field for field in line["diagnostics"]["fields"]}
        assert fields["/corners"]["outcome"] == "mismatch"
        assert fields["/corners"]["reason"]
        assert line["diagnostics"]["slices"] == {
            "domain": "ui",
            "source": "drawn",
            "schema_depth": 2,
            "schema_fields": 2,
        }


def test_settings_that_change_the_prompt_or_the_answers_are_in_the_signature(evaluate, shape_home):
    def signature(**options):
        return evaluate(SpyVLM(), ["sobench_ui"], limit=2, **options)["configs"]["sobench_ui"]["metadata"]["signature"]

    plain = signature()
    assert plain == signature()
    changed = [
        signature(metadata={"merge_system": True}),
        signature(system_instruction="Be brief."),
        signature(gen_kwargs={"do_sample": True, "temperature": 0.7}),
        signature(gen_kwargs={"max_gen_toks": 9}),
    ]
    assert len({plain, *changed}) == 5


def test_an_unknown_setting_of_reasoning_is_refused(evaluate, shape_home):
    with pytest.raises(UsageError, match="keep"):
        evaluate(SpyVLM(), ["sobench_ui"], metadata={"reasoning": "kepp"})
