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


def test_every_clause_with_a_quotation_is_in_the_list() -> None:
    named = {clause for row in coverage.read_rows() for clause in row.clauses}
    musts = (e for e in spec.read_entries().values() if e.level is spec.Level.MUST)
    assert {entry.id for entry in musts if entry.quotations} - named == set()
