"""The sweeps by name, in the order in which they begin: those with the longest jobs first, after
what needs frozen records.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evenkeel.sweeps import (
    cases,
    clauses,
    departures,
    examples,
    faulty_subjects,
    from_documents,
    graphs,
    interpretations,
    mutants,
    records,
    released,
    sampled,
    settings,
    theorems,
)
from evenkeel.sweeps.sweep import Sweep

SWEEPS: Final[Mapping[str, Sweep[Any]]] = {
    sweep.name: sweep
    for sweep in (
        records.SWEEP,
        clauses.SWEEP,
        released.SWEEP,
        mutants.NOT_FLAGGED,
        mutants.KILLED,
        faulty_subjects.SWEEP,
        interpretations.SWEEP,
        sampled.LISTED,
        sampled.SAMPLED,
        departures.SWEEP,
        settings.SWEEP,
        examples.SWEEP,
        cases.RECORDED,
        from_documents.SWEEP,
        cases.STORED,
        cases.SWITCHES,
        theorems.SWEEP,
        graphs.SWEEP,
    )
}
