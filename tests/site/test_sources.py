"""The pages that are written for Sphinx."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from docs.site import chapters, conformance, editions, npm, prose
from docs.site.markdown import linked, table, with_diagrams
from docs.site.picture import picture
from evenkeel import spec
from evenkeel.properties.catalogue import QUESTIONS


def test_clauses_become_links_where_they_are_text() -> None:
    for text in ("see SHD-3.", "see [SHD-3](shedding.md)."):
        assert linked(text) == "see [SHD-3](#clause-shd-3)."
    for text in ("`SHD-3`", "## SHD-3", "SHD-9999", "```\nSHD-3\n```\n"):
        assert linked(text) == text


def test_diagrams_become_elements_and_other_code_stays() -> None:
    text = "a\n\n```mermaid\nA --> B\n```\n\n```json\n{}\n```\n"
    shown = with_diagrams(text)
    assert '<pre class="mermaid">\nA --&gt; B\n</pre>' in shown
    assert "```json\n{}\n```" in shown


def test_a_bar_does_not_end_a_cell() -> None:
    assert table(("a",), [("x|y",)]).splitlines()[-1] == "| x&#124;y |"


@pytest.mark.slow
def test_every_clause_is_on_its_chapter_s_page_once() -> None:
    for chapter in ("bundles", "throttling"):  # sphinx-needs refuses an id twice in any
        text = chapters.page(chapter)
        for entry in spec.entries().values():
            count = text.count(f":id: {entry.id}\n")
            assert count == (entry.chapter == chapter), entry.id


@pytest.mark.slow
def test_a_page_keeps_all_words_of_its_chapter() -> None:
    text = spec.chapter_text("throttling")
    shown = unescape(chapters.page("throttling"))  # diagrams and plays are HTML
    for word in set(text.split()) - {"###", "-", "·", "```", "```mermaid"}:
        plain = word.strip("().,;:").replace("**", "")
        assert plain in shown or plain == "all" or "Editions" in word, word


def test_editions_list_every_switch() -> None:
    shown = editions.editions_page()
    assert "A bucket's refill is a 64-bit product that wraps." in shown
    assert shown.count("\n| ") > 60


def test_glossary_has_the_words_of_the_chapters() -> None:
    shown = prose.glossary()
    assert re.search(
        r"\nweight of a bundle\n  its short-term average \(.+\) in the dimension that counts", shown
    )


def report(**changed: Any) -> dict[str, Any]:
    return {
        "format": "evenkeel check 1",
        "subject": "mine 1",
        "edition": "DOCUMENTED",
        "seed": 1,
        "trials": {"shedding.threshold": 10},
        "clauses": {"SHD-80": {"holds": 9}, "SHD-81": {"violated": 2, "holds": 3}},
        "failures": [],
        **changed,
    }


def test_conformance_counts_and_shows_what_is_violated(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report()))
    shown = conformance.pages([path])["conformance"]
    assert "10 trials with seed 1: 1 violated, 1 holds." in shown
    assert (
        f"| [SHD-81](#clause-shd-81) | {spec.clause('SHD-81').title} | violated | 2 | 5 |" in shown
    )
    assert shown.count('class="violated" title') == 1


def test_a_breach_of_practice_is_a_departure(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report(clauses={"SPL-19": {"violated": 2, "holds": 4}})))
    shown = conformance.pages([path])["conformance"]
    assert "10 trials with seed 1: 1 departed." in shown
    path.write_text(json.dumps(report(clauses={"SPL-19": {"violated": 2}}, edition="PULSAR_4_0")))
    assert "1 departed" not in conformance.pages([path])["conformance"]


def test_clause_with_a_failed_check_is_violated(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report(clauses={"SHD-80": {"errored": 2, "holds": 4}})))
    shown = conformance.pages([path])["conformance"]
    assert f"| {spec.clause('SHD-80').title} | errored | 2 | 6 |" in shown


def test_without_a_report_it_is_of_pulsar_as_recorded() -> None:
    shown = conformance.pages([])["conformance"]
    assert shown.count("## apache-pulsar 4.0.8 compared with") == 2
    documented, of_4_0 = shown.split("compared with PULSAR_4_0")
    assert "| The last hash is in the last bundle | violated |" in documented
    assert "Nothing is violated." in of_4_0


@pytest.mark.parametrize(
    "text",
    ["{", "[]", json.dumps(report(format="other")), json.dumps(report(clauses={"ABC-1": {}}))],
)
def test_invalid_report_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(conformance.BadReport, match=r"report\.json"):
        conformance.pages([path])


def test_a_package_with_another_hash_is_refused(tmp_path: Path) -> None:
    package = npm.locked()["pyodide"]
    (tmp_path / package.file).write_bytes(b"other")
    with pytest.raises(npm.CannotFetch, match="does not have the hash"):
        npm.fetched(package, tmp_path)
    assert not (tmp_path / package.file).exists()


def test_the_picture_has_what_there_is() -> None:
    drawing = Xml.fromstring(picture())
    texts = [one.text for one in drawing.iter("text")]
    assert f"{len(QUESTIONS)} questions, each" in texts
    assert f"{len(spec.entries())} clauses" in texts
    assert drawing.get("aria-label")
    assert "{picture}" not in prose.pages()["index"]
