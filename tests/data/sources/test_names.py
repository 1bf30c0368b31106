"""From a label's name to a source's: nothing guessed, nothing unsafe."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.data.sources.names import Asked, Renaming, look_up, renamed
from sobench_metrics.data.sources.source import Wanted

RENAMING = Renaming(label="images/", source="combined/")


def asked(*images):
    return renamed([Wanted(image) for image in images], RENAMING)


def test_the_folder_in_front_is_all_that_changes():
    assert asked("images/72.jpg", "images/a/b.jpg", "images/72.jpg").originals == {
        "images/72.jpg": ("combined/72.jpg",),
        "images/a/b.jpg": ("combined/a/b.jpg",),
    }


def test_a_label_outside_the_folder_or_with_an_unsafe_name_has_a_reason():
    found = asked("72.jpg", "images/../../home/x", "images//etc/passwd", "images/")
    assert found.originals == {}
    assert "does not lie in images/" in found.unavailable["72.jpg"]
    assert all("not used as a file name" in found.unavailable[name] for name in list(found.unavailable)[1:])


def test_another_unicode_form_of_the_same_letters_is_found_and_told():
    composed, decomposed = (unicodedata.normalize(form, "images/Grün.png") for form in ("NFC", "NFD"))
    want = Asked({"a": (composed,), "b": (decomposed,)}, {})
    found = look_up(want, {decomposed: 1}, "the hub")
    assert found.originals == {"a": (decomposed,), "b": (decomposed,)}
    assert found.respelled == {composed: decomposed}
    exact = look_up(want, {decomposed: 1, composed: 1}, "the hub")
    assert exact.originals == want.originals
    assert exact.respelled_told() == {}


def test_another_case_is_another_file():
    found = look_up(Asked({"a": ("images/One.png",)}, {}), {"images/one.PNG": 1}, "the hub")
    assert found.originals == {}
    assert found.unavailable == {"a": "images/One.png is not in the hub (there is images/one.PNG, another file)"}


def test_two_spellings_that_fit_alike_are_not_guessed():
    letter = "\u1e69"  # an s with two dots, in three forms
    forms = ["s\u0323\u0307", "\u1e61\u0323"]
    found = look_up(Asked({"a": (letter,)}, {}), dict.fromkeys(forms, 1), "the hub")
    assert found.originals == {}


@given(st.lists(st.tuples(st.text("abc", min_size=1), st.booleans()), min_size=1))
def test_an_image_of_several_originals_is_there_when_all_of_them_are(members):
    listing = {name: 1 for name, there in members if there}
    found = look_up(Asked({"grid": tuple(name for name, _ in members)}, {}), listing, "the zip")
    lost = {name for name, _ in members if name not in listing}
    assert ("grid" in found.originals) == (not lost)
    assert all(name in found.unavailable["grid"] for name in lost)
