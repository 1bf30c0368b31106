"""Names from archives and labels stay under their folder, whatever they are."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.data.fetch.errors import Refused
from sobench_metrics.data.fetch.paths import safe_path

PIECES = st.sampled_from(["..", ".", "", "/", "\\", "C:", "a", "images", "x.jpg", "\0", "~", " ", "é", "\ud800", "."])
NAMES = st.one_of(
    st.text(max_size=40),
    st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=8).map("/".join),
    st.lists(PIECES, max_size=8).map("".join),
)


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../up", "a/../../up", "a/..", "", "a//b", "a/", "./a", "a\\..\\b", "C:/x", "c:x", "a\0b", "a\nb",
     "a\x7f", "\ud800", "x" * 201, "é" * 101, "/".join(["x" * 100] * 11)],
)  # fmt: skip
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path, name):
    with pytest.raises(Refused, match="is not used as a file name"):
        safe_path(tmp_path, name)


@pytest.mark.parametrize("name", ["a.jpg", "images/test/0a1b.jpg", "x y/Bild ü.png", "..a", "a..b/c", "x" * 200])
def test_a_plain_name_is_a_place_under_the_root(tmp_path, name):
    assert safe_path(tmp_path, name) == tmp_path / name


def test_a_link_on_the_way_is_refused_but_the_root_may_be_one(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "elsewhere")
    assert safe_path(tmp_path / "root", "a.jpg") == tmp_path / "root" / "a.jpg"

    (tmp_path / "elsewhere" / "link").symlink_to(tmp_path)
    (tmp_path / "elsewhere" / "dead").symlink_to(tmp_path / "nowhere")
    for name in ("link", "link/a.jpg", "dead"):
        with pytest.raises(Refused, match="symbolic link"):
            safe_path(tmp_path / "root", name)


@given(NAMES)
def test_no_name_whatever_leaves_the_root(name):
    root = Path("/nowhere/root")
    try:
        path = safe_path(root, name)
    except Refused:
        return
    assert path != root
    assert Path(*path.resolve().parts[: len(root.parts)]) == root
    assert "/".join(path.parts[len(root.parts) :]) == name
