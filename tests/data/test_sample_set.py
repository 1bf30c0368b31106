"""The bundled sample set: complete, answerable, valid, and what its maker makes."""

import io
import json
from collections import Counter
from itertools import product

import jsonschema
import pytest

from sobench_metrics import ifstruct, sobench
from sobench_metrics.data import images, oracle, prepared
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.json_schema import depth

DOMAINS = ("ui", "natural", "document", "chart")
# Entity types of the real IFStruct v1.0 test set: a sample row must never be taken for one of them.
REAL_ENTITY_TYPES = {
    "bug_report_batch", "camera_review", "clinical_trial", "conference_schedule", "config_snippet_audit",
    "customer_email_thread", "dialogue_sample", "event_ticket_booking", "gpu_review", "interview_transcript_segment",
    "invoice", "job_posting", "log_parser_examples", "pr_discussion", "real_estate_listing", "recipe",
    "rental_car_booking", "repro_steps_batch", "scientific_experiment", "screenplay_scene", "short_story_chapter",
    "support_ticket_batch", "terminal_session_notes", "travel_itinerary",
}  # fmt: skip


@pytest.fixture(scope="module")
def manifest():
    return json.loads((sample_home() / "manifest.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def docs():
    return [doc for domain in DOMAINS for doc in prepared.load(sample_home(), domain).docs]


@pytest.fixture(scope="module")
def rows():
    return load_rows(ifstruct_rows_file()).rows


def same_shape(target, labels):
    if isinstance(target, dict):
        return (
            isinstance(labels, dict)
            and target.keys() == labels.keys()
            and all(same_shape(target[key], labels[key]) for key in target)
        )
    if isinstance(target, list):
        return (
            isinstance(labels, list)
            and len(target) == len(labels)
            and all(same_shape(one, label) for one, label in zip(target, labels, strict=True))
        )
    return labels in ("exact", "fuzzy", "ignore")


def containers(value):
    if isinstance(value, (dict, list)):
        yield value
        for child in value.values() if isinstance(value, dict) else value:
            yield from containers(child)


def properties(schema):
    for name, part in (schema.get("properties") or {}).items():
        yield name, part
        yield from properties(part.get("items", part))


def test_counts_are_those_of_the_manifest(manifest, docs, rows):
    assert len(docs) == manifest["expected_total"] == sum(manifest["expected"]["domain"].values())
    assert Counter(doc["domain"] for doc in docs) == manifest["counts"]["domain"]
    assert Counter(doc["source"] for doc in docs) == manifest["counts"]["source"]
    assert min(manifest["counts"]["domain"].values()) >= 12
    assert len(rows) == manifest["ifstruct"]["expected_total"] >= 60


def test_is_small():
    assert sum(file.stat().st_size for file in sample_home().rglob("*") if file.suffix != ".pyc") < 5_000_000


def test_manifest_names_every_file_with_its_hash(manifest):
    import hashlib

    found = {
        file.relative_to(sample_home()).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sample_home().rglob("*")
        if file.is_file() and file.suffix not in (".py", ".pyc") and file.name != "manifest.json"
    }
    assert found == {name: entry["sha256"] for name, entry in manifest["files"].items()}


def test_every_picture_reads_alone_and_has_its_size(docs):
    for doc in docs:
        picture = images.open_image(images.read_bytes(prepared.image_of(sample_home(), doc)))
        assert picture.size == (doc["width"], doc["height"])


def test_pixel_hashes_are_those_of_the_decoded_pictures(docs, manifest):
    from sobench_metrics.data.pixels import pixel_sha256
    from sobench_metrics.data.sample_maker.write import libraries

    if libraries()["libjpeg_turbo"] != manifest["libraries"]["libjpeg_turbo"]:
        pytest.skip("another JPEG decoder may differ in the last bit")
    for doc in docs:
        jpeg = images.read_bytes(prepared.image_of(sample_home(), doc))
        assert pixel_sha256(jpeg) == manifest["documents"][doc["doc_id"]]["pixel_sha256"]


def test_docs_are_sorted_and_unique(docs):
    for domain in DOMAINS:
        ids = [doc["doc_id"] for doc in docs if doc["domain"] == domain]
        assert ids == sorted(set(ids))


def test_targets_follow_valid_schemas_and_labels_have_their_shape(docs):
    for doc in docs:
        schema, target = json.loads(doc["schema_json"]), json.loads(doc["target_json"])
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(target, schema)
        assert same_shape(target, json.loads(doc["evaluation_labels_json"])), doc["doc_id"]


def test_no_target_holds_an_empty_container(docs):
    """The official scorer takes a point for a correct empty container, so the oracle could not reach 100."""
    for doc in docs:
        assert all(containers(json.loads(doc["target_json"]))), doc["doc_id"]


def test_schemas_nest_from_one_to_eight_levels(docs):
    levels = {depth(json.loads(doc["schema_json"])) - 1 for doc in docs}  # `depth` counts the scalar too
    assert levels == set(range(1, 9))


def test_schemas_use_what_a_reader_of_schemas_must_know(docs):
    text = "".join(doc["schema_json"] for doc in docs)
    for keyword in (
        "enum",
        "minimum",
        "maximum",
        "$defs",
        "$ref",
        "anyOf",
        "additionalProperties",
        "pattern",
        "minItems",
    ):
        assert f'"{keyword}"' in text
    assert '"null"]' in text


def test_every_label_rule_and_a_list_as_root_occur(docs):
    labels = "".join(doc["evaluation_labels_json"] for doc in docs)
    assert all(f'"{rule}"' in labels for rule in ("exact", "fuzzy", "ignore"))
    assert any(doc["target_json"].startswith("[") for doc in docs)


def test_two_documents_of_a_kind_differ(docs):
    assert len({doc["target_json"] for doc in docs}) == len({doc["image_sha256"] for doc in docs}) == len(docs)
    assert len({doc["user_intent"] for doc in docs}) > len(docs) * 0.8


def test_the_target_as_answer_reaches_everything(docs):
    for doc in docs:
        score = sobench.score(
            oracle.sobench_answer(doc),
            target=doc["target_json"],
            schema=doc["schema_json"],
            labels=doc["evaluation_labels_json"],
        )
        assert score.exact_match, doc["doc_id"]
        assert score.followed_schema, doc["doc_id"]
        assert score.full_match, doc["doc_id"]
        assert score.official.total == score.official.matched, doc["doc_id"]
        assert score.strict.total == score.strict.matched, doc["doc_id"]


def test_the_placeholder_follows_the_schema_and_is_never_right(docs):
    for doc in docs:
        answer = oracle.sobench_placeholder(doc["schema_json"])
        score = sobench.score(
            answer, target=doc["target_json"], schema=doc["schema_json"], labels=doc["evaluation_labels_json"]
        )
        assert score.followed_schema, doc["doc_id"]
        assert not score.full_match, doc["doc_id"]


def test_prompts_are_a_pair_for_the_loader(docs):
    prompts = prepared.load(sample_home(), "ui").prompts
    stored = json.loads((sample_home() / "prompts.json").read_text(encoding="utf-8"))
    assert stored["sha256"] == prompts.sha256
    text = prompts.user_text(schema_json=docs[0]["schema_json"], user_intent=docs[0]["user_intent"])
    assert docs[0]["schema_json"] in text
    assert docs[0]["user_intent"] in text


def test_the_dataset_card_opens_all_domains(tmp_path):
    datasets = pytest.importorskip("datasets")
    for name, count in (("ui", 14), ("all", 56)):
        table = datasets.load_dataset(str(sample_home()), name, split="test", cache_dir=str(tmp_path))
        assert len(table) == count
        assert isinstance(table.features["image"], datasets.Image)


def test_entity_types_are_ours(rows):
    names = {row["entity_type"] for row in rows}
    assert len(names) == 12
    assert all(name.startswith("sample__") for name in names)
    assert not {name.removeprefix("sample__").removeprefix("escaping__") for name in names} & REAL_ENTITY_TYPES
    escaping = sum("__escaping__" in row["entity_type"] for row in rows)
    assert len(rows) / 4 <= escaping <= len(rows) / 2


def test_every_combination_of_form_rules_occurs(rows):
    def fence(row):
        tagged = f"```{row['output_format']}" in row["prompt"]
        return "none" if not row["require_code_block"] else "tagged" if tagged else "generic"

    seen = Counter(
        (row["output_format"], row["require_wrapper_key"], fence(row), row["require_no_commentary"]) for row in rows
    )
    wanted = set(product(("json", "yaml"), (True, False), ("none", "generic", "tagged"), (True, False)))
    assert set(seen) == wanted
    assert set(seen.values()) == {3}


def test_counts_are_exact_and_ranges(rows):
    counts = [json.loads(row["top_level_count"]) for row in rows]
    assert {type(count) for count in counts} == {int, list}
    assert all(count[0] < count[1] for count in counts if isinstance(count, list))


def test_prompts_name_every_field_enum_value_and_bound(rows):
    for row in rows:
        prompt = row["prompt"]
        for name, part in properties(json.loads(row["json_schema"])["items"]):
            assert name in prompt
            for value in part.get("enum", []):
                assert str(value) in prompt, (row["doc_id"], name, value)
            for bound in ("minimum", "maximum"):
                assert bound not in part or str(part[bound]) in prompt, (row["doc_id"], name, bound)


def test_prompts_say_the_rules_of_the_form(rows):
    for row in rows:
        prompt, count = row["prompt"], json.loads(row["top_level_count"])
        wanted = count if isinstance(count, list) else [count]
        assert all(str(number) in prompt for number in wanted)
        assert row["output_format"].upper() in prompt
        assert (f"{row['top_level_key']}" in prompt) == row["require_wrapper_key"]
        assert ("list itself" in prompt or "bare top-level list" in prompt) == (not row["require_wrapper_key"])
        silent = any(
            words in prompt for words in ("no text before or after", "nothing but the data", "anything besides")
        )
        assert silent == row["require_no_commentary"]
        fenced = any(
            words in prompt for words in ("code block (three", "fenced code block", "Markdown code fence", "```")
        )
        assert fenced == row["require_code_block"]
        closed = ("no others, at every level", "No field may be added", "only those fields")
        assert any(words in prompt for words in closed)
        if row["output_format"] == "yaml":
            assert "block style" in prompt


def test_optional_fields_and_every_style_occur(rows):
    marks = {
        "chat": "only those fields, spelled like that",
        "bullets": "\n- `",
        "json_schema": '"type": "array"',
        "annotated_example": "like this one",
        "path_list": "[].",
        "table": "Fields of one item:",
    }
    for style, mark in marks.items():
        assert sum(mark in row["prompt"] for row in rows) >= 12, style
    tables = [row["prompt"] for row in rows if marks["table"] in row["prompt"]]
    assert any("| --- |" in prompt for prompt in tables)
    assert any("+---" in prompt for prompt in tables)
    assert any("optional" in row["prompt"] and '"x-optional": true' in row["json_schema"] for row in rows)


def test_oracle_passes_every_row_without_a_strict_finding(rows):
    for row in rows:
        verdict = ifstruct.validate(oracle.ifstruct_answer(row), ifstruct.Spec.from_row(row))
        assert verdict.passed, (row["doc_id"], verdict.errors)
        assert not verdict.strict, (row["doc_id"], verdict.strict)


def test_placeholder_marks_the_floor(rows):
    """Only a bare list that needs no fence can pass with the schema's smallest instance."""
    passed = [
        row for row in rows if ifstruct.validate(oracle.ifstruct_placeholder(row), ifstruct.Spec.from_row(row)).passed
    ]
    assert passed == [row for row in rows if not row["require_wrapper_key"] and not row["require_code_block"]]


def test_jpeg_bytes_stand_for_rgb(docs):
    from PIL import Image

    data = images.read_bytes(prepared.image_of(sample_home(), docs[0]))
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, picture.mode) == ("JPEG", "RGB")
