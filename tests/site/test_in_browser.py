"""The site in headless Chromium, opened from its folder: no server, no network."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.site.browser.calls import call
from docs.site.interactive import first_questions
from tests.site.browser import Browser, browsing, missing

SITE = Path(__file__).parent.parent.parent / "build" / "site"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if absent := missing():
        pytest.skip(f"not there: {', '.join(absent)}")
    if not (SITE / "index.html").exists():
        pytest.skip("the site was not made: make site")
    with browsing() as session:
        session.look(width=1280)
        yield session


def open_page(browser: Browser, page: str) -> Browser:
    browser.complaints()
    name, *asked = page.split("?")
    browser.open("?".join([(SITE / name).as_uri(), *asked]))
    return browser


def wait_until(condition: Callable[[], bool], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.1)


def answers(browser: Browser) -> int:
    return int(browser.run("return Number(document.querySelector('.play').dataset.answers || 0)"))


def change(browser: Browser, selector: str, value: str) -> None:
    """As a reader does: change a field, and wait for what is shown."""
    before = answers(browser)
    browser.run(
        "const field = document.querySelector(`.play ${arguments[0]}`); field.value = arguments[1];"
        "field.dispatchEvent(new Event('change'))",
        selector,
        value,
    )
    wait_until(lambda: answers(browser) > before)


def read_shown(browser: Browser) -> str:
    return str(browser.run("return document.querySelector('.shown').innerText"))


def status(browser: Browser) -> str:
    return str(browser.run("return document.querySelector('.play > .status').innerText"))


def expect_answer(name: str, **changed: Any) -> Any:
    return json.loads(call(name, json.dumps({**first_questions()[name], **changed})))


@pytest.mark.parametrize("name", first_questions())
def test_python_in_the_browser_answers_as_python_does(browser: Browser, name: str) -> None:
    open_page(browser, f"play/{name}.html")
    given = first_questions()[name]
    assert browser.run("return evenkeel.call(...arguments)", name, given) == expect_answer(name)
    assert browser.complaints() == []


def test_loads_and_thresholds_are_set_and_the_page_never_freezes(browser: Browser) -> None:
    open_page(browser, "play/shedding.html")
    assert "ThresholdShedder" in read_shown(browser)
    assert not browser.run("return evenkeel.loaded()")
    browser.run("window.beats = 0; setInterval(() => window.beats++, 20)")
    change(browser, ".brokers label:nth-child(4) input", "30 30 30")
    answered = expect_answer(
        "shedding", brokers=[*first_questions()["shedding"]["brokers"][:3], [30] * 3]
    )
    run = answered["overload"]["PULSAR_4_0"]
    assert f"{run['unloads']} moved, last in minute {run['last']}" in read_shown(browser)
    assert browser.run("return window.beats") > 10
    change(browser, ".groups fieldset:nth-child(2) input", "99")
    assert "nothing moved" in read_shown(browser)
    change(browser, ".row input", "0")
    assert status(browser) == "The rounds must be from 1 to 90."


def test_a_scenario_is_changed_and_plotted(browser: Browser) -> None:
    open_page(browser, "play/loop.html")
    paths = "return document.querySelectorAll('path.usage').length"
    assert browser.run(paths) == 4 * 4
    change(browser, "select", "three-brokers")
    assert browser.run(paths) == 4 * 3
    assert "40 %, 10 % and 10 %" in read_shown(browser)


def test_a_bundle_is_cut_on_the_circle(browser: Browser) -> None:
    open_page(browser, "play/ranges.html")
    change(browser, "input", "2")
    arcs = "return document.querySelectorAll('.arc').length"
    assert browser.run(arcs) == 2
    before = answers(browser)
    browser.run("document.querySelector('td button').click()")
    wait_until(lambda: answers(browser) > before)
    assert browser.run(arcs) == 3


def test_a_limit_s_worst_case_is_marked(browser: Browser) -> None:
    open_page(browser, "play/limits.html")
    headline = "return document.querySelector('svg .headline').textContent"
    assert browser.run(headline) == "3,900 messages within 1 s"
    change(browser, "input", "5000")
    assert browser.run(headline) == "11,900 messages within 1 s"


def test_a_setting_brings_a_topic_to_rest(browser: Browser) -> None:
    open_page(browser, "play/segments.html")
    paths = "return document.querySelectorAll('path.usage').length"
    assert browser.run(paths) == 3
    assert "SCA-43" in read_shown(browser)
    change(browser, "textarea", "60 11000 0")
    change(browser, ".row ~ .row input", "24000")
    assert "SCA-43" not in read_shown(browser)
    assert browser.run(paths) == 3
    change(browser, "textarea", "60 busy 0")
    assert status(browser).startswith("A part of a day must be three or four numbers")


def test_more_entry_buckets_are_marked_and_settings_looked_for(browser: Browser) -> None:
    open_page(browser, "play/segments.html")
    marks = "return document.querySelectorAll('circle.rebucket').length"
    assert browser.run(marks) == 0
    change(browser, "textarea", "20 500 5")
    assert browser.run(marks) == 1
    change(browser, "textarea", "30 1500 2")
    before = answers(browser)
    browser.run("[...document.querySelectorAll('button.resting')].pop().click()")
    wait_until(lambda: answers(browser) > before)
    found = "return document.querySelector('ul.changes').innerText"
    assert "scalableTopicMinSegments=2 (now 1)" in browser.run(found)


def test_an_example_is_chosen_changed_and_judged(browser: Browser) -> None:
    open_page(browser, "play/clause.html?case=last-hash-lookup")
    wait_until(lambda: answers(browser) > 0)
    assert "BUN-17 violated" in read_shown(browser)
    change(browser, "select", "example-threshold-empties-a-broker")
    trial = "return document.querySelector('textarea[aria-label=trial]').value"
    assert "loadBalancerBrokerThresholdShedderPercentage" in browser.run(trial)
    own = "document.querySelector('textarea[aria-label=\"your answer\"]').value = arguments[0]"
    browser.run(own, '{"answer": {"rounds": [[]]}}')
    before = answers(browser)
    browser.run("document.querySelector('button.run').click()")
    wait_until(lambda: answers(browser) > before)
    assert "your answer" in read_shown(browser)
    browser.run("document.querySelector('textarea[aria-label=trial]').value = '{'")
    browser.run("document.querySelector('button.run').click()")
    refused = "return document.querySelector('.controls .refused').innerText"
    assert "The trial is no JSON" in browser.run(refused)


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (390, False)], ids=["wide", "narrow"])
def test_no_page_is_wider_than_its_window_or_complains(
    browser: Browser, width: int, dark: bool
) -> None:
    browser.look(width=width, dark=dark)
    try:
        for page in sorted(SITE.rglob("*.html")):
            open_page(browser, str(page.relative_to(SITE)))
            assert browser.run("return document.documentElement.scrollWidth") <= width, page.name
            assert browser.complaints() == [], page.name
    finally:
        browser.look(width=1280)


def test_tables_of_conformance_are_seen_whole(browser: Browser) -> None:
    open_page(browser, "docs/conformance.html")
    over = browser.run(
        "return [...document.querySelectorAll('.table-wrapper')]"
        ".map(table => table.scrollWidth - table.clientWidth)"
    )
    assert len(over) > 5
    assert max(over) == 0


def test_titles_in_the_right_column_are_not_cut(browser: Browser) -> None:
    browser.look(width=1500)
    open_page(browser, "spec/shedding.html")
    past = browser.run(
        "const right = (one) => one.getBoundingClientRect().right;"
        "const edge = right(document.querySelector('.toc-drawer'));"
        "return [...document.querySelectorAll('.toc-tree a')].map(title => right(title) - edge)"
    )
    browser.look(width=1280)
    assert len(past) > 50
    assert max(past) <= 0


def test_diagrams_are_rendered(browser: Browser) -> None:
    pages = [p for p in SITE.rglob("*.html") if 'class="mermaid"' in p.read_text("utf-8")]
    if not pages:
        pytest.skip("no page has a diagram")
    open_page(browser, str(pages[0].relative_to(SITE)))
    is_rendered = "return !document.querySelector('pre.mermaid:not(:has(svg))')"
    wait_until(lambda: bool(browser.run(is_rendered)), 30)
    assert browser.complaints() == []


def test_search_works_from_a_folder(browser: Browser) -> None:
    open_page(browser, "search.html?q=ThresholdShedder")
    found = "return document.querySelectorAll('#search-results li a').length"
    wait_until(lambda: browser.run(found) > 2, 30)


def test_every_link_of_the_site_leads_somewhere() -> None:
    if not (SITE / "index.html").exists():
        pytest.skip("the site was not made: make site")
    ids: dict[Path, set[str]] = {}
    texts = {page: page.read_text("utf-8") for page in SITE.rglob("*.html")}
    for page, text in texts.items():
        ids[page] = set(re.findall(r'\bid="([^"]+)"', text))
    for page, text in texts.items():
        for link in re.findall(r'href="([^"]+)"', text):
            path, _, place = link.partition("#")
            if ":" in path or "?" in path:
                continue
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name}: {link}"
            if place and target in ids:
                assert place in ids[target], f"{page.name}: {link}"
