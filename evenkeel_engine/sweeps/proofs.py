"""Theorems are proved, not vacuous, refuted for a broken rule, and about the reference; graphs that
fit into the profile are explored completely, each with its broken rule detected.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome

if TYPE_CHECKING:  # importing it takes as long as many sweeps' jobs
    from evenkeel_engine.proofs.theorem import Theorem

CROSS_CHECKS: Final = 60
SEEDS: Final = (1, 2)


@cache
def read_theorems() -> dict[str, Theorem]:
    """The theorems by name."""
    from evenkeel_engine.proofs import catalogue  # noqa: PLC0415 - see above

    return {theorem.name: theorem for theorem in catalogue.THEOREMS}


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


THEOREMS: Final = Sweep(
    "theorems",
    "theorems proved",
    "{passed} theorems proved, each with its broken rule refuted",
    lambda _: [[name] for name in read_theorems()],
    check_theorem,
)


def list_graphs(plan: SweepPlan) -> list[list[str]]:
    """A job for each graph."""
    from evenkeel_engine.proofs.catalogue import graphs_of  # noqa: PLC0415 - see above

    return [[graph.name] for graph in graphs_of(largest=plan.amounts.states)]


def check_graph(name: str) -> JobOutcome:
    """One graph; the amount is its states."""
    from evenkeel_engine.proofs import catalogue  # noqa: PLC0415 - see above

    graph = next(graph for graph in catalogue.GRAPHS if graph.name == name)
    result = graph.explore()
    failures = []
    if not result.as_expected:
        said = [violation.sentence for violation in result.violations]
        failures = [f"graph {name} is not as expected: {'; '.join(said) or result}"]
    return make_outcome(graph.chapter, *failures, amount=result.states)


GRAPHS: Final = Sweep(
    "graphs", "graphs", "{passed} graphs with {amount} states explored", list_graphs, check_graph
)
