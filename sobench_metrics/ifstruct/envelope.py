"""Rules around the data: code block, commentary, wrapper key, number of items (reference rules A3, A6, A7, A9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.display import text_of
from sobench_metrics.ifstruct.leaves import as_bound
from sobench_metrics.ifstruct.walk import Place, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.ifstruct.spec import Spec
    from sobench_metrics.response import Fence

__all__ = ["Unwrapped", "check_code_block", "check_commentary", "check_count", "code_block_type", "unwrap"]

_RUN: Final = "```"
_SHOWN_CHARS: Final = 100


def code_block_type(fence: Fence) -> str | None:
    """Return the kind of block by the prefix of its opening line, or None when there is no closed block (rule A3)."""
    if fence.kind != "block":
        return None
    opening = fence.opening.strip().lower()
    tags = (tag for tag in ("yaml", "yml", "json") if opening.startswith(_RUN + tag))
    return _RUN + next(tags, "")


def check_code_block(fence: Fence, spec: Spec) -> Iterator[Finding]:
    """Yield the finding of a missing block; one that was not asked for is never an error (rule A1.2)."""
    if spec.require_code_block and fence.kind != "block":
        yield Finding("fence.missing", "", "Response must use a code block but none was found")


def check_commentary(text: str, fence: Fence, spec: Spec) -> Iterator[Finding]:
    """Yield the finding of text before the first and behind the last three backticks (rule A6).

    Unfenced answers cannot have any: YAML takes everything as data, JSON was refused before.
    """
    if fence.kind != "block":
        return
    before, after = text[: text.find(_RUN)], text[text.rfind(_RUN) + len(_RUN) :]
    outside = f"{before.strip()} {after.strip()}".strip()
    if outside:
        kind = "YAML" if spec.output_format == "yaml" else "JSON"
        cut = outside if len(outside) <= _SHOWN_CHARS else outside[:_SHOWN_CHARS] + "..."
        yield Finding("commentary.present", "", f'Response contains text outside {kind}: "{cut}"')


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The data below a wrapper key, if there is one; `key` is a tuple so that a null key can be told from none."""

    data: Any
    key: tuple[Any, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def place(self) -> Place:
        """Where the data stands in the model's answer."""
        return (None, self.key[0]) if self.key else None


def unwrap(data: Any, spec: Spec) -> Unwrapped:
    """Take a list out of a mapping that holds nothing else, and judge the wrapper (rule A7).

    Raises ReferenceCrashError for a key too long to print.
    """
    if isinstance(data, list) and spec.require_wrapper_key:
        message = f"Expected wrapped object with key '{spec.top_level_key}', got bare list"
        return Unwrapped(data, (), (Finding("wrapper.missing", "", message),))
    if not isinstance(data, dict) or len(data) != 1:
        return Unwrapped(data)
    ((key, below),) = data.items()
    if not isinstance(below, list):
        return Unwrapped(data)
    return Unwrapped(below, (key,), tuple(_check_key(key, spec)))


def _check_key(key: Any, spec: Spec) -> Iterator[Finding]:
    if not spec.require_wrapper_key:
        yield Finding(
            "wrapper.unexpected",
            path_of((None, key)),
            f"Expected bare list, got wrapped object with key '{text_of(key)}'",
        )
    elif spec.top_level_key is not None and key != spec.top_level_key:
        yield Finding(
            "wrapper.key", path_of((None, key)), f"Expected top-level key '{spec.top_level_key}', got '{text_of(key)}'"
        )


def check_count(data: Any, place: Place, spec: Spec) -> Iterator[Finding]:
    """Yield the finding of a wrong number of top-level items (rule A9).

    Raises ReferenceCrashError for two bounds that are no numbers.
    """
    wanted = spec.top_level_count
    if not isinstance(data, list):
        return
    if isinstance(wanted, int):
        if len(data) != wanted:
            yield Finding("count.exact", path_of(place), f"Expected {wanted} items, got {len(data)}")
    elif isinstance(wanted, list) and len(wanted) == 2:
        least, most = map(as_bound, wanted)
        if not least <= len(data) <= most:
            yield Finding("count.range", path_of(place), f"Expected {least}-{most} items, got {len(data)}")
