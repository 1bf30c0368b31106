"""The contact sheet, opened in a real browser: pictures show, hostile texts are dead letters."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from PIL import Image

from sobench_metrics.data import contact_sheet
from sobench_metrics.data.contact_sheet import LONG_SIDE, write_sheet
from sobench_metrics.errors import UsageError
from tests.engines import prepared_set
from tests.engines.prepared_set import Doc, edit_manifest, edit_rows, picture, write_set

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on the PATH to open the page in")

ATTACK = "document.documentElement.setAttribute('data-struck','yes')"
HOSTILE = (
    f"<script>{ATTACK}</script>", f'"><img src=x onerror="{ATTACK}">', f"</pre></details><svg onload={ATTACK}>",
    '"onerror="' + ATTACK, "</style><style>body{display:none}</style>", "<!--", "&lt;b&gt;", "\ud800\x00\x1b[31m",
    '<meta http-equiv="refresh" content="0;url=https://example.org/">', '<img src="https://example.org/pixel.png">',
)  # fmt: skip


def hostile_docs():
    """One document for each hostile text, which stands wherever a text can stand (UTF-8 knows no half surrogate)."""
    return [
        Doc(
            f"doc_{number}{encodable(text)}",
            "rico",
            picture((220, 30, 30)),
            {"colour": encodable(text), "sizes": [1, 2], encodable(text): encodable(text)},
            schema={"title": text, "type": "object"},
            labels={"colour": "exact", text: "fuzzy"},
            intent=encodable(text),
        )
        for number, text in enumerate(HOSTILE)
    ]


def encodable(text):
    return text.encode("utf-8", "ignore").decode()


class Elements(HTMLParser):
    """Every element of a page with its attributes, and all of its text."""

    def __init__(self, page):
        super().__init__()
        self.found, self.text = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)

    def tags(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


def opened(tmp_path, page, *flags):
    command = [
        BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", *flags, page.as_uri(),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def near(pixel, colour):
    return all(abs(one - other) < 25 for one, other in zip(pixel, colour))


def share(image, colour):
    samples = image.convert("RGB").tobytes()
    return sum(near(samples[place : place + 3], colour) for place in range(0, len(samples), 3))


@pytest.fixture(scope="module")
def shot(tmp_path_factory):
    """A screenshot of three large pictures, each with a quarter of one colour."""
    folder = tmp_path_factory.mktemp("sheet")
    members = [
        Doc(f"rico_{name}", "rico", picture(colour, (1280, 960)), {"colour": name, "sizes": [1, 2]})
        for name, colour in prepared_set.COLOURS.items()
    ]
    write_sheet(write_set(folder, members), folder / "sheet.html")
    opened(folder, folder / "sheet.html", "--window-size=1400,2600", f"--screenshot={folder / 'shot.png'}")
    with Image.open(folder / "shot.png") as image:
        return image.convert("RGB").reduce(2)  # counts below are of 2 x 2 pixels


@needs_browser
@pytest.mark.parametrize("name", list(prepared_set.COLOURS))
def test_pictures_really_show(shot, name):
    drawn = (LONG_SIDE // 2 // 2) * (LONG_SIDE * 3 // 4 // 2 // 2)  # a quarter of 640 x 480, counted by 2 x 2
    assert 0.85 < share(shot, prepared_set.COLOURS[name]) / drawn < 1.05  # the column is a little narrower than 640


@needs_browser
def test_a_dark_desktop_gets_a_dark_page(tmp_path):
    write_sheet(write_set(tmp_path), tmp_path / "sheet.html")
    light, dark = tmp_path / "light.png", tmp_path / "dark.png"
    opened(tmp_path, tmp_path / "sheet.html", f"--screenshot={light}")
    opened(tmp_path, tmp_path / "sheet.html", f"--screenshot={dark}", "--blink-settings=preferredColorScheme=0")
    with Image.open(light) as one, Image.open(dark) as other:
        assert min(one.convert("RGB").getpixel((3, 3))) > 200
        assert max(other.convert("RGB").getpixel((3, 3))) < 60


MEASURE = (
    "const names = [...document.querySelectorAll('td:first-child')].map((cell) => {"
    "const text = document.createRange(); text.selectNodeContents(cell); return text.getClientRects().length});"
    "const licences = [...document.querySelectorAll('td:last-child')].map((cell) => cell.clientWidth);"
    "document.documentElement.dataset.lines = Math.max(...names);"
    "document.documentElement.dataset.licence = Math.min(...licences);"
    "document.documentElement.dataset.beyond = document.documentElement.scrollWidth - innerWidth;"
)


@needs_browser
@pytest.mark.parametrize("width", [1400, 900, 500])
def test_the_table_of_sources_can_be_read_on_any_screen(tmp_path, width):
    """Names stand on one line, a licence is no column of letters, nothing lies beyond the right edge."""
    root = write_set(tmp_path, revisions={"rico": "0123456789" * 4})

    def as_real_ones(manifest):
        for source in manifest["sources"].values():
            source["licence"] = "Attribution 4.0 (https://example.org/licences/by/4.0/); pictures of others " * 3
        manifest["sources"] = {f"{name}-and-a-bench": source for name, source in manifest["sources"].items()}

    edit_manifest(root, as_real_ones)
    write_sheet(root, tmp_path / "sheet.html")
    page = tmp_path / "open.html"
    content = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", (tmp_path / "sheet.html").read_text())
    page.write_text(content.replace("</body>", f"<script>{MEASURE}</script></body>"))
    (html,) = Elements(opened(tmp_path, page, "--dump-dom", f"--window-size={width},900")).tags("html")
    assert int(html["data-lines"]) == 1
    assert int(html["data-licence"]) > 200
    assert int(html["data-beyond"]) <= 0


def test_intent_and_target_have_headings(tmp_path):
    write_sheet(write_set(tmp_path), tmp_path / "sheet.html")
    page = (tmp_path / "sheet.html").read_text()
    assert re.findall(r"<h5>(\w+)</h5>", page) == ["Intent", "Target"] * 10
    assert page.count("<h5>Target</h5>\n<pre>") == 10


@needs_browser
def test_hostile_texts_are_inert_in_the_browser(tmp_path):
    members = hostile_docs()
    write_sheet(write_set(tmp_path, members), tmp_path / "sheet.html")
    dom = Elements(opened(tmp_path, tmp_path / "sheet.html", "--dump-dom"))
    assert_clean(dom, len(members))
    assert "data-struck" not in dom.tags("html")[0]


@needs_browser
def test_escaping_alone_would_hold_too(tmp_path):
    """Without the policy in the head nothing runs either: two walls, each tested by itself."""
    members = hostile_docs()
    write_sheet(write_set(tmp_path, members), tmp_path / "sheet.html")
    page = tmp_path / "open.html"
    page.write_text(
        re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", (tmp_path / "sheet.html").read_text())
    )
    dom = Elements(opened(tmp_path, page, "--dump-dom"))
    assert len(dom.tags("article")) == len(members)
    assert "data-struck" not in dom.tags("html")[0]


@needs_browser
def test_the_policy_alone_would_hold_too(tmp_path):
    page = tmp_path / "sheet.html"
    write_sheet(write_set(tmp_path), page)
    struck = page.read_text().replace("</main>", f"<script>{ATTACK}</script><img src=x onerror={ATTACK!r}></main>")
    page.write_text(struck)
    assert "data-struck" not in Elements(opened(tmp_path, page, "--dump-dom")).tags("html")[0]
    page.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", struck))
    assert "data-struck" in Elements(opened(tmp_path, page, "--dump-dom")).tags("html")[0], "the attack is a dud"


def assert_clean(page, documents):
    """As many documents as there are, nothing that runs or asks a server, every hostile text still to be read."""
    tags = {tag for tag, _ in page.found}
    assert not tags & {"script", "svg", "iframe", "object", "embed", "form", "link", "base"}
    assert len(page.tags("article")) == documents
    assert len(page.tags("pre")) == 3 * documents
    assert len(page.tags("style")) == 1
    assert len(page.tags("img")) == documents
    for _, attributes in page.found:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for address in (attributes.get("src"), attributes.get("href")):
            assert address is None or address.startswith(("data:image/jpeg;base64,", "#domain-"))
    text = "".join(page.text)
    assert f"<script>{ATTACK}</script>" in text
    assert "&lt;b&gt;" in text


def test_the_page_as_written_is_clean_and_says_what_it_is(tmp_path):
    members = hostile_docs()
    partial = {"allowed_by": "--limit 10", "domains": {"ui": "10 of 5"}}
    write_sheet(write_set(tmp_path, members, partial=partial), tmp_path / "sheet.html")
    content = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    page = Elements(content)
    assert_clean(page, len(members))
    policy = next(meta["content"] for meta in page.tags("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    text = "".join(page.text)
    for words in (
        "Do not publish",
        "set-0001",
        prepared_set.COMMIT,
        "rico-rev-1",
        "10 of 10",
        "A partial set, by --limit 10",
    ):
        assert words in text
    assert not any(ord(sign) < 32 and sign not in "\n\t" for sign in content)


def test_documents_are_grouped_by_domain_and_source(tmp_path):
    write_sheet(write_set(tmp_path, shards=2), tmp_path / "sheet.html")
    page = (tmp_path / "sheet.html").read_text()
    headings = re.findall(r"<h[23][^>]*>(\w+) <span[^>]*>([^<]*)</span>", page)
    assert headings == [
        ("ui", "5 of 5 samples"), ("rico", "3 of 3 samples"), ("webui", "2 of 2 samples"),
        ("natural", "2 of 2 samples"), ("hiertext", "2 of 2 samples"),
        ("document", "2 of 2 samples"), ("docvqa", "2 of 2 samples"),
        ("chart", "1 of 1 samples"), ("vistext", "1 of 1 samples"),
    ]  # fmt: skip
    names = re.findall(r"<h4>(\w+) ", page)
    assert sorted(names) == sorted(doc.doc_id for doc in prepared_set.docs())
    assert [name.split("_")[0] for name in names[:5]] == ["rico"] * 3 + ["webui"] * 2


def test_a_part_of_the_set(tmp_path):
    sheet = write_sheet(write_set(tmp_path), tmp_path / "sheet.html", domains=("ui",), limit=1)
    assert sheet.shown == 2
    page = (tmp_path / "sheet.html").read_text()
    assert re.findall(r"<h4>(\w+) ", page) == ["rico_0000", "webui_0000"]
    assert "3 of 3 samples, 1 shown" in page


def test_row_groups_of_any_size_give_the_same_page(tmp_path):
    import pyarrow.parquet as pq

    root = write_set(tmp_path)
    write_sheet(root, tmp_path / "one.html", limit=2)
    for file in root.glob("data/*/*.parquet"):
        pq.write_table(pq.read_table(file), file, row_group_size=100)
    write_sheet(root, tmp_path / "other.html", limit=2)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()


def test_a_large_picture_is_made_small_and_says_its_size(tmp_path):
    doc = Doc("rico_0000", "rico", picture((1, 2, 3), (2000, 500)), {"colour": "x", "sizes": [1, 2]})
    write_sheet(write_set(tmp_path, [doc]), tmp_path / "sheet.html")
    page = (tmp_path / "sheet.html").read_text()
    assert 'width="640" height="160"' in page
    assert "2,000 x 500 pixels" in page


def test_a_picture_that_cannot_be_decoded_is_told_and_the_others_stay(tmp_path):
    root = write_set(tmp_path)

    def cut(rows):
        rows[1]["image"]["bytes"] = b"no picture"
        rows[2]["image"] = None

    edit_rows(root, "data/ui/test-00000-of-00001.parquet", cut)
    sheet = write_sheet(root, tmp_path / "sheet.html")
    assert sheet.shown == 10
    assert sheet.broken == ("rico_0001", "rico_0002")
    page = (tmp_path / "sheet.html").read_text()
    assert page.count("<img ") == 8
    assert "this picture cannot be decoded" in page


def test_a_page_that_cannot_be_finished_leaves_the_old_one(tmp_path, monkeypatch):
    root = write_set(tmp_path)
    (tmp_path / "sheet.html").write_text("the old one")
    before = sorted(path.name for path in tmp_path.iterdir())

    def interrupted(_row):
        raise KeyboardInterrupt

    monkeypatch.setattr(contact_sheet, "thumbnail", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_sheet(root, tmp_path / "sheet.html")
    assert (tmp_path / "sheet.html").read_text() == "the old one"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_no_more_than_one_picture_is_in_memory(tmp_path, monkeypatch):
    """The page is on the disk, but for a buffer, when the last picture is asked for."""
    members = [
        Doc(f"rico_{n:04}", "rico", picture((n, 90, 9), (600, 400)), {"colour": "x", "sizes": [1, 2]})
        for n in range(40)
    ]
    root = write_set(tmp_path, members)
    real, sizes = contact_sheet.thumbnail, []

    def watched(row):
        sizes.append(sum(path.stat().st_size for path in tmp_path.glob(".sheet.html.tmp-*")))
        return real(row)

    monkeypatch.setattr(contact_sheet, "thumbnail", watched)
    write_sheet(root, tmp_path / "sheet.html")
    whole = (tmp_path / "sheet.html").stat().st_size
    assert sizes[-1] > whole * 0.9
    assert sizes == sorted(sizes)


def test_domains_that_were_not_prepared(tmp_path):
    natural = [doc for doc in prepared_set.docs() if doc.source == "hiertext"]
    with pytest.raises(UsageError, match="no data of chart"):
        write_sheet(write_set(tmp_path, natural), tmp_path / "sheet.html", domains=("chart",))
    assert not (tmp_path / "sheet.html").exists()
