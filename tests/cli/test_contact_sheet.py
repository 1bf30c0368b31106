"""`sobench contact-sheet` as a user runs it."""

import pytest

from tests.cli.conftest import assert_one_sentence
from tests.engines.prepared_set import edit_rows, write_set


def test_a_page_is_written_where_the_user_stands(sobench, tmp_path):
    write_set(tmp_path / "home")
    done = sobench("contact-sheet", SOBENCH_HOME=str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    assert "10 samples written to contact-sheet.html" in done.stdout
    assert (tmp_path / "contact-sheet.html").read_text().count("<article>") == 10


def test_a_part_of_another_set(sobench, tmp_path):
    root = write_set(tmp_path / "home")
    done = sobench("contact-sheet", "--set", str(root), "--domains", "ui,chart", "--limit", "1", "--out", "s.html")
    assert "3 samples written to s.html" in done.stdout


def test_a_broken_picture_ends_with_one(sobench, tmp_path):
    root = write_set(tmp_path / "home")
    edit_rows(root, "data/ui/test-00000-of-00001.parquet", lambda rows: rows[0].update(image=None))
    done = sobench("contact-sheet", "--set", str(root))
    assert done.returncode == 1
    assert "1 picture cannot be decoded: rico_0000" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--limit", "0"), "--limit 0"),
        (("--domains", "iu"), "choose from ui, natural"),
        (("--out", "no/such/folder/x.html"), "no/such/folder"),
        (("--set", "set-9"), "'set-9'"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(sobench, tmp_path, words, told):
    write_set(tmp_path / "home")
    assert_one_sentence(sobench("contact-sheet", *words, SOBENCH_HOME=str(tmp_path / "home")), told)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


@pytest.mark.parametrize("words", [(), ("--domains", "ui", "chart")])
def test_a_page_without_a_listed_file_is_not_written(sobench, tmp_path, words):
    root = write_set(tmp_path / "home")
    file = "data/chart/test-00000-of-00001.parquet"
    (root / file).unlink()
    assert_one_sentence(sobench("contact-sheet", "--set", str(root), *words), f"lacks {file}", "sobench prepare")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
    done = sobench("contact-sheet", "--set", str(root), "--domains", "ui")
    assert (done.returncode, done.stdout.split(" written")[0]) == (0, "5 samples")


def test_a_damaged_file_is_one_sentence(sobench, tmp_path):
    root = write_set(tmp_path / "home")
    (root / "data/ui/test-00000-of-00001.parquet").write_bytes(b"no parquet")
    assert_one_sentence(sobench("contact-sheet", "--set", str(root)), "cannot read", "sobench prepare")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
