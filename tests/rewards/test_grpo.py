"""A real training on the rewards: minutes, a trainer, and so only where it is asked for by SOBENCH_GRPO=1."""

import os

import pytest

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SOBENCH_GRPO"), reason="a training of minutes: set SOBENCH_GRPO=1"),
    pytest.mark.timeout(3600),
]


def test_the_reward_rises_on_rows_that_were_never_trained_on(tmp_path):
    pytest.importorskip("trl")
    from benchmarks.grpo_ifstruct import Settings, train

    curve = train(Settings(out=tmp_path))
    first, last = curve[0], curve[-1]
    assert last.passed >= first.passed + 0.3
    assert last.shaped > first.shaped
    assert (tmp_path / "curve.png").stat().st_size > 0
    assert (tmp_path / "model" / "model.safetensors").is_file()
