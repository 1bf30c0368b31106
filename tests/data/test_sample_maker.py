"""The maker: the same seed gives the same set, another seed or count another one, and text never leaves its place."""

import json
from random import Random

import pytest

pytest.importorskip("matplotlib")

from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.data.sample_maker import drawn, ifstruct_rows, write
from sobench_metrics.data.sample_maker.canvas import Canvas, Ink


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory):
    out = tmp_path_factory.mktemp("sample")
    manifest = write.write_sample_set(out)
    return out, manifest


def test_rebuild_gives_the_bundled_rows(rebuilt):
    out, manifest = rebuilt
    stored = json.loads((sample_home() / "manifest.json").read_text(encoding="utf-8"))
    assert (out / "ifstruct.jsonl").read_bytes() == ifstruct_rows_file().read_bytes()
    assert {name: entry["row_sha256"] for name, entry in manifest["documents"].items()} == {
        name: entry["row_sha256"] for name, entry in stored["documents"].items()
    }
    if manifest["libraries"] == stored["libraries"]:
        assert manifest == stored
        assert all((out / name).read_bytes() == (sample_home() / name).read_bytes() for name in stored["files"])


def test_rebuild_gives_the_bundled_sizes(rebuilt):
    import pyarrow.parquet as pq

    out, _ = rebuilt
    for file in sorted(out.glob("data/*/*.parquet")):
        sizes = pq.read_table(file, columns=["doc_id", "width", "height"])
        assert sizes == pq.read_table(sample_home() / file.relative_to(out), columns=["doc_id", "width", "height"])


def test_each_row_lies_in_a_group_of_its_own(rebuilt):
    import pyarrow.parquet as pq

    out, _ = rebuilt
    for file in out.glob("data/*/*.parquet"):
        metadata = pq.read_metadata(file)
        assert metadata.num_row_groups == metadata.num_rows


def test_more_documents_can_be_had():
    rows = write.sobench_rows(seed=3, per_kind=1)
    assert len(rows) == sum(len(kinds) for kinds in write.DOMAINS.values()) == 28
    bundled = json.loads((sample_home() / "manifest.json").read_text(encoding="utf-8"))["documents"]
    assert not {row["pixel_sha256"] for row in rows} & {entry["pixel_sha256"] for entry in bundled.values()}


@pytest.mark.parametrize(
    ("domain", "kind"), [(domain, kind) for domain, kinds in write.DOMAINS.items() for kind in kinds]
)
def test_kinds_draw_for_many_seeds(domain, kind):
    """A text that fits nowhere raises, a label of another shape fails: neither may wait for an unlucky seed."""
    import jsonschema

    draw = write.DOMAINS[domain][kind]
    for seed in range(4):
        made = draw(Random(f"{kind}/{seed}"))
        jsonschema.validate(made.target, made.schema)
        assert made.image.mode == "RGB"


def test_another_seed_gives_other_ifstruct_rows():
    assert ifstruct_rows.rows(0) == ifstruct_rows.rows(0) != ifstruct_rows.rows(1)


def test_text_shrinks_to_its_width_and_refuses_to_become_unreadable():
    canvas = Canvas(200, 50)
    assert canvas.text((0, 0), "Northgate", Ink(40), width=100) <= 100
    with pytest.raises(ValueError, match="does not fit"):
        canvas.text((0, 0), "Northgate and Southgate", Ink(40), width=30)


def test_labels_follow_the_target_and_pass_rules_down():
    target = {"name": "a", "note": ["b", "c"], "rows": [{"name": "d", "x": 1}]}
    assert drawn.labels(target, fuzzy={"note", "x"}, ignore={"name"}) == {
        "name": "ignore",
        "note": ["fuzzy", "fuzzy"],
        "rows": [{"name": "ignore", "x": "fuzzy"}],
    }


def test_nullable_widens_an_enum():
    assert drawn.nullable(drawn.choice("a")) == {"type": ["string", "null"], "enum": ["a", None]}
