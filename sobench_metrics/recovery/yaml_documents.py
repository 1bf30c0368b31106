"""The YAML document that a text gives as its answer.

What is not YAML is not repaired. Flow style is read, too; so are unquoted words and clock times as YAML 1.2 reads them.
Loading is the one of the IFStruct room, with its bounds, on texts short enough for the pure-Python loader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.display import ReferenceCrashError
from sobench_metrics.json_schema.stack import MAX_DEPTH, is_deeper_than, run_nested
from sobench_metrics.recovery.json_values import not_finite
from sobench_metrics.recovery.marks import remove_marks, without_bom

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["MAX_YAML_CHARS", "Document", "yaml_readings"]

MAX_YAML_CHARS: Final = 60_000
"""Characters handed to the YAML loader for one answer, all tries together; some fifteen thousand tokens."""

_MAX_TRIES: Final = 4
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([\w+.#-]*)")
_LAST_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})\s*")
_PROSE_KEY: Final = 3
"""So many words before a final colon make an introduction of it, not a key."""
_KEY = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s:#'"\[{][^:#]{0,80}?)\s*:(?:\s|$)""")
_CORE_WORDS: Final = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_CORE_TAGS: Final = frozenset(f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float"))
_OPEN: Final = object()
_CORE_INT = re.compile(r"[-+]?[0-9]{1,4000}")
_CORE_BASED = re.compile(r"0o[0-7]{1,4000}|0x[0-9a-fA-F]{1,4000}")
_CORE_ENDLESS = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_CORE_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Document:
    """A document's data, a mapping or list, and the steps that led to it."""

    data: Any
    steps: tuple[str, ...]
    fenced: bool


def yaml_readings(text: str) -> Iterator[Document]:
    """Yield the readings of the one document meant: as YAML 1.1, then as YAML 1.2 where that differs; none if none.

    Later ones are for a reader whom the earlier ones do not satisfy.
    """
    budget = MAX_YAML_CHARS
    for tries, (piece, steps, fenced) in enumerate(_pieces(text)):
        budget -= len(piece)
        if tries >= _MAX_TRIES or budget < 0:
            return
        readings = list(_read(piece))
        if readings:
            for data, more in readings:
                yield Document(data, steps + more, fenced)
            return


def _read(text: str) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield data and steps of one text that is a YAML mapping or list; nothing for any other text."""
    from sobench_metrics.ifstruct.yaml_loading import compose, load  # PyYAML: only when used

    try:
        loaded = load(text)
    except ReferenceCrashError:
        return
    flow = loaded.finding is not None and loaded.finding.code == "yaml.flow_style"
    if (loaded.finding and not flow) or not (flow or isinstance(loaded.data, (dict, list))):
        return
    if not flow and not not_finite(loaded.data):
        yield loaded.data, ()
    root = compose(text)
    if root is None:
        return
    try:
        core = run_nested(_core(root, {}))
    except _NotCoreError:
        return
    if is_deeper_than(core, MAX_DEPTH) or not_finite(core):
        return
    yield core, ("format.flow" if flow else "yaml.core",)


# --- pieces of a text that may be the document -----------------------------------------------------------------------


def _pieces(text: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    plain, marks = remove_marks(text)
    lines = plain.splitlines()
    if lines and not _is_prose(lines[0]) and not _FENCE.match(lines[0]):
        # A document from its first line: what looks like a fence in it may be data.
        yield plain, marks, False
    blocks = list(_blocks(lines))
    if len(blocks) == 1 and not blocks[0].content(lines):
        # One fence and nothing behind it: the one that closes what was never opened.
        yield "\n".join(lines[: blocks[0].first]), (*marks, "fence.broken"), True
    elif blocks:
        several = ("blocks.several",) if len(blocks) > 1 else ()
        best = max(block.rank for block in blocks)
        for block in reversed([block for block in blocks if block.rank == best]):
            prose = ("prose.around",) if block.prose else ()
            fence = () if block.sound else ("fence.broken",)
            tag = ("fence.tag",) if block.tag.startswith("json") else ()
            yield block.content(lines), marks + several + prose + fence + tag, True
        return
    shorter = _without_prose(plain.split("\n"))
    if shorter and shorter != plain:
        yield shorter, (*marks, "prose.around"), False


@dataclass(frozen=True, slots=True)
class _Block:
    """A fenced block by the numbers of its two fence lines, its tag, whether its fences are sound and words around."""

    first: int
    last: int
    tag: str
    sound: bool
    prose: bool

    @property
    def rank(self) -> int:
        """Return the rank of its announcement: a YAML tag before any other and none."""
        return 2 if self.tag in ("yaml", "yml") else 1

    def content(self, lines: list[str]) -> str:
        """Return the lines between the fences."""
        return without_bom("\n".join(lines[self.first + 1 : self.last]).strip("\n"))


def _blocks(lines: list[str]) -> Iterator[_Block]:
    """Yield fenced blocks; one that is never closed ends with the text.

    A closing fence stands no further in than the opening one: further in it is data, save as the last line of all.
    """
    written = [number for number, line in enumerate(lines) if line.strip()]
    opened: tuple[int, re.Match[str]] | None = None
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if opened is None:
            opened = number, fence
        elif fence[2][0] == opened[1][2][0] and len(fence[1]) <= len(opened[1][1]):
            prose = written[0] < opened[0] or written[-1] > number or line.strip() != fence[2]
            sound = line.startswith("```") and not opened[1][1]
            yield _Block(opened[0], number, opened[1][3].lower(), sound, prose)
            opened = None
    if opened is not None:
        ends = written[-1] > opened[0] and _LAST_FENCE.fullmatch(lines[written[-1]])
        last = written[-1] if ends else len(lines)
        yield _Block(opened[0], last, opened[1][3].lower(), sound=False, prose=written[0] < opened[0])


def _without_prose(lines: list[str]) -> str:
    """Return the lines between a sentence or two at the top and at the bottom: those that begin no key and no item."""
    first, last = 0, len(lines)
    while first < last and _is_prose(lines[first]):
        first += 1
    while last > first and _is_prose(lines[last - 1]):
        last -= 1
    return "\n".join(lines[first:last])


def _is_prose(line: str) -> bool:
    if not line.strip():
        return True
    if line[0] in " \t-#%?" or line.startswith(("...", "[", "{")):
        return False
    if line.rstrip().endswith(":") and len(line.split()) >= _PROSE_KEY:
        return True
    return not _KEY.match(line)


# --- YAML 1.2 --------------------------------------------------------------------------------------------------------


class _NotCoreError(Exception):
    """Something that the core schema of YAML 1.2 does not have, or that is too deep."""


def _core(node: Any, built: dict[int, Any]) -> Generator[Any, Any, Any]:
    """Build the data of a composed tree by the core schema of YAML 1.2, shared nodes once; for `run_nested`.

    Raises _NotCoreError for tags, merge keys, cycles and keys that are no scalars.
    """
    if id(node) in built:
        if built[id(node)] is _OPEN:
            raise _NotCoreError
        return built[id(node)]
    built[id(node)] = _OPEN
    value: Any
    if node.id == "sequence":
        value = []
        for item in node.value:
            value.append((yield _core(item, built)))
    elif node.id == "mapping":
        value = {}
        for key, below in node.value:
            if key.id != "scalar" or key.tag == "tag:yaml.org,2002:merge":
                raise _NotCoreError
            value[_scalar(key)] = yield _core(below, built)
    else:
        value = _scalar(node)
    built[id(node)] = value
    return value


def _scalar(node: Any) -> Any:
    """Return a scalar's value; a text stays one, so that nothing is taken for a number that YAML 1.1 leaves alone."""
    text: str = node.value
    if node.tag == "tag:yaml.org,2002:str":
        return text
    if node.style is not None or node.tag not in _CORE_TAGS:
        raise _NotCoreError
    if text in _CORE_WORDS:
        return _CORE_WORDS[text]
    if node.tag == "tag:yaml.org,2002:null" or _CORE_ENDLESS.fullmatch(text):
        raise _NotCoreError
    if _CORE_INT.fullmatch(text):
        return int(text)
    if _CORE_BASED.fullmatch(text):
        return int(text, 0)
    return float(text) if _CORE_FLOAT.fullmatch(text) else text
