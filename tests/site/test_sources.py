"""The pages that are written for Sphinx."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from docs.site import chapters, editions, npm, prose, worked_examples
from docs.site.markdown import ROOT, add_links, table, with_diagrams
from docs.site.picture import picture
from docs.site.worked_examples import side_by_side
from evenkeel.report import conformance
from evenkeel_engine import spec
from evenkeel_engine.cli import coverage
from evenkeel_engine.kit.catalogue import QUESTIONS


def test_clauses_become_links_where_they_are_text() -> None:
    for text in ("see SHD-3.", "see [SHD-3](shedding.md)."):
        assert add_links(text) == "see [SHD-3](#clause-shd-3)."
    for text in ("`SHD-3`", "## SHD-3", "SHD-9999", "```\nSHD-3\n```\n"):
        assert add_links(text) == text


def test_diagrams_become_elements_and_other_code_stays() -> None:
    shown = with_diagrams("a\n\n```mermaid\nA --> B\n```\n\n```json\n{}\n```\n")
    assert '<pre class="mermaid">\nA --&gt; B\n</pre>' in shown
    assert "```json\n{}\n```" in shown


def test_a_bar_does_not_end_a_cell() -> None:
    assert table(("a",), [("x|y",)]).splitlines()[-1] == "| x&#124;y |"


@pytest.mark.slow
def test_a_page_has_every_clause_once_and_all_words_of_its_chapter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # `make check` looks for problems of the cases.
    monkeypatch.setattr(worked_examples, "find_problems", lambda case: iter(()))
    page = chapters.page("bundles")
    ids = [entry.id for entry in spec.read_entries().values() if entry.chapter == "bundles"]
    assert sorted(re.findall(r":id: (\S+)\n", page)) == sorted(ids)  # sphinx-needs refuses others
    shown = unescape(page)  # plays are HTML
    for word in set(spec.chapter_text("bundles").split()) - {"###", "-", "·", "```"}:
        plain = word.strip("().,;:").replace("**", "")
        assert plain in shown or plain == "all" or "Editions" in word, word


def test_editions_list_every_switch() -> None:
    shown = editions.editions_page()
    assert "A bucket's refill is a 64-bit product that wraps." in shown
    assert shown.count("\n| ") > 60


def test_the_site_has_the_whole_of_what_the_forge_counts() -> None:
    statements = chapters.text_of("coverage")
    assert all(f"[{id_}](" in statements for row in coverage.read_rows() for id_ in row.clauses)
    path = ROOT / "docs" / "conformance.md"
    shown = prose.make_page(path, prose.text_of(path))
    for one in conformance.stored()["findings"]:
        assert f"### {one['clause']}\n" in shown
        assert json.dumps(one["trial"], ensure_ascii=False) in shown


def test_glossary_has_the_words_of_the_chapters() -> None:
    shown = prose.glossary()
    assert re.search(
        r"\nweight of a bundle\n  its short-term average \(.+\) in the dimension that counts", shown
    )


def test_links_of_the_glossary_lead_from_where_it_is() -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", prose.glossary()):
        assert (ROOT / target).exists(), target


def test_a_package_with_another_hash_is_refused(tmp_path: Path) -> None:
    package = npm.read_lock()["pyodide"]
    (tmp_path / package.file).write_bytes(b"other")
    with pytest.raises(npm.CannotFetch, match="does not have the hash"):
        npm.ensure_archive(package, tmp_path)
    assert not (tmp_path / package.file).exists()


def test_the_picture_has_what_there_is() -> None:
    drawing = Xml.fromstring(picture())
    texts = [one.text for one in drawing.iter("text")]
    assert f"{len(QUESTIONS)} questions, each" in texts
    assert f"{len(spec.read_entries())} clauses" in texts
    assert drawing.get("aria-label")


@pytest.mark.slow
def test_every_clause_that_is_checked_has_an_example_that_is_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worked_examples, "find_problems", lambda case: iter(()))
    first = prose.index([])
    assert not [name for name in ("picture", "run", "symptoms") if f"{{{name}}}" in first]
    run = {*worked_examples.cases_by_clause(), *worked_examples.examples_by_clause()}
    checked = {e.id for e in spec.read_entries().values() if e.level is not spec.Level.NOTE}
    assert checked <= run


def test_where_two_editions_answer_differently_both_answers_are_shown() -> None:
    right, broke = {"answer": {"x": [1, 2], "same": 0}}, {"broke": {"reason": "Late"}}
    shown = side_by_side({"A": right, "B": {"answer": {"x": [1, 3], "same": 0}}})
    assert shown.count("<tr") == 2
    assert '<tr class="differs"><th>x[2]</th><td>2</td><td>3</td></tr>' in shown
    assert "<th>broke.reason</th><td>–</td>" in side_by_side({"A": right, "B": broke})
    assert "Both editions answer the same" in side_by_side({"A": right, "B": right})


def test_the_squares_of_a_legend_have_a_size() -> None:
    """Scripts draw them as empty elements of a colour: without a size they are not seen."""
    static = Path(chapters.__file__).parent / "static"
    assert 'class: "legend"' in (static / "play-loop.js").read_text("utf-8")
    assert re.search(r"\.legend i \{[^}]*width: \d+px", (static / "site.css").read_text("utf-8"))
