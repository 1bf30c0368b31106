"""`whole_file` gives a file its name when it is whole; what went wrong is told with the right remedy."""

import errno
import os

import pytest

from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError


def test_a_file_appears_when_the_block_ends(tmp_path):
    with whole_file(tmp_path / "out.txt") as file:
        file.write("whole")
        assert not (tmp_path / "out.txt").exists()
    assert (tmp_path / "out.txt").read_text() == "whole"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.ENOSPC, "the disk is full: free space"),
        (errno.EDQUOT, "the disk is full: free space"),
        (errno.EIO, "name a file in a folder that you may write"),
    ],
)
def test_a_write_that_fails_leaves_the_old_file_and_says_what_helps(tmp_path, code, told):
    (tmp_path / "out.txt").write_text("old")

    def written():
        with whole_file(tmp_path / "out.txt") as file:
            file.write("new")
            raise OSError(code, os.strerror(code))

    with pytest.raises(UsageError, match=told) as raised:
        written()
    assert ("you may write" in str(raised.value)) == (code == errno.EIO)
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    assert (tmp_path / "out.txt").read_text() == "old"


def test_a_missing_folder_is_told_as_such(tmp_path):
    with pytest.raises(UsageError, match="its folder is not there"), whole_file(tmp_path / "no" / "out.txt"):
        pass
