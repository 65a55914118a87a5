"""Everything that is proved and explored, over all chapters."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from evenkeel.models.balancing import (
    grace_bounds_hourly_moves,
    half_of_lead_evens_out,
    oscillation_graphs,
    small_bundles_not_shed_back,
    transfers_even_out,
)
from evenkeel.models.bundles import (
    binary_search_finds,
    each_hash_held_once,
    initial_division,
    neighbours_suffice,
)
from evenkeel.models.graph import Graph, GraphResult
from evenkeel.models.load import smoothed_within_seen
from evenkeel.models.ownership import (
    locks_graphs,
    locks_one_serves,
    nobody_knows_newer,
    one_broker_serves,
    records_replaced_in_order,
    schedule_graphs,
    wide_schedule_graphs,
)
from evenkeel.models.ownership import one_serves_during_division as channel_dividing
from evenkeel.models.placement import burst_parts_by_one, nobody_well_below_mean
from evenkeel.models.shedding import (
    avg_never_reverses,
    documented_promises,
    scores_within_usages,
    sheds_shortest_list,
    transfer_never_reverses,
    uniform_exceeds_by_1000,
)
from evenkeel.models.splitting import (
    bandwidth_fits,
    cut_changes_target_only,
    cuts_strictly_inside,
    division_graphs,
    flow_cut_parts_topics,
    never_above_maximum,
    no_split_is_lost,
    record_race_graphs,
    segments_small_and_full,
    several_cuts_stay_legal,
    topic_count_halves,
)
from evenkeel.models.theorem import Proof, Theorem, prove
from evenkeel.models.throttling import (
    delivery_goes_on_graphs,
    estimates_bound_excess,
    excess_is_paid_off,
    levels_only_lower,
    overdelivery_bound,
    overdelivery_graphs,
    refill_is_exact,
)

THEOREMS: Final[tuple[Theorem, ...]] = (
    *neighbours_suffice.THEOREMS,
    *each_hash_held_once.THEOREMS,
    *binary_search_finds.THEOREMS,
    *initial_division.THEOREMS,
    *cut_changes_target_only.THEOREMS,
    *several_cuts_stay_legal.THEOREMS,
    *cuts_strictly_inside.THEOREMS,
    *topic_count_halves.THEOREMS,
    *flow_cut_parts_topics.THEOREMS,
    *segments_small_and_full.THEOREMS,
    *bandwidth_fits.THEOREMS,
    *never_above_maximum.THEOREMS,
    *no_split_is_lost.THEOREMS,
    *smoothed_within_seen.THEOREMS,
    *records_replaced_in_order.THEOREMS,
    *one_broker_serves.THEOREMS,
    *channel_dividing.THEOREMS,
    nobody_knows_newer.COUNTING,
    *locks_one_serves.THEOREMS,
    *burst_parts_by_one.THEOREMS,
    *nobody_well_below_mean.THEOREMS,
    *sheds_shortest_list.THEOREMS,
    *avg_never_reverses.THEOREMS,
    *uniform_exceeds_by_1000.THEOREMS,
    *documented_promises.THEOREMS,
    *scores_within_usages.THEOREMS,
    *transfer_never_reverses.THEOREMS,
    *grace_bounds_hourly_moves.THEOREMS,
    *half_of_lead_evens_out.THEOREMS,
    *transfers_even_out.THEOREMS,
    *small_bundles_not_shed_back.THEOREMS,
    *overdelivery_bound.THEOREMS,
    *excess_is_paid_off.THEOREMS,
    *refill_is_exact.THEOREMS,
    *estimates_bound_excess.THEOREMS,
    *levels_only_lower.THEOREMS,
)
GRAPHS: Final[tuple[Graph[Any], ...]] = (
    *division_graphs.GRAPHS,
    *record_race_graphs.GRAPHS,
    *schedule_graphs.GRAPHS,
    *wide_schedule_graphs.GRAPHS,
    *locks_graphs.GRAPHS,
    *oscillation_graphs.GRAPHS,
    *overdelivery_graphs.GRAPHS,
    *delivery_goes_on_graphs.GRAPHS,
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
