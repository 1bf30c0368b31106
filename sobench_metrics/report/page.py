"""The page: everything in one file, written piece by piece; it runs its own script alone and asks no server.

The policy in the head allows one style sheet and one script by their hashes, and pictures that the page itself holds.
Texts of models never stand in the markup: they lie packed in data blocks, and the script shows them as text nodes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from typing import IO, TYPE_CHECKING, Final

from sobench_metrics import __version__
from sobench_metrics.data.contact_sheet_page import escaped
from sobench_metrics.report.page_errors import errors_html
from sobench_metrics.report.page_slices import slices_html
from sobench_metrics.report.page_tables import headline_table, legend_of_runs
from sobench_metrics.report.samples import index_of, packed_text, pieces
from sobench_metrics.report.texts import GROUPS, notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sobench_metrics.report.model import Gathered, View
    from sobench_metrics.report.pictures import Shown
    from sobench_metrics.results.published import Published

__all__ = ["Written", "write_page"]

_SCRIPTS: Final = ("texts.js", "store.js", "filters.js", "diff.js", "detail.js", "browser.js")
_STYLES: Final = ("page.css", "browser.css")
_NO_SCRIPT: Final = (
    "The sample browser needs JavaScript, which is off here (many mail programs do that): save this page and open it "
    "in a browser. Figures, slices and errors above are complete without it."
)


@dataclass(frozen=True, slots=True)
class Written:
    """What stands on the page: samples, answers, pictures, and how many pictures are not there."""

    samples: int
    answers: int
    pictures: int
    pictures_left_out: int


def write_page(
    file: IO[str],
    gathered: Gathered,
    *,
    published: Sequence[Published] = (),
    pictures: Iterable[tuple[str, Shown]] = (),
) -> Written:
    """Write the page into an open text file; `pictures` are taken one at a time, by the hashes of the samples."""
    style, script = _asset(_STYLES), _asset(_SCRIPTS)
    file.write(_head(style, script))
    file.write(_top(gathered, published))
    file.write(_browser(gathered))
    images: dict[str, int] = {}
    whys: list[str] = []
    shown = 0
    for name, picture in pictures:
        images[name] = len(images)
        shown += bool(picture.jpeg)
        whys.append(picture.why_not)
        if picture.jpeg:
            data = base64.b64encode(picture.jpeg).decode("ascii")
            file.write(
                f'<script type="text/plain" id="picture-{images[name]}" data-width="{picture.width}" '
                f'data-height="{picture.height}">{data}</script>\n'
            )
    places = []
    for number, (piece, its) in enumerate(pieces(gathered)):
        file.write(f'<script type="text/plain" id="piece-{number}">{piece}</script>\n')
        places += its
    index = index_of(gathered, places, images)
    index["pictures"] = {"why_not": whys}
    packed = packed_text(json.dumps(index, separators=(",", ":")))
    file.write(f'<script type="text/plain" id="index">{packed}</script>\n<script>{script}</script>\n</body>\n</html>\n')
    answers = sum(len(asked.answers) for asked in gathered.samples())
    return Written(len(places), answers, shown, len(whys) - shown)


def _asset(names: Sequence[str]) -> str:
    folder = resources.files("sobench_metrics.report") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _head(style: str, script: str) -> str:
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="robots" content="noindex, nofollow">\n'
        f"<title>Structured output report</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#samples">To the samples</a>\n'
    )


def _top(gathered: Gathered, published: Sequence[Published]) -> str:
    views = gathered.views
    told = "".join(f'<p class="warn">{escaped(text)}</p>\n' for text in (notice(gathered), *gathered.warnings))
    headline = "".join(_headline(gathered, view, published) for view in views)
    slices = "".join(slices_html(gathered, view, number) for number, view in enumerate(views))
    errors = "".join(errors_html(gathered, view) for view in views)
    return (
        "<header><h1>Structured output report</h1>\n"
        f'{told}<nav aria-label="Parts of this page"><a href="#figures">Figures</a> <a href="#slices">Slices</a> '
        '<a href="#errors">Errors</a> <a href="#samples">Samples</a></nav>\n'
        f"<h2 id=runs>Runs</h2>\n{legend_of_runs(gathered.columns)}</header>\n<main>\n"
        f'<h2 id="figures">Figures</h2>\n{_legend(gathered)}{headline}'
        f'<h2 id="slices">Slices</h2>\n<p class="faint">Bars from 0 to 100 %, lines are 95 % intervals (quick ones: '
        "Wilson's for pass or fail, else linearised by clusters). The groups of a dimension sum to all samples.</p>\n"
        f"{slices or '<p>These samples do not differ in any dimension.</p>'}"
        f'<h2 id="errors">Errors</h2>\n{errors or "<p>No error was logged.</p>"}'
    )


def _headline(gathered: Gathered, view: View, published: Sequence[Published]) -> str:
    """Return the table of a view, and folded below a pooled one those of its members."""
    own = headline_table(gathered, view, [entry for entry in published if entry.task == view.name])
    if not view.pooled:
        return own
    members = "".join(headline_table(gathered, task, ()) for task in gathered.tasks if task.name in view.pooled)
    return f'{own}<details class="members"><summary>Each domain of {escaped(view.name)}</summary>{members}</details>'


def _legend(gathered: Gathered) -> str:
    names = {"tolerant": "recoverable"}
    used = ["official", "strict", *(["tolerant"] if gathered.recoverable else [])]
    groups = "".join(f"<dt>{names.get(name, name)}</dt><dd>{escaped(GROUPS[name])}</dd>" for name in used)
    none = (
        ""
        if gathered.recoverable
        else "<dt>recoverable</dt><dd>not told: this installation has no tolerant reading</dd>"
    )
    return (
        f'<dl class="legend">{groups}{none}<dt>intervals</dt><dd>95 %: Wilson\'s where a figure is pass or fail, else '
        "a bootstrap that draws the answers to one picture, or of one kind of entity, together</dd></dl>\n"
    )


def _browser(gathered: Gathered) -> str:
    return (
        '<h2 id="samples">Samples</h2>\n'
        f'<noscript><p class="warn">{escaped(_NO_SCRIPT)}</p></noscript>\n'
        '<p id="state" role="status" aria-live="polite">The samples are being unpacked.</p>\n'
        '<div id="browser" hidden>\n<form id="filters" role="search" aria-label="Filter the samples"></form>\n'
        '<div id="panes"><div id="list-pane"><p id="count" role="status" aria-live="polite"></p>'
        '<ul id="list" aria-label="Samples"></ul><p id="pages"></p></div>\n'
        '<article id="detail" tabindex="-1" aria-label="Sample"><p class="faint">Choose a sample from the list.</p>'
        "</article></div>\n</div>\n</main>\n"
        f"<footer>{escaped(notice(gathered))} Made by sobench {escaped(__version__)}.</footer>\n"
    )
