"""One label file becomes one row of texts; a file that cannot be used stops everything and is named."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.data.prepare.labels import read_label, read_labels
from sobench_metrics.errors import UsageError

SOURCES = {"harbour": "ui", "meadow": "natural"}
WHOLE = {
    "image_url": "data/harbour/images/one/pier.png",
    "schema_json": {"type": "object", "properties": {"ß": {"type": "string"}, "a": {"type": "integer"}}},
    "user_intent": "Read the {pier} — all of it.",
    "structured_output": {"ß": "né", "a": 3},
    "evaluation_labels": {"ß": None, "a": "exact"},
}


def file(**changes):
    return json.dumps({**WHOLE, **changes}).encode()


def read(name="labels/pier.json", **changes):
    return read_label(name, file(**changes), SOURCES)


def test_a_label_as_upstream_would_write_it():
    label = read()
    assert label.row() == {
        "doc_id": "pier",
        "domain": "ui",
        "source": "harbour",
        "schema_json": '{"type": "object", "properties": {"\\u00df": {"type": "string"}, "a": {"type": "integer"}}}',
        "user_intent": "Read the {pier} — all of it.",
        "target_json": '{"ß": "né", "a": 3}',
        "evaluation_labels_json": '{"\\u00df": "ignore", "a": "exact"}',
        "upstream_image_url": "data/harbour/images/one/pier.png",
    }
    assert label.image == "images/one/pier.png"
    assert label.target == WHOLE["structured_output"]


def test_the_order_of_keys_is_kept():
    assert read(schema_json={"z": 1, "a": {"y": 2, "b": 3}}).schema_json == '{"z": 1, "a": {"y": 2, "b": 3}}'


@pytest.mark.parametrize("labels", [0.5, True, "exact", ["exact"], {"b": "exact"}, {"a": ["fuzzy", 1]}, {}])
def test_odd_labels_stay_as_they_are_since_the_metric_has_a_reading_for_any(labels):
    assert json.loads(read(evaluation_labels=labels).labels_json) == labels


@pytest.mark.parametrize("target", ["text", None, 3, [], [{"a": 1}]])
def test_any_target_can_be_scored(target):
    assert json.loads(read(structured_output=target).target_json) == target


@pytest.mark.parametrize("name", ["pier.json", "labels/pier.json", "labels/more/pier.json"])
def test_the_doc_id_is_the_stem_of_the_file(name):
    assert read(name).doc_id == "pier"


@pytest.mark.parametrize(
    ("image_url", "source", "image"),
    [
        ("data/harbour/images/1.jpg", "harbour", "images/1.jpg"),
        ("./data/meadow/images/1.jpg", "meadow", "images/1.jpg"),
        ("somewhere/else/data/meadow/images/1.jpg", "meadow", "images/1.jpg"),
        ("data/data/meadow/images/1.jpg", "meadow", "images/1.jpg"),
        ("data/harbour/data/meadow/1.jpg", "harbour", "data/meadow/1.jpg"),
        ("data/meadow/images/Ünder water.png", "meadow", "images/Ünder water.png"),
    ],
)
def test_the_image_is_what_follows_its_source(image_url, source, image):
    label = read(image_url=image_url)
    assert (label.source, label.image, label.domain, label.image_url) == (source, image, SOURCES[source], image_url)


@pytest.mark.parametrize(
    "image_url",
    [
        "", "data", "data/harbour", "data/harbour/", "/data/harbour/1.jpg", "data/harbour/../../../etc/passwd",
        "../data/harbour/1.jpg", "data/harbour//1.jpg", "data/harbour/./1.jpg", "data\\harbour\\1.jpg",
        "data/harbour/1.jpg\n", "data/harbour/\0.jpg", "https://example.org/data/harbour/1.jpg", "harbour/images/1.jpg",
    ],
)  # fmt: skip
def test_an_image_elsewhere_is_refused(image_url):
    with pytest.raises(UsageError, match=r"labels/pier\.json cannot be used \(image_url"):
        read(image_url=image_url)


def test_an_unknown_source_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"names no known source: data/<harbour\|meadow>"):
        read(image_url="data/attic/1.jpg")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"schema_json": "{}"}, "schema_json is no object"),
        ({"schema_json": None}, "schema_json is no object"),
        ({"user_intent": None}, "must be texts"),
        ({"image_url": 7}, "must be texts"),
        ({"user_intent": "\ud800"}, "lone surrogate"),
        ({"structured_output": {"a": "\udfff"}}, "lone surrogate"),
    ],
)
def test_what_cannot_be_asked_or_scored_is_refused(changes, fault):
    with pytest.raises(UsageError, match=fault):
        read(**changes)


@pytest.mark.parametrize("field", WHOLE)
def test_each_field_is_needed(field):
    rest = {name: value for name, value in WHOLE.items() if name != field}
    with pytest.raises(UsageError, match=rf"labels/a\.json cannot be used \(it lacks {field}\)"):
        read_label("labels/a.json", json.dumps(rest).encode(), SOURCES)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"[]", "no JSON object"),
        (b"\xff\xfe{\0}\0", "not UTF-8"),
        (b"\xef\xbb\xbf{}", "no JSON"),
        (b'{"a": ' + b"[" * 200_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "no JSON|lacks"),  # a number that Python 3.11 refuses and 3.10 takes
    ],
)
def test_what_is_no_json_object_is_refused(data, fault):
    with pytest.raises(UsageError, match=fault):
        read_label("labels/a.json", data, SOURCES)


@pytest.mark.parametrize("depth", [100, 600, 2000, 100_000])
def test_deep_nesting_is_written_or_refused_but_never_a_crash(depth):
    deep = "[" * depth + "]" * depth
    data = file(structured_output="@").replace(b'"@"', deep.encode())
    assert written_or_fault(data) in {deep, "nested too deeply"}


def written_or_fault(data):
    try:
        return read_label("a.json", data, SOURCES).target_json
    except UsageError as error:
        return "nested too deeply" if "nested too deeply" in str(error) else str(error)


def test_numbers_pass_as_upstream_reads_them():
    data = file(structured_output="@").replace(
        b'"@"', b'{"a": NaN, "b": -Infinity, "c": 123456789012345678901234567890, "d": 1.0}'
    )
    label = read_label("a.json", data, SOURCES)
    assert label.target_json == '{"a": NaN, "b": -Infinity, "c": 123456789012345678901234567890, "d": 1.0}'
    assert math.isnan(label.target["a"])


@pytest.mark.parametrize(
    ("labels", "written"),
    [
        (None, '"ignore"'),
        ("exact", '"exact"'),
        ({}, "{}"),
        ({"a": None}, '{"a": "ignore"}'),  # ß stays absent
        ({"a": [None, {"b": None}], "ß": "fuzzy"}, '{"a": ["ignore", {"b": "ignore"}], "\\u00df": "fuzzy"}'),
    ],
)
def test_null_labels_mean_ignore(labels, written):
    assert read(evaluation_labels=labels).labels_json == written


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(TEXTS, children, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=4)


def labelled(draw, value):
    if isinstance(value, dict):
        return {key: labelled(draw, child) for key, child in value.items()}
    if isinstance(value, list):
        return [labelled(draw, child) for child in value]
    return draw(st.sampled_from(["exact", "fuzzy", "ignore", None]))


def leaves(labels):
    if isinstance(labels, (dict, list)):
        for key, child in labels.items() if isinstance(labels, dict) else enumerate(labels):
            yield key
            yield from leaves(child)
    else:
        yield labels


@given(st.data(), OBJECTS, OBJECTS | st.lists(VALUES, max_size=4), TEXTS)
def test_any_label_comes_through_unchanged(data, schema, target, intent):
    labels = labelled(data.draw, target)
    label = read(schema_json=schema, structured_output=target, evaluation_labels=labels, user_intent=intent)
    assert json.loads(label.schema_json) == schema
    assert list(json.loads(label.schema_json)) == list(schema)
    assert json.loads(label.target_json) == label.target == target
    assert label.user_intent == intent
    assert list(leaves(json.loads(label.labels_json))) == [
        "ignore" if leaf is None else leaf for leaf in leaves(labels)
    ]


def test_labels_are_sorted_by_doc_id(tmp_path):
    for name in ("b", "a10", "a9", "B"):
        (tmp_path / f"{name}.json").write_bytes(file(user_intent=name))
    labels = read_labels(tmp_path, SOURCES)
    assert [label.doc_id for label in labels] == ["B", "a10", "a9", "b"]
    assert [label.user_intent for label in labels] == ["B", "a10", "a9", "b"]


def test_two_files_of_one_name_are_refused(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.json").write_bytes(file())
    with pytest.raises(UsageError, match=r"two label files are called a\.json"):
        read_labels(tmp_path, SOURCES)


def test_no_label_at_all_is_refused(tmp_path):
    with pytest.raises(UsageError, match="hold no label file"):
        read_labels(tmp_path, SOURCES)
