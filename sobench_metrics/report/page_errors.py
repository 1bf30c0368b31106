"""The error taxonomy of a view: where failed answers were lost first, then every code with samples to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sobench_metrics.data.contact_sheet_page import escaped
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.report.plots import parts_bar
from sobench_metrics.report.recovery_counts import MEANINGS, recovery_counts, steps_of
from sobench_metrics.report.taxonomy import FAMILIES, UNEXPLAINED, family_of, tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.report.model import Gathered, View
    from sobench_metrics.report.taxonomy import Tally

__all__ = ["errors_html", "tallies"]

_PASSED: Final = "passed"
_UNEXPLAINED_MEANING: Final = "failed, and the log names no reason"


def tallies(view: View, letters: Sequence[str]) -> dict[str, Tally]:
    """Return the counts of codes and families of each column."""
    return {
        letter: tally(
            (asked.doc_id, answer.passed, answer.codes, answer.first) for asked, answer in view.answers(letter)
        )
        for letter in letters
    }


def errors_html(gathered: Gathered, view: View) -> str:
    """Return the taxonomy of a view; empty where nothing was judged and no code was logged."""
    letters = [column.letter for column in gathered.columns if column.letter in view.runs]
    counted = tallies(view, letters)
    if not any(one.first or one.codes for one in counted.values()):
        return ""
    places = {column.letter: place for place, column in enumerate(gathered.columns)}
    return (
        f'<section class="task"><h3>{escaped(view.name)}</h3>{_first(counted, places)}'
        f"{_recovery(view, letters, places)}{_codes(view, counted, places)}</section>\n"
    )


def _first(counted: Mapping[str, Tally], places: Mapping[str, int]) -> str:
    """Return the split of all answers by the step that lost them first; every column sums to its answers."""
    meanings = {_PASSED: "right by the official rules", **{family.name: family.meaning for family in FAMILIES}}
    meanings[UNEXPLAINED] = _UNEXPLAINED_MEANING
    shown = [name for name in meanings if any(one.first[name] for one in counted.values())]
    if not shown:
        return ""
    classes = {name: f"f{number}" for number, name in enumerate(meanings)}
    head = "".join(_letter_head(letter, places) for letter in counted)
    rows = "".join(
        f'<tr><th scope="row"><span class="swatch {classes[name]}"></span> {escaped(name)} '
        f"<small>{escaped(meanings[name])}</small></th>"
        + "".join(
            f'<td data-column="{letter}">{_count(one.first[name], one.first.total())}</td>'
            for letter, one in counted.items()
        )
        + "</tr>"
        for name in shown
    )
    total = "".join(f'<td data-column="{letter}">{one.first.total():,}</td>' for letter, one in counted.items())
    bars = "".join(
        f'<p class="bars" data-column="{letter}"><span class="letter l{places[letter] % 8}">{letter}</span>'
        f"{parts_bar([(classes[name], name, one.first[name]) for name in shown], max(1, one.first.total()))}</p>"
        for letter, one in counted.items()
    )
    return (
        f'<h4>Where answers are lost first</h4>{bars}<div class="scroll" tabindex="0" role="region" '
        f'aria-label="Families of errors"><table class="errors"><thead><tr><th></th>{head}</tr></thead>'
        f'<tbody>{rows}<tr class="total"><th scope="row">all answers</th>{total}</tr></tbody></table></div>'
    )


def _recovery(view: View, letters: Sequence[str], places: Mapping[str, int]) -> str:
    """Return of the failed answers how many were recoverable, by which steps; empty where that is not told of any."""
    counts = recovery_counts(view, letters)
    if not any(one.split["recoverable"] + one.split["not recoverable"] for one in counts.values()):
        return ""
    head = "".join(_letter_head(letter, places) for letter in counts)
    rows = "".join(
        _counts_row(
            name, MEANINGS[name], {letter: (one.split[name], one.split.total()) for letter, one in counts.items()}
        )
        for name in ("recoverable", "not recoverable", "not told")
        if any(one.split[name] for one in counts.values())
    )
    rows += _counts_row(
        "failed", MEANINGS["failed"], {letter: (one.split.total(), 0) for letter, one in counts.items()}, kind="total"
    )
    steps = "".join(
        _counts_row(
            step, meaning, {letter: (one.steps[step], one.split["recoverable"]) for letter, one in counts.items()}
        )
        for step, meaning in steps_of(counts)
    )
    by_step = (
        f'<tr><th scope="rowgroup" colspan="{len(counts) + 1}">What was tolerated in the recoverable ones; one answer '
        f"may need several</th></tr>{steps}"
        if steps
        else ""
    )
    return (
        '<h4>Failed answers: were the data there?</h4><div class="scroll" tabindex="0" role="region" '
        f'aria-label="Recoverable answers"><table class="errors"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody><tbody>{by_step}</tbody></table></div>"
    )


def _counts_row(name: str, meaning: str, numbers: Mapping[str, tuple[int, int]], kind: str = "") -> str:
    cells = "".join(
        f'<td data-column="{letter}">{_count(number, total) if total else f"{number:,}"}</td>'
        for letter, (number, total) in numbers.items()
    )
    return f'<tr class="{kind}"><th scope="row">{escaped(name)} <small>{escaped(meaning)}</small></th>{cells}</tr>'


def _codes(view: View, counted: Mapping[str, Tally], places: Mapping[str, int]) -> str:
    codes = {code for one in counted.values() for code in one.codes}
    if not codes:
        return ""
    head = "".join(_letter_head(letter, places) for letter in counted)
    families = [*(family.name for family in FAMILIES), UNEXPLAINED]
    ranked = sorted(
        codes,
        key=lambda code: (families.index(family_of(code)), -max(one.codes[code] for one in counted.values()), code),
    )
    rows = "".join(
        f'<tr><td class="faint">{escaped(family_of(code))}</td><th scope="row">'
        f'<button type="button" class="code" data-code="{escaped(code)}">{escaped(code)}</button></th>'
        + "".join(
            f'<td data-column="{letter}">{_count(one.codes[code], len(view.answers(letter)))}</td>'
            for letter, one in counted.items()
        )
        + f'<td class="examples">{_examples(code, counted)}</td></tr>'
        for code in ranked
    )
    return (
        '<details class="codes"><summary>All codes, in how many answers each stands; a code shows its samples below'
        '</summary><div class="scroll" tabindex="0" role="region" aria-label="Codes of findings">'
        f'<table class="errors"><thead><tr><th>family</th><th>code</th>{head}<th>for example</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _examples(code: str, counted: Mapping[str, Tally]) -> str:
    listed = dict.fromkeys(doc_id for one in counted.values() for doc_id in one.examples.get(code, ()))
    return ", ".join(f"<bdi>{escaped(one_line(doc_id)[:60])}</bdi>" for doc_id in list(listed)[:3])


def _letter_head(letter: str, places: Mapping[str, int]) -> str:
    return f'<th scope="col" data-column="{letter}"><span class="letter l{places[letter] % 8}">{letter}</span></th>'


def _count(number: int, total: int) -> str:
    return f"{number:,} <small>{100 * number / max(1, total):.1f} %</small>" if number else "0"
