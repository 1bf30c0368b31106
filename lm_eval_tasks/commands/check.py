"""`sobench check`: what will fail, said before a GPU hour is spent."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import catalog, prompt, versions
from lm_eval_tasks.commands import check_constrained
from lm_eval_tasks.commands.check_constrained import grammar_fault
from lm_eval_tasks.commands.enable import pth_file
from sobench_metrics import __version__
from sobench_metrics.cli.command import Command
from sobench_metrics.constrained.engines import ENGINES
from sobench_metrics.data import ifstruct_rows, images, prepared
from sobench_metrics.data.hard_rows import load_hard_rows
from sobench_metrics.data.sample import sample_home, sample_pictures
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.strict.formats import unchecked_formats

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["CHECK", "Line", "backend_fault", "data_failures"]

_DEFAULT_TASKS = "sobench,ifstruct,sobench_sample,ifstruct_sample"
_MODULES = {
    "hf": ("torch", "transformers"),
    "hf-multimodal": ("torch", "transformers", "PIL"),
    "vllm": ("vllm",),
    "vllm-vlm": ("vllm", "ray", "PIL"),
    "local-chat-completions": ("aiohttp", "tenacity", "PIL"),
    "openai-chat-completions": ("aiohttp", "tenacity", "PIL"),
}
_EXTRA = {"hf": "lm-eval", "hf-multimodal": "lm-eval", "vllm": "vllm", "vllm-vlm": "vllm"}
_WITH_IMAGES = {"hf": "hf-multimodal", "vllm": "vllm-vlm"}


@dataclass(frozen=True, slots=True)
class Line:
    """One finding of the check; `level` is ok, warn or FAIL."""

    level: str
    text: str


def data_failures(tasks: list[str]) -> list[str]:
    """Return one sentence for each thing that would stop these tasks for want of data."""
    return [
        line.text
        for need in (catalog.needs(tasks) if tasks else ())
        for line in _data(need, images_to_open=1)
        if line.level == "FAIL"
    ]


def _run(args: argparse.Namespace) -> int:
    names = [name for name in args.tasks.split(",") if name.strip()]
    needs = catalog.needs(names)  # an unknown task is told before anything else
    lines = [*_environment(), *_backends(args.model, needs)]
    for need in needs:
        lines += _data(need, images_to_open=args.images, backend=args.model, engine=args.engine)
    for line in lines:
        print(f"{line.level:5}{line.text}")
    failures = sum(line.level == "FAIL" for line in lines)
    print(f"{failures} of {len(lines)} checks failed" if failures else f"all {len(lines)} checks passed or only warn")
    return 2 if failures else 0


def _environment() -> Iterator[Line]:
    yield Line("ok", f"sobench {__version__} on Python {platform.python_version()} ({sys.prefix})")
    fault = versions.lm_eval_fault()
    yield Line("FAIL", fault) if fault else Line("ok", f"lm-eval {version('lm_eval')}")
    enabled = pth_file().exists()
    yield Line(
        "ok", f"plain `lm_eval` {'finds our tasks' if enabled else 'does not know our tasks (`sobench enable`)'}"
    )
    for module, package in (("PIL", "pillow"), ("pyarrow", "pyarrow"), ("datasets", "datasets")):
        yield _installed(module, package)


def _installed(module: str, package: str) -> Line:
    if find_spec(module) is None:
        return Line("FAIL", f"{package} is not installed: `pip install 'sobench[lm-eval]'` (or [api], [vllm]).")
    try:
        return Line("ok", f"{package} {version(package)}")
    except PackageNotFoundError:
        return Line("ok", f"{package} (no version recorded)")


def _backends(model: str | None, needs: list[catalog.Need]) -> Iterator[Line]:
    for backend in [model] if model else _MODULES:
        fault = backend_fault(backend, needs if model else [])
        if fault:
            yield Line("FAIL" if model else "warn", fault)
        else:
            yield Line("ok", f"--model {backend} can be loaded")


def backend_fault(backend: str, needs: list[catalog.Need]) -> str | None:
    """Return why this model type cannot run these tasks in this environment, with the remedy; None for others."""
    if backend in _WITH_IMAGES and any(need.domain for need in needs):
        return f"--model {backend} takes no images: use --model {_WITH_IMAGES[backend]}."
    missing = [module for module in _MODULES.get(backend, ()) if find_spec(module) is None]
    if missing:
        extra = _EXTRA.get(backend, "api")
        return f"--model {backend} lacks {', '.join(missing)}: `pip install 'sobench[{extra}]'`."
    return grammar_fault(backend) if any(need.constrained for need in needs) else None


def _data(
    need: catalog.Need, *, images_to_open: int, backend: str | None = None, engine: str | None = None
) -> Iterator[Line]:
    held = _Held(need, backend, engine)
    try:
        yield from _ifstruct(need, held) if need.domain is None else _sobench(need, images_to_open, held)
    except UsageError as error:
        yield Line("FAIL", f"{need.task}: {error}")


def _ifstruct(need: catalog.Need, held: _Held) -> Iterator[Line]:
    if need.hard:
        found = load_hard_rows(sample=need.sample)
    else:
        found = ifstruct_rows.load_rows(sample_home() / "ifstruct.jsonl" if need.sample else None)
    formats = [name for name in ("json", "yaml") if f"_{name}" in need.task] or ["json", "yaml"]
    rows = [row for row in found.rows if row["output_format"] in formats]
    yield Line("ok" if rows else "FAIL", f"{need.task}: {len(rows)} rows, data {found.revision}")
    yield from held.lines(rows)
    unchecked = {name for row in rows for name in unchecked_formats(json.loads(row["json_schema"]))}
    if unchecked:
        names = ", ".join(sorted(unchecked))
        yield Line("warn", f"{need.task}: the strict findings do not check these formats: {names}")
    trapped = sum(prompt.IMAGE_PLACE in row["prompt"] for row in rows)
    if trapped:
        yield Line(
            "warn",
            f"{need.task}: {trapped} prompts contain {prompt.IMAGE_PLACE}, which hf-multimodal and vllm-vlm take for "
            "an image; run these rows on a text backend or a server.",
        )


@dataclass(frozen=True, slots=True)
class _Held:
    """What to say of a task whose answers are held to schemas; nothing of others."""

    need: catalog.Need
    backend: str | None
    engine: str | None

    def lines(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
        if self.need.constrained:
            told = check_constrained.told(self.need.task, self.backend, rows, self.engine)
            yield from (Line(level, text) for level, text in told)


def _sobench(need: catalog.Need, images_to_open: int, held: _Held) -> Iterator[Line]:
    root = sample_pictures() if need.sample else prepared.prepared_root(prepared.sobench_home())
    found = prepared.load(root, str(need.domain))
    coverage = f"{len(found.docs)} of {found.expected}"
    level = "ok" if len(found.docs) >= found.expected else "warn"
    yield Line(level, f"{need.task}: {coverage} samples, data {found.prep_id}")
    yield from held.lines(found.docs)
    for doc in found.docs[:images_to_open] if images_to_open >= 0 else found.docs:
        data = images.read_bytes(prepared.image_of(root, doc))
        images.mime_type(data)
        if find_spec("PIL") is not None:
            images.open_image(data).load()
    trapped = sum(prompt.IMAGE_PLACE in doc["schema_json"] + doc["user_intent"] for doc in found.docs)
    if trapped:
        yield Line(
            "ok", f"{need.task}: {trapped} samples contain {prompt.IMAGE_PLACE}; it is escaped where it would harm"
        )


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tasks", default=_DEFAULT_TASKS, help="comma-separated task names (default: %(default)s)")
    parser.add_argument("--model", choices=sorted(_MODULES), help="the lm-eval model type of the planned run")
    parser.add_argument(
        "--engine", choices=ENGINES, help="what the server of a constrained run holds answers with (as in --metadata)"
    )
    parser.add_argument(
        "--images", type=int, default=3, help="images to decode per task; -1 = all (default: %(default)s)"
    )


CHECK = Command("say what will fail before a run: versions, extras, data, images, traps", _run, _arguments)
