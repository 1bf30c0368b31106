"""What models and their templates write around an answer: reasoning, channels, special tokens, tags.

Each step takes a text and returns a text; one that changes nothing was not needed. A tag inside a quoted text is data:
an odd number of quotation marks before it on its line says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["remove_marks", "without_bom"]

_INVISIBLE: Final = "\ufeff\u200b\u200c\u200d\u2060"
# Only closing tags capture something. Besides <think> and its like: Mistral, Kimi, Command, Apertus, MedGemma, Gemma 4.
_TAG = re.compile(
    r"<(/)?(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)(?:[ \t][^<>\n]{0,200})?>"
    r"|\[(/)?think\]|\u25c1(/)?think\u25b7|<\|(?:START|(END))_THINKING\|>|<\|inner_(?:prefix|(suffix))\|>"
    r"|<unused94>(?:thought\n)?|<unused9(5)>|<\|channel>(?:thought\n)?|<(channel)\|>",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(final|analysis|commentary)\b[^<{\[\n]{0,40}(?:<\|constrain\|>[^<{\[\n]{0,40})?(?:<\|message\|>)?"
)
_BARE_FINAL = re.compile(r"assistant\s*final(?=\s*(?:[\[{`~]|\n))")
_BARE_CHANNELS: Final = ("analysis", "commentary", "assistant")
_QUOTE = re.compile(r'(?<!\\)"')
_SPECIAL: Final = r"<\|[A-Za-z_]{1,30}\|>|<\uff5c[^<>\n]{1,30}\uff5c>|\[\|[a-z_]{1,30}\|\]"
_SPECIAL_AT_START = re.compile(rf"(?:{_SPECIAL}|<s>|<bos>|\s)+")
_SPECIAL_AT_END = re.compile(
    rf"(?:{_SPECIAL}|<(?:turn_end|end_of_turn|turn\||eos|seed:eos|pad)>|</s>|\[/INST\]|[\s{_INVISIBLE}])+\Z"
)
_OPENING_ANSWER_TAG = re.compile(
    r"<(answer|output|response|result|final|final_answer|json|yaml|tool_call)>", re.IGNORECASE
)


def remove_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text without marks, stripped, and the codes of the steps that took something away."""
    steps: list[str] = []
    text = text.strip()
    for code, step in _STEPS:
        shorter = step(text).strip()
        if shorter != text:
            steps.append(code)
            text = shorter
    return text, tuple(dict.fromkeys(steps))


def without_bom(text: str) -> str:
    """Return the text without byte order marks and zero-width characters at its ends."""
    return text.strip(_INVISIBLE + " \t\r\n")


def without_reasoning(text: str) -> str:
    """Return the text without reasoning.

    A closed block goes; a closing tag without an opening one ends reasoning that the template opened, all before it
    goes; an opening tag without a closing one means the model was still thinking, all behind it goes.
    """
    kept: list[str] = []
    copied = counted = 0
    opened: int | None = None
    odd = False
    for match in _TAG.finditer(text):
        closes = match.lastindex is not None
        odd = _odd_quotes(text[counted : match.start()], odd)
        counted = match.end()
        if odd and not (closes and opened is not None):
            continue  # inside reasoning quotation marks are only prose
        odd = False
        if not closes:
            opened = match.start() if opened is None else opened
        elif opened is not None:
            kept.append(text[copied:opened])
            copied, opened = match.end(), None
        else:
            kept.clear()
            copied = match.end()
    kept.append(text[copied:opened])
    return "".join(kept)


def _odd_quotes(stretch: str, odd: bool) -> bool:
    """Return whether the last line of a stretch leaves a quotation mark open, `odd` saying whether one was before."""
    if "\n" in stretch:
        stretch, odd = stretch[stretch.rfind("\n") + 1 :], False
    return odd ^ (len(_QUOTE.findall(stretch.replace("\\\\", ""))) % 2 == 1)


def _unquoted(mark: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches outside quotation marks."""
    counted, odd = 0, False
    for match in mark.finditer(text):
        odd = _odd_quotes(text[counted : match.start()], odd)
        counted = match.end()
        if not odd:
            yield match


def final_channel(text: str) -> str:
    """Return what stands in the last final channel, or in the last one that is not for thinking; else the text.

    Nothing is left of a text that ends in its analysis: that is no answer. Channel names run together with the text
    (`analysis...assistantfinal...`) count where the text begins with one and the answer follows at once: inside data
    the same letters are data.
    """
    marks = list(_unquoted(_CHANNEL, text))
    if marks:
        final = [match for match in marks if match[1] == "final"]
        said = final or [match for match in marks if match[1] == "commentary"]
        return _to_next(text, said[-1].end()) if said else text[: marks[0].start()]
    if text.startswith(_BARE_CHANNELS):
        ends = [match.end() for match in _BARE_FINAL.finditer(text)]
        if ends:
            return text[ends[-1] :]
    return text


def _to_next(text: str, start: int) -> str:
    """Return the text from an index to the next channel."""
    following = _CHANNEL.search(text, start)
    return text[start : following.start()] if following else text[start:]


def without_special_tokens(text: str) -> str:
    """Return the text without a template's special tokens at its ends."""
    start = _SPECIAL_AT_START.match(text)
    text = text[start.end() :] if start else text
    # From a bounded tail: a search for an anchored repetition is quadratic on a text full of near misses.
    tail = text[-500:]
    end = _SPECIAL_AT_END.search(tail)
    return text[: len(text) - len(tail) + end.start()] if end else text


def without_answer_tags(text: str) -> str:
    """Return what stands between one pair of tags that encloses the whole text, or the text."""
    opening = _OPENING_ANSWER_TAG.match(text)
    if not opening:
        return text
    closing = f"</{opening[1]}>"
    end = len(text) - len(closing) if text.lower().endswith(closing.lower()) else len(text)
    return text[opening.end() : end]


_STEPS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("marks.bom", without_bom),
    ("marks.channel", final_channel),
    ("marks.end", without_special_tokens),
    ("marks.reasoning", without_reasoning),
    ("marks.end", without_special_tokens),
    ("marks.answer_tag", without_answer_tags),
    ("marks.bom", without_bom),
)
