"""Many pictures after one shared prompt, in a single training sequence.

The system message and the user text come before the picture and are the same in
every row.  Computing them once per row would be nine tenths of the work, so one
sequence holds the prompt once and then a branch per picture: each branch sees
the prompt and itself, at the positions that it has when it stands alone.  The
result is what separate rows would give, at a small part of the price.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.engines import shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


class Chat:
    """One chat up to the assistant's turn, split where the picture begins."""

    def __init__(self, model: Any, processor: Any, messages: Sequence[dict[str, Any]]) -> None:
        import random

        import torch

        self.processor = processor
        text = processor.apply_chat_template(list(messages), add_generation_prompt=True)
        sample = shapes.draw(random.Random(0)).picture
        batch = processor(text=[text], images=[[sample]], return_tensors="pt")
        tokens = batch["input_ids"]
        image_token = model.config.image_token_id
        self.start = int((tokens[0] == image_token).nonzero()[0])
        self.prompt, self.branch = tokens[0, : self.start], tokens[0, self.start :]
        if model.config.model_type == "qwen2_5_vl":
            extra = {"mm_token_type_ids": batch["mm_token_type_ids"]} if "mm_token_type_ids" in batch else {}
            places, _ = model.model.get_rope_index(tokens, image_grid_thw=batch["image_grid_thw"], **extra)
            self.places = places[:, 0]
        else:
            self.places = torch.arange(tokens.shape[1])[None]

    def answer_tokens(self, answers: Sequence[str]) -> Tensor:
        """The answers with their end token, filled up to one length with the padding token."""
        import torch

        tokenizer = self.processor.tokenizer
        rows = [tokenizer(text, add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id] for text in answers]
        longest = max(map(len, rows))
        return torch.tensor([row + [tokenizer.pad_token_id] * (longest - len(row)) for row in rows])


def packed_rows(model: Any, chat: Chat, pictures: Sequence[Any], answers: Sequence[str]) -> Tensor:
    """The loss of the answers to these pictures (all of one size) in this chat."""
    import torch

    said = chat.answer_tokens(answers)
    count, length = said.shape
    branches = torch.cat([chat.branch.expand(count, -1), said], dim=1)
    width, start = branches.shape[1], chat.start
    tokens = torch.cat([chat.prompt, branches.reshape(-1)])[None]

    later = chat.places[:, -1:] + torch.arange(1, length + 1)
    branch_places = torch.cat([chat.places[:, start:], later], dim=1)
    places = torch.cat([chat.places[:, :start], branch_places.repeat(1, count)], dim=1)
    # Text models take (batch, length), the three-axis ones (axis, batch, length); both are one row of batch here.
    places = places if places.shape[0] == 1 else places[:, None]

    owner = torch.cat([torch.full((start,), -1), torch.arange(count).repeat_interleave(width)])
    at = torch.arange(len(owner))
    sees = (at[:, None] >= at[None]) & ((owner[None] == -1) | (owner[:, None] == owner[None]))
    mask = torch.zeros(sees.shape).masked_fill(~sees, torch.finfo(torch.float32).min)[None, None]

    ends = start + width * torch.arange(1, count + 1)[:, None]
    asked = (ends - length - 1 + torch.arange(length)).reshape(-1)
    looks = chat.processor.image_processor(list(pictures), return_tensors="pt")
    output = model(
        input_ids=tokens,
        attention_mask=mask,
        position_ids=places,
        logits_to_keep=asked,
        use_cache=False,
        **looks,
    )
    padding = chat.processor.tokenizer.pad_token_id
    surprise = torch.nn.functional.cross_entropy(
        output.logits[0], said.reshape(-1), ignore_index=padding, reduction="none"
    ).reshape(said.shape)
    # Only the places where answers differ say anything about the picture; the rest is soon known by heart.
    telling = (said != said[:1]).any(dim=0)
    weight = torch.where(telling, 1.0, 0.1).expand_as(said) * (said != padding)
    return (surprise * weight).sum() / weight.sum()
