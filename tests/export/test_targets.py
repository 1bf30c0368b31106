"""What each target is given: its fields, what it must not hold, and that its own reader reads it back."""

import csv
import hashlib
import io
import json
import math
from dataclasses import replace
from uuid import UUID

import jsonschema
import pytest
import yaml

from sobench_metrics.errors import UsageError
from sobench_metrics.export import every_eval_ever, hf_eval_results, model_index, open_llm_leaderboard
from sobench_metrics.export.collecting import collect
from sobench_metrics.export.profiles import profile_of
from sobench_metrics.export.result import Wishes
from sobench_metrics.export.targets import TARGETS, table
from sobench_metrics.results.aggregates import of_scores
from tests.engines.golden_logs import IFSTRUCT, Edit, results_file
from tests.export.conftest import DATA, IFSTRUCT_N, MODEL, SHA, SOBENCH_N, SOBENCH_TASKS, WISHES, respoken, sign


@pytest.fixture(scope="module")
def results(published):
    """The results of the whole run by task."""
    return {one.task: (one, profile_of(one.benchmark)) for one in collect(published)}


def short_answers(content):
    sign(content, "ifstruct", max_gen_toks="2048")
    content["config"]["model_args"]["load_in_4bit"] = True


# --- the figures


def test_figures_are_those_of_the_samples_and_the_pool_is_their_sum(results):
    result, _ = results["ifstruct"]
    assert result.n == IFSTRUCT_N
    assert result.figure("pass").value == 0.0
    assert result.figure("pass").stderr == 0.01
    whole, _ = results["sobench"]
    assert whole.n == whole.expected == 1751 == sum(SOBENCH_N.values())
    parts = [results[f"sobench_{domain}"][0] for domain in SOBENCH_N]
    mean = sum(one.figure("schema_validity").value * one.n for one in parts) / whole.n
    assert whole.figure("schema_validity").value == pytest.approx(mean)
    assert whole.signature["n"] == "1751/1751"
    assert whole.signature["task"] == "sobench:1.0"


def test_the_numbers_are_the_harness_s_own_bit_for_bit(golden):
    file = json.loads(results_file(golden["placeholder"]).read_text(encoding="utf-8"))
    compared = 0
    for result in collect(golden["placeholder"]):
        row = file["results"].get(result.task, {})
        for figure in result.figures:
            told = row.get(f"{figure.name},none")
            if told is not None:
                compared += 1
                assert figure.value == told, figure.name
    assert compared > 20


# --- .eval_results


def test_an_ordinary_run_is_a_value_in_percent_without_notes(results):
    (file,) = hf_eval_results.build([results["ifstruct"]], WISHES)
    assert file.path == ".eval_results/ifstruct.yaml"
    assert file.repo == MODEL
    (entry,) = yaml.safe_load(file.text)
    assert entry.keys() == {"dataset", "value", "date"}
    assert entry["dataset"] == {"id": "LiquidAI/ifstruct-v1.0", "task_id": "ifstruct_v1", "revision": DATA}
    assert entry["value"] == 0.0
    assert isinstance(entry["date"], str)
    assert "oken" not in file.text
    assert f"# {results['ifstruct'][0].signature_text}" in file.text


def test_the_value_is_rounded_to_two_decimals_of_a_percent(results):
    (entry,) = yaml.safe_load(hf_eval_results.build([results["sobench"]], Wishes(MODEL, "", "lab/so", "all"))[0].text)
    exact = results["sobench"][0].figure("field_match").value * 100
    assert entry["value"] == round(exact, 2) != exact
    assert entry["dataset"] == {"id": "lab/so", "task_id": "all"}


def test_it_comes_back_through_the_hub_s_own_reader(results):
    reader = pytest.importorskip("huggingface_hub._eval_results")
    wishes = Wishes(MODEL, source_url="https://example.org/logs", source_name="logs", source_user="me")
    (file,) = hf_eval_results.build([results["ifstruct"]], wishes)
    (entry,) = reader.parse_eval_result_entries(yaml.safe_load(file.text))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("LiquidAI/ifstruct-v1.0", "ifstruct_v1", 0.0)
    assert (entry.dataset_revision, entry.source_url, entry.source_user) == (DATA, "https://example.org/logs", "me")
    assert entry.verify_token is None
    assert entry.notes is None
    assert reader.eval_result_entries_to_yaml([entry]) == yaml.safe_load(file.text)


def test_a_run_out_of_the_ordinary_has_notes_and_a_file_of_its_own(story):
    (result,) = collect(story(short_answers))
    (file,) = hf_eval_results.build([(result, profile_of("ifstruct"))], WISHES)
    assert file.path.startswith(".eval_results/ifstruct_")
    (entry,) = yaml.safe_load(file.text)
    assert entry["notes"].startswith("max_gen_toks=2048; load_in_4bit=True; ")
    assert entry["notes"].endswith(result.signature_text)


# --- model-index


def test_the_model_index_comes_back_through_the_hub_s_own_reader(results):
    cards = pytest.importorskip("huggingface_hub.repocard_data")
    (file,) = model_index.build([results["ifstruct"], results["sobench"], results["sobench_ui"]], WISHES)
    assert "&id" not in file.text  # references of YAML, which few readers of a card expect
    content = yaml.safe_load(file.text)["model-index"]
    name, found = cards.model_index_to_eval_results(content)
    assert name == "model-1"
    again = cards.eval_results_to_model_index(name, found)
    assert again[0]["results"][0]["dataset"] == content[0]["results"][0]["dataset"]
    (value,) = [one for one in found if one.metric_type == "field_match" and one.dataset_config == "default"]
    assert value.metric_value == round(results["sobench"][0].figure("field_match").value, 6)
    assert value.dataset_type == "apple/ml-sobench"
    assert value.metric_args["n"] == 1751
    assert value.metric_args["signature"] == results["sobench"][0].signature_text
    assert [one for one in found if one.verified or one.verify_token] == []


# --- every eval ever

STRINGS = {"type": "object", "additionalProperties": {"type": "string"}}
RECORD = {  # what the schema's description asks at least
    "type": "object",
    "required": [
        "schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "eval_library", "model_info",
        "evaluation_results",
    ],
    "additionalProperties": False,
    "properties": {
        **{name: {"type": "string"} for name in ("schema_version", "evaluation_id", "retrieved_timestamp", "evaluation_timestamp")},
        "source_metadata": {
            "required": ["source_type", "source_organization_name", "evaluator_relationship"],
            "properties": {
                "source_type": {"enum": ["documentation", "evaluation_run"]},
                "evaluator_relationship": {"enum": ["first_party", "third_party", "collaborative", "other"]},
            },
        },
        "eval_library": {"required": ["name", "version"], "properties": {"additional_details": STRINGS}},
        "model_info": {
            "required": ["name", "id", "additional_details"],
            "properties": {
                "additional_details": {
                    **STRINGS,
                    "required": ["deployment_type", "model_availability"],
                    "properties": {
                        "deployment_type": {"enum": ["self_deployed", "externally_managed", "unknown"]},
                        "model_availability": {"enum": ["open_weights", "closed_weights", "unknown"]},
                    },
                }
            },
        },
        "evaluation_results": {
            "type": "array",
            "minItems": 1,
            "items": {
                "required": ["evaluation_name", "source_data", "metric_config", "score_details"],
                "properties": {
                    "source_data": {
                        "required": ["dataset_name", "source_type"],
                        "properties": {"source_type": {"enum": ["url", "hf_dataset"]}, "additional_details": STRINGS},
                        "if": {"properties": {"source_type": {"const": "url"}}},
                        "then": {"required": ["url"], "properties": {"url": {"type": "array"}}},
                    },
                    "metric_config": {
                        "required": ["lower_is_better", "score_type", "min_score", "max_score"],
                        "properties": {"lower_is_better": {"type": "boolean"}},
                    },
                    "score_details": {"required": ["score"], "properties": {"score": {"type": "number"}}},
                    "generation_config": {
                        "properties": {
                            "generation_args": {
                                "additionalProperties": False,
                                "properties": {"temperature": {"type": "number"}, "max_tokens": {"type": "integer"}},
                            },
                            "additional_details": STRINGS,
                        }
                    },
                },
            },
        },
    },
}  # fmt: skip


LINE = {
    "type": "object",
    "required": [
        "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
        "output", "answer_attribution", "evaluation",
    ],
    "additionalProperties": False,
    "properties": {
        **{name: {"type": "string"} for name in ("schema_version", "evaluation_id", "model_id", "evaluation_name")},
        **{name: {"type": "string"} for name in ("evaluation_result_id", "sample_id", "sample_hash", "error")},
        "interaction_type": {"const": "single_turn"},
        "input": {"required": ["raw", "reference"], "properties": {"raw": {"type": "string", "minLength": 1}}},
        "output": {"properties": {"raw": {"type": "array", "items": {"type": "string"}}}},
        "answer_attribution": {"type": "array"},
        "evaluation": {"properties": {"score": {"type": "number"}, "is_correct": {"type": "boolean"}}},
        "metadata": STRINGS,
    },
}  # fmt: skip
WHOLE_SOBENCH = ("sobench", *SOBENCH_TASKS)


def records(results, wishes=WISHES, tasks=("ifstruct", *WHOLE_SOBENCH)):
    return every_eval_ever.build([results[task] for task in tasks], wishes)


def test_a_record_for_each_benchmark_of_a_run(results):
    files = records(results, replace(WISHES, organization="Lab"))
    assert [file.path.rpartition("/")[0] for file in files] == [
        f"data/{one}/lab/model-1" for one in ("ifstruct", "sobench")
    ]
    assert len({json.loads(file.text)["evaluation_id"] for file in files}) == 2
    for file in files:
        assert UUID(file.path.rpartition("/")[2].removesuffix(".json")).version == 4  # the store takes no other
        record = json.loads(file.text)
        jsonschema.Draft7Validator(RECORD).validate(record)
        assert record["source_metadata"]["source_organization_name"] == "Lab"
        assert record["model_info"]["additional_details"]["revision"] == SHA
        assert record["model_info"]["additional_details"]["model_availability"] == "unknown"  # nobody said it
        ids = [one["evaluation_result_id"] for one in record["evaluation_results"]]
        assert len(set(ids)) == len(ids)
        assert "hf_private" not in file.text  # the run's settings held a token
        assert "(not told)" in file.text
    names = {one["evaluation_name"] for one in record["evaluation_results"]}
    assert names == {"SO-Bench", *(f"SO-Bench ({domain})" for domain in SOBENCH_N)}
    told = {one["generation_config"]["additional_details"]["signature"] for one in record["evaluation_results"]}
    assert told == {results[task][0].signature_text for task in WHOLE_SOBENCH}
    assert record["evaluation_results"][0]["generation_config"]["generation_args"]["temperature"] == 0.0


def test_a_record_passes_the_published_schema(results):
    package = pytest.importorskip("every_eval_ever")
    from pathlib import Path

    folder = Path(package.__file__).parent / "schemas"
    whole, line = (
        jsonschema.Draft7Validator(json.loads((folder / name).read_text(encoding="utf-8")))
        for name in ("eval.schema.json", "instance_level_eval.schema.json")
    )
    for file in records(results):
        whole.validate(json.loads(file.text))
    for one in records(results, replace(WISHES, samples=True), ["ifstruct"])[1].text.splitlines():
        line.validate(json.loads(one))


def test_the_same_result_has_the_same_file_whenever_it_is_made(results, monkeypatch):
    first = records(results)
    monkeypatch.setattr(every_eval_ever.time, "time", lambda: 1.9e9)
    again = records(results)
    assert [file.path for file in first] == [file.path for file in again]
    for one, other in zip(first, again):
        assert one.text != other.text
        for key in one.passing:
            assert json.loads(one.text)[key] != json.loads(other.text)[key]
    assert [file.path for file in records(results, Wishes("lab/other"))] != [file.path for file in first]


def test_answers_beside_the_record_when_they_are_asked_for(results):
    record, answers = records(results, replace(WISHES, samples=True), ["ifstruct"])
    told = json.loads(record.text)["detailed_evaluation_results"]
    assert told["file_path"] == answers.path == record.path.replace(".json", "_samples.jsonl")
    assert told["checksum"] == hashlib.sha256(answers.text.encode()).hexdigest()
    lines = [json.loads(line) for line in answers.text.splitlines()]
    assert told["total_rows"] == len(lines) == IFSTRUCT_N
    jsonschema.Draft7Validator(LINE).validate(lines[0])
    assert {line["evaluation_id"] for line in lines} == {json.loads(record.text)["evaluation_id"]}
    assert len({line["sample_id"] for line in lines}) == IFSTRUCT_N
    main = next(
        one
        for one in json.loads(record.text)["evaluation_results"]
        if one["evaluation_result_id"] == lines[0]["evaluation_result_id"]
    )
    scores = [line["evaluation"]["score"] for line in lines]
    assert main["score_details"]["score"] == sum(scores) / len(scores)


def test_hostile_answers_are_whole_lines_of_ascii(story):
    def hostile(lines):
        lines[0]["filtered_resps"] = ["\ud800 \u2028 \x9b2J \x00 <script>"]
        lines[1]["filtered_resps"] = [None]
        return lines

    (result,) = collect(respoken(story(), "ifstruct", hostile))
    _, answers = every_eval_ever.build([(result, profile_of("ifstruct"))], replace(WISHES, samples=True))
    assert answers.text.isascii()
    first, second = map(json.loads, answers.text.splitlines()[:2])
    assert first["output"]["raw"] == ["? \u2028 \x9b2J \x00 <script>"]
    assert second["output"]["raw"] == []


def test_lower_is_better_where_it_is(results):
    (file,) = records(results, tasks=["sobench"])
    lower = {
        one["metric_config"]["metric_name"]: one["metric_config"]["lower_is_better"]
        for one in json.loads(file.text)["evaluation_results"]
    }
    assert lower["invalid"]
    assert not lower["field_match"]


# --- open llm leaderboard


def test_results_and_request_in_the_old_shape(results):
    file, request = open_llm_leaderboard.build([results["ifstruct"], results["sobench"]], WISHES)
    assert file.path.startswith("results/lab/model-1/results_20")
    assert ":" not in file.path
    assert request.path == "requests/lab/model-1_eval_request_False_bfloat16_Original.json"
    content = json.loads(file.text)
    config = content["config"]
    assert (config["model_name"], config["model_dtype"], config["model_sha"]) == (MODEL, "bfloat16", SHA)
    assert content["results"]["ifstruct"]["pass,none"] == 0.0
    assert content["results"]["sobench"]["field_match,none"] == results["sobench"][0].figure("field_match").value
    assert content["lm_eval_version"] == "0.4.13"
    assert "pretty_env_info" not in content
    assert set(content["configs"]) == {"ifstruct"}  # the pool has none, and the parts were not exported
    assert "hf_private" not in file.text
    asked = json.loads(request.text)
    assert asked["status"] == "FINISHED"
    assert asked["revision"] == SHA
    assert asked["private"] is False


def test_the_old_shape_holds_no_secret_however_it_was_written(story):
    def tell(content):
        content["config"]["model_args"] = f"pretrained={MODEL},token=hf_private,base_url=http://me:private@host/v1"
        content["config"]["hf_hub_log_args"] = {"token": "private"}
        content["configs"]["ifstruct"]["metadata"]["api_key"] = "private"
        content["results"]["ifstruct"]["pass_stderr,none"] = math.nan

    (result,) = collect(story(tell))
    file, request = open_llm_leaderboard.build([(result, profile_of("ifstruct"))], WISHES)
    assert "private" not in file.text + request.text.replace('"private": false', "")
    content = json.loads(file.text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert content["results"]["ifstruct"]["pass_stderr,none"] == "N/A"
    assert content["config"]["model"] == "hf"


# --- tables


def test_a_csv_that_correlate_reads(results, tmp_path):
    (file,) = table("csv", list(results.values()), WISHES)
    (tmp_path / "scores.csv").write_text(file.text, encoding="utf-8")
    found = {(one.model, one.task): one.value for one in of_scores(tmp_path / "scores.csv")}
    assert found[MODEL, "sobench"] == results["sobench"][0].figure("field_match").value
    assert found[MODEL, "ifstruct/pass_json"] == 0.0


def test_tables_are_never_refused_and_say_what_a_leaderboard_would(golden):
    found = [(one, profile_of(one.benchmark)) for one in collect(golden["oracle"])]
    (file,) = table("markdown", found, Wishes())
    assert "**not for publication**" in file.text
    assert "data.sample_set" in file.text
    assert "| pass | 100.00 | 0.00 |" in file.text
    rows = list(csv.DictReader(io.StringIO(table("csv", found, Wishes())[0].text)))
    assert all("[data.sample_set]" in row["notes"] for row in rows)


def test_a_hostile_model_name_does_nothing_in_a_table(story):
    def rename(content):
        content["model_name"] = '=HYPERLINK("x")|<script>\n# A'

    found = [(one, profile_of(one.benchmark)) for one in collect(story(rename))]
    text = table("markdown", found, Wishes())[0].text
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "\n# A" not in text
    (row, *_) = csv.DictReader(io.StringIO(table("csv", found, Wishes())[0].text))
    assert row["model"].startswith("'=")


HOSTILE = (None, "x", math.inf, math.nan, -1, 10**400, {}, [], True, "\ud800\u202e\x1b[2J")


@pytest.mark.parametrize(
    "path",
    [
        ("date",), ("model_name",), ("config",), ("config", "limit"), ("config", "model_args"), ("config", "model_sha"),
        ("config", "model_num_parameters"), ("config", "model_dtype"), ("n-samples", IFSTRUCT, "original"),
        ("results", IFSTRUCT), ("results", IFSTRUCT, "pass,none"), ("results", IFSTRUCT, "pass_json_stderr,none"),
        ("configs", IFSTRUCT, "generation_kwargs", "temperature"), ("versions",), ("lm_eval_version",),
    ],
)  # fmt: skip
def test_a_results_file_that_says_anything_is_exported_or_refused_in_a_sentence(golden, tmp_path, path):
    copy = Edit(golden["oracle"], tmp_path / "copy")
    before = results_file(copy.folder).read_text(encoding="utf-8")
    for hostile in HOSTILE:

        def change(content, hostile=hostile):
            for key in path[:-1]:
                content = content[key]
            content[path[-1]] = hostile

        results_file(copy.folder).write_text(before, encoding="utf-8")
        try:
            found = [(one, profile_of(one.benchmark)) for one in collect(copy.results(change).folder)]
        except UsageError:
            continue
        made = [*table("csv", found, WISHES), *table("markdown", found, WISHES)]
        for target in TARGETS.values():
            assert all(target.refuses(result, profile, WISHES) for result, profile in found)  # a sample set
            made += target.build(found, WISHES)
        for file in made:
            assert "\x1b" not in file.text
            file.text.encode("utf-8")
