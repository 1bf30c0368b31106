"""Pictures share what the page may weigh; one that is not there says why."""

import pytest

from sobench_metrics.data.prepared import DOMAINS, load
from sobench_metrics.data.sample import sample_home
from sobench_metrics.report.pictures import find_pictures, shrunk


@pytest.fixture(scope="module")
def names():
    return [doc["image_sha256"] for domain in DOMAINS for doc in load(sample_home(), domain).docs[:5]]


def shown(names, places, budget):
    return dict(shrunk(names, places, budget, seen=lambda _: None))


def test_all_fit_where_there_is_room(names):
    found = shown(names, find_pictures([sample_home()], names), 15_000_000)
    assert len(found) == len(set(names)) == 20
    assert all(one.jpeg.startswith(b"\xff\xd8\xff") and max(one.width, one.height) <= 640 for one in found.values())


def test_less_room_makes_all_smaller_before_any_is_left_out(names):
    places = find_pictures([sample_home()], names)
    found = shown(names, places, 240_000)
    assert sum(len(one.jpeg) for one in found.values()) * 4 / 3 <= 240_000
    assert all(one.jpeg for one in found.values())
    assert min(max(one.width, one.height) for one in found.values()) < 640


def test_what_does_not_fit_is_left_out_and_says_so(names):
    found = shown(names, find_pictures([sample_home()], names), 24_000)
    assert 0 < sum(len(one.jpeg) for one in found.values()) * 4 / 3 <= 24_000
    assert {one.why_not for one in found.values() if not one.jpeg} == {
        "left out: the pictures of this page weigh what they may (--picture-megabytes)"
    }


def test_a_picture_of_another_set_is_missed(names):
    found = shown(["f" * 64, names[0]], find_pictures([sample_home()], ["f" * 64, names[0]]), 1_000_000)
    assert found["f" * 64].why_not == "this picture is in no prepared set on this machine"
    assert found[names[0]].jpeg


def test_bytes_that_are_not_the_picture_are_not_shown(names, tmp_path):
    places = find_pictures([sample_home()], names[:2])
    wrong = {names[0]: places[names[1]]}
    assert shown(names[:1], wrong, 1_000_000)[names[0]].why_not.startswith("this picture cannot be shown")
