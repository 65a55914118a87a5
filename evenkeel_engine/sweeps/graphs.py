"""Graphs that fit into the profile, explored completely, each with its broken rule detected."""

from __future__ import annotations

from typing import Final

from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome


def list_jobs(plan: SweepPlan) -> list[list[str]]:
    """A job for each graph."""
    from evenkeel_engine.proofs.catalogue import graphs_of  # noqa: PLC0415 - imports a solver

    return [[graph.name] for graph in graphs_of(largest=plan.amounts.states)]


def check_graph(name: str) -> JobOutcome:
    """One graph; the amount is its states."""
    from evenkeel_engine.proofs.catalogue import GRAPHS  # noqa: PLC0415 - imports a solver

    graph = next(graph for graph in GRAPHS if graph.name == name)
    result = graph.explore()
    failures = []
    if not result.as_expected:
        said = [violation.sentence for violation in result.violations]
        failures = [f"graph {name} is not as expected: {'; '.join(said) or result}"]
    return make_outcome(graph.chapter, *failures, amount=result.states)


SWEEP: Final = Sweep(
    "graphs", "graphs", "{passed} graphs with {amount} states explored", list_jobs, check_graph
)
