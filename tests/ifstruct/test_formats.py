"""Formats: the same verdict on every installation, and on the texts that people get wrong."""

import jsonschema
import pytest

from sobench_metrics.ifstruct.strict.formats import FORMATS, format_checker, unchecked_formats

RIGHT = {
    "date": ["2024-02-29", "1999-12-31"],
    "time": ["10:00:00Z", "23:59:60+01:00", "00:00:00.125-05:30"],
    "date-time": ["2024-02-29T10:00:00Z", "1999-12-31t23:59:59.9+02:00"],
    "duration": ["P1D", "PT5M", "P1Y2M3DT4H5M6S", "P2W"],
    "email": ["a.b+c@mail.example.org", "x@localhost"],
    "hostname": ["example.org", "a-1.b2", "localhost"],
    "ipv4": ["192.0.2.7"],
    "ipv6": ["::1", "2001:db8::7"],
    "uri": ["https://example.org/a?b=c#d", "urn:isbn:12", "mailto:a@b.org", "file:///tmp/%20x"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000"],
}
WRONG = {
    "date": [
        "2023-02-29",
        "2024-2-9",
        "24-02-09",
        "2024/02/09",
        "2024-02-29T00:00:00Z",
        "20240229",
        "\uff12\uff10\uff12\uff14-01-01",
    ],
    "time": ["10:00:00", "10:00Z", "24:00:00Z", "10:00:61Z", "10:00:00+24:00", "10:60:00Z"],
    "date-time": ["2024-02-29 10:00:00Z", "2024-02-29T10:00:00", "2024-02-30T10:00:00Z", "2024-02-29"],
    "duration": ["P", "PT", "1D", "P1DT", "P1S", "PT1D"],
    "email": ["a", "@b.org", "a@", "a b@c.org", "a@b..org", ".a@b.org", "a@-b.org"],
    "hostname": ["", "-a.org", "a_b.org", "a..b", "a." + "b" * 64, "example.org."],
    "ipv4": ["192.0.2", "192.0.2.256", "192.0.02.1", "192.0.2.7/24"],
    "ipv6": [":::", "2001:db8", "fe80::1%eth0"],
    "uri": ["example.org", "//example.org", "https://a b", "https://a/%2", "1http://a", "https:"],
    "uuid": ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"],
}


@pytest.mark.parametrize("name", FORMATS)
def test_right_and_wrong_texts(name):
    assert [text for text in RIGHT[name] if not FORMATS[name](text)] == []
    assert [text for text in WRONG[name] if FORMATS[name](text)] == []


def test_the_checker_knows_these_formats_and_no_others():
    assert set(format_checker().checkers) == set(FORMATS)
    assert set(jsonschema.FormatChecker().checkers) != set(FORMATS)
    check = jsonschema.Draft202012Validator({"format": "date"}, format_checker=format_checker())
    assert check.is_valid(7)
    assert not check.is_valid("soon")


def test_formats_that_nothing_checks_can_be_told():
    schema = {"items": {"format": "iri", "properties": {"a": {"anyOf": [{"format": "regex"}, {"format": "date"}]}}}}
    assert unchecked_formats(schema) == ["iri", "regex"]


@pytest.mark.parametrize("name", FORMATS)
def test_long_hostile_texts_end(name):
    for piece in ("a.", "1", "P1Y", "a@", "%20", "-", ":", "!"):
        assert FORMATS[name](piece * 50_000 + "\n") is False
