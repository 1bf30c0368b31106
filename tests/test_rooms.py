"""Who may import whom, and what importing the core costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {
    "sobench_metrics": {"lm_eval", "lighteval", "torch", "vllm", "transformers", "lm_eval_tasks", "lighteval_tasks"},
    "lm_eval_tasks": {"lighteval", "lighteval_tasks", "torch", "vllm", "transformers"},
    "lighteval_tasks": {"lm_eval", "lm_eval_tasks", "torch", "vllm", "transformers"},
}


@pytest.mark.parametrize("room", FORBIDDEN)
def test_no_room_imports_what_it_must_not(room):
    for file in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & FORBIDDEN[room], file


def test_importing_the_core_loads_no_heavy_library():
    heavy = ("jsonschema", "yaml", "rapidfuzz", "regex", "numpy", "PIL", "pyarrow", "datasets", "importlib.metadata")
    code = f"import sys, sobench_metrics; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_every_file_is_a_page():
    long = [
        f"{file.relative_to(ROOT)}: {lines}"
        for room in ("sobench_metrics", "lm_eval_tasks", "lighteval_tasks", "benchmarks")
        for file in (ROOT / room).rglob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 400
    ]
    assert long == []
