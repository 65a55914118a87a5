"""The page of coverage: current, and without an empty row."""

import pytest

from evenkeel_engine import spec
from evenkeel_engine.cli import coverage


def test_the_page_is_current() -> None:
    assert coverage.PAGE.read_text("utf-8") == coverage.short_page(), (
        "evenkeel spec coverage --write"
    )


def test_a_row_without_clause_or_reason_is_refused() -> None:
    with pytest.raises(coverage.BadCoverage, match="has no clause, no reason"):
        list(coverage.read({"001": [{"section": "A", "words": "Do this."}]}))


def test_row_without_a_clause_has_a_reason() -> None:
    [row] = coverage.read({"001": [{"section": "A", "words": "So.", "why": "motivation"}]})
    assert coverage.coverage_of(row) == "none: motivation"


def test_rows_take_the_section_above() -> None:
    table = [
        {"section": "A", "words": "Do this.", "clauses": "BUN-1 SPL-1"},
        {"words": "Do that.", "clauses": "BUN-2", "why": "in part"},
    ]
    _, second = coverage.read({"001": table})
    assert second.quotation.section == "A"
    assert coverage.coverage_of(second) == "[BUN-2](bundles.md); in part"


def test_every_clause_with_a_quotation_is_in_the_list() -> None:
    named = {clause for row in coverage.read_rows() for clause in row.clauses}
    musts = (e for e in spec.read_entries().values() if e.level is spec.Level.MUST)
    quoted = {entry.id for entry in musts if entry.quotations}
    assert quoted - named == set()
