"""Theorems are proved, not vacuous, refuted for a broken rule, and about the reference."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome

if TYPE_CHECKING:  # importing it takes as long as many sweeps' jobs
    from evenkeel_engine.proofs.theorem import Theorem

CROSS_CHECKS: Final = 60
SEEDS: Final = (1, 2)


def list_jobs(_: SweepPlan) -> list[list[str]]:
    """A job for each theorem."""
    return [[name] for name in read_theorems()]


@cache
def read_theorems() -> dict[str, Theorem]:
    """The theorems by name."""
    from evenkeel_engine.proofs.catalogue import THEOREMS  # noqa: PLC0415 - see above

    return {theorem.name: theorem for theorem in THEOREMS}


def check_theorem(name: str) -> JobOutcome:
    """One theorem."""
    from evenkeel_engine.proofs.theorem import Status, prove  # noqa: PLC0415 - see above

    theorem = read_theorems()[name]
    proof = prove(theorem)
    failures = find_unlike(theorem)
    if proof.status is Status.UNKNOWN:
        unknown = f"theorem {name} is unknown: the solver did not answer in time"
        return JobOutcome(theorem.chapter, 0, tuple(failures), (unknown,))
    if not proof.proved:
        failures.append(f"theorem {name} is {proof.status.value}")
    return make_outcome(theorem.chapter, *failures)


def find_unlike(theorem: Theorem) -> list[str]:
    """Rules of a theorem that are not those of the reference."""
    from evenkeel_engine.proofs.theorem import cross_check  # noqa: PLC0415 - see above

    if not theorem.cross_checks:
        return [f"theorem {theorem.name} is compared with nothing of the reference"]
    found = (one for seed in SEEDS for one in cross_check(theorem, seed, CROSS_CHECKS))
    return [
        f"theorem {theorem.name}: {one.check} is {one.rule}, not {one.reference}" for one in found
    ][:1]


SWEEP: Final = Sweep(
    "theorems",
    "theorems proved",
    "{passed} theorems proved, each with its broken rule refuted",
    list_jobs,
    check_theorem,
)
