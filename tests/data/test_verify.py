"""`verify` finds each kind of damage by its own code, names the document, and leaves a sound set alone."""

import hashlib
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sobench_metrics.data.hashes import hashes_of, read_hashes
from sobench_metrics.data.prepared_sets import read_manifest
from sobench_metrics.data.sample import sample_home
from sobench_metrics.data.verify import verify
from sobench_metrics.data.verify_row import label_deviations
from sobench_metrics.errors import UsageError
from tests.engines import prepared_set
from tests.engines.prepared_set import Doc, edit_manifest, edit_rows, picture, plain_pixel_hash, write_set

UI = "data/ui/test-00000-of-00001.parquet"


def found(root, reference=None):
    """Codes with the documents that they name."""
    return {(deviation.code, deviation.doc_id) for deviation in verify(root, reference).deviations}


def test_a_set_as_prepared_is_sound(tmp_path):
    report = verify(write_set(tmp_path))
    assert report.deviations == ()
    assert report.sound
    assert [check.name for check in report.checks] == [
        "files", "counts", "ids", "rows", "images", "schemas", "targets", "labels", "prompts",
    ]  # fmt: skip
    assert next(check for check in report.checks if check.name == "counts").detail.startswith("10 of 10 samples")


def test_the_bundled_sample_is_sound():
    assert verify(sample_home()).deviations == ()


def test_several_shards_are_one_set(tmp_path):
    assert verify(write_set(tmp_path, shards=2)).sound


def test_rows_are_counted_as_they_are_read(tmp_path):
    told = []
    verify(write_set(tmp_path), seen=told.append)
    assert told == list(range(1, 11))


def change(column, value):
    def altered(rows):
        rows[1][column] = value

    return altered


def reencoded(rows):
    """The same picture from another quality: other bytes, other pixels, hashes of the row renewed."""
    stored = io.BytesIO()
    Image.open(io.BytesIO(rows[1]["image"]["bytes"])).save(stored, "JPEG", quality=30)
    rows[1]["image"]["bytes"] = stored.getvalue()
    rows[1]["image_sha256"] = hashlib.sha256(stored.getvalue()).hexdigest()
    rows[1]["pixel_sha256"] = plain_pixel_hash(stored.getvalue())


def cut_short(rows):
    rows[1]["image"]["bytes"] = rows[1]["image"]["bytes"][:200]


@pytest.mark.parametrize(
    ("altered", "codes"),
    [
        (change("user_intent", "Tell nothing."), {"row.sha256"}),
        (change("schema_json", '{"type": "object"}'), {"row.sha256"}),
        (change("schema_json", '{"type": 7}'), {"row.sha256", "schema.broken"}),
        (change("schema_json", '{"$ref": "https://example.org/s"}'), {"row.sha256", "schema.unresolvable_reference"}),
        (change("schema_json", "true"), {"row.sha256", "schema.broken"}),
        (change("schema_json", "{"), {"row.sha256", "row.damaged"}),
        (change("target_json", '{"colour": "red", "sizes": [1]}'), {"row.sha256", "labels.shape"}),
        (change("target_json", '{"colour": 3, "sizes": [1, 2]}'), {"row.sha256", "target.violation"}),
        (change("evaluation_labels_json", '{"colour": null}'), {"row.sha256", "labels.leaf"}),
        (change("evaluation_labels_json", '{"colour": "fuzzy"}'), {"row.sha256"}),
        (change("target_json", None), {"row.damaged"}),
        (change("domain", "chart"), {"row.domain"}),
        (change("source", "webui"), {"counts.source"}),
        (change("prep_id", "set-0002"), {"row.prep_id"}),
        (change("width", 65), {"image.size"}),
        (change("height", None), {"image.size"}),
        (change("pixel_sha256", "0" * 64), {"image.pixels"}),
        (change("image_sha256", "0" * 64), {"image.sha256", "image.manifest"}),
        (change("image", {"bytes": picture((1, 2, 3)), "path": "x.jpg"}), {"image.sha256", "image.pixels", "image.size", "image.manifest"}),
        (change("image", None), {"image.undecodable"}),
        (cut_short, {"image.sha256", "image.undecodable"}),
        (reencoded, {"image.manifest"}),
    ],
)  # fmt: skip
def test_an_altered_row_is_named_by_what_is_wrong(tmp_path, altered, codes):
    root = write_set(tmp_path)
    edit_rows(root, UI, altered)
    deviations = verify(root).deviations
    assert {deviation.code for deviation in deviations} == codes
    named = {deviation.doc_id for deviation in deviations if not deviation.code.startswith("counts.")}
    assert named <= {"rico_0001"}


def test_rows_lost_doubled_or_foreign_are_named(tmp_path):
    root = write_set(tmp_path)

    def altered(rows):
        rows[0] = rows[1]
        rows[2]["doc_id"] = "stranger"

    edit_rows(root, UI, altered)
    assert {
        ("ids.duplicate", "rico_0001"), ("ids.unlisted", "stranger"), ("ids.missing", "rico_0000"),
        ("ids.missing", "rico_0002"),
    } <= found(root)  # fmt: skip
    edit_rows(root, UI, lambda rows: rows.clear())
    assert ("counts.domain", "") in found(root)


@pytest.mark.parametrize("name", [UI, "prompts.json"])
def test_a_file_that_is_not_the_listed_one(tmp_path, name):
    root = write_set(tmp_path)
    file = root / name
    content = file.read_bytes()
    file.write_bytes(content.replace(b"colour", b"colouR") if name == UI else content.replace(b"squares", b"circles"))
    assert ("file.sha256", "") in found(root)
    file.write_bytes(content + b"\n")
    assert ("file.size", "") in found(root)
    file.unlink()
    assert ("file.missing", "") in found(root)


def test_a_data_file_that_no_parquet_reader_opens(tmp_path):
    root = write_set(tmp_path)
    (root / UI).write_bytes(b"PAR1 and nothing else")
    codes = {code for code, _ in found(root)}
    assert {"file.size", "row.unreadable", "ids.missing", "counts.domain"} <= codes


def test_a_file_beside_the_listed_ones_would_be_read_and_is_told(tmp_path):
    root = write_set(tmp_path)
    (root / "data/ui/test-00001-of-00002.parquet").write_bytes((root / UI).read_bytes())
    assert {("file.unlisted", ""), ("ids.duplicate", "rico_0000")} <= found(root)


@pytest.mark.parametrize("name", ["/etc/passwd", "../../secret", "data\\ui"])
def test_a_manifest_never_leads_outside_its_set(tmp_path, name):
    root = write_set(tmp_path)
    edit_manifest(root, lambda manifest: manifest["files"].update({name: {"sha256": "", "bytes": 0}}))
    assert found(root) == {("file.name", "")}


def test_a_changed_card_is_told_but_proves_nothing(tmp_path):
    root = write_set(tmp_path)
    edit_manifest(root, lambda manifest: manifest["files"].update({"README.md": {"sha256": "0" * 64, "bytes": 1}}))
    report = verify(root)
    assert [(d.code, d.warning) for d in report.deviations] == [("file.size", True)]
    assert report.sound


@pytest.mark.parametrize(
    ("prompts", "code"),
    [
        ({**prepared_set.PROMPTS, "system": "You read circles."}, "prompts.sha256"),
        ({**prepared_set.PROMPTS, "user": "{schema_json}"}, "prompts.placeholders"),
        ({"system": 1, "user": "x"}, "prompts.unreadable"),
        ({"user": "x"}, "prompts.unreadable"),
        ([], "prompts.unreadable"),
        ({**prepared_set.PROMPTS, "user": "{schema_json} {"}, "prompts.unreadable"),
        ({**prepared_set.PROMPTS, "system": "\ud800"}, "prompts.unreadable"),
    ],
)
def test_prompts_other_than_the_promised_ones(tmp_path, prompts, code):
    root = write_set(tmp_path)
    (root / "prompts.json").write_text(json.dumps(prompts))
    (deviation,) = [d for d in verify(root).deviations if d.code == code]
    assert "Error(" not in deviation.message


def test_a_target_beside_its_schema_is_a_warning_with_its_id(tmp_path):
    members = [*prepared_set.docs()[1:], Doc("rico_0000", "rico", picture((9, 9, 9)), {"colour": 1, "sizes": [2, 3]})]
    report = verify(write_set(tmp_path, members))
    (deviation,) = report.deviations
    assert (deviation.code, deviation.doc_id, deviation.warning) == ("target.violation", "rico_0000", True)
    assert "/colour" in deviation.message
    assert report.sound


# --- partial sets ----------------------------------------------------------------------------------------------------


def test_a_partial_set_is_sound_and_says_so(tmp_path):
    partial = {"allowed_by": "--allow-partial", "domains": {"ui": "4 of 5"}}
    missing = {"rico": {"rico_0000": "gone from the archive"}}
    report = verify(write_set(tmp_path, prepared_set.docs()[1:], partial=partial, missing=missing))
    assert report.sound
    counts = next(check for check in report.checks if check.name == "counts")
    assert counts.level == "warn"
    assert counts.detail.startswith("9 of 10 samples")
    assert "ui 4 of 5" in counts.detail
    assert {(d.code, d.doc_id) for d in counts.deviations} == {("counts.partial", ""), ("counts.not_had", "rico_0000")}


def test_a_short_domain_that_is_not_marked_as_partial_is_a_failure(tmp_path):
    report = verify(write_set(tmp_path, prepared_set.docs()[1:]))
    assert [(d.code, d.warning) for d in report.deviations] == [("counts.short", False)]


@pytest.mark.parametrize("partial", [None, {"allowed_by": "an earlier run", "domains": {"ui": "4 of 5"}}])
def test_a_domain_that_lacks_all_it_was_asked_for_must_be_marked(tmp_path, partial):
    natural = [doc for doc in prepared_set.docs()[1:] if doc.source != "vistext"]
    root = write_set(tmp_path, natural, partial=partial, missing={"vistext": {"vistext_0000": "404"}})
    short = [d.message for d in verify(root).deviations if d.code == "counts.short"]
    assert len(short) == 1
    assert "chart 0 of 1" in short[0]
    assert ("ui 4 of 5" in short[0]) == (partial is None)
    marked = {"allowed_by": "--allow-partial", "domains": {"ui": "4 of 5", "chart": "0 of 1"}}
    edit_manifest(root, lambda manifest: manifest.update(partial=marked))
    assert verify(root).sound


def test_the_counts_are_those_of_the_rows_that_were_read(tmp_path):
    root = write_set(tmp_path)
    edit_rows(root, UI, lambda rows: rows.pop())
    assert verify(root).checks[1].detail == (
        "9 of 10 samples (chart 1 of 1, document 2 of 2, natural 2 of 2, ui 4 of 5)"
    )


def test_whole_domains_alone_are_not_partial(tmp_path):
    natural = [doc for doc in prepared_set.docs() if doc.source == "hiertext"]
    report = verify(write_set(tmp_path, natural))
    assert report.deviations == ()
    assert "2 of 10 samples" in report.checks[1].detail


# --- reference -------------------------------------------------------------------------------------------------------


def test_an_equal_set_elsewhere(tmp_path):
    mine, theirs = write_set(tmp_path / "a"), write_set(tmp_path / "b", prep_id="set-0009")
    report = verify(mine, hashes_of(read_manifest(theirs)))
    assert report.sound
    assert report.checks[-1].detail == "10 of 10 samples equal in texts and pixels to those of set-0009"
    (explained,) = report.deviations
    assert explained.message.startswith("the set id is set-0001 here and set-0009 there, with the same prompts")
    assert verify(mine, hashes_of(read_manifest(mine))).deviations == ()


@pytest.mark.parametrize("part", ["user_intent", "schema_json", "target_json", "evaluation_labels_json"])
def test_another_text_beside_equal_pixels_is_a_failure(tmp_path, part):
    """Two honest sets: one was made from other labels, and its manifest says so."""
    mine = write_set(tmp_path / "a")
    members = prepared_set.docs()
    changed = {
        "user_intent": {"intent": "Tell the sizes."},
        "schema_json": {"schema": {**prepared_set.SCHEMA, "title": "Square"}},
        "target_json": {"target": {"colour": "pink", "sizes": [0, 0]}},
        "evaluation_labels_json": {"labels": {"colour": "fuzzy", "sizes": "exact"}},
    }[part]
    theirs = write_set(tmp_path / "b", [replace(members[0], **changed), *members[1:]])
    report = verify(mine, hashes_of(read_manifest(theirs)))
    assert [(d.code, d.doc_id, d.warning) for d in report.deviations] == [("reference.texts", "rico_0000", False)]
    assert report.checks[-1].detail.startswith("9 of 10 samples")
    assert not report.damaged


def test_other_prompts_are_a_failure(tmp_path):
    mine, theirs = write_set(tmp_path / "a"), hashes_of(read_manifest(write_set(tmp_path / "b")))
    report = verify(mine, replace(theirs, prompts_sha256="0" * 64))
    assert [(d.code, d.warning) for d in report.deviations] == [("reference.prompts", False)]


def test_texts_and_prompts_are_compared_as_they_lie_on_the_disk(tmp_path):
    root = write_set(tmp_path)
    reference = hashes_of(read_manifest(root))
    edit_rows(root, UI, change("user_intent", "Tell nothing."))
    (root / "prompts.json").write_text(json.dumps({**prepared_set.PROMPTS, "system": "You read circles."}))
    assert {("reference.texts", "rico_0001"), ("reference.prompts", "")} <= found(root, reference)
    (root / "prompts.json").unlink()
    assert ("reference.prompts", "") in found(root, reference)


def test_a_reference_of_the_first_format_compares_pictures_and_says_so(tmp_path):
    root = write_set(tmp_path / "a")
    told = hashes_of(read_manifest(root))
    old = {**told.as_json(), "format": 1, "prep_id": "set-0009", "documents": dict(told.documents)}
    del old["prompts_sha256"]
    (tmp_path / "hashes.json").write_text(json.dumps(old))
    report = verify(root, read_hashes(tmp_path / "hashes.json"))
    assert [(d.code, d.warning) for d in report.deviations] == [("reference.format", True)]
    assert report.checks[-1].detail == "10 of 10 pictures equal to those of set-0009"
    edit_rows(root, UI, reencoded)
    assert ("reference.pixels", "rico_0001") in found(root, read_hashes(tmp_path / "hashes.json"))


def test_differences_to_a_reference_are_named_and_explained(tmp_path):
    members = prepared_set.docs()
    mine = write_set(tmp_path / "a", members)
    other = [
        Doc("rico_0000", "rico", picture((1, 1, 1)), members[0].target),
        *members[2:],
        Doc("new", "rico", picture((2, 2, 2)), members[0].target),
    ]
    theirs = write_set(tmp_path / "b", other, revisions={"rico": "rico-rev-2"})
    edit_manifest(theirs, lambda manifest: manifest["encoder"].update(pillow="11.0.0"))
    report = verify(mine, hashes_of(read_manifest(theirs)))
    assert not report.sound
    assert {(d.code, d.doc_id) for d in report.deviations if d.doc_id} == {
        ("reference.pixels", "rico_0000"), ("reference.extra", "rico_0001"), ("reference.missing", "new"),
    }  # fmt: skip
    assert {d.message for d in report.deviations if not d.doc_id} == {
        "the revision of rico is rico-rev-1 here and rico-rev-2 there",
        "the encoder pillow is 13.0.0 here and 11.0.0 there",
    }


def test_the_reference_is_compared_with_pictures_and_not_with_the_manifest(tmp_path):
    root = write_set(tmp_path)
    reference = hashes_of(read_manifest(root))
    edit_rows(root, UI, reencoded)
    assert ("reference.pixels", "rico_0001") in found(root, reference)


def test_what_a_set_does_not_have_by_intent_is_a_warning(tmp_path):
    whole = write_set(tmp_path / "a")
    part = write_set(tmp_path / "b", [doc for doc in prepared_set.docs() if doc.source == "hiertext"])
    assert verify(part, hashes_of(read_manifest(whole))).sound
    assert verify(whole, hashes_of(read_manifest(part))).sound


def test_hashes_survive_the_file_and_hold_no_word_of_a_label(tmp_path):
    secret = Doc("rico_0000", "rico", picture((5, 5, 5)), {"colour": "zanzibar", "sizes": [1, 2]}, intent="quokka")
    hashes = hashes_of(read_manifest(write_set(tmp_path, [secret, *prepared_set.docs()[1:]])))
    text = json.dumps(hashes.as_json())
    (tmp_path / "hashes.json").write_text(text)
    assert read_hashes(tmp_path / "hashes.json") == hashes
    assert "zanzibar" not in text
    assert "quokka" not in text
    assert hashes.as_json()["sources"]["rico"] == "rico-rev-1"
    assert hashes.as_json()["upstream"] == {"commit": prepared_set.COMMIT, "files": {"data/labels.zip": "ab" * 32}}
    assert hashes.documents["rico_0000"] == plain_pixel_hash(secret.image)


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "{}", '{"format": 3, "documents": {}}', '{"format": [], "documents": {}}',
        '{"format": 1, "documents": []}', '{"format": 1, "documents": {"a": 1}}',
        '{"format": 2, "prompts_sha256": "a", "documents": []}', '{"format": 2, "documents": {}}',
        '{"format": 2, "prompts_sha256": "a", "documents": {"a": "b"}}',
        '{"format": 2, "prompts_sha256": "a", "documents": {"a": {"pixel_sha256": "b"}}}', "[" * 100_000,
    ],
)  # fmt: skip
def test_a_file_that_is_no_list_of_hashes(tmp_path, content):
    (tmp_path / "hashes.json").write_text(content)
    with pytest.raises(UsageError, match="export-hashes") as told:
        read_hashes(tmp_path / "hashes.json")
    assert "char 0" not in str(told.value)


@pytest.mark.parametrize(
    "content",
    ["[]", '{"files": []}', '{"sources": {"rico": 1}}', '{"counts": {"domain": {"ui": -1}}}', '{"partial": 3}'],
)
def test_a_manifest_of_a_wrong_shape_is_one_sentence(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(UsageError, match="is damaged"):
        read_manifest(tmp_path)


# --- labels ----------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def labelled(value, word):
    if isinstance(value, dict):
        return {key: labelled(part, word) for key, part in value.items()}
    if isinstance(value, list):
        return [labelled(part, word) for part in value]
    return word


@given(VALUES, st.sampled_from(["exact", "fuzzy", "ignore"]))
def test_labels_that_mirror_their_target_fit(value, word):
    assert list(label_deviations(labelled(value, word), value)) == []
    assert list(label_deviations(word, value)) == []


@given(VALUES, st.sampled_from(["Exact", None, 1, True, ""]))
def test_any_other_leaf_is_a_failure_wherever_it_stands(value, leaf):
    deviations = list(label_deviations(labelled({"first": 0, "rest": value}, leaf), {"first": 0, "rest": value}))
    assert deviations
    assert {(code, soft) for code, _, soft in deviations} == {("labels.leaf", True)}


@pytest.mark.parametrize(
    ("labels", "target", "place"),
    [
        ({"a": {"b": "exact"}}, {"a": {}}, "at /a: labels 'b'"),
        ({"a": ["exact"]}, {"a": [1, 2]}, "at /a: 1 label for 2 items"),
        ({"a": {}}, {"a": [1]}, "at /a: a label an object where the target has a list"),
        ([], 3, "at /: a label a list where the target has a plain value"),
    ],
)
def test_labels_of_another_shape_are_a_warning_with_their_place(labels, target, place):
    ((code, message, soft),) = label_deviations(labels, target)
    assert code == "labels.shape"
    assert message.startswith(place)
    assert soft


def test_labels_nested_beyond_the_stack_are_walked():
    deep = label = "exact"
    for _ in range(5_000):
        deep, label = [deep], [label]
    assert list(label_deviations(label, deep)) == []
