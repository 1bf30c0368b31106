"""Renderings against other contents, pair by pair: a reader takes the first kind for the same, never the second."""

import json

import pytest

from sobench_metrics.recovery import recover_sobench
from tests.recovery.own_sobench_cases import row

SAME = [
    ("1\u00bd", "1 1/2"), ("\u00bd cup", "1/2 cup"), ("10\u00b2", "10^2"), ("m\u00b2", "m2"), ("3/4", "3 / 4"), ("10 : 30", "10:30"),
    ("05.03.2024", "05/03/2024"), ("5-3-24", "5/3/24"), ("2023/24", "2023-24"), ("2019-2020", "2019\u20132020"),
    ("12,5", "12.5"), ("1 000", "1,000"), ("1,2,3", "1, 2, 3"), ("5; 3", "5, 3"), ("3 - 5", "3\u20135"), ("-5", "\u22125"), ("A-12", "A 12"),
    ("(1,250.00)", "( 1250 )"), ("+1 555 123 4567", "+1-555-123-4567"), ("INV 2024-001", "INV-2024-001"),
    ("Jane@Corp.example", "jane@corp.example."), ("[a@b.example](mailto:a@b.example)", "a@b.example"), ("https://x.example/", "https://x.example"),
]  # fmt: skip
OTHER = [
    ("3-4", "3/4"), ("3.4", "3/4"), ("3.4", "3-4"), ("12.5", "12-5"), ("12.5", "12 5"), ("12.5", "125"), ("1:2", "1/2"), ("1:2", "1.2"),
    ("3, 4", "3.4"), ("3 * 4", "3 4"), ("2:30", "2-30"), ("50/50", "50-50"), ("1,2,3", "1.2.3"), ("1,2,3", "123"), ("192.168.1.1", "192.16.81.1"),
    ("1\u00bd", "11/2"), ("1\u00bd", "12"), ("10\u00b2", "102"), ("10\u207b\u00b3", "10-3"), ("12\u00b9", "121"), ("5\u2082", "52"),
    ("(5)", "5"), ("(1,250.00)", "1250"), ("($5.00)", "$5.00"), ("(5)", "-5"), ("5-", "5"), ("100.00-", "100.00"), ("-5", "5"),
    ("v1.2", "v1.20"), ("No. 5.10", "No. 5.1"), ("\u00a7 3.10", "\u00a7 3.1"), ("007", "7"), ("$5", "\u00a35"), ("5 kg", "5 lb"), ("5%", "5"),
    ("a.b@c.example", "ab@c.example"), ("a_b@c.example", "ab@c.example"), ("www.a-b.example", "www.ab.example"), ("https://x.example/1.2", "https://x.example/12"),
    ("03/04/2024", "04/03/2024"), ("2024-03-05", "2024-03"), ("10:30 AM", "10:30 PM"), ("C++", "C"), ("<5", ">5"), ("x", ""),
]  # fmt: skip


def reading(target, answered, label):
    return recover_sobench(json.dumps({"v": answered, "k": 1}), row({"v": target, "k": 1}, {"v": label, "k": "exact"}))


@pytest.mark.parametrize("label", ["exact", "fuzzy"])
@pytest.mark.parametrize(("target", "answered"), SAME)
def test_a_rendering_is_the_same_in_both_directions(target, answered, label):
    assert reading(target, answered, label).recoverable
    assert reading(answered, target, label).recoverable


@pytest.mark.parametrize("label", ["exact", "fuzzy"])
@pytest.mark.parametrize(("target", "answered"), OTHER)
def test_other_content_is_other_in_both_directions(target, answered, label):
    assert not reading(target, answered, label).recoverable
    assert not reading(answered, target, label).recoverable
