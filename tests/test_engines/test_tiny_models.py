"""The tiny models must be real to the harness: load, follow the chat, depend on the picture, repeat themselves."""

import itertools

import pytest

from tests.engines import shapes, taught_vlm, tiny_text, tiny_vlm

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def text_model(tmp_path_factory):
    return tiny_text.build(tmp_path_factory.mktemp("text") / "model")


@pytest.fixture(scope="module", params=tiny_vlm.ARCHITECTURES)
def image_model(request, tmp_path_factory):
    if not tiny_vlm.runs_here(request.param):
        pytest.skip(f"{request.param} needs torchvision")
    return tiny_vlm.build(tmp_path_factory.mktemp("vlm") / request.param, request.param)


def test_the_text_model_answers_a_chat_and_repeats_itself(text_model):
    tokenizer = transformers.AutoTokenizer.from_pretrained(text_model)
    model = transformers.AutoModelForCausalLM.from_pretrained(text_model)
    assert tokenizer.is_fast
    assert sum(path.stat().st_size for path in text_model.iterdir()) < 2_000_000
    chat = [{"role": "system", "content": "s"}, {"role": "user", "content": 'Ünï {"a": 1}'}]
    text = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
    assert text == '<|turn|>system\ns<|end|>\n<|turn|>user\nÜnï {"a": 1}<|end|>\n<|turn|>assistant\n'
    batch = tokenizer(text, return_tensors="pt", add_special_tokens=False)
    assert tokenizer.decode(batch["input_ids"][0]) == text
    said = [model.generate(**batch, max_new_tokens=8, do_sample=False).tolist() for _ in range(2)]
    assert said[0] == said[1]


def test_seeds_make_different_models_and_one_seed_the_same(text_model, tmp_path):
    weights = {
        seed: (tiny_text.build(tmp_path / str(seed), seed) / "model.safetensors").read_bytes() for seed in (0, 1)
    }
    assert weights[0] == (text_model / "model.safetensors").read_bytes()
    assert weights[0] != weights[1]


def test_the_image_model_keeps_the_order_of_parts_and_sees_the_picture(image_model):
    processor = transformers.AutoProcessor.from_pretrained(image_model)
    model = transformers.AutoModelForImageTextToText.from_pretrained(image_model)
    chat = taught_vlm.right_chat("rules", "what is it?")
    text = processor.apply_chat_template(chat, add_generation_prompt=True)
    assert text.startswith("<|turn|>system\nrules<|end|>\n<|turn|>user\nwhat is it?<")
    said = taught_vlm.answers(model, processor, chat, [shape.picture for shape in shapes.series(4)])
    assert len(set(said)) == 4, "four pictures, four answers"
    assert said == taught_vlm.answers(model, processor, chat, [shape.picture for shape in shapes.series(4)])


def test_clip_weights_have_the_names_that_other_engines_read(tmp_path):
    from safetensors import safe_open

    with safe_open(tiny_vlm.build(tmp_path / "m", "llava") / "model.safetensors", "pt") as file:
        names = list(file.keys())
    towers = [name for name in names if "vision_tower" in name]
    assert towers
    assert all("vision_tower.vision_model." in name for name in towers)


@pytest.mark.parametrize("arch", taught_vlm.ARCHITECTURES)
def test_packed_rows_are_what_separate_rows_would_be(arch):
    """The lesson is taught in one packed sequence and the test taken row by row: both must be one computation."""
    from tests.engines.packing import Chat, packed_rows

    if not tiny_vlm.runs_here(arch):
        pytest.skip(f"{arch} needs torchvision")
    model, processor = tiny_vlm.create(arch, seed=3)
    model.eval()
    messages, rows = taught_vlm.right_chat("rules", "what is it?"), shapes.series(4)
    chat = Chat(model, processor, messages)
    together = packed_rows(model, chat, [row.picture for row in rows], [row.answer for row in rows])
    said, padding = chat.answer_tokens([row.answer for row in rows]), processor.tokenizer.pad_token_id
    head = processor.apply_chat_template(messages, add_generation_prompt=True)
    texts, pictures = [f"{head}{row.answer}<|end|>" for row in rows], [[row.picture] for row in rows]
    batch = processor(text=texts, images=pictures, padding=True, return_tensors="pt")
    logits = model(**batch).logits[:, -said.shape[1] - 1 : -1]
    surprise = torch.nn.functional.cross_entropy(logits.transpose(1, 2), said, reduction="none")
    weight = torch.where((said != said[:1]).any(dim=0), 1.0, 0.1) * (said != padding)
    assert together.item() == pytest.approx(((surprise * weight).sum() / weight.sum()).item(), rel=1e-4)


def test_shapes_are_the_same_every_time_and_neighbours_differ(tmp_path):
    first, second = shapes.series(18), shapes.series(18)
    assert [one.jpeg() for one in first] == [one.jpeg() for one in second]
    assert len({one.answer for one in first}) == 9
    for one, other in itertools.pairwise(first):
        assert one.colour != other.colour
        assert one.corners != other.corners
    paths = shapes.write_series(tmp_path, 3)
    assert [path.name for path in paths] == ["shape-000.jpg", "shape-001.jpg", "shape-002.jpg"]
    assert paths[1].read_bytes() == first[1].jpeg()
    assert paths[1].with_suffix(".json").read_text().strip() == first[1].answer
    assert {path.suffix for path in shapes.write_series(tmp_path / "png", 1, suffix=".png")} == {".png"}
