"""Vision-language models of a megabyte, with random weights, in families that harnesses treat apart.

``llava`` (CLIP tower and Llama) and ``gemma3`` (SigLIP tower; its processor writes
a picture as one token that it spreads itself, between marks of its own) need no
torchvision, so they run wherever the tests run.  ``qwen2_5_vl`` has pictures of changing token count and positions in
three axes, and its processor needs torchvision.  What such a model says is
noise, but the noise depends on the pixels: enough to see that a picture arrives.

    python -m tests.engines.tiny_vlm OUT [--arch qwen2_5_vl]
"""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.engines.vocabulary import chat_template, train_tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

ARCHITECTURES = ("llava", "gemma3", "qwen2_5_vl")
LLAVA_SIDE, LLAVA_PATCH = 48, 12
GEMMA_SIDE, GEMMA_PATCH, GEMMA_TOKENS = 64, 8, 16
QWEN_SIDE = 84  # 3 by 3 merged patches of 28 pixels
_GEMMA_TOKENS = {"boi_token": "<start_of_image>", "eoi_token": "<end_of_image>", "image_token": "<image_soft_token>"}
_QWEN_TOKENS = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")


def runs_here(arch: str) -> bool:
    """Whether this environment has what the family's processor imports."""
    return arch != "qwen2_5_vl" or importlib.util.find_spec("torchvision") is not None


def _decoder(tokenizer: Any, spread: float) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": 8192,
        "initializer_range": spread,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


def _llava(texts: Sequence[str], spread: float) -> tuple[Any, Any]:
    import transformers as hf

    tokenizer = train_tokenizer(texts, ["<image>"])
    tower = hf.CLIPVisionConfig(
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        image_size=LLAVA_SIDE,
        patch_size=LLAVA_PATCH,
        projection_dim=32,
        initializer_factor=spread / 0.02,
    )
    config = hf.LlavaConfig(
        vision_config=tower,
        text_config=hf.LlamaConfig(head_dim=32, **_decoder(tokenizer, spread)),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        vision_feature_select_strategy="default",
        image_seq_length=(LLAVA_SIDE // LLAVA_PATCH) ** 2,
    )
    square = {"height": LLAVA_SIDE, "width": LLAVA_SIDE}
    processor = hf.LlavaProcessor(
        image_processor=hf.CLIPImageProcessor(size=square, crop_size=square, do_center_crop=False),
        tokenizer=tokenizer,
        patch_size=LLAVA_PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=chat_template("<image>"),
    )
    return hf.LlavaForConditionalGeneration(config), processor


def _gemma(texts: Sequence[str], spread: float) -> tuple[Any, Any]:
    import transformers as hf

    tokenizer = train_tokenizer(texts, list(_GEMMA_TOKENS.values()))
    tokenizer._set_model_specific_special_tokens(_GEMMA_TOKENS)  # as a published checkpoint's configuration does
    start, end, soft = tokenizer.convert_tokens_to_ids(list(_GEMMA_TOKENS.values()))
    config = hf.Gemma3Config(
        text_config={
            **_decoder(tokenizer, spread),
            "head_dim": 32,
            "sliding_window": 4096,
            "tie_word_embeddings": False,
        },
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": GEMMA_SIDE,
            "patch_size": GEMMA_PATCH,
            "vision_use_head": False,
        },
        mm_tokens_per_image=GEMMA_TOKENS,
        boi_token_index=start,
        eoi_token_index=end,
        image_token_index=soft,
        initializer_range=spread,
        tie_word_embeddings=False,  # tied, it repeats its last word for ever
    )
    processor = hf.Gemma3Processor(
        image_processor=hf.Gemma3ImageProcessor(size={"height": GEMMA_SIDE, "width": GEMMA_SIDE}),
        tokenizer=tokenizer,
        chat_template=chat_template(_GEMMA_TOKENS["boi_token"]),
        image_seq_length=GEMMA_TOKENS,
    )
    model = hf.Gemma3ForConditionalGeneration(config)
    # begins at zero, which would make it blind
    model.model.multi_modal_projector.mm_input_projection_weight.data.normal_(std=spread)
    return model, processor


def _qwen(texts: Sequence[str], spread: float) -> tuple[Any, Any]:
    import transformers as hf

    tokenizer = train_tokenizer(texts, _QWEN_TOKENS)
    start, end, image, video = tokenizer.convert_tokens_to_ids(list(_QWEN_TOKENS))
    positions = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [4, 6, 6]}
    config = hf.Qwen2_5_VLConfig(
        text_config={**_decoder(tokenizer, spread), "rope_parameters": positions},
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "out_hidden_size": 64,
            "patch_size": 14,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "window_size": 56,
            "fullatt_block_indexes": [1],
            "initializer_range": spread,
        },
        vision_start_token_id=start,
        vision_end_token_id=end,
        image_token_id=image,
        video_token_id=video,
        tie_word_embeddings=False,
    )
    pixels = {"shortest_edge": 28 * 28, "longest_edge": QWEN_SIDE * QWEN_SIDE}
    processor = hf.Qwen2_5_VLProcessor(
        image_processor=hf.Qwen2VLImageProcessor(size=pixels),
        tokenizer=tokenizer,
        video_processor=hf.Qwen2VLVideoProcessor(size=pixels),
        chat_template=chat_template("<|vision_start|><|image_pad|><|vision_end|>"),
    )
    return hf.Qwen2_5_VLForConditionalGeneration(config), processor


def create(arch: str = "llava", texts: Sequence[str] = (), seed: int = 0, spread: float = 0.2) -> tuple[Any, Any]:
    """A fresh model (float32) and its processor; `spread` is the width of the random weights."""
    import torch

    torch.manual_seed(seed)
    model, processor = {"llava": _llava, "gemma3": _gemma, "qwen2_5_vl": _qwen}[arch](texts, spread)
    model = model.to(torch.float32)
    tokenizer = processor.tokenizer
    model.generation_config.update(
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
    )
    model.generation_config.do_sample = False
    return model, processor


def save(model: Any, processor: Any, out: Path) -> Path:
    """Write the folder under the tensor names that published LLaVA checkpoints use."""
    from safetensors.torch import load_file, save_file

    processor.tokenizer.padding_side = "left"
    model.save_pretrained(out)
    processor.save_pretrained(out)
    if model.config.model_type == "llava":
        # transformers 5 drops one level of the tower's names when it saves and reads both spellings; vLLM reads
        # only the published one.
        weights = out / "model.safetensors"
        short, full = "vision_tower.", "vision_tower.vision_model."
        tensors = {
            key.replace(short, full, 1) if key.startswith(short) and not key.startswith(full) else key: tensor
            for key, tensor in load_file(weights).items()
        }
        save_file(tensors, weights, metadata={"format": "pt"})
    return out


def build(out: Path, arch: str = "llava", seed: int = 0) -> Path:
    """A random model in a folder that transformers and vLLM open; returns the folder."""
    return save(*create(arch, seed=seed), Path(out))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a tiny random vision-language model.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--arch", choices=ARCHITECTURES, default="llava")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(build(options.out, options.arch, options.seed))


if __name__ == "__main__":
    main()
