"""Each MUST has a case with an answer that it just allows, and one that it just forbids.

The answers and verdicts were written by people from the clause's sentence; that the judge agrees is
the sweep `cases`.
"""

from __future__ import annotations

from evenkeel_engine import spec
from evenkeel_engine.spec import Level
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.cases import CaseKind


def test_each_must_has_a_boundary() -> None:
    found = {case.clause for case in cases.read_stored_cases([CaseKind.BOUNDARY])}
    musts = {entry.id for entry in spec.read_entries().values() if entry.level is Level.MUST}
    assert musts <= found
