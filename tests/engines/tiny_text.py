"""A Llama of half a megabyte with random weights and a real tokenizer, for the text side of the harness.

It says noise, the same noise every time, in a folder that transformers and vLLM
open: enough to see that prompts are rendered, batched, cached and logged.

    python -m tests.engines.tiny_text OUT [--seed 1]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.engines.vocabulary import train_tokenizer


def build(out: Path, seed: int = 0) -> Path:
    """A random chat model in the folder `out`; returns the folder."""
    import torch
    import transformers as hf

    torch.manual_seed(seed)
    tokenizer = train_tokenizer()
    ends = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config = hf.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=32,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
        initializer_range=0.2,  # wide: with narrow weights every prompt ends in the same token
        **ends,
    )
    model = hf.LlamaForCausalLM(config).to(torch.float32)
    model.generation_config = hf.GenerationConfig(do_sample=False, **ends)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return Path(out)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a tiny random text model.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(build(options.out, options.seed))


if __name__ == "__main__":
    main()
