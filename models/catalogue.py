"""Everything that is proved and explored, over all chapters."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from evenkeel.models.balancing import hourly, returning, sharing, swapping, swinging
from evenkeel.models.bundles import creation, holding, order, searching
from evenkeel.models.graph import Graph, GraphResult
from evenkeel.models.load import smoothing
from evenkeel.models.ownership import (
    counting,
    locks_racing,
    locks_single,
    schedules,
    serving,
    standing,
    wide,
)
from evenkeel.models.ownership import dividing as channel_dividing
from evenkeel.models.placement import bursts, means
from evenkeel.models.shedding import (
    allowing,
    levelling,
    promising,
    reaching,
    remembering,
    transferring,
)
from evenkeel.models.splitting import (
    applying,
    bandwidth,
    dividing,
    flow,
    gathering,
    maximum,
    partitions,
    races,
    several,
    storing,
    topic_count,
)
from evenkeel.models.theorem import Proof, Theorem, prove
from evenkeel.models.throttling import (
    carrying,
    estimating,
    interleaving,
    levels,
    overdelivering,
    refilling,
    resuming,
)

THEOREMS: Final[tuple[Theorem, ...]] = (
    *order.THEOREMS,
    *holding.THEOREMS,
    *searching.THEOREMS,
    *creation.THEOREMS,
    *applying.THEOREMS,
    *several.THEOREMS,
    *dividing.THEOREMS,
    *topic_count.THEOREMS,
    *flow.THEOREMS,
    *gathering.THEOREMS,
    *bandwidth.THEOREMS,
    *maximum.THEOREMS,
    *storing.THEOREMS,
    *smoothing.THEOREMS,
    *standing.THEOREMS,
    *serving.THEOREMS,
    *channel_dividing.THEOREMS,
    counting.COUNTING,
    *locks_single.THEOREMS,
    *bursts.THEOREMS,
    *means.THEOREMS,
    *reaching.THEOREMS,
    *levelling.THEOREMS,
    *allowing.THEOREMS,
    *promising.THEOREMS,
    *remembering.THEOREMS,
    *transferring.THEOREMS,
    *hourly.THEOREMS,
    *sharing.THEOREMS,
    *swapping.THEOREMS,
    *returning.THEOREMS,
    *overdelivering.THEOREMS,
    *carrying.THEOREMS,
    *refilling.THEOREMS,
    *estimating.THEOREMS,
    *levels.THEOREMS,
)
GRAPHS: Final[tuple[Graph[Any], ...]] = (
    *partitions.GRAPHS,
    *races.GRAPHS,
    *schedules.GRAPHS,
    *wide.GRAPHS,
    *locks_racing.GRAPHS,
    *swinging.GRAPHS,
    *interleaving.GRAPHS,
    *resuming.GRAPHS,
)


def theorems_of(
    chapters: Collection[str] = (), clauses: Collection[str] = ()
) -> tuple[Theorem, ...]:
    """The theorems of these chapters about any of these clauses; none given: all."""
    return tuple(theorem for theorem in THEOREMS if concerns(theorem, chapters, clauses))


def graphs_of(
    chapters: Collection[str] = (), clauses: Collection[str] = (), largest: int | None = None
) -> tuple[Graph[Any], ...]:
    """The graphs of these chapters about any of these clauses; none given: all.

    `largest`: but for those that are known to have more states.
    """
    return tuple(
        graph
        for graph in GRAPHS
        if concerns(graph, chapters, clauses)
        and (largest is None or graph.size is None or graph.size.states <= largest)
    )


def concerns(
    model: Theorem | Graph[Any], chapters: Collection[str], clauses: Collection[str]
) -> bool:
    """The model belongs to one of the chapters and to one of the clauses, where any are given."""
    return (not chapters or model.chapter in chapters) and (
        not clauses or not set(clauses).isdisjoint(model.clauses)
    )


def prove_all(
    chapters: Collection[str] = (), clauses: Collection[str] = (), timeout: float = 10.0
) -> Iterator[Proof]:
    """Prove the theorems of these chapters and clauses, one after the other."""
    for theorem in theorems_of(chapters, clauses):
        yield prove(theorem, timeout)


def explore_all(
    chapters: Collection[str] = (), clauses: Collection[str] = (), largest: int | None = None
) -> Iterator[GraphResult]:
    """Explore the graphs of these chapters and clauses, one after the other."""
    for graph in graphs_of(chapters, clauses, largest):
        yield graph.explore()
