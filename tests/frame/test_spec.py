"""The specification as data."""

import pytest

from evenkeel import spec
from evenkeel.properties.judging.judge import monitor
from evenkeel.reference.edition import EDITIONS, switches

PREFIXES = {"splitting": "SPL", "placement": "PLC", "shedding": "SHD"}
LEAVE_ROOM = {"shedding"}
"""Chapters of several authors, whose parts begin at round numbers."""

GOOD = """# Chapter bundles

### BUN-1 · MUST · A title
A sentence
over two lines.

- **Formula:** `a`
- **Editions:** DOCUMENTED.
- **Source:** here.
- **Example:** so.

## A section

### BUN-2 · NOTE · Another
Text.

- **Formula:** none.
- **Editions:** all.
- **Source:** there.
- **Example:** such.
"""


def test_chapters_are_read() -> None:
    first, second = spec.parse_chapter("bundles", GOOD)
    assert first.sentence == "A sentence over two lines."
    assert first.editions == {"DOCUMENTED"}
    assert not first.holds_in("PULSAR_4_0")
    assert second.level is spec.Level.NOTE
    assert second.holds_in("PULSAR_4_0")
    assert second.example == "such."


def test_a_clause_without_an_item_is_refused() -> None:
    text = GOOD.replace("- **Source:** here.\n", "")
    with pytest.raises(spec.BadSpecification, match="BUN-1 must have the items"):
        list(spec.parse_chapter("bundles", text))


def test_an_unknown_clause_fails_where_it_is_named() -> None:
    with pytest.raises(spec.UnknownClause, match="no clause BUN-999"):
        monitor("bundles.topic", "BUN-999")


def test_clauses_are_well_formed() -> None:
    for entry in spec.entries().values():
        assert entry.editions <= set(EDITIONS), entry.id
        usual = entry.chapter[:3].upper()
        assert entry.id.startswith(PREFIXES.get(entry.chapter, usual)), entry.id
        assert entry.sentence.endswith("."), entry.id


def test_ids_number_a_chapter_without_gaps() -> None:
    for chapter in spec.CHAPTERS:
        numbers = [int(e.id[4:]) for e in spec.entries().values() if e.chapter == chapter]
        if chapter in LEAVE_ROOM:
            assert numbers == sorted(set(numbers)), chapter
        else:
            assert numbers == list(range(1, len(numbers) + 1)), chapter


def test_every_switch_is_explained_and_used() -> None:
    for name, (sentence, source) in switches().items():
        assert sentence.endswith("."), name
        assert source, name
        values = {getattr(edition, name) for edition in EDITIONS.values()}
        assert len(values) == 2, f"{name} tells no editions apart"
