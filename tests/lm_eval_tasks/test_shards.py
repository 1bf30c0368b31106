"""Shards: whole batches, bounded pixels, every request once."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from lm_eval_tasks.local_engine import shards


def request(pixels):
    return SimpleNamespace(args=("text", {}, {"visual": [SimpleNamespace(pixels=pixels)]}))


@given(st.lists(st.integers(1, 40_000_000), min_size=1, max_size=40), st.integers(1, 8))
def test_every_request_once_and_only_the_last_batch_may_be_small(pixels, batch):
    requests = [request(p) for p in pixels]
    found = list(shards(SimpleNamespace(batch_size=batch), requests, list(range(len(requests)))))
    assert [place for shard in found for place in shard] == list(range(len(requests)))
    assert all(len(shard) % batch == 0 for shard in found[:-1])
    for shard in found:
        assert len(shard) == len(shard[:batch]) or sum(pixels[place] for place in shard) <= 32_000_000


def test_a_continuous_engine_gets_large_shards():
    requests = [request(1_000_000)] * 300
    sizes = [len(shard) for shard in shards(SimpleNamespace(batch_size="auto"), requests, list(range(300)))]
    assert sizes == [256, 44]


def test_an_engine_that_reloads_for_every_call_gets_one_shard():
    requests = [request(1_000_000)] * 300
    engine = SimpleNamespace(batch_size="auto", data_parallel_size=2)
    assert [len(shard) for shard in shards(engine, requests, list(range(300)))] == [300]


def test_texts_are_kept_as_they_are_answered():
    """Without pictures nothing bounds a shard but this: a killed run must not lose all of a long task."""
    requests = [SimpleNamespace(args=("text", {}, {}))] * 600
    sizes = [len(shard) for shard in shards(SimpleNamespace(batch_size=8), requests, list(range(600)))]
    assert sizes == [128, 128, 128, 128, 88]
    assert max(len(shard) for shard in shards(SimpleNamespace(batch_size=1), requests, list(range(600)))) == 16
