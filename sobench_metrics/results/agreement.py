"""Whether two runs of one task may be compared: the same rules, the same rows, the same prompts."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.results.task_names import plain_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.results.records import Run, Sample

__all__ = ["Content", "content", "plain_name", "prompts", "refuse_other_rows", "rules"]

_MUST_AGREE: Final = {
    "task": "different versions of the task",
    "scores": "different score sets",
    "prompt": "different prompts",
    "system": "different system prompts",
    "shots": "different numbers of examples",
}
_SAME_KEY: Final = {"max_tokens": "max_gen_toks"}  # lighteval's word and lm-eval's
_RENDERING: Final = ("backend", "template")
_TOLD_ELSEWHERE: Final = ("n",)  # every table says which samples it is about
_JSON_COLUMNS: Final = ("schema_json", "target_json", "evaluation_labels_json", "json_schema", "top_level_count")
_COLUMNS: Final = (
    *_JSON_COLUMNS, "image_sha256", "user_intent", "prompt", "top_level_key", "require_wrapper_key",
    "require_code_block", "require_no_commentary", "output_format",
)  # fmt: skip
_CLUSTERS: Final = ("image_sha256", "entity_type")
_UNTOLD: Final = (None, "", "unknown")
_DIGEST: Final = 16  # bytes


@dataclass(frozen=True, slots=True)
class Content:
    """What tells a row from another: a digest of each column that a score depends on, and the log's own hashes.

    `cluster` names the picture (SO-Bench) or the entity type (IFStruct), "" where the log tells neither.
    """

    columns: Mapping[str, bytes]
    data_hash: str
    prompt_hash: str
    cluster: str


def content(sample: Sample) -> Content:
    """Return the content of a sample's row."""
    row = sample.row
    columns = {key: _digest(_plain(key, row[key])) for key in _COLUMNS if key in row}
    slices = sample.diagnostics.get("slices")
    told = {**(slices if isinstance(slices, dict) else {}), **row}
    cluster = next((str(told[key]) for key in _CLUSTERS if told.get(key) not in _UNTOLD), "")
    return Content(columns, sample.data_hash, sample.prompt_hash, cluster)


def rules(task: str, runs: tuple[Run, Run], sides: tuple[str, str]) -> list[str]:
    """Return a warning for each part of the signatures that differs; raises UsageError when one must not."""
    a, b = (_signature(run.signature) for run in runs)
    differing = [key for key in (*a, *(key for key in b if key not in a)) if a.get(key) != b.get(key)]
    left, right = sides
    for key in differing:
        if key in _MUST_AGREE and key in a and key in b:
            values = f"{left} {one_line(a[key])}, {right} {one_line(b[key])}"
            raise UsageError(f"{task}: the runs have {_MUST_AGREE[key]} ({values}): repeat one run like the other.")
    return [
        f"{key} differs: {left} {one_line(a.get(key, 'untold'))}, {right} {one_line(b.get(key, 'untold'))}"
        for key in differing
        if key not in _TOLD_ELSEWHERE and not (key == "data" and _is_part(a.get(key, ""), b.get(key, "")))
    ]


def refuse_other_rows(task: str, both: Sequence[tuple[str, Content, Content]]) -> None:
    """Raise UsageError when samples of one name have other data; `both` lists name and contents."""
    rows = [name for name, a, b in both if _other_row(a, b)]
    if rows:
        raise UsageError(
            f"{task}: {len(rows):,} of {counted(len(both), 'paired sample')} have different data, first "
            f"{one_line(rows[0])}: repeat one run on the data of the other."
        )


def prompts(task: str, runs: tuple[Run, Run], both: Sequence[tuple[str, Content, Content]]) -> list[str]:
    """Return a warning when only the rendering of prompts differs; raises UsageError when prompts do."""
    other = [name for name, a, b in both if a.prompt_hash != b.prompt_hash]
    if not other:
        return []
    told = f"{len(other):,} of {counted(len(both), 'paired sample')}"
    a, b = (_signature(run.signature) for run in runs)
    if runs[0].harness != runs[1].harness or any(a.get(key) != b.get(key) for key in _RENDERING):
        return [f"prompts of {told} are rendered differently (the same texts, another backend or template)"]
    raise UsageError(
        f"{task}: the prompts of {told} differ, first {one_line(other[0])}: repeat one run like the other."
    )


def _other_row(a: Content, b: Content) -> bool:
    shared = a.columns.keys() & b.columns.keys()
    if shared:
        return any(a.columns[key] != b.columns[key] for key in shared)
    return a.data_hash != b.data_hash


def _is_part(a: str, b: str) -> bool:
    """Return whether one side tells more of the same data: lighteval adds a digest of the task's own rows."""
    return a.partition("+")[0] == b.partition("+")[0] and ("+" not in a or "+" not in b)


def _signature(told: Mapping[str, str]) -> dict[str, str]:
    found = {_SAME_KEY.get(key, key): value for key, value in told.items()}
    if "task" in found:
        name, _, version = found["task"].rpartition(":")
        with contextlib.suppress(ValueError):
            version = f"{float(version):g}"  # "1" and "1.0" are one version
        found["task"] = f"{plain_name(name)}:{version}"
    return found


def _plain(key: str, value: Any) -> Any:
    """Return a column decoded where it may be JSON text or not."""
    if key in _JSON_COLUMNS and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _digest(value: Any) -> bytes:
    try:
        text = json.dumps(value, default=str)  # in its own order, which a prompt shows
    except (ValueError, RecursionError):
        text = repr(type(value))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
