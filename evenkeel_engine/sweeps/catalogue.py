"""The sweeps by name, in the order in which they begin: those with the longest jobs first, after
what needs frozen records.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from evenkeel_engine.content import facts
from evenkeel_engine.sweeps import (
    cases,
    clauses,
    faulty_subjects,
    mutants,
    proofs,
    records,
    sampled,
    worked_examples,
)
from evenkeel_engine.sweeps.sweep import Sweep

SWEEPS: Final[Mapping[str, Sweep[Any]]] = {
    sweep.name: sweep
    for sweep in (
        records.SWEEP,
        clauses.SWEEP,
        mutants.NOT_FLAGGED,
        mutants.KILLED,
        faulty_subjects.SWEEP,
        *(import_module(name).SWEEP for name in facts.SWEEPS),
        sampled.LISTED,
        sampled.SAMPLED,
        worked_examples.SWEEP,
        cases.RECORDED,
        cases.STORED,
        cases.SWITCHES,
        proofs.THEOREMS,
        proofs.GRAPHS,
    )
}
