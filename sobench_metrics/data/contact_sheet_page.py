"""The HTML of a contact sheet: pure functions from texts to a page that runs nothing and asks no server.

Everything from a label is hostile until escaped. The policy in the head forbids scripts and any connection; the one
style sheet is allowed by its hash, so that not even a style attribute of a label would count.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Picture", "Sample", "domain_head", "escaped", "page_end", "page_head", "sample_html", "source_head"]

_STYLE = """
:root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--ink:#1c2024;--faint:#5f6b7a;--line:#dfe3e8;--code:#f7f8fa;
--warn-ground:#fff4d6;--warn-ink:#6b4a00;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ground:#14171a;--card:#1d2125;--ink:#e6e8ea;--faint:#98a2ad;--line:#32383e;
--code:#16191c;--warn-ground:#3a2f10;--warn-ink:#ffdf8f;--link:#7ab8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
header,main{max-width:1320px;margin:0 auto;padding:0 20px}
h1{font-size:24px;margin:22px 0 6px}
h2{font-size:20px;margin:36px 0 4px;padding-top:14px;border-top:2px solid var(--line)}
h3{font-size:16px;margin:22px 0 8px}
h4{font:600 14px/1.4 ui-monospace,Menlo,Consolas,monospace;margin:0;overflow-wrap:anywhere}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.warn{background:var(--warn-ground);color:var(--warn-ink);padding:8px 12px;border-radius:8px;margin:10px 0;
font-weight:600}
.faint{color:var(--faint);font-weight:400}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:10px 0;font-size:14px}
dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;font-size:14px;margin:10px 0;width:100%}
td,th{text-align:left;vertical-align:top;padding:3px 16px 3px 0;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--faint);font-weight:500}
td.long{white-space:normal;overflow-wrap:anywhere;min-width:16em}
nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin:12px 0}
article{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px;margin:0 0 14px;
display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:10px 20px;
content-visibility:auto;contain-intrinsic-size:auto 600px}
h5{font-size:13px;font-weight:500;color:var(--faint);margin:4px 0 -2px}
.texts{display:flex;flex-direction:column;gap:6px;min-width:0}
figure{margin:0}
img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:4px;background:#fff}
figcaption{color:var(--faint);font-size:13px;margin-top:4px}
.intent{margin:0 0 4px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
pre{background:var(--code);border:1px solid var(--line);border-radius:6px;padding:10px;margin:0;max-height:540px;
overflow:auto;font:13px/1.45 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;
unicode-bidi:isolate}
summary{cursor:pointer;color:var(--faint);font-size:14px}
details pre{margin-top:6px}
footer{max-width:1320px;margin:20px auto;padding:0 20px 30px;color:var(--faint);font-size:13px}
@media (max-width:820px){article{grid-template-columns:minmax(0,1fr)}
header,main,footer{padding-left:12px;padding-right:12px}
dl{grid-template-columns:minmax(0,1fr)}dd{margin:0 0 6px}
table,tbody,tr,td{display:block}tr:first-child{display:none}
tr{border-bottom:1px solid var(--line);padding:6px 0}
td,td.long{border:0;padding:0;white-space:normal;overflow-wrap:anywhere;min-width:0}
td:first-child{font-weight:600}
td[data-name]:not(:empty)::before{content:attr(data-name) " ";color:var(--faint);font-weight:400}}
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; img-src data:; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"
_SPACES = "\n\t"
_LONG = 24  # characters of a table's cell; longer ones, such as hashes and licences, may break anywhere


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture made small: JPEG bytes and its size on the page; what the original is, or why it cannot be shown."""

    jpeg: bytes
    width: int
    height: int
    caption: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One document: texts as the set holds them; the three JSON columns are still text."""

    doc_id: str
    source: str
    intent: str
    target_json: str
    labels_json: str
    schema_json: str


def escaped(text: str) -> str:
    """Return text that is safe in an element and in a quoted attribute; what no page may hold becomes U+FFFD."""
    shown = "".join(sign if sign in _SPACES or _may_stand(sign) else "\ufffd" for sign in text)
    return html.escape(shown, quote=True)


def page_head(
    title: str,
    facts: Mapping[str, str],
    warnings: Sequence[str],
    table: Sequence[Sequence[str]],
    domains: Sequence[str],
) -> str:
    """Return everything up to the first domain; the first row of the table is its head."""
    links = "".join(f'<a href="#domain-{escaped(name)}">{escaped(name)}</a>\n' for name in domains)
    rows = _table_rows(table)
    listed = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>\n" for name, value in facts.items())
    told = "".join(f'<p class="warn">{escaped(text)}</p>\n' for text in warnings)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="robots" content="noindex, nofollow">\n'
        f"<title>{escaped(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<header>\n"
        f"<h1>{escaped(title)}</h1>\n{told}<dl>\n{listed}</dl>\n<table>\n{rows}</table>\n<nav>{links}</nav>\n</header>\n<main>\n"
    )


def _table_rows(table: Sequence[Sequence[str]]) -> str:
    if not table:
        return ""
    names, *rows = table
    lines = ["".join(f"<th>{escaped(name)}</th>" for name in names)]
    lines += ["".join(_cell(number, names[number], text) for number, text in enumerate(row)) for row in rows]
    return "".join(f"<tr>{line}</tr>\n" for line in lines)


def _cell(number: int, name: str, text: str) -> str:
    """Return one cell; on a narrow page, where a row is a block of lines, all but the first tell their column."""
    told = f' data-name="{escaped(name)}"' if number else ""
    kind = ' class="long"' if len(text) > _LONG else ""
    return f"<td{told}{kind}>{escaped(text)}</td>"


def domain_head(domain: str, note: str) -> str:
    """Return the heading of a domain."""
    return f'<h2 id="domain-{escaped(domain)}">{escaped(domain)} <span class="faint">{escaped(note)}</span></h2>\n'


def source_head(source: str, note: str) -> str:
    """Return the heading of a source within its domain."""
    return f'<h3>{escaped(source)} <span class="faint">{escaped(note)}</span></h3>\n'


def sample_html(sample: Sample, picture: Picture) -> str:
    """Return one document: its picture, and beside it intent and target, with labels and schema folded."""
    return (
        f"<article>\n<figure>{_image(picture, sample.doc_id)}<figcaption>{escaped(picture.caption)}</figcaption>"
        f'</figure>\n<div class="texts">\n<h4>{escaped(sample.doc_id)} '
        f'<span class="faint">{escaped(sample.source)}</span></h4>\n<h5>Intent</h5>\n'
        f'<p class="intent">{escaped(sample.intent)}</p>\n<h5>Target</h5>\n'
        f"<pre>\n{escaped(_pretty(sample.target_json))}</pre>\n"
        f"<details><summary>Labels</summary><pre>\n{escaped(_pretty(sample.labels_json))}</pre></details>\n"
        f"<details><summary>Schema</summary><pre>\n{escaped(_pretty(sample.schema_json))}</pre></details>\n</div>\n</article>\n"
    )


def page_end(note: str) -> str:
    """Return what closes the page."""
    return f"</main>\n<footer>{escaped(note)}</footer>\n</body>\n</html>\n"


def _image(picture: Picture, doc_id: str) -> str:
    if not picture.jpeg:
        return ""
    data = base64.b64encode(picture.jpeg).decode()
    return (
        f'<img src="data:image/jpeg;base64,{data}" width="{picture.width}" height="{picture.height}" '
        f'alt="{escaped(doc_id)}" loading="lazy">'
    )


def _pretty(text: str) -> str:
    try:
        value: Any = json.loads(text)
        return json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _may_stand(sign: str) -> bool:
    code = ord(sign)
    return code >= 0x20 and not 0x7F <= code <= 0x9F and not 0xD800 <= code <= 0xDFFF
