"""The page in a real browser: open, filter, search, diff, keys, and texts that want to break it."""

import json
import re

import pytest

from sobench_metrics.report.page import write_page
from tests.engines.golden_logs import IFSTRUCT, SOBENCH
from tests.report.browser import needs_browser

pytestmark = needs_browser

READY = "document.body.dataset.ready"
STRUCK = "document.documentElement.setAttribute('data-struck','yes')"
HOSTILE = (
    f"</script><script>{STRUCK}</script>", f'"><img src=x onerror="{STRUCK}">', f"<svg onload={STRUCK}>",
    '<img src="https://example.org/pixel.png">', "<!--<script>", "\u2028\u2029 line", "\x00\x1b[31mred\x1b[0m\x07",
    "left \u202eright\u2066 isolated", "\ud800 half", "</textarea></style><style>body{display:none}</style>",
    "[link](javascript:alert(1))", "</style><style>*{background:url(https://example.org/)}", "-->]]>&lt;b&#60;i>",
    '{"n": 1e999999, "m": ' + "9" * 5000 + "}", "\x85\x9b31m\x7f\ufeff\u200b\u2060", '{"__proto__": {"polluted": true}, "constructor": 1}', "[" * 100_000,
)  # fmt: skip


def opened(browser, page, **more):
    browser.open(page, **more)
    browser.until(READY)
    return browser


def set_filter(browser, **values):
    """Choose values as a reader does, and wait until the list has followed."""
    before = browser.run("return document.body.dataset.filtered")
    browser.run(
        f"const form = document.getElementById('filters'); for (const [name, value] of Object.entries({json.dumps(values)}))"
        "{ form.elements[name].value = value; form.elements[name].dispatchEvent("
        "new Event(name === 'search' ? 'input' : 'change', {bubbles: true})); }"
    )
    browser.until(f"document.body.dataset.filtered > {before}")
    return int(browser.run("return document.getElementById('count').textContent").split(" of ")[0].replace(",", ""))


def show(browser, doc_id):
    browser.run(f"await showSample(index.samples.find((one) => one.id === {json.dumps(doc_id)}), true)")
    return browser.run("return document.getElementById('detail').innerText")


def show_nth(browser, task, number):
    of_task = f"index.samples.filter((one) => index.tasks[one.task] === {json.dumps(task)})"
    browser.run(f"await showSample({of_task}[{number}], true)")


@pytest.fixture(scope="module")
def page(gathered, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "report.html"
    with file.open("w", encoding="utf-8") as out:
        write_page(out, gathered)
    return file


def test_it_opens_without_a_fault_and_asks_nobody(browser, page):
    opened(browser, page)
    assert browser.run("return document.getElementById('count').textContent") == "120 of 120 samples"
    assert browser.run("return document.querySelectorAll('#list button').length") == 50, "a page of the list"
    browser.run("await openHaystacks(() => null); await showSample(index.samples[0], true)")
    assert browser.faults == []
    assert [address for address in browser.requests if not address.startswith("data:")] == [page.absolute().as_uri()]


def test_failed_in_a_and_passed_in_b(browser, page, gathered):
    opened(browser, page)
    wanted = [one.doc_id for one in gathered.samples() if not one.answers["A"].passed and one.answers["B"].passed]
    assert set_filter(browser, **{"verdict-0": "failed", "verdict-1": "passed"}) == len(wanted) > 10
    listed = browser.run("return found.map((sample) => sample.id)")
    assert sorted(listed) == sorted(wanted)
    recovered = [one for one in gathered.samples() if one.answers["A"].recoverable]
    assert set_filter(browser, **{"verdict-0": "recoverable", "verdict-1": ""}) == len(recovered) > 3
    lost = [one for one in gathered.samples() if not one.answers["A"].passed and not one.answers["A"].recoverable]
    assert set_filter(browser, **{"verdict-0": "lost"}) == len(lost)


def test_filters_by_finding_task_and_slice(browser, page, gathered):
    opened(browser, page)
    codes = browser.run("return index.codes")
    with_code = [one for one in gathered.samples() if "response.truncated" in one.answers["B"].codes]
    place = str(codes.index("response.truncated"))
    assert set_filter(browser, code=place, **{"code-column": "1"}) == len(with_code) > 0
    assert set_filter(browser, code="", **{"code-column": ""}) == 120
    names = browser.run("return index.dimensions.map(([name]) => name)")
    yaml = [one for one in gathered.samples() if one.slices.get("format") == "yaml"]
    groups = browser.run("return index.dimensions.find(([name]) => name === 'format')[1]")
    chosen = {f"slice-{names.index('format')}": str(groups.index("yaml"))}
    assert set_filter(browser, **chosen) == len(yaml) > 0
    browser.run("document.querySelector('#filters [type=reset]').click()")
    browser.until("found.length === 120")


def test_a_code_of_the_taxonomy_leads_to_its_samples(browser, page, gathered):
    opened(browser, page)
    browser.run("document.querySelector('button.code[data-code=\"json.decode\"]').click()")
    wanted = sum(any("json.decode" in answer.codes for answer in one.answers.values()) for one in gathered.samples())
    browser.until(f"found.length === {wanted}")
    assert (
        browser.run("return document.getElementById('filters').elements.code.selectedOptions[0].text") == "json.decode"
    )


def test_filters_by_what_was_tolerated_and_by_runs_that_disagree(browser, page, gathered):
    opened(browser, page)
    steps = browser.run("return Object.keys(index.steps)")
    wanted = [
        one for one in gathered.samples() if any("prose.around" in answer.steps for answer in one.answers.values())
    ]
    assert set_filter(browser, step=str(steps.index("prose.around"))) == len(wanted) > 2
    odd = [one for one in gathered.samples() if one.answers["A"].passed != one.answers["B"].passed]
    assert set_filter(browser, step="", disagree="1") == len(odd) > 10
    browser.run("document.querySelector('.toggle[value=B]').click()")
    browser.until("found.length === 0")  # one run alone has nobody to disagree with


def test_samples_turn_like_pages_also_past_the_end_of_the_list(browser, page):
    opened(browser, page)
    browser.run("await showSample(found[49], true)")
    browser.run("document.querySelectorAll('#detail .turn button')[1].click()")
    browser.until("document.getElementById('detail').dataset.shown === found[50].id")
    assert browser.run("return document.querySelector('#list button[aria-current]').dataset.sample") == "50"
    before = browser.run("return found[49].id")
    browser.run("document.querySelectorAll('#detail .turn button')[0].click()")
    browser.until(f"document.getElementById('detail').dataset.shown === {json.dumps(before)}")
    browser.run("await showSample(found[0], true)")
    assert browser.run("return document.querySelector('#detail .turn button').disabled") is True


def test_on_paper_all_signatures_stand_and_no_control_does(browser, page):
    opened(browser, page)
    show(browser, "0")
    browser.media("print")
    try:
        seen = (
            "const shown = (one) => one.checkVisibility({contentVisibilityAuto: true});"
            "return [shown(document.querySelector('#filters')), shown(document.querySelector('nav')),"
            "document.querySelector('.signatures table').getBoundingClientRect().height > 0,"
            "getComputedStyle(document.querySelector('#detail .text')).maxHeight]"
        )
        assert browser.run(seen) == [False, False, True, "none"]
    finally:
        browser.media("")


def test_search_looks_into_prompts_and_answers(browser, page):
    opened(browser, page)
    assert set_filter(browser, search="I HOPE this helps") > 3, "in answers"
    assert set_filter(browser, search="garden plot") > 3, "in prompts"
    assert set_filter(browser, search="sample_ui_cart_000_") >= 1, "in ids"
    assert set_filter(browser, search="no such words anywhere") == 0
    assert set_filter(browser, search="") == 120


def test_the_diff_is_coloured_by_verdict_and_names_it(browser, golden, page_of):
    opened(browser, page_of([golden["oracle"], golden["placeholder"]]))
    text = show(browser, "sample_ui_cart_000")  # the placeholder guesses one of its quantities
    assert "Answers against the target" in text
    cells = browser.run(
        "return [...document.querySelectorAll('.diff tbody tr')].map((row) => [...row.cells].map((cell) =>"
        "[cell.dataset.outcome || null, cell.innerText, getComputedStyle(cell).backgroundColor]))"
    )
    oracle, placeholder = ([row[column] for row in cells] for column in (2, 3))
    assert {outcome for outcome, *_ in oracle} == {"match"}
    assert {"mismatch", "missing"} <= {outcome for outcome, *_ in placeholder}
    colours = {outcome: colour for outcome, _, colour in (*oracle, *placeholder)}
    assert len({colours["match"], colours["mismatch"], colours["missing"]}) == 3
    assert all("differs" in words for outcome, words, _ in placeholder if outcome == "mismatch")
    rows = len(cells)
    browser.run("document.querySelector('.only-differing').click()")
    left = browser.run("return [...document.querySelectorAll('.diff tbody tr')].filter((row) => !row.hidden).length")
    assert 0 < left < rows


def test_a_recovered_answer_says_by_which_steps(browser, page, gathered):
    opened(browser, page)
    one = next(one for one in gathered.samples() if one.answers["A"].recoverable)
    text = show(browser, one.doc_id)
    assert "A ◐ recoverable" in text
    step = browser.run(
        "return Object.keys(index.steps).find((code) => document.getElementById('detail').innerText.includes(code))"
    )
    assert step


def test_runs_can_be_hidden_everywhere(browser, page):
    opened(browser, page)
    show(browser, "0")
    browser.run("document.querySelector('.toggle[value=B]').click()")
    browser.until("document.querySelectorAll('[data-answer]').length === 1")
    assert browser.run(
        "return [...document.querySelectorAll('[data-column=B]')].every((one) => one.offsetParent === null)"
    )
    assert browser.run("return document.querySelector('#list button').innerText.includes('B')") is False


def test_another_figure_of_the_slices(browser, page):
    opened(browser, page)
    shown = "return [...document.querySelectorAll('#slices-0 > [data-figure]')].filter((one) => !one.hidden).length"
    assert browser.run(shown) == 1
    browser.run(
        "const choice = document.querySelector('select.figure'); choice.value = '0';"
        "choice.dispatchEvent(new Event('change'))"
    )
    assert browser.run(shown) == 1
    assert browser.run("return document.querySelector('#slices-0 > [data-figure=\"0\"]').hidden") is False


def test_keys_alone_lead_from_the_list_to_a_sample(browser, page):
    opened(browser, page)
    browser.run("document.querySelector('#list button').focus()")
    browser.press("ArrowDown")
    browser.press("ArrowDown")
    browser.press("Enter")
    browser.until("document.getElementById('detail').dataset.shown === found[2].id")
    assert browser.run("return document.activeElement.textContent === found[2].id"), "the focus goes to the sample"
    browser.run("document.querySelectorAll('#list button')[2].focus()")
    browser.press("End")
    assert browser.run("return document.activeElement.dataset.sample") == "49"


def test_every_control_has_a_name(browser, page):
    opened(browser, page)
    show(browser, "0")
    nameless = browser.run(
        "return [...document.querySelectorAll('button, select, input, [tabindex=\"0\"]')].filter((one) =>"
        "!(one.labels && one.labels.length) && !one.getAttribute('aria-label') && !one.textContent.trim())"
        ".map((one) => one.outerHTML)"
    )
    assert nameless == []


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_nothing_lies_beyond_the_edge(browser, page, width):
    opened(browser, page, width=width, height=900)
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
    show(browser, "0")
    assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0


def contrast(browser, selector):
    """The contrast of an element's text with its ground, by the rule of WCAG."""
    return browser.run(
        f"const one = document.querySelector({json.dumps(selector)});"
        "const parts = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => { const share = part / 255;"
        "return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; });"
        "const light = (colour) => { const [r, g, b] = parts(colour); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
        "let ground = one; while (/, 0\\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;"
        "const two = [light(getComputedStyle(one).color), light(getComputedStyle(ground).backgroundColor)].sort((a, b) => b - a);"
        "return (two[0] + 0.05) / (two[1] + 0.05)"
    )


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_can_be_read(browser, page, dark):
    opened(browser, page, dark=dark)
    show(browser, "0")
    ground = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (int(re.findall(r"\d+", ground)[0]) < 60) is dark
    for selector in (
        "body",
        ".faint",
        "p.warn",
        ".chip",
        ".badge",
        ".letter",
        ".interval",
        "a",
        ".o-match, .o-mismatch",
    ):
        assert contrast(browser, selector) > 4.5, selector


@pytest.mark.parametrize("task", [SOBENCH, IFSTRUCT])
def test_hostile_answers_are_inert_and_can_be_read(browser, edit, page_of, task):
    """As answers, and where a log can hold a text: model, codes, prompt, intent."""
    altered = edit("placeholder")
    for start in range(0, len(HOSTILE), 6):
        texts = HOSTILE[start : start + 6]

        def change(number, line, texts=texts):
            text = texts[number % len(texts)]
            line["filtered_resps"] = [text]
            line["arguments"]["gen_args_0"]["arg_0"] = text
            line["doc"]["user_intent" if task == SOBENCH else "prompt"] = text
            line["diagnostics"]["codes"] = [text]
            line["diagnostics"]["findings"] = [{"code": text, "path": text, "message": text}]

        altered.lines(task, change).results(lambda content, name=texts[0]: content.update(model_name=name))
        opened(browser, page_of([altered.folder]))
        browser.run("await openHaystacks(() => null)")
        for number in range(6):
            show_nth(browser, task, number)
            shown = browser.run("return document.querySelector('[data-answer] .text').textContent")
            raw = texts[number % len(texts)]
            assert shown[:8] == browser.run(f"return visible({json.dumps(raw)}).slice(0, 8)")
            assert not set(shown) & set("\x00\x1b\x07\u202e\u2066\u2028")
        assert browser.run("return document.documentElement.dataset.struck || ({}).polluted || null") is None
        assert browser.run("return getComputedStyle(document.body).display") == "block"
        assert browser.faults == []
        assert [one for one in browser.requests if not one.startswith(("file:", "data:"))] == []


def test_the_policy_alone_would_hold_too(browser, page_of, golden):
    """Two walls, each tested by itself: markup that got in could not run."""
    file = page_of([golden["oracle"]])
    attack = f"<script>{STRUCK}</script><img src=x onerror={STRUCK!r}></main>"
    struck = file.read_text(encoding="utf-8").replace("</main>", attack, 1)
    file.write_text(struck, encoding="utf-8")
    opened(browser, file)
    assert browser.run("return document.documentElement.dataset.struck || null") is None
    file.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", struck), encoding="utf-8")
    opened(browser, file)
    assert browser.run("return document.documentElement.dataset.struck") == "yes", "the attack is a dud"


def test_megabytes_on_one_line_is_cut_and_told(browser, edit, page_of):
    def huge(number, line):
        line["filtered_resps"] = ["x" * 5_000_000 if number == 1 else "y" * 50_000]

    opened(browser, page_of([edit("empty").lines(IFSTRUCT, huge).folder]))
    shown = "return document.querySelector('[data-answer] .text').textContent.length"
    show_nth(browser, IFSTRUCT, 0)
    assert browser.run(shown) < 4000
    browser.run("document.querySelector('[data-answer] .show-all').click()")
    assert browser.run(shown) == 50_000
    show_nth(browser, IFSTRUCT, 1)
    browser.run("document.querySelector('[data-answer] .show-all').click()")
    assert browser.run(shown) == 100_000
    assert "4,900,000 further characters not held" in browser.run("return document.getElementById('detail').innerText")


def test_endless_names_and_ids_stay_inside_a_narrow_page(browser, edit, page_of):
    def named(_number, line):
        line["doc"]["source"] = "s" * 5000

    folder = (
        edit("placeholder")
        .lines(SOBENCH, named)
        .results(lambda content: content.update(model_name="m/" + "x" * 3000))
        .folder
    )
    opened(browser, page_of([folder]), width=360, height=800)
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
    show_nth(browser, SOBENCH, 0)
    assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    assert browser.run("return document.querySelector('.headline').scrollWidth <= innerWidth") is True


def test_a_browser_that_cannot_unpack_says_so_and_keeps_the_figures(browser, page):
    """As an old one: the class is gone before the page's script runs."""
    added = browser.before_scripts("delete window.DecompressionStream")
    try:
        browser.open(page)
        browser.until("document.getElementById('state').className === 'warn'")
        assert "cannot unpack the samples" in browser.run("return document.getElementById('state').textContent")
        assert browser.run("return document.querySelectorAll('table.headline').length") > 1
    finally:
        browser.forget(added)


def test_pictures_show(browser, gathered, tmp_path):
    from sobench_metrics.data.sample import sample_home
    from sobench_metrics.report.pictures import find_pictures, shrunk

    names = [one.image for one in gathered.samples() if one.image][:3]
    file = tmp_path / "pictures.html"
    with file.open("w", encoding="utf-8") as out:
        places = find_pictures([sample_home()], names)
        write_page(out, gathered, pictures=shrunk(names, places, 1_000_000, seen=lambda _: None))
    opened(browser, file)
    browser.run("await showSample(index.samples.find((one) => one.picture === 0), true)")
    browser.until("document.querySelector('#detail img').complete")
    assert browser.run("return document.querySelector('#detail img').naturalWidth") > 200
