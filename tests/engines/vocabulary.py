"""A real fast tokenizer, trained on the spot, with a chat template that marks every turn.

The tiny models need a tokenizer that behaves like a grown one (byte level, no
unknown text, special tokens, a chat template with a system role), because the
harness calls all of it.  Texts that the caller names are weighted heavily, so a
long task prompt shrinks to a few hundred tokens and training on it stays cheap.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transformers import PreTrainedTokenizerFast

TURN, END, PAD = "<|turn|>", "<|end|>", "<|pad|>"
IMAGE_SPOT = "@IMAGE@"

# One template for text and image models: parts are rendered in the order in which they come, because the place of
# the image relative to the text is one of the things that the tests look at.
_TEMPLATE = """\
{%- for message in messages -%}
{{ '<|turn|>' + message['role'] + '\\n' }}
{%- if message['content'] is string -%}
{{ message['content'] }}
{%- else -%}
{%- for part in message['content'] -%}
{%- if part['type'] == 'text' -%}{{ part['text'] }}
{%- elif part['type'] in ['image', 'image_url'] -%}{{ '@IMAGE@' }}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
{{ '<|end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|turn|>assistant\\n' }}{%- endif -%}"""


def chat_template(image_marks: str = "") -> str:
    """The template, with the tokens that stand for a picture written in (none for a text model)."""
    return _TEMPLATE.replace(IMAGE_SPOT, image_marks)


def everyday_texts() -> Iterator[str]:
    """Prose, JSON and YAML in the manner of the benchmarks, for the merges that any prompt profits from."""
    things = ("invoice", "ticket", "menu", "profile", "parcel", "lesson", "garden")
    keys = ("title", "amount", "date", "items", "status", "owner", "notes", "count")
    for number, (thing, key) in enumerate(itertools.product(things, keys)):
        record = {key: number, "id": f"{thing}-{number}", "open": number % 2 == 0, "tags": ["new", "late"]}
        yield json.dumps({thing: record})
        yield json.dumps({thing: [record]}, indent=2)
        yield f"{thing}:\n  {key}: {number}\n  tags:\n    - new\n    - late\n"
        yield json.dumps({"type": "object", "required": [key], "properties": {key: {"type": "string"}}})
        yield f"Extract the {key} of every {thing} in the image and answer with JSON that matches the schema only."


def train_tokenizer(
    texts: Sequence[str] = (), extra_tokens: Sequence[str] = (), size: int = 1024
) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE on everyday texts and, forty times over, on the texts given."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[PAD, TURN, END, *extra_tokens],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(itertools.chain(everyday_texts(), list(texts) * 40), trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        bos_token=TURN,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=list(extra_tokens),
        model_max_length=8192,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = chat_template()
    return tokenizer
