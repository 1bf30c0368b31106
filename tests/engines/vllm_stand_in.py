"""A stand-in for the vLLM that lighteval 0.13 takes, which no CPU of today runs: it answers, and notes how it was asked.

Only the names that lighteval's backend imports, in the place where it looks for them, with the version that it wants.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["asked", "write"]

_ENGINE = """\
import json, os
from types import SimpleNamespace


class SamplingParams:
    def __init__(self, **given):
        vars(self).update(given)


class RequestOutput:
    pass


class LLM:
    def __init__(self, **given):
        self._given = given

    def generate(self, prompt_token_ids, sampling_params, use_tqdm):
        with open(os.path.join(os.environ["STAND_IN_NOTES"], "asked.json"), "w") as file:
            json.dump({"engine": self._given, "sampling": vars(sampling_params), "prompts": prompt_token_ids}, file)
        answer = SimpleNamespace(token_ids=[1, 2], text=ANSWER)
        return [SimpleNamespace(outputs=[answer], prompt_token_ids=ids) for ids in prompt_token_ids]


ANSWER = json.loads(os.environ["STAND_IN_ANSWER"])
"""
_FILES = {
    "vllm/__init__.py": _ENGINE,
    "vllm/distributed/__init__.py": "",
    "vllm/distributed/parallel_state.py": "def destroy_distributed_environment(): pass\n\n\ndef destroy_model_parallel(): pass\n",
    "vllm/transformers_utils/__init__.py": "",
    "vllm/transformers_utils/tokenizer.py": (
        "def get_tokenizer(name, *, tokenizer_mode, trust_remote_code, revision):\n"
        "    from transformers import AutoTokenizer\n\n"
        "    return AutoTokenizer.from_pretrained(name, revision=revision)\n"
    ),
    "vllm/v1/__init__.py": "",
    "vllm/v1/engine/__init__.py": "",
    "vllm/v1/engine/async_llm.py": "AsyncEngineArgs = AsyncLLM = None\n",
    "vllm-0.10.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: vllm\nVersion: 0.10.1\n",
    "ray/__init__.py": "def shutdown(): pass\n",
    "more_itertools/__init__.py": "distribute = None\n",
}


def write(folder: Path, answer: str) -> dict[str, str]:
    """Lay the packages into a folder and return the variables under which a process finds them."""
    for name, text in _FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return {"PYTHONPATH": str(folder), "STAND_IN_NOTES": str(folder), "STAND_IN_ANSWER": json.dumps(answer)}


def asked(folder: Path) -> dict:
    """Return what the engine was made of and asked: `engine`, `sampling` and the tokens of the `prompts`."""
    return json.loads((folder / "asked.json").read_text(encoding="utf-8"))
