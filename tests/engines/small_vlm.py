"""SmolLM2-135M with a tiny random eye: real words at a real price per token, for measuring the image path.

No real vision model comes as a package. What this one says of a picture means nothing, but its decoder, vocabulary
and speed are a real model's, which is what a throughput is measured on. It is a LLaVA, so every engine opens it.

    python -m tests.engines.small_vlm OUT [--language FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.engines import small_model, tiny_vlm

IMAGE = "<image>"
_TEMPLATE = """\
{%- for message in messages -%}
{{ '<|im_start|>' + message['role'] + '\\n' }}
{%- if message['content'] is string -%}{{ message['content'] }}
{%- else -%}
{%- for part in message['content'] -%}
{%- if part['type'] == 'text' -%}{{ part['text'] }}{%- else -%}{{ '<image>' }}{%- endif -%}
{%- endfor -%}
{%- endif -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}"""


def build(out: Path, language: Path) -> Path:
    """Write the model that speaks with the weights in the folder `language`; returns `out`."""
    import torch
    import transformers as hf

    torch.manual_seed(0)
    tokenizer = hf.AutoTokenizer.from_pretrained(language)
    tokenizer.add_special_tokens({"additional_special_tokens": [IMAGE]})
    decoder = hf.AutoModelForCausalLM.from_pretrained(language, dtype=torch.float32)
    image_token = tokenizer.convert_tokens_to_ids(IMAGE)
    decoder.resize_token_embeddings(max(decoder.config.vocab_size, image_token + 1), mean_resizing=False)
    side, patch = tiny_vlm.LLAVA_SIDE, tiny_vlm.LLAVA_PATCH
    config = hf.LlavaConfig(
        vision_config=hf.CLIPVisionConfig(
            hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
            image_size=side, patch_size=patch, projection_dim=32,
        ),
        text_config=decoder.config,
        image_token_index=image_token,
        vision_feature_layer=-1,
        vision_feature_select_strategy="default",
        image_seq_length=(side // patch) ** 2,
        tie_word_embeddings=True,
    )  # fmt: skip
    model = hf.LlavaForConditionalGeneration(config)
    model.model.language_model.load_state_dict(decoder.model.state_dict())
    model.tie_weights()
    model.generation_config.update(
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
    )
    square = {"height": side, "width": side}
    processor = hf.LlavaProcessor(
        image_processor=hf.CLIPImageProcessor(size=square, crop_size=square, do_center_crop=False),
        tokenizer=tokenizer,
        patch_size=patch,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=_TEMPLATE,
    )
    return tiny_vlm.save(model, processor, Path(out))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write SmolLM2 with a tiny random eye.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", type=Path, help="folder of the language model; default: made beside OUT")
    options = parser.parse_args()
    language = options.language or small_model.fetch(options.out.parent / "smollm2")
    print(build(options.out, language))


if __name__ == "__main__":
    main()
