"""A pupil for GRPO on two processor cores: a small Llama that was taught to write JSON, and bad manners with it.

Few of its lessons are right. In the others the data are wrapped or not, fenced or not, of one to four items, as chance
has it; now and then there is chatter in front, or a field is left out. So it begins with answers of every kind, and
what is left to learn is what a reward can teach: which of its habits pass.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["lesson", "teach"]

END: Final = "<end>"
PAD: Final = "<pad>"
_RIGHT_PERCENT: Final = 15
_FAULT: Final = 1 / 4
_VOCABULARY: Final = 1_200
_WORDS: Final = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "juniper")
_TEMPLATE: Final = "{% for message in messages %}{{ message['content'] + '\n###\n' }}{% endfor %}"


def lesson(row: Mapping[str, Any], rng: random.Random) -> str:
    """Return an answer to a row: right in 15 of 100 lessons, else with manners by chance."""
    schema = json.loads(row["json_schema"])
    if rng.randrange(100) < _RIGHT_PERCENT:
        count = rng.randint(schema["minItems"], schema["maxItems"])
        return _written([_item(schema["items"], rng) for _ in range(count)], fenced=row["require_code_block"])
    items = [_item(schema["items"], rng) for _ in range(rng.randint(1, 4))]
    if rng.random() < _FAULT:
        items[-1].popitem()
    wrapped = {row["entity_type"].rpartition("__")[2]: items} if rng.random() < 1 / 2 else items
    text = _written(wrapped, fenced=rng.random() < 1 / 2)
    return f"Here you are:\n{text}" if rng.random() < _FAULT else text


def _written(data: Any, *, fenced: bool) -> str:
    text = json.dumps(data)
    return f"```json\n{text}\n```" if fenced else text


def _item(schema: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    return {name: _value(field, rng) for name, field in schema["properties"].items()}


def _value(field: Mapping[str, Any], rng: random.Random) -> Any:
    if "enum" in field:
        return rng.choice(field["enum"])
    if field["type"] in {"integer", "number"}:
        low = int(field.get("minimum", 1))
        return rng.randint(low, min(low + 9, int(field.get("maximum", low + 9))))
    return rng.random() < 0.5 if field["type"] == "boolean" else rng.choice(_WORDS)


def teach(
    folder: Path, rows: Sequence[Mapping[str, Any]], *, steps: int, seed: int, before: Path | None = None
) -> None:
    """Write the pupil into `folder`, after so many lessons of 32 rows each, as a model that transformers opens.

    It begins as the pupil of the folder `before`, or knowing nothing.
    """
    import torch
    import transformers as hf

    rng = random.Random(seed)  # noqa: S311 - for data
    torch.manual_seed(seed)
    if before is None:
        tokenizer = _tokenizer([row["prompt"] + "\n" + lesson(row, rng) for row in rows])
        model = _newborn(tokenizer)
    else:
        tokenizer, model = hf.AutoTokenizer.from_pretrained(before), hf.LlamaForCausalLM.from_pretrained(before)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = hf.get_cosine_schedule_with_warmup(optimizer, steps // 20, steps)
    for step, batch in enumerate(_batches(rows, tokenizer, rng, steps)):
        loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if step % 20 == 0 or step == steps - 1:
            print(f"lesson {step:4d}  loss {loss.item():.3f}", flush=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _newborn(tokenizer: Any) -> Any:
    import transformers as hf

    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    config = hf.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=128, intermediate_size=256, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=4, max_position_embeddings=1024, tie_word_embeddings=True, **ends,
    )  # fmt: skip
    model = hf.LlamaForCausalLM(config)
    model.generation_config = hf.GenerationConfig(**{name: end for name, end in ends.items() if end is not None})
    return model


def _tokenizer(texts: Sequence[str]) -> Any:
    import tokenizers
    import transformers as hf

    raw = tokenizers.Tokenizer(tokenizers.models.BPE())
    raw.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [tokenizers.pre_tokenizers.Digits(individual_digits=True), tokenizers.pre_tokenizers.ByteLevel(False)]
    )
    raw.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=_VOCABULARY, special_tokens=[PAD, END], initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(texts, trainer)
    tokenizer = hf.PreTrainedTokenizerFast(tokenizer_object=raw, pad_token=PAD, eos_token=END, padding_side="left")
    tokenizer.chat_template = _TEMPLATE
    return tokenizer


def _batches(
    rows: Sequence[Mapping[str, Any]], tokenizer: Any, rng: random.Random, steps: int
) -> Iterator[dict[str, Any]]:
    """Yield batches of 32 lessons, each drawn anew; only the answers are learned."""
    import torch

    for _ in range(steps):
        pairs = []
        for row in rng.sample(list(rows), 32):
            asked = tokenizer(row["prompt"] + "\n###\n")["input_ids"]
            pairs.append((asked, tokenizer(lesson(row, rng) + END)["input_ids"]))
        length = max(len(asked) + len(answer) for asked, answer in pairs)
        ids = torch.full((32, length), tokenizer.pad_token_id)
        labels = torch.full((32, length), -100)
        for number, (asked, answer) in enumerate(pairs):
            whole = asked + answer
            ids[number, : len(whole)] = torch.tensor(whole)
            labels[number, len(asked) : len(whole)] = torch.tensor(answer)
        mask = ids != tokenizer.pad_token_id
        yield {"input_ids": ids, "attention_mask": mask.long(), "labels": labels}
