"""Peak memory of an image run: 100 pictures of 8 megapixels against one, through hf-multimodal on a tiny model.

    python -m benchmarks.image_memory [--count 100] [--stock]

Prints both peaks and their difference, and the time spent on hashing pictures for the log. With `--stock` the same
pictures go through the harness's own image column, for comparison (minutes, and gigabytes).
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

_SIDES = (3264, 2448)  # 8 megapixels, a telephone's photograph


def main() -> int:
    """Run both sizes in fresh processes and print the comparison."""
    args = _arguments()
    if args.child:
        return _child(Path(args.child), args.limit, stock=args.stock)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _prepare(work, args.count)
        one, one_seconds = _measure(work, 1, stock=args.stock)
        many, many_seconds = _measure(work, args.count, stock=args.stock)
    kind = "stock image column" if args.stock else "sobench"
    print(f"{kind}: peak {one:.0f} MB with 1 image ({one_seconds:.0f} s), {many:.0f} MB with {args.count}"
          f" ({many_seconds:.0f} s); difference {many - one:.0f} MB")  # fmt: skip
    return 0


def _prepare(work: Path, count: int) -> None:
    from tests.engines import tiny_vlm
    from tests.engines.prepared_home import Sample, write_home

    tiny_vlm.build(work / "model")
    rng = np.random.default_rng(0)
    samples = [Sample(f"photo-{n:03}", _photo(rng), {"colour": "red", "corners": 0}) for n in range(count)]
    write_home(work / "home", {"ui": samples})


def _photo(rng: np.random.Generator) -> bytes:
    from PIL import Image

    small = rng.integers(0, 256, (_SIDES[1] // 16, _SIDES[0] // 16, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(small).resize(_SIDES, Image.Resampling.BICUBIC).save(buffer, "JPEG", quality=95)
    return buffer.getvalue()


def _measure(work: Path, limit: int, *, stock: bool) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.image_memory", "--child", str(work), "--limit", str(limit)]
    started = time.perf_counter()
    done = subprocess.run([*command, *(["--stock"] if stock else [])], check=True, capture_output=True, text=True)
    return float(done.stdout.split("PEAK_MB ")[1].split()[0]), time.perf_counter() - started


def _child(work: Path, limit: int, *, stock: bool) -> int:
    os.environ["SOBENCH_HOME"] = str(work / "home")
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks.autoload import TASKS_DIR

    simple_evaluate(
        model="hf-multimodal",
        model_args=f"pretrained={work / 'model'},dtype=float32,max_length=4096",
        tasks=[_stock_task(work) if stock else "sobench_ui"],
        task_manager=TaskManager(include_path=TASKS_DIR, include_defaults=False),
        apply_chat_template=True,
        batch_size=1,
        device="cpu",
        limit=limit,
        gen_kwargs="max_gen_toks=4",
        log_samples=True,
    )
    print(f"PEAK_MB {_peak_mb():.0f}")
    return 0


def _peak_mb() -> float:
    """The peak of this process alone: `ru_maxrss` starts from the parent's size, which has torch loaded too."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _stock_task(work: Path) -> dict[str, object]:
    return {
        "task": "stock_images",
        "dataset_path": "parquet",
        "dataset_kwargs": {"data_files": {"test": str(work / "home/data/ui/*.parquet")}, "features": _features()},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{user_intent}}<image>",
        "doc_to_image": lambda doc: [doc["image"]],
        "doc_to_target": "target_json",
        "generation_kwargs": {"until": [], "max_gen_toks": 4, "do_sample": False},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "metadata": {"version": 0},
    }


def _features() -> object:
    from datasets import Features, Image, Value

    names = ("doc_id", "domain", "source", "image_sha256", "schema_json", "user_intent", "target_json")
    texts = dict.fromkeys((*names, "evaluation_labels_json", "prep_id"), Value("string"))
    return Features({**texts, "image": Image(), "width": Value("int64"), "height": Value("int64")})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--stock", action="store_true", help="measure the harness's own image column instead")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=int, default=1, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
