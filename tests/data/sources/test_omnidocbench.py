"""The document pages: the revision is found by what the labels say, or the user is asked."""

import pytest

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.sources.source import Wanted
from tests.engines.upstream import Fault, Upstream


@pytest.mark.parametrize("version", ["v1.0", "v1.5", "v1.6"])
def test_labels_of_each_revision_find_their_own(version, shelf, entered):
    with Upstream(seed=0, omnidocbench=version) as made:
        mine = shelf("omnidocbench", entered(made))
        plan = mine.plan()
        assert plan.revision == made.revision(version)
        assert mine.get(plan) == []
        assert mine.pixels(plan) == mine.expected()
        assert len(mine.expected()) == len(mine.labels)
    proof = plan.evidence["proof"]
    assert [each["revision"] for each in proof["candidates"]] == [made.revision(v) for v in ("v1.0", "v1.5", "v1.6")]
    best = max(proof["candidates"], key=lambda each: each["agreement"] or 0)
    assert best["revision"] == plan.revision


def test_labels_that_fit_no_revision_are_refused_with_the_figures_and_the_way_on(shelf, entered):
    with Upstream(seed=0, unclear_pages=True) as made:
        mine = shelf("omnidocbench", entered(made))
        with pytest.raises(FetchError, match="--revision omnidocbench=SHA") as refused:
            mine.plan()
        for version in ("v1.0", "v1.5", "v1.6"):
            assert made.revision(version) in str(refused.value)
        assert "agreement 0." in str(refused.value)
        # the way on: what the refusal offers must not be refused in turn, and the manifest says whose choice it was
        chosen = mine.plan(revision=made.revision("v1.5"))
        assert chosen.revision == made.revision("v1.5")
        assert "chosen by the user" in chosen.evidence["proof"]["verdict"]


@pytest.mark.parametrize("version", ["v1.0", "v1.6"])
def test_a_wrong_revision_is_refused_even_when_the_user_names_it(version, shelf, upstream):
    with pytest.raises(FetchError, match="not made from this revision"):
        shelf("omnidocbench", upstream).plan(revision=upstream.revision(version))


def test_a_copy_of_a_wrong_revision_is_refused(shelf, upstream, tmp_path):
    newest = upstream.write_archive("omnidocbench", tmp_path / "copy")
    with pytest.raises(FetchError, match="not made from this revision"):
        shelf("omnidocbench", upstream).plan(local=newest)


def test_a_limit_still_proves_with_all_labels(shelf, upstream):
    mine = shelf("omnidocbench", upstream)
    every = mine.wanted()
    few = (Wanted(every[0].image, {"title": "short"}),)
    with pytest.raises(FetchError, match="are needed"):
        mine.plan(wanted=few)
    plan = mine.plan(wanted=few, labelled=every)
    assert plan.revision == upstream.revision("v1.5")
    assert set(plan.originals) == {every[0].image}


def test_the_lists_of_pages_are_fetched_once(shelf, upstream):
    mine = shelf("omnidocbench", upstream)
    mine.plan()
    asked = upstream.traffic.requests("hub/opendatalab/OmniDocBench/OmniDocBench.json")
    assert asked == 3
    mine.plan()
    assert upstream.traffic.requests("hub/opendatalab/OmniDocBench/OmniDocBench.json") == asked


def test_a_list_of_pages_that_is_none_is_told(shelf, upstream, tmp_path):
    copy = upstream.write_archive("omnidocbench", tmp_path / "copy")
    (copy / "OmniDocBench.json").write_text('{"pages": []}')
    with pytest.raises(FetchError, match="not the list of pages"):
        shelf("omnidocbench", upstream).plan(local=copy)
    (copy / "OmniDocBench.json").unlink()
    with pytest.raises(FetchError, match="0 pages, place 16 is asked"):
        shelf("omnidocbench", upstream).plan(local=copy)


def test_a_page_that_comes_with_other_bytes_is_refused_and_harms_no_other(shelf, upstream):
    mine = shelf("omnidocbench", upstream)
    plan = mine.plan()
    victim = plan.units[0].names[0]
    upstream.faults.add(f"*{victim.rpartition('/')[2]}", Fault.replaced(b"\xff\xd8\xff another picture"))
    faults = mine.get(plan)
    assert len(faults) == 1
    assert not mine.store.has(victim)
    assert all(mine.store.has(unit.names[0]) for unit in plan.units[1:])
