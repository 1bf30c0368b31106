"""Which revision of the document pages is right: told by what stands on them, and refused when nothing tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.data.sources import omnidocbench_proof as proof

TITLES = ("Harvest", "Granite", "Lantern", "Orchard", "Compass", "Thimble", "Voyager", "Whisker", "Quarrel", "Mustard")


def entry(number, *, language="english", image="page", text=None):
    lines = text or [f"{title} number {number} of the {title.lower()} report" for title in TITLES[:4]]
    return {
        "layout_dets": [{"category_type": "text_block", "text": line} for line in lines],
        "page_info": {"image_path": f"{image}_{number}.png", "page_attribute": {"language": language}},
    }


def target_of(number):
    return {"heading": f"{TITLES[0]} number {number}", "lines": [f"of the {t.lower()} report" for t in TITLES[:3]]} | {
        f"field{place}": f"{title} number {number} of" for place, title in enumerate(TITLES[:4])
    }


def candidate(name, numbers, indices, *, image="page", content=None):
    content = content or {f"{image}_{number}.png": f"blob-{image}-{number}" for number in numbers}
    return proof.candidate(name, [entry(number, image=image) for number in numbers], indices, content)


def claims(numbers, indices):
    return [proof.claim(index, target_of(numbers[index])) for index in indices]


@given(st.permutations(range(100, 112)).filter(lambda order: sum(a != b for a, b in zip(order, range(100, 112))) > 4))
def test_pages_that_changed_places_are_told_apart(shuffled):
    true = list(range(100, 112))
    indices = range(12)
    right, wrong = candidate("right", true, indices), candidate("wrong", shuffled, indices)
    for order in ([right, wrong], [wrong, right]):
        assert proof.choose(order, claims(true, indices)).winner == "right"


def test_the_lead_is_measured_where_two_revisions_differ():
    """Nine pages in ten are the same: over all of them the right one would lead by a few hundredths only."""
    true, indices = list(range(100, 140)), range(40)
    swapped = [*true[:36], *reversed(true[36:])]
    verdict = proof.choose([candidate("old", swapped, indices), candidate("new", true, indices)], claims(true, indices))
    old, new = verdict.figures
    assert 0 < new.agreement - old.agreement < proof.LEAD
    assert verdict.winner == "new"


def test_a_revision_with_fewer_pages_than_the_labels_count_is_out():
    true = list(range(100, 120))
    short, long = candidate("short", true[:10], [3, 15]), candidate("long", true, [3, 15])
    verdict = proof.choose([short, long], claims(true, [3, 15]))
    assert verdict.winner == "long"
    assert verdict.figures[0].agreement is None
    assert (verdict.figures[0].pages, verdict.figures[0].highest_index) == (10, 15)
    assert proof.choose([short], claims(true, [3, 15])).winner is None
    assert proof.confirm(short, claims(true, [3, 15])).winner is None


def test_two_revisions_with_the_same_pictures_are_one_and_the_older_stands_for_it():
    true, indices = list(range(100, 112)), range(5)
    same = [candidate(name, true + more, indices) for name, more in (("old", []), ("new", [500]))]
    verdict = proof.choose(same, claims(true, indices))
    assert verdict.winner == "old"
    assert [each.same_as for each in verdict.figures] == [None, "old"]


def test_pages_drawn_anew_under_the_same_text_are_not_guessed():
    true, indices = list(range(100, 112)), range(5)
    drawn = {f"page_{number}.png": f"blob-page-{number}" for number in true}
    anew = candidate("anew", true, indices, content={**drawn, "page_102.png": "blob-drawn-again"})
    verdict = proof.choose([candidate("first", true, indices, content=drawn), anew], claims(true, indices))
    assert verdict.winner is None
    assert "with other pictures" in verdict.reason


def test_too_few_texts_prove_nothing_but_leave_the_user_the_choice():
    true, wrong = list(range(100, 112)), list(range(200, 212))
    few = [proof.claim(0, {"heading": "Harvest number 100", "ok": "yes", "sum": 12})]
    rivals = [candidate("right", true, [0]), candidate("wrong", wrong, [0])]
    verdict = proof.choose(rivals, few)
    assert (verdict.winner, verdict.texts) == (None, 1)
    assert proof.confirm(rivals[1], few).winner == "wrong"
    assert "too few" in proof.confirm(rivals[1], few).reason


def test_texts_that_stand_on_no_page_prove_nothing_and_rule_out_a_chosen_revision():
    true, indices = list(range(100, 112)), range(6)
    strange = [proof.claim(index, {f"k{n}": f"unheard words {index} {n}" for n in range(6)}) for index in indices]
    rivals = [candidate("a", true, indices), candidate("b", true[::-1], indices)]
    assert proof.choose(rivals, strange).winner is None
    assert proof.confirm(rivals[0], strange).winner is None


def test_a_chosen_revision_gives_way_to_one_that_is_clearly_better_only():
    true, wrong, indices = list(range(100, 112)), list(range(200, 212)), range(6)
    right, other = candidate("right", true, indices), candidate("other", wrong, indices)
    better = proof.confirm(other, claims(true, indices), [right])
    assert (better.winner, better.reason) == (None, "right fits the labels clearly better")
    assert proof.confirm(right, claims(true, indices), [other]).winner == "right"
    strange = [proof.claim(index, {f"k{n}": f"unheard words {index} {n}" for n in range(6)}) for index in indices]
    verdict = proof.confirm(right, strange, [other])
    assert verdict.winner == "right"
    assert "chosen by the user" in verdict.reason


def test_two_revisions_that_agree_alike_are_refused():
    """Half of the labels speak for one, half for the other."""
    one, other, indices = list(range(100, 112)), list(range(200, 212)), range(12)
    mixed = claims(one, range(6)) + claims(other, range(6, 12))
    verdict = proof.choose([candidate("one", one, indices), candidate("other", other, indices)], mixed)
    assert verdict.winner is None
    assert "leads" in verdict.reason


def test_pages_are_counted_as_upstream_counts():
    entries = [
        entry(0, language="Simplified_Chinese"),
        entry(1),
        entry(2, language="EN_CH_MIXED"),
        {"layout_dets": []},
        {"page_info": {"page_attribute": {}}},
        {"page_info": {"page_attribute": {"language": None}}},
        entry(3, language="other"),
    ]
    assert proof.kept_pages(entries) == [entries[1], *entries[3:]]
    bare = proof.candidate("x", entries, [1, 4], {})
    assert bare.pages[1] == proof.Page(None, "")
    assert bare.pages[4].image == "page_3.png"


@pytest.mark.parametrize("entries", [{}, None, "pages", [1], [[]]])
def test_what_is_no_list_of_pages_is_said_to_be_none(entries):
    with pytest.raises(ValueError, match="not a list of pages"):
        proof.kept_pages(entries)


def test_texts_are_compared_without_case_space_and_markup():
    page = {
        "layout_dets": [
            {"text": "Annual\nREPORT, 2023"},
            {"html": "<table><tr><td>Net&nbsp;loss</td><td class='n'>1 200</td></tr></table>"},
            {"latex": r"$$ \text{energy} = m c^2 $$"},
            {"line_with_spans": [{"text": "ﬁne print"}], "attribute": {"text_language": "never a text"}},
        ]
    }
    found = proof.candidate("x", [page], [0], {}).pages[0].text
    for text in ("annual report 2023", "Net loss 1200", "energy=mc^2", "Fine **print**"):
        assert proof.plain(text) in found
    assert "never" not in found


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_target_makes_claims_of_long_texts_only(target):
    assert all(len(text) >= proof.LEAF_CHARACTERS for text in proof.claim(0, target).texts)
