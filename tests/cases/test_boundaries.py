"""Each MUST has a case with an answer that it just allows, and one that it just forbids.

The answers and verdicts were written by people from the clause's sentence; that the judge agrees is
the sweep `cases`.
"""

from __future__ import annotations

from typing import Final

from evenkeel import spec
from evenkeel.harness import cases
from evenkeel.harness.cases import Kind
from evenkeel.spec import Level

MISSING: Final = """
BAL-2 BAL-3 BAL-4 BAL-6 BAL-9 BAL-10 BAL-11 BAL-17 BAL-18 BAL-20 BAL-22 BAL-23
BAL-24 BAL-26
OWN-7 OWN-8 OWN-9 OWN-13 OWN-14 OWN-16 OWN-18 OWN-21 OWN-22 OWN-23 OWN-24 OWN-25
OWN-36 OWN-37 OWN-42 OWN-43 OWN-44 OWN-45 OWN-46 OWN-47 OWN-48 OWN-50 OWN-51 OWN-52
OWN-54
THR-1 THR-2 THR-3 THR-5 THR-8 THR-9 THR-10 THR-11 THR-22 THR-25 THR-26 THR-27
THR-28 THR-29 THR-30 THR-31 THR-33 THR-37 THR-39 THR-40 THR-41 THR-42 THR-49 THR-50
THR-51 THR-52 THR-53 THR-55 THR-56 THR-57 THR-60 THR-61 THR-62 THR-66
"""
"""The clauses that have none yet: exactly these."""


def test_each_must_has_a_boundary() -> None:
    found = {case.clause for case in cases.stored([Kind.BOUNDARY])}
    musts = {entry.id for entry in spec.entries().values() if entry.level is Level.MUST}
    assert musts - found == set(MISSING.split())
    assert found <= musts
