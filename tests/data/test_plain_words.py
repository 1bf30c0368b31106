"""What people are told about a file: their own words, on one line."""

import errno
import json
import os

import pytest

from sobench_metrics.data.plain_words import FULL, counted, is_full, one_line, reason


@pytest.mark.parametrize(("number", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (1234, "1,234 files")])
def test_a_count_and_its_noun_agree(number, text):
    assert counted(number, "file") == text


def failure(act):
    with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever the act raises is what is looked at
        act()
    return raised.value


def nested():
    raise RecursionError


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (lambda: json.loads("<html>"), "it is no JSON"),
        (lambda: json.loads(" \n"), "it is empty"),
        (b"\xff".decode, "it is no text in UTF-8"),
        (lambda: open("/nowhere/at/all"), "it is not there"),  # noqa: PTH123, SIM115
        (lambda: open("/"), "it is a folder"),  # noqa: PTH123, SIM115
        (lambda: os.mkdir("/dev/null/x"), "a part of the path is a file and no folder"),  # noqa: PTH102
        (nested, "it is nested too deeply"),
        (lambda: int("x\ny"), "invalid literal for int() with base 10: 'x\\ny'"),
    ],
)
def test_a_reason_is_in_plain_words(act, text):
    assert reason(failure(act)) == text


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_told_apart(code):
    error = OSError(code, os.strerror(code))
    assert is_full(error)
    assert reason(error) == FULL
    assert not is_full(OSError(errno.EACCES, ""))


def test_an_error_without_words_gives_its_name_and_one_without_a_number_its_words():
    assert reason(ValueError()) == "ValueError"
    assert reason(OSError("two\nlines")) == "two lines"
    assert reason(OSError(errno.EINVAL, "Invalid argument")) == "invalid argument"


def test_a_line_is_one_line_that_a_terminal_only_shows():
    assert one_line(" a\r\n\tb \x1b[31m\ud800") == "a b \ufffd[31m\ufffd"
