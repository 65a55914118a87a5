"""Which strategies can oscillate under constant load, with every placement (BAL-15, BAL-17).

Three equal brokers and four bundles of constant load, in every distribution. A move is a
whole round of the reference's own balancers, as the closed loop has them: reports are exact, hit
counts, grace and histories left out, so a round acts as if all of them were over. Every choice is
followed: among equally full brokers, and among the brokers that placement allows. A round robin
may be anywhere, as others look bundles up in between. By the documents a bundle is looked up before
its old owner reports again; in 4.0 the modular leader chooses destinations for all bundles of a
round with the same knowledge, and one that is placed with its owner stays.

Brokers are interchangeable, and so are bundles of equal load: a distribution is what each broker
serves, in falling order. A cycle of rounds that move something is a cluster that never rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Final, NamedTuple

import networkx as nx

from evenkeel.reference.balancing.balancer import Balancer, Shed
from evenkeel.reference.balancing.leader import Sent, View, load_of
from evenkeel.reference.balancing.placements import RoundRobin
from evenkeel.reference.balancing.settings import (
    USUAL_PLACER,
    BalancerSpec,
    Placer,
    Settings,
    Strategy,
)
from evenkeel.reference.balancing.strategies import hiring
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, Edition
from evenkeel.reference.load.averages import BundleAverages, from_quota
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName, Cluster

BROKERS: Final = tuple(BrokerId(f"broker-{index}:8080") for index in range(3))
BUNDLES: Final = 4

LEVELS: Final = (1, 2, 4, 7)
"""Loads of bundles in tenths of a broker."""

FULL: Final = 10

SHARES: Final = {Strategy.UNIFORM: 0.2, Strategy.AVG: 0.5}
"""What is moved of a difference: 0.2 is the default, 0.5 what document 002 sets for AvgShedder."""

Spread = tuple[tuple[int, ...], ...]
"""What each broker serves: the loads of its bundles, the largest first; the fullest list first."""


class Setup(NamedTuple):
    """Who balances."""

    strategy: Strategy
    placement: Placer
    edition: str

    def __str__(self) -> str:
        return f"{self.strategy}-{self.placement}-{self.edition}"


class Round(NamedTuple):
    """A round: what it makes of a distribution, and in words; `moves`: something has moved."""

    after: Spread
    label: str
    moves: bool


def setups() -> tuple[Setup, ...]:
    """Every strategy with every placement that it can have, in every edition."""
    found = []
    for strategy in (strategy for strategy in Strategy if strategy is not Strategy.NONE):
        for placement in placements_of(strategy):
            found += [Setup(strategy, placement, name) for name in BASE_EDITIONS]
    return tuple(found)


def placements_of(strategy: Strategy) -> tuple[Placer, ...]:
    """The placements that a strategy can have, the usual one first."""
    usual = USUAL_PLACER[strategy]
    if strategy is Strategy.TRANSFER:
        return (usual,)
    free = (Placer.MESSAGE_RATE, Placer.RESOURCE_USAGE, Placer.ROUND_ROBIN)
    return (usual, *(placement for placement in free if placement is not usual))


def settings_of(strategy: Strategy) -> Settings:
    """Nothing that only delays, and no minima."""
    return Settings(
        grace_minutes=0,
        history=0.0,
        min_throughput=0.0,
        max_unload_share=SHARES.get(strategy, 0.2),
        min_unload_rate=0,
        min_unload_throughput=0,
        low_hits=1,
        high_hits=1,
        hit_threshold=0,
        delay_seconds=0,
        distribute_evenly=False,
    )


# ------------------------------------------------------------------------- distributions


def canonical(lists: Iterator[tuple[int, ...]] | Spread) -> Spread:
    """The same with brokers and bundles in a fixed order."""
    return tuple(sorted((tuple(sorted(loads, reverse=True)) for loads in lists), reverse=True))


@cache
def spreads() -> tuple[Spread, ...]:
    """Every distribution of every choice of loads."""
    found: dict[Spread, None] = {}
    for loads in combinations_with_replacement(LEVELS, BUNDLES):
        for owners in product(range(len(BROKERS)), repeat=BUNDLES):
            found[dealt(zip(loads, owners, strict=True))] = None
    return tuple(found)


def dealt(bundles: Any) -> Spread:
    """The distribution in which bundles of these loads belong to these brokers."""
    lists: list[list[int]] = [[] for _ in BROKERS]
    for load, owner in bundles:
        lists[owner].append(load)
    return canonical(tuple(tuple(loads) for loads in lists))


def orders(spread: Spread) -> Iterator[Spread]:
    """The brokers in every order in which they may be listed, where some are equally full."""
    totals = [sum(loads) for loads in spread]
    if len(set(totals)) == len(totals):
        yield spread
    else:
        yield from dict.fromkeys(permutations(spread))


# --------------------------------------------------------------------------------- rounds


def traffic(load: int) -> Traffic:
    """A load as traffic: message rate, throughput and usage are all in proportion to it."""
    return Traffic(500.0 * load, 500.0 * load, load * 1e6, load * 1e6)


def name_at(broker: int, place: int) -> BundleName:
    """The name of a bundle by where it is at first."""
    return BundleName(f"t/n/0x{broker:x}{place:x}000000_0x{broker:x}{place + 1:x}000000")


def view_of(spread: Spread) -> View:
    """What the leader knows: everything, exactly."""
    reports: dict[BrokerId, BrokerReport] = {}
    sent: dict[BrokerId, Sent] = {}
    averages: dict[str, BundleAverages] = {}
    owners: dict[BundleName, BrokerId] = {}
    for index, (broker, loads) in enumerate(zip(BROKERS, spread, strict=True)):
        weights = {name_at(index, place): traffic(load) for place, load in enumerate(loads)}
        total = float(sum(loads))
        usage = Resources(cpu=Resource(total, float(FULL)))
        reports[broker] = BrokerReport(usage, traffic(sum(loads)), tuple(weights))
        sent[broker] = Sent(broker, 0, 0, reports[broker], weights)
        averages |= {name: from_quota(load) for name, load in weights.items()}
        owners |= dict.fromkeys(weights, broker)
    bundles = {BundleName(name): load_of(known) for name, known in averages.items()}
    return View(0, BROKERS, Cluster(reports, bundles, {}), sent, averages, {}, {}, owners)


@dataclass(frozen=True, slots=True)
class Open:
    """A round under way: the owners so far, and the bundles on their way.

    A bundle that is on its way counts for where it goes, by the documents.
    """

    owners: tuple[tuple[BundleName, BrokerId], ...]
    given: tuple[tuple[BundleName, BrokerId], ...] = ()


def rounds(setup: Setup, spread: Spread, settings: Settings | None = None) -> dict[Round, None]:
    """Every way in which a round may go, with these settings or those of the strategy. None where
    nothing is shed.
    """
    edition = EDITIONS[setup.edition]
    spec = BalancerSpec(setup.strategy, setup.placement, settings or settings_of(setup.strategy))
    found: dict[Round, None] = {}
    for listed in orders(spread):
        view = view_of(listed)
        balancer = hiring(spec, edition)()  # each with averages of its own
        decisions = list(balancer.shedder.decide(view))
        for owners in place_bundles(balancer, decisions, view, edition) if decisions else ():
            found[round_of(listed, view, owners)] = None
    return found


def place_bundles(
    balancer: Balancer, decisions: list[Shed], view: View, edition: Edition
) -> list[dict[BundleName, BrokerId]]:
    """The owners after a round, for every choice that placement leaves."""
    at_once = edition.destination_when_shed and not balancer.transfers
    states = [Open(tuple(view.owners.items()))]
    for shed in decisions:
        following: dict[Open, None] = {}
        for state in states:
            seen = view if at_once else replace(view, preallocated=by_broker(state.given))
            for to in [shed.destination] if shed.destination else list_takers(balancer, shed, seen):
                owners = tuple((b, to if b == shed.bundle else o) for b, o in state.owners)
                following[Open(owners, (*state.given, (shed.bundle, to)))] = None
        states = list(following) or states
    return [dict(state.owners) for state in states]


def by_broker(
    given: Sequence[tuple[BundleName, BrokerId]],
) -> dict[BrokerId, tuple[BundleName, ...]]:
    """The bundles that are on their way to each broker."""
    return {broker: tuple(name for name, other in given if other == broker) for _, broker in given}


def list_takers(balancer: Balancer, shed: Shed, view: View) -> tuple[BrokerId, ...]:
    """The brokers that placement may choose."""
    placement = balancer.placement
    if isinstance(placement, RoundRobin):
        return placement.candidates(shed.bundle, view)[0]
    return tuple(placement.list_allowed(shed.bundle, view))


def round_of(listed: Spread, view: View, owners: dict[BundleName, BrokerId]) -> Round:
    """What a round made of the distribution."""
    loads = {
        name_at(index, place): load
        for index, weights in enumerate(listed)
        for place, load in enumerate(weights)
    }
    after = dealt((loads[bundle], BROKERS.index(broker)) for bundle, broker in owners.items())
    moved = sorted(
        loads[bundle] for bundle, broker in owners.items() if view.owners[bundle] != broker
    )
    return Round(after, " and ".join(map(str, moved)), bool(moved))


# --------------------------------------------------------------------------------- cycles


@cache
def network_of(setup: Setup) -> nx.MultiDiGraph[Spread]:
    """All distributions, and the rounds that move something between them."""
    network: nx.MultiDiGraph[Spread] = nx.MultiDiGraph()
    network.add_nodes_from(spreads())
    for spread in spreads():
        for round_ in rounds(setup, spread):
            if round_.moves:
                network.add_edge(spread, round_.after, key=round_.label)
    return network


def swings(setup: Setup) -> tuple[nx.MultiDiGraph[Spread], ...]:
    """The parts of the network that rounds never have to leave, the smallest first."""
    network = network_of(setup)
    groups = [
        network.subgraph(group)
        for group in nx.strongly_connected_components(network)
        if network.subgraph(group).number_of_edges()
    ]
    return tuple(sorted(groups, key=lambda part: (len(part), sorted(part))))


def shortest(part: nx.MultiDiGraph[Spread]) -> tuple[Spread, ...]:
    """A shortest cycle of a part, as the distributions that it goes through."""
    if loops := [node for node in part if part.has_edge(node, node)]:
        return (min(loops),)
    found = []
    for node in sorted(part):
        for after in part.successors(node):
            found.append(tuple(nx.shortest_path(part, after, node)))
    return min(found, key=lambda cycle: (len(cycle), cycle))
