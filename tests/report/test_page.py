"""The page as it is written: whole, without a foreign address, with every denominator of the runs."""

import base64
import csv
import gzip
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from sobench_metrics.report.columns import open_columns
from sobench_metrics.report.csv_file import write_csv
from sobench_metrics.report.figures import figures_of, headline
from sobench_metrics.report.gathering import gather
from sobench_metrics.report.markdown import write_markdown
from sobench_metrics.report.page import write_page
from sobench_metrics.report.pictures import Shown
from sobench_metrics.report.rows import FigureRow, figure_rows
from sobench_metrics.report.texts import notice
from sobench_metrics.results.published import PUBLISHED
from tests.engines.golden_logs import IFSTRUCT


class Parts(HTMLParser):
    """Every element with its attributes, and the texts outside of scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.found, self.text, self.blocks, self._inside = [], [], {}, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id", tag) if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside is None:
            self.text.append(data)
        else:
            self.blocks[self._inside] = self.blocks.get(self._inside, "") + data


def written(gathered, **more):
    file = io.StringIO()
    write_page(file, gathered, **more)
    return file.getvalue()


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


def test_nothing_on_the_page_leads_elsewhere(gathered):
    page = Parts(written(gathered))
    for tag, attributes in page.found:
        assert tag not in ("link", "iframe", "object", "embed", "form") or attributes.get("id") == "filters"
        assert not [name for name in attributes if name.startswith("on") or name == "style"], (tag, attributes)
        for address in (attributes.get("src"), attributes.get("href")):
            assert address is None or address.startswith("#")
    (policy,) = [one["content"] for tag, one in page.found if tag == "meta" and "http-equiv" in one]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in page.blocks["script"]
    assert "".join(page.text).count("Do not publish this page") == 2


def test_what_may_be_published_is_told_by_whose_data_it_is(gathered, golden):
    assert "CC-BY-NC-ND" in notice(gathered)
    assert "CC-BY-NC-ND" not in notice(gather(open_columns([golden["oracle"]]))), "the bundled samples are our own"


def test_texts_of_models_are_packed_and_complete(gathered):
    page = Parts(written(gathered))
    index = unpacked(page.blocks["index"])
    assert len(index["samples"]) == sum(len(view.samples) for view in gathered.tasks) == 120
    pieces = [unpacked(text) for name, text in page.blocks.items() if name.startswith("piece-")]
    assert sum(map(len, pieces)) == 120
    assert all(set(answers) == {"A", "B"} for piece in pieces for _, answers in piece)
    answered = [answer for sample in index["samples"] for answer in sample[6]]
    assert len(answered) == 240
    assert 0 not in answered
    for _, doc_id, title, _, (piece, place), *_ in index["samples"]:
        row, answers = pieces[piece][place]
        assert " ".join(row["title"].split()).startswith(title.strip()[:20])
        assert doc_id
        assert answers["A"]["text"] is not None


def test_every_figure_on_the_page_has_its_denominator(gathered):
    text = "".join(Parts(written(gathered)).text)
    for view in (*gathered.pooled, *gathered.tasks):
        for letter in "AB":
            for one in headline(view, letter, figures_of(view, recoverable=True)):
                assert f"{one.top:,.0f}/{one.bottom:,.0f}" in text
            assert f"{len(view.samples):,}/{view.planned[letter]:,}" in text


def test_the_same_runs_give_the_same_page(gathered):
    assert written(gathered) == written(gathered)


def test_pictures_stand_on_the_page_once_and_lacking_ones_say_why(gathered):
    names = list(dict.fromkeys(asked.image for asked in gathered.samples() if asked.image))
    pictures = [(names[0], Shown(b"\xff\xd8\xffpixels", 4, 3)), (names[1], Shown(b"", why_not="it is not here"))]
    page = Parts(written(gathered, pictures=pictures))
    assert base64.b64decode(page.blocks["picture-0"]) == b"\xff\xd8\xffpixels"
    index = unpacked(page.blocks["index"])
    assert index["pictures"]["why_not"] == ["", "it is not here"]
    assert {sample[5] for sample in index["samples"]} == {0, 1, -1}


def test_published_figures_are_marked_and_never_beside_a_sample_set(gathered):
    text = re.sub(r"<[^>]+>", " ", written(gathered, published=PUBLISHED))
    assert "gpt-4o-mini" in text
    assert "second-hand" in text
    assert "92/1,736" in text
    assert "gpt-4o-mini" not in written(gathered)


def test_the_published_demo_run_adds_up():
    """The released code leaves invalid answers out of full match: 1,751 - 15 = 1,736."""
    demo = {entry.figure: entry for entry in PUBLISHED if entry.model == "gpt-4o-mini"}
    assert demo["full_match"].counts == (92, 1751 - demo["invalid"].counts[0])
    assert round(demo["full_match"].value, 6) == 0.052995
    assert round(demo["schema_validity"].value, 6) == 0.868075
    assert all(entry.source and 0 <= entry.value <= 1 for entry in PUBLISHED)


def test_csv_holds_what_the_page_shows_and_no_formula(gathered):
    file = io.StringIO()
    write_csv(file, figure_rows(gathered, PUBLISHED))
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    heads = {(row["task"], row["run"], row["figure"]): row for row in rows if row["dimension"] == "all"}
    for view in (*gathered.pooled, *gathered.tasks):
        for one in headline(view, "B", figures_of(view, recoverable=True)):
            row = heads[view.name, "B", one.figure.name]
            assert (float(row["value"]), float(row["numerator"])) == (one.value, one.top)
    parts = [row for row in rows if (row["run"], row["dimension"], row["figure"]) == ("A", "format", "pass")]
    assert sum(float(row["numerator"]) for row in parts) == float(heads["ifstruct", "A", "pass"]["numerator"])
    assert {row["kind"] for row in rows} == {"run", "published"}
    assert all("|" in row["signature"] for row in rows if row["kind"] == "run"), "each number with its rules"
    assert {row["planned"] for row in rows if row["task"] == "ifstruct" and row["kind"] == "run"} == {"60"}
    evil = FigureRow("=1+1", "A", "@SUM(A1)", "run", "all", "-x", "pass", "official", -0.5, None, None, 1, 1, 1)
    file = io.StringIO()
    write_csv(file, [evil])
    (row,) = csv.DictReader(io.StringIO(file.getvalue()))
    assert (row["task"], row["model"], row["group"], row["value"]) == ("'=1+1", "'@SUM(A1)", "'-x", "-0.5")
    for text in (" =1+1", "\n=1", "\t+1", "\uff1d1+1", "\r\n-2", "\u2028@x", "\ud800=1", 'a\nb,"c";d\x00'):
        file = io.StringIO()
        write_csv(file, [replace(evil, model=text)])
        file.getvalue().encode()  # no half surrogate
        assert len(file.getvalue().splitlines()) == 2
        (row,) = csv.DictReader(io.StringIO(file.getvalue()))
        assert not row["model"].lstrip().startswith(("=", "+", "-", "@", "\uff1d"))


def test_markdown_has_tables_and_no_text_of_the_benchmarks(gathered):
    file = io.StringIO()
    write_markdown(file, gathered, PUBLISHED)
    text = file.getvalue()
    assert "## sobench" in text
    assert "### Where answers are lost first" in text
    assert "| all answers | 60 | 60 |" in text
    assert "published, second-hand" in text
    assert "| 5.30 92/1,736 |" in text
    assert "Produce exactly" not in text
    assert not re.search(r"<[a-z]", text)
    assert "| all failed answers |" in text
    assert "scores=official+strict" in text


def test_names_cannot_break_the_markdown(edit):
    evil = "a|b\n# c `d` <b> [x](javascript:y) \u202e\ud800"

    def named(_number, line):
        line["doc"]["entity_type"] = f"test__{evil}"
        line["diagnostics"]["codes"] = [evil]
        line["pass"] = 0.0

    def told(content):
        content["model_name"] = evil
        content["configs"][IFSTRUCT]["metadata"]["signature"] = f"scores={evil}"

    folder = edit("placeholder").lines(IFSTRUCT, named).results(told).folder
    file = io.StringIO()
    write_markdown(file, gather(open_columns([folder], [IFSTRUCT])))
    text = file.getvalue()
    text.encode()
    assert "\u202e" not in text
    assert not re.search(r"^# c", text, re.MULTILINE)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table
    for line in text.splitlines():
        if not re.match(r"\n?[A-Z]: `", line):
            assert not re.search(r"(?<!\\)<b|(?<!\\)`d", line), line
