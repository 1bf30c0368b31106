"""GRPO by TRL on the rewards, and what rows of unseen entity types earn before, during and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.grpo.curve import Curve, Point
from benchmarks.grpo.pupil import teach
from benchmarks.grpo.rows import made_up_rows, short_rows
from sobench_metrics.errors import UsageError
from sobench_metrics.rewards import ifstruct_reward, ifstruct_shaped_reward

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Settings", "train"]

_PROMPTS_A_STEP = 4
_TEMPERATURE = 0.7


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is: lessons before it (for the pupil, in rounds), then steps of four prompts, eight answers each."""

    out: Path
    model: str | None = None
    lessons: tuple[int, ...] = (600,)
    steps: int = 40
    learning_rate: float = 3e-4
    completion_tokens: int = 80
    held_out: int = 64
    ask_every: int = 8
    seed: int = 0


def train(settings: Settings) -> Curve:
    """Return the curve; the trained model is left in the folder `model` of `settings.out`."""
    import transformers as hf
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    rows = short_rows("train", settings.steps * _PROMPTS_A_STEP, 3)
    held_out = short_rows("eval", settings.held_out, 2)
    name = settings.model or str(_taught(settings))
    hf.set_seed(settings.seed)
    tokenizer = hf.AutoTokenizer.from_pretrained(name, padding_side="left")
    model = hf.AutoModelForCausalLM.from_pretrained(name)
    points: list[Point] = []

    def ask(step: int, asked: Any) -> None:
        texts = _answers(asked, tokenizer, held_out, settings)
        points.append(Point(step, *(_rewards(reward, texts, held_out) for reward in _REWARDS)))
        passed, shaped = (sum(rewards) / len(rewards) for rewards in (points[-1].passed, points[-1].shaped))
        print(f"step {step:3d}  held out: {passed:6.1%} pass, shaped reward {shaped:.3f}", flush=True)

    class Asking(hf.TrainerCallback):  # type: ignore[misc]  # untyped base
        def on_step_end(self, _args: Any, state: Any, _control: Any, **known: Any) -> None:
            if state.global_step % settings.ask_every == 0 or state.global_step == settings.steps:
                ask(state.global_step, known["model"])

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[ifstruct_reward, ifstruct_shaped_reward],
        train_dataset=Dataset.from_list([{**row, "prompt": _conversation(row)} for row in rows]),
        callbacks=[Asking()],
        args=GRPOConfig(
            output_dir=str(settings.out / "model"),
            use_cpu=True,
            bf16=False,
            per_device_train_batch_size=8 * _PROMPTS_A_STEP,
            num_generations=8,
            temperature=_TEMPERATURE,
            max_completion_length=settings.completion_tokens,
            max_steps=settings.steps,
            learning_rate=settings.learning_rate,
            lr_scheduler_type="linear",
            warmup_steps=3,
            beta=0.0,
            reward_weights=[0.0, 1.0],  # the official verdict is looked at, not trained on
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
    types = tuple(row["entity_type"] for row in held_out)
    return Curve(types, tuple(points), _trained(trainer.state.log_history))


_REWARDS = (ifstruct_reward, ifstruct_shaped_reward)


def _taught(settings: Settings) -> Path:
    """Return the pupil's folder after all its rounds of lessons; a round that an earlier run finished is kept."""
    folder: Path | None = None
    for number in range(len(settings.lessons)):
        before = folder
        past = "-".join(map(str, settings.lessons[: number + 1]))
        folder = settings.out / f"pupil-{past}-seed{settings.seed}"
        if not (folder / "tokenizer.json").is_file():  # written last
            rows = [*short_rows("train", 500, 1), *made_up_rows(2_000, 11)]
            teach(folder, rows, steps=settings.lessons[number], seed=settings.seed + number, before=before)
    if folder is None:
        raise UsageError("A pupil needs lessons: give --lessons a number, or --model a model.")
    return folder


def _conversation(row: dict[str, Any]) -> list[dict[str, str]]:
    return [{"role": "user", "content": row["prompt"]}]


def _answers(model: Any, tokenizer: Any, rows: Sequence[dict[str, Any]], settings: Settings) -> list[str]:
    """Return an answer to each row, drawn as in training, by the same chance at every step."""
    import torch

    asked = tokenizer.apply_chat_template(
        [_conversation(row) for row in rows], add_generation_prompt=True, padding=True, return_dict=True,
        return_tensors="pt",
    )  # fmt: skip
    was_training = model.training
    model.eval()
    with torch.no_grad(), torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        written = model.generate(
            input_ids=asked["input_ids"], attention_mask=asked["attention_mask"], do_sample=True,
            temperature=_TEMPERATURE, top_k=None, top_p=1.0, max_new_tokens=settings.completion_tokens,
        )  # fmt: skip
    model.train(was_training)
    return tokenizer.batch_decode(written[:, asked["input_ids"].shape[1] :], skip_special_tokens=True)


def _rewards(reward: Any, texts: Sequence[str], rows: Sequence[dict[str, Any]]) -> tuple[float, ...]:
    return tuple(reward(None, texts, **{name: [row[name] for row in rows] for name in rows[0]}))


def _trained(log: Sequence[dict[str, Any]]) -> tuple[tuple[int, float, float], ...]:
    official, shaped = (f"rewards/{reward.name}/mean" for reward in _REWARDS)
    return tuple((entry["step"], entry[official], entry[shaped]) for entry in log if official in entry)
