"""What models write around an answer: random compositions that leave the answer itself as it is."""

from __future__ import annotations

from hypothesis import strategies as st

F = "```"
PROSE = st.sampled_from([
    "Here is what I found:", "Sure!", "Let me know if this helps.", "Note: values are as printed (see the picture).",
    "It's 5 items, 100% done - \u201cas asked\u201d.", "1. read 2. written", "Braces {like these} are words.", "**Answer**",
])  # fmt: skip
DRAFTS = st.sampled_from(['maybe {"shop": "x"}', "", "two\nlines", 'a list [{"a": 1}]', f"{F}json\n{{}}\n{F}", 'the word "five"'])  # fmt: skip


@st.composite
def decorated(draw, answer):
    """Draw the answer with some of: a fence, prose, tags, reasoning, channels, special tokens, byte order mark."""
    text = answer
    fence = draw(st.sampled_from(["none", "lines", "one line", "tilde", "bare", "open", "BOM", "indented"]))
    text = {
        "none": text, "lines": f"{F}json\n{text}\n{F}", "one line": f"{F}json {text} {F}", "tilde": f"~~~\n{text}\n~~~",
        "bare": f"{F}\n{text}\n{F}", "open": f"{F}json\n{text}", "BOM": f"{F}json\n\ufeff{text}\n{F}", "indented": f"  {F}json\n{text}\n  {F}",
    }[fence]  # fmt: skip
    if draw(st.booleans()):
        text = f"{draw(PROSE)}\n{text}"
    if draw(st.booleans()) and fence != "open":
        text = f"{text}\n{draw(PROSE)}"
    if draw(st.integers(0, 3)) == 0:
        text = f"<answer>\n{text}\n</answer>"
    reasoning = draw(st.sampled_from(["none", "none", "think", "THINK", "closing", "attribute", "channel"]))
    draft = draw(DRAFTS)
    text = {
        "none": text, "think": f"<think>{draft}</think>\n{text}", "THINK": f"[THINK]{draft}[/THINK]{text}",
        "closing": f"{draft}\n</think>\n\n{text}", "attribute": f'<think mode="x">{draft}</think>{text}',
        "channel": f"<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{text}<|return|>",
    }[reasoning]  # fmt: skip
    text += draw(st.sampled_from(["", "", "<|im_end|>", "</s>", "\n\n\n"]))
    return draw(st.sampled_from(["", "", "\ufeff", "\n "])) + text
