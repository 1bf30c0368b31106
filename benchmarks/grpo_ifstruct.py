"""A short, real GRPO run on IFStruct's own verdict: generated rows, TRL, two processor cores, a quarter of an hour.

    pip install 'trl>=1.16,<2' matplotlib
    python -m benchmarks.grpo_ifstruct --out out/grpo     # a pupil of a million weights, taught to write JSON first
    python -m benchmarks.grpo_ifstruct --out out/grpo --model HuggingFaceTB/SmolLM2-135M-Instruct --learning-rate 1e-5

Trains on `ifstruct_shaped_reward`, with `ifstruct_reward` logged beside it, and asks rows that stood in no lesson and
no step, greedily, for their official pass rate. Writes `curve.json`, `curve.png` and the model into the folder.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: spinning threads starve shared cores

from sobench_metrics.ifstruct.generate.dials import Dials
from sobench_metrics.ifstruct.generate.prompts import put_into_words
from sobench_metrics.ifstruct.generate.request import columns, sample_request
from sobench_metrics.rewards import ifstruct_reward, ifstruct_shaped_reward

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["Point", "Settings", "short_rows", "train"]

HELD_OUT: Final = 64
_DIALS: Final = Dials(depth=0, narrowest=2, widest=2, optional_percent=0, group_percent=0)
_KINDS: Final = ("climbing_route_card", "physio_session", "regatta_result", "wine_tasting_flight")
"""Few entity types, each with the same two fields in all rows: a pupil of this size learns fields by heart."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is: lessons before it (for the pupil), then steps of eight prompts with eight answers each."""

    out: Path
    model: str | None = None
    lessons: int = 300
    steps: int = 40
    learning_rate: float = 2e-4
    completion_tokens: int = 96
    ask_every: int = 4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """The held-out rows after so many steps: mean official reward (the pass rate) and mean shaped reward."""

    step: int
    passed: float
    shaped: float


def short_rows(number: int, seed: int) -> list[dict[str, Any]]:
    """Return generated rows that a short answer fills: a bare JSON list that may have two items of two plain fields."""
    return list(itertools.islice(_short_rows(Random(seed)), number))  # noqa: S311 - for data


def _short_rows(rng: Random) -> Iterator[dict[str, Any]]:
    items = {request.entity.name: request.item for request in itertools.islice(_short_requests(Random(0)), 200)}  # noqa: S311
    for number, drawn in enumerate(_short_requests(rng)):
        request = replace(drawn, item=items[drawn.entity.name])
        yield columns(request, put_into_words(request, "path_list", rng).text, number)


def _short_requests(rng: Random) -> Iterator[Request]:
    while True:
        request = sample_request("train", _DIALS, rng)
        form = request.form
        is_short = form.output_format == "json" and not form.wrapped and form.low <= 2 <= form.high <= 4
        if is_short and request.entity.name in _KINDS:
            yield request


def train(settings: Settings) -> list[Point]:
    """Return the curve over held-out rows, its first point before the first step."""
    import transformers as hf
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    hf.set_seed(settings.seed)
    rows = short_rows(2_600, seed=1)
    lessons, steps = rows[:2_000], rows[2_000:]
    known = {row["prompt"] for row in rows}
    held_out = [row for row in short_rows(2 * HELD_OUT, seed=2) if row["prompt"] not in known][:HELD_OUT]
    name = settings.model or str(_taught(settings, lessons))
    tokenizer = hf.AutoTokenizer.from_pretrained(name, padding_side="left")
    model = hf.AutoModelForCausalLM.from_pretrained(name)
    curve: list[Point] = []

    def ask(step: int, asked: Any) -> None:
        texts = _answers(asked, tokenizer, held_out, settings.completion_tokens)
        columns = {name: [row[name] for row in held_out] for name in held_out[0]}
        passed, shaped = (_mean(reward(None, texts, **columns)) for reward in (ifstruct_reward, ifstruct_shaped_reward))
        curve.append(Point(step, passed, shaped))
        print(f"step {step:3d}  held out: {passed:6.1%} pass, shaped reward {shaped:.3f}", flush=True)

    class Asking(hf.TrainerCallback):  # type: ignore[misc]  # untyped base
        def on_step_end(self, _args: Any, state: Any, _control: Any, **known: Any) -> None:
            if state.global_step % settings.ask_every == 0:
                ask(state.global_step, known["model"])

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[ifstruct_shaped_reward, ifstruct_reward],
        train_dataset=Dataset.from_list([{**row, "prompt": _conversation(row)} for row in steps]),
        callbacks=[Asking()],
        args=GRPOConfig(
            output_dir=str(settings.out / "model"),
            use_cpu=True,
            bf16=False,
            per_device_train_batch_size=64,
            num_generations=8,
            max_completion_length=settings.completion_tokens,
            max_steps=settings.steps,
            learning_rate=settings.learning_rate,
            lr_scheduler_type="linear",
            warmup_steps=3,
            beta=0.0,
            reward_weights=[1.0, 0.0],  # the second is looked at, not trained on
            gradient_checkpointing=False,
            seed=settings.seed,
            save_strategy="no",
            report_to="none",
            logging_steps=1,
            disable_tqdm=True,
        ),
    )
    ask(0, model)
    trainer.train()
    trainer.save_model()
    _keep(settings, curve, trainer.state.log_history)
    return curve


def _taught(settings: Settings, rows: Sequence[dict[str, Any]]) -> Path:
    from benchmarks.grpo_pupil import teach

    folder = settings.out / f"pupil-{settings.lessons}-{settings.seed}"
    if not (folder / "model.safetensors").is_file():
        teach(folder, rows, steps=settings.lessons, seed=settings.seed)
    return folder


def _conversation(row: dict[str, Any]) -> list[dict[str, str]]:
    return [{"role": "user", "content": row["prompt"]}]


def _answers(model: Any, tokenizer: Any, rows: Sequence[dict[str, Any]], tokens: int) -> list[str]:
    import torch

    asked = tokenizer.apply_chat_template(
        [_conversation(row) for row in rows], add_generation_prompt=True, padding=True, return_dict=True,
        return_tensors="pt",
    )  # fmt: skip
    was_training = model.training
    model.eval()
    with torch.no_grad():
        written = model.generate(**asked, max_new_tokens=tokens, do_sample=False)
    model.train(was_training)
    return tokenizer.batch_decode(written[:, asked["input_ids"].shape[1] :], skip_special_tokens=True)


def _mean(rewards: Sequence[float | None]) -> float:
    return sum(reward or 0.0 for reward in rewards) / len(rewards)


def _keep(settings: Settings, curve: Sequence[Point], log: Sequence[dict[str, Any]]) -> None:
    trained = [
        {"step": entry["step"], **{name: entry[f"rewards/{name}/mean"] for name in _REWARDS}}
        for entry in log
        if f"rewards/{_REWARDS[0]}/mean" in entry
    ]
    kept = {"held_out": [asdict(point) for point in curve], "training": trained}
    (settings.out / "curve.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    _draw(settings.out / "curve.png", curve, trained)


_REWARDS: Final = (ifstruct_shaped_reward.name, ifstruct_reward.name)


def _draw(file: Path, curve: Sequence[Point], trained: Sequence[dict[str, Any]]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.4), dpi=80)
    steps = [entry["step"] for entry in trained]
    axes.plot(
        steps, [entry[_REWARDS[0]] for entry in trained], color="#b8c4d6", label="training, sampled: shaped reward"
    )
    axes.plot(steps, [entry[_REWARDS[1]] for entry in trained], color="#e6c9a8", label="training, sampled: pass rate")
    asked = [point.step for point in curve]
    axes.plot(asked, [point.shaped for point in curve], "o-", color="#2f5d9b", label="held out, greedy: shaped reward")
    axes.plot(asked, [point.passed for point in curve], "o-", color="#c0651a", label="held out, greedy: pass rate")
    axes.set(xlabel="GRPO step (8 prompts, 8 answers each)", ylabel="mean reward", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="lower right")
    figure.tight_layout()
    figure.savefig(file)
    plt.close(figure)


_DEFAULTS: Final = {field.name: field.default for field in fields(Settings)}


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", help="a folder or a name on the hub; without it a pupil is taught")
    for name in ("lessons", "steps", "completion_tokens", "ask_every", "seed"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=_DEFAULTS[name])
    parser.add_argument("--learning-rate", type=float, default=_DEFAULTS["learning_rate"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    train(Settings(**vars(options)))


if __name__ == "__main__":
    main()
