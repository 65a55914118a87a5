"""The specification as data."""

import re
from pathlib import Path

import pytest

from evenkeel.reference.edition import EDITIONS
from evenkeel_engine import spec
from evenkeel_engine.content import chapters, list_switches
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.trial_types.document import make_anchor

PREFIXES = {"splitting": "SPL", "placement": "PLC", "shedding": "SHD"}
LEAVE_ROOM = {"shedding"}
"""Chapters of several authors, whose parts begin at round numbers."""

NOTES = re.compile(r"\bfacts\b|\bdefects?\b|issue of the chapter")
"""Names of notes that are in no repository."""

GOOD = """# Chapter bundles

### BUN-1 · MUST · A title
A sentence
over two lines.

- **Formula:** `a`
- **Editions:** DOCUMENTED.
- **Basis:** documents: 002, "A heading": "some words", "and more"; Pulsar `X` 4.0.8.
- **Example:** so.

## A section

### BUN-2 · NOTE · Another
Text.

- **Formula:** none.
- **Editions:** all.
- **Basis:** practice: Pulsar `Y` 4.0.8.
- **Example:** such.
"""


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("BUN-2", "BUNS-2", "a clause begins with .* not with `### BUNS-2 · NOTE · Another`"),
        ("NOTE", "MAY", "a clause begins with .* MUST, SHOULD, DOES, NOTE"),
        ("DOCUMENTED.", "DOCUMENTS.", "BUN-1 names DOCUMENTS; the editions are DOCUMENTED, "),
        ("documents: 002", "documents: 020", "the basis of BUN-1 must quote one of "),
        ("practice: ", "hearsay: ", "the basis of BUN-2 must begin"),
        ("- **Basis:** practice: Pulsar `Y` 4.0.8.\n", "", "BUN-2 must have the items"),
    ],
)
def test_a_slip_in_a_clause_is_refused(right: str, wrong: str, says: str) -> None:
    with pytest.raises(spec.BadSpecification, match=says):
        list(spec.parse_chapter("bundles", GOOD.replace(right, wrong)))


def test_a_should_may_say_what_its_breach_does() -> None:
    should = GOOD.replace("NOTE", "SHOULD").replace(
        "Text.\n", "Text.\n\n- **Effect:** availability"
    )
    assert [one.effect for one in spec.parse_chapter("bundles", should)] == [None, "availability"]
    for wrong in (should.replace("availability", "nothing"), should.replace("SHOULD", "NOTE")):
        with pytest.raises(spec.BadSpecification, match="the effect of BUN-2 must be availability"):
            list(spec.parse_chapter("bundles", wrong))


def test_levels_follow_from_basis_and_edition() -> None:
    for entry in spec.read_entries().values():
        if entry.level is spec.Level.NOTE:
            continue
        documented = entry.holds_in("DOCUMENTED")
        quoted = entry.basis is not spec.Basis.PRACTICE
        expected = spec.Level.DOES if not documented else spec.Level.SHOULD
        assert entry.level is (spec.Level.MUST if documented and quoted else expected), entry.id
        released = spec.Level.MUST if entry.basis is spec.Basis.PROMISE else spec.Level.DOES
        assert entry.level_in("PULSAR_4_0") is released, entry.id
        if documented:
            assert entry.level_in("DOCUMENTED") is entry.level, entry.id


def test_a_basis_can_be_followed() -> None:
    for entry in spec.read_entries().values():
        quotes = entry.basis in (spec.Basis.DOCUMENTS, spec.Basis.PURPOSE)
        assert bool(entry.quotations) == quotes, entry.id
        assert not NOTES.search(entry.source), f"{entry.id}: readers do not have these notes"


def test_an_unknown_clause_fails_where_it_is_named() -> None:
    with pytest.raises(spec.UnknownClause, match="no clause BUN-999"):
        monitor("bundles.topic", "BUN-999")


def test_clauses_are_well_formed() -> None:
    for entry in spec.read_entries().values():
        assert entry.editions <= set(EDITIONS), entry.id
        assert entry.id.startswith(PREFIXES.get(entry.chapter, entry.chapter[:3].upper())), entry.id
        assert entry.sentence.endswith("."), entry.id


def test_ids_number_a_chapter_without_gaps() -> None:
    for chapter in spec.CHAPTERS:
        numbers = [int(e.id[4:]) for e in spec.read_entries().values() if e.chapter == chapter]
        if chapter in LEAVE_ROOM:
            assert numbers == sorted(set(numbers)), chapter
        else:
            assert numbers == list(range(1, len(numbers) + 1)), chapter


def test_every_switch_is_explained_and_used() -> None:
    for name, (sentence, source) in list_switches().items():
        assert sentence.endswith("."), name
        assert source, name
        values = {getattr(edition, name) for edition in EDITIONS.values()}
        assert len(values) >= 2, f"{name} tells no editions apart"


def test_errata_have_numbers_of_their_own() -> None:
    text = (Path(str(chapters.__file__)).parent / "errata.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "| where |" not in line]
    numbers = [re.match(r"\| ([A-Z]\d+) \| ", row) for row in rows]
    assert all(numbers), [row for row, number in zip(rows, numbers, strict=True) if not number]
    named = [number[1] for number in numbers if number]
    assert len(named) == len(set(named)) > 80
    for clause in re.findall(r"\b((?!PIP)[A-Z]{3}-\d+)\b", text):
        spec.find_clause(clause)


PAGES = sorted((Path(str(chapters.__file__)).parent).rglob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", path.read_text("utf-8"))
    for place, fragment in links:
        target = (path.parent / place) if place else path
        assert target.exists(), place
        if fragment:
            headings = re.findall(r"(?m)^#+ (.+)$", target.read_text("utf-8"))
            assert fragment in {make_anchor(heading) for heading in headings}, f"{place}#{fragment}"


SENTENCES = re.compile(r"[a-z0-9)`\"*”][.!?]\s+[A-Z`(*\"“][A-Za-z0-9`]")
"""The end of a sentence and the beginning of another one on the same line."""

PROSE = [*spec.CHAPTERS, "notation", "errata", "trace"]


@pytest.mark.parametrize("name", PROSE)
def test_one_sentence_a_line(name: str) -> None:
    path = Path(str(chapters.__file__)).with_name(f"{name}.md")
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    prose = [
        line
        for line in text.splitlines()
        if not line.startswith(("|", "    ", "> ", "- **Basis", "- **Formula", "- **Example", "**"))
    ]
    several = [line for line in prose if SENTENCES.search(re.sub(r'`[^`]*`|"[^"]*"', "x", line))]
    assert not several


def test_formula_is_self_contained() -> None:
    """It is no file of ours, and not "as said": a reader has the page only."""
    elsewhere = re.compile(r"\.py\b|as said|as the reference|^`?[A-Z]{3}-\d+ with|^see ")
    assert not [c.id for c in spec.read_entries().values() if elsewhere.search(c.formula)]
