"""A vision model of a megabyte that really looks: taught from nothing to describe drawn shapes as JSON.

A random model scores zero whatever a task does to it, so its score proves
nothing.  This one is trained, for a minute or so, to answer one chat (a system
message, a user text and then a picture) with the colour and the corners of the
shape.  It is nearly always right on pictures that it never saw and wrong when
the pictures are swapped, so a task's score on it is a witness that the right
picture arrived.  It is also shown the chats that a harness would send by mistake
(no system message, the picture first, a text cut short or with a newline too many)
with the answer `null`, so the score is a witness for the prompt as well.  It is
no proof-reader: one letter changed far from the picture can pass unnoticed.

    python -m tests.engines.taught_vlm OUT [--arch qwen2_5_vl] [--system FILE] [--user FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import random
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.engines import shapes, tiny_vlm
from tests.engines.packing import Chat, packed_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SYSTEM = "You read images and answer with one JSON object that follows the given JSON Schema."
USER = (
    "JSON Schema:\n"
    + json.dumps(shapes.SCHEMA)
    + "\n\nUser intent:\nName the colour of the shape and count its corners."
)
WRONG_CHAT = "null"
ARCHITECTURES = ("llava", "qwen2_5_vl")  # gemma3's attention would look across rows that are packed into one
REPORT = "taught.json"


@dataclass(frozen=True)
class Report:
    """How well a model was taught: shares of exact answers, steps and seconds."""

    arch: str
    unseen: float  # the right picture
    swapped: float  # the picture of the next row
    astray: float  # the right picture in a chat that was put together wrongly
    steps: int
    seconds: float


def wrong_chats(system: str, user: str) -> list[list[dict[str, Any]]]:
    """What a harness would send if it lost, moved, cut or trimmed a part of the chat."""
    image, words = {"type": "image"}, {"type": "text", "text": user}
    told = {"role": "system", "content": [{"type": "text", "text": system}]}
    misplaced = [
        [{"role": "user", "content": [words, image]}],
        [told, {"role": "user", "content": [image, words]}],
        [told, {"role": "user", "content": [image]}],
        [{"role": "user", "content": [{"type": "text", "text": f"{system}\n\n{user}"}, image]}],
    ]
    altered = [
        (system, user + "\n"),
        (system, "\n" + user),
        (system + "\n", user),
        (system[: len(system) // 2], user),
        (system, user[: len(user) // 2]),
        (system, user[len(user) // 2 :]),
    ]
    # An empty system message or text makes some of these the right chat itself, which is no mistake.
    chats = misplaced + [right_chat(*pair) for pair in altered]
    return [chat for chat in chats if chat != right_chat(system, user)]


def right_chat(system: str, user: str) -> list[dict[str, Any]]:
    """System message (left out when empty), then one user turn: the text, then the picture."""
    turn = {"role": "user", "content": [{"type": "text", "text": user}, {"type": "image"}]}
    return [{"role": "system", "content": [{"type": "text", "text": system}]}, turn] if system else [turn]


def answers(model: Any, processor: Any, messages: Sequence[dict[str, Any]], pictures: Sequence[Any]) -> list[str]:
    """What the model says to each picture in the given chat, greedily."""
    import torch

    text = processor.apply_chat_template(list(messages), add_generation_prompt=True)
    said: list[str] = []
    model.eval()
    for start in range(0, len(pictures), 30):
        some = list(pictures[start : start + 30])
        batch = processor(text=[text] * len(some), images=[[one] for one in some], padding=True, return_tensors="pt")
        with torch.no_grad():
            tokens = model.generate(**batch, max_new_tokens=24, do_sample=False)
        said += processor.tokenizer.batch_decode(tokens[:, batch["input_ids"].shape[1] :], skip_special_tokens=True)
    model.train()
    return said


def accuracy(model: Any, processor: Any, messages: Sequence[dict[str, Any]], count: int = 90, shift: int = 0) -> float:
    """Share of exact answers on unseen JPEG shapes; `shift` gives every row the picture of a later row."""
    rows = shapes.series(count)
    pictures = [shapes.reopened(rows[(n + shift) % count]) for n in range(count)]
    said = answers(model, processor, messages, pictures)
    return sum(text == row.answer for text, row in zip(said, rows, strict=True)) / count


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Teach on one core: the arrays are small, and two threads that wait for each other ten thousand times are many
    times slower as soon as anything else wants a core.  It also makes the sums the same on every machine.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _give_places_weight(model: Any) -> None:
    """Let the tower tell its patches apart from the first step on.

    Round and square differ only in which patches are empty.  With the usual
    narrow start a patch's place drowns in its brightness, and the corners are
    learnt late or never.
    """
    import torch

    if model.config.model_type == "llava":
        torch.nn.init.normal_(model.model.vision_tower.embeddings.position_embedding.weight, std=0.5)


def _astray(model: Any, processor: Any, system: str, user: str) -> float:
    """The best accuracy in a wrong chat: a witness must not be right there."""
    return max(accuracy(model, processor, wrong, 18) for wrong in wrong_chats(system, user))


def teach(
    out: Path,
    system: str = SYSTEM,
    user: str = USER,
    arch: str = "llava",
    *,
    seed: int = 0,
    target: float = 0.97,
    steps: int = 400,
    rows: int = 32,
    rate: float = 2e-3,
    log: Any = None,
) -> Report:
    """Teach a new model and save it in `out`; stops early once `target` of the unseen shapes
    are answered, and none in a wrong chat.
    """
    import torch

    begun = time.monotonic()
    everything = [shape.answer for shape in shapes.series(9)]
    model, processor = tiny_vlm.create(arch, texts=[system, user, *everything], seed=seed, spread=0.1)
    _give_places_weight(model)
    model.train()
    right, rng, done = right_chat(system, user), random.Random(seed), 0
    chats = [Chat(model, processor, right), *(Chat(model, processor, wrong) for wrong in wrong_chats(system, user))]
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    for step in range(1, steps + 1):
        lesson = [shapes.draw(rng) for _ in range(rows)]
        pictures = [shape.picture for shape in lesson]
        loss = packed_rows(model, chats[0], pictures, [shape.answer for shape in lesson])
        astray = chats[1 + step % (len(chats) - 1)]
        loss = loss + 0.3 * packed_rows(model, astray, pictures[:4], [WRONG_CHAT] * 4)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        done = step
        if step % 50 == 0:
            good = accuracy(model, processor, right)
            if log:
                log(f"step {step}: loss {loss.item():.3f}, unseen {good:.2f}, {time.monotonic() - begun:.0f} s")
            if good >= target and not _astray(model, processor, system, user):
                break
    model.eval()
    report = Report(
        arch,
        unseen=accuracy(model, processor, right, 135),
        swapped=accuracy(model, processor, right, 90, shift=1),
        astray=_astray(model, processor, system, user),
        steps=done,
        seconds=round(time.monotonic() - begun, 1),
    )
    tiny_vlm.save(model, processor, out)
    (out / REPORT).write_text(json.dumps(asdict(report), indent=1) + "\n", encoding="utf-8")
    return report


def cached(folder: Path, system: str = SYSTEM, user: str = USER, arch: str = "llava", **options: Any) -> Path:
    """The taught model for this chat out of `folder`, taught first where it is not there yet.

    The name of its subfolder is made of the chat, the options and the sources
    that shape the lesson, so a changed prompt or lesson never meets an old model.
    """
    import transformers

    digest = hashlib.sha256(json.dumps([system, user, arch, options, transformers.__version__]).encode())
    for name in ("taught_vlm", "tiny_vlm", "packing", "shapes", "vocabulary"):
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    home = folder / f"taught-{arch}-{digest.hexdigest()[:12]}"
    if not (home / REPORT).exists():
        folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder, prefix="teaching-"))
        try:
            teach(fresh, system, user, arch, **options)
            fresh.chmod(0o755)
            fresh.replace(home)
        except OSError:
            if not (home / REPORT).exists():  # otherwise another process was first, which is as good
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return home


def read_report(folder: Path) -> Report:
    """The report that was saved with a taught model."""
    return Report(**json.loads((folder / REPORT).read_text(encoding="utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach a tiny vision model to describe drawn shapes as JSON.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--arch", choices=ARCHITECTURES, default="llava")
    parser.add_argument("--system", type=Path, help="file with the exact system message")
    parser.add_argument("--user", type=Path, help="file with the exact user text that stands before the picture")
    parser.add_argument("--target", type=float, default=0.97)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    report = teach(
        options.out,
        options.system.read_text(encoding="utf-8") if options.system else SYSTEM,
        options.user.read_text(encoding="utf-8") if options.user else USER,
        options.arch,
        seed=options.seed,
        target=options.target,
        steps=options.steps,
        rows=options.rows,
        rate=options.rate,
        log=lambda line: print(line, flush=True),
    )
    print(json.dumps(asdict(report)))


if __name__ == "__main__":
    main()
