"""The taught model is the witness of the image path: it must be right, and right only because of what it is shown."""

import pytest

from tests.engines import taught_vlm
from tests.engines.prepared_home import SYSTEM, USER_TEXT

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.mark.engine
def test_a_taught_llava_sees_shapes_and_misses_what_a_wrong_chat_hides(taught):
    report = taught_vlm.read_report(taught)
    assert report.unseen >= 0.9
    assert report.swapped <= 0.1
    assert report.astray == 0

    # What was saved is what was measured, and a chat that it was never shown does not pass for the right one.
    processor = transformers.AutoProcessor.from_pretrained(taught)
    model = transformers.AutoModelForImageTextToText.from_pretrained(taught)
    assert taught_vlm.accuracy(model, processor, taught_vlm.right_chat(SYSTEM, USER_TEXT), 45) >= 0.9
    for system, user in [("Say anything.", "What is in the image?"), (SYSTEM, USER_TEXT + "\n\n")]:
        assert taught_vlm.accuracy(model, processor, taught_vlm.right_chat(system, user), 27) <= 0.2


@pytest.mark.vllm
def test_a_taught_qwen_sees_shapes_where_torchvision_is_at_hand(tmp_path):
    report = taught_vlm.teach(tmp_path / "model", SYSTEM, USER_TEXT, "qwen2_5_vl")
    assert report.unseen >= 0.9
    assert report.swapped <= 0.1
    assert report.astray == 0


def test_a_taught_model_is_made_once_and_leaves_no_half_made_folder(tmp_path):
    home = taught_vlm.cached(tmp_path, "S", "U", steps=1)
    assert taught_vlm.cached(tmp_path, "S", "U", steps=1) == home
    assert [path.name for path in tmp_path.iterdir()] == [home.name]


def test_no_mistake_is_the_right_chat():
    assert len(taught_vlm.wrong_chats("abcd", "efgh")) == 10
    for system, user in [("abcd", "efgh"), ("", "efgh")]:
        assert taught_vlm.right_chat(system, user) not in taught_vlm.wrong_chats(system, user)


def test_the_cache_is_keyed_by_the_chat(tmp_path, monkeypatch):
    taught = []

    def pretend(out, system, user, arch, **options):
        taught.append((system, user, arch, options))
        (out / taught_vlm.REPORT).write_text("{}")

    monkeypatch.setattr(taught_vlm, "teach", pretend)
    homes = [
        taught_vlm.cached(tmp_path, *chat, **options)
        for chat, options in [(("a", "b"), {}), (("a", "b"), {}), (("a", "c"), {}), (("a", "b"), {"seed": 1})]
    ]
    assert homes[0] == homes[1]
    assert len(set(homes)) == 3
    assert len(taught) == 3


def test_an_interrupted_lesson_leaves_nothing(tmp_path, monkeypatch):
    def stop(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(taught_vlm, "teach", stop)
    with pytest.raises(KeyboardInterrupt):
        taught_vlm.cached(tmp_path, "a", "b")
    assert list(tmp_path.iterdir()) == []
