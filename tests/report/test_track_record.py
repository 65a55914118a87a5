"""docs/track-record.md is what its sources say, and every row is true."""

import shlex

import pytest

from evenkeel.report.track_record import PATH, Row, data, document, measured, named, span_of, tables
from evenkeel_engine import spec
from evenkeel_engine.content import SEVERITIES
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.mutation.scoring.kills import is_shown, read_kills
from evenkeel_engine.mutation.scoring.scope import ScoreScope
from evenkeel_engine.mutation.scoring.score import score_mutant

WRITTEN = data()
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
WITH_MUTANT = [one for one in (*WRITTEN["known"], *WRITTEN["later"]) if "mutant" in one]


in_one_process = pytest.mark.xdist_group("described cases")  # each would read them all again


def rows() -> list[Row]:
    """The rows of all tables."""
    return [row for rows in tables() for row in rows]


@in_one_process
def test_the_document_is_current() -> None:
    assert PATH.read_text("utf-8") == document(), "python -m evenkeel.report.track_record"


@in_one_process
def test_each_row_has_a_command_or_a_reason() -> None:
    assert len(rows()) > 190
    for row in rows():
        assert row.title
        assert row.severity in SEVERITIES, row
        assert bool(row.clause) != row.how.startswith("**not expressible:** "), row
        for id_ in row.clause.split():
            spec.find_clause(id_)
        if row.how.startswith("`"):
            assert shlex.split(row.how.split("`")[1])[0] == "evenkeel"


@in_one_process
def test_each_check_was_measured() -> None:
    checks = {row.check.command for row in rows() if row.check}
    assert measured().keys() == checks, "python benchmarks/time_to_find.py"


@pytest.mark.parametrize(
    ("shown", "span"),
    [
        ("111111", ("3.0.7 or before", "")),
        ("011111", ("4.0.6", "")),
        ("111100", ("3.0.7 or before", "4.2.4")),
        ("111101", ("3.0.7 or before", "4.2.4 (not in 5.0.0-M1)")),
        ("000000", ("", "")),
    ],
)
def test_releases_are_said_by_the_first_with_and_without_it(
    shown: str, span: tuple[str, str]
) -> None:
    asked = ("3.0.7", "4.0.6", "4.0.7", "4.0.8", "4.2.4", "5.0.0-M1")
    assert span_of({one: bit == "1" for one, bit in zip(asked, shown, strict=True)}) == span


@in_one_process
def test_named_files_exist() -> None:
    listed = {*WRITTEN["upstream"], *(one["file"] for one in WRITTEN["later"] if "file" in one)}
    assert listed <= named().keys()
    for one in WRITTEN["later"]:
        if "file" in one:
            assert named()[one["file"]].clause == one["clause"], one["file"]


@pytest.mark.slow
@pytest.mark.parametrize("one", WITH_MUTANT, ids=[one["mutant"] for one in WITH_MUTANT])
def test_defect_is_detected_by_its_clause(one: dict[str, str]) -> None:
    """By a trial that is listed, or one that is looked for."""
    mutant, clause = BY_NAME[one["mutant"]], one["clause"]
    listed = (k for k in read_kills() if (k.mutant, k.check[0]) == (mutant.name, clause))
    scope = ScoreScope(clauses=(clause,))
    assert any(map(is_shown, listed)) or score_mutant(mutant, 1, 4000, scope).clause == clause
