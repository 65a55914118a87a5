"""Graphs: which strategies cannot oscillate under constant load (BAL-17).

Three equal brokers and four bundles of constant load, from every distribution of them. A
move of the graph is a whole round: the reference's shedder decides with exact and fresh reports
and no grace period, and every bundle that is shed goes to a broker with the lowest message rate
(any of several), or where the shedder sent it. Hit counts are left out: a round acts as if they
were reached. So a cycle of the graph is a cluster that moves bundles for ever; such cycles are
looked for in `matrix`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding import avg, transfer, uniform
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
)
from evenkeel.reference.shedding.transfer import (
    TopBundle,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel.reference.shedding.uniform import UniformRules
from evenkeel_engine.proofs.graph import Broken, Graph, Move, Size

BROKERS: Final = 3
BUNDLES: Final = 4

LEVELS: Final = (1, 2, 4, 7)
"""Loads of bundles in tenths of a broker."""

FULL: Final = 10.0
NONE: Final = -1
MEGABYTE: Final = 1_000_000.0


class Cast(NamedTuple):
    """The bundles' loads and owners, and the sum of squares before the last round (NONE: none)."""

    loads: tuple[int, ...]
    owners: tuple[int, ...]
    before: int


Wish = tuple[int, int | None]
"""A bundle that is to leave its broker, and its destination if it is given."""

Decide = Callable[[Cast], list[Wish]]


def carried(cast: Cast) -> list[int]:
    """What each broker carries."""
    totals = [0] * BROKERS
    for load, owner in zip(cast.loads, cast.owners, strict=True):
        totals[owner] += load
    return totals


def squares(cast: Cast) -> int:
    """How uneven it is: the sum of the squares of what the brokers carry."""
    return sum(total * total for total in carried(cast))


def traffic(load: int) -> Traffic:
    """A load as traffic: message rate, throughput and usage are all in proportion to it."""
    return Traffic(500.0 * load, 500.0 * load, load * MEGABYTE, load * MEGABYTE)


def broker(index: int) -> BrokerId:
    """A broker's id."""
    return BrokerId(f"broker-{index}:8080")


def bundle(index: int) -> BundleName:
    """A bundle's name."""
    return BundleName(f"tenant/n/{index}")


def number(name: str) -> int:
    """The number of a bundle."""
    return int(name.rpartition("/")[2])


def cluster_of(cast: Cast) -> Cluster:
    """What the leader knows: everything, exactly."""
    reports = {
        broker(index): BrokerReport(
            Resources(cpu=Resource(float(total), FULL)),
            traffic(total),
            tuple(bundle(i) for i, owner in enumerate(cast.owners) if owner == index),
        )
        for index, total in enumerate(carried(cast))
    }
    averages = {
        bundle(i): BundleLoad(traffic(load), traffic(load)) for i, load in enumerate(cast.loads)
    }
    return Cluster(reports, averages, {})


def by_uniform(share: float, cast: Cast) -> list[Wish]:
    """UniformLoadShedder, without minima."""
    rules = UniformRules(share=share, min_msg_rate=0, min_throughput=0)
    shed = uniform.decide(cluster_of(cast), rules, DOCUMENTED).values()
    return [(number(name), None) for bundles in shed for name in bundles]


def by_avg(share: float, cast: Cast) -> list[Wish]:
    """AvgShedder, without minima; its bundles go where it plans."""
    rules = AvgRules(low_hits=1, high_hits=1, share=share, min_msg_rate=0, min_throughput=0)
    state, decision = avg.decide(avg.State(), cluster_of(cast), rules, DOCUMENTED)
    planned = state.plan.by_name
    names = [name for bundles in decision.values() for name in bundles]
    ids = [broker(index) for index in range(BROKERS)]
    return [(number(name), ids.index(planned[name])) for name in names]


def by_transfer(cast: Cast) -> list[Wish]:
    """TransferShedder, swaps included."""
    totals = carried(cast)
    reports = tuple(
        TransferReport(
            broker(index),
            total / FULL,
            total * MEGABYTE,
            total * MEGABYTE,
            2 * total * MEGABYTE,
            0,
            tuple(
                TopBundle(bundle(i), cast.loads[i] * MEGABYTE, cast.loads[i] * MEGABYTE)
                for i in sorted(range(BUNDLES), key=lambda i: cast.loads[i])
                if cast.owners[i] == index
            ),
        )
        for index, total in enumerate(totals)
    )
    ids = [broker(index) for index in range(BROKERS)]
    lemma = TransferView(0, tuple(ids), reports)
    _, decision = transfer.decide(99, lemma, TransferRules(), DOCUMENTED)
    found: list[Wish] = []
    for move in decision.moves:
        to = None if move.destination is None else ids.index(move.destination)
        found.append((number(move.bundle), to))
    return found


def everything(cast: Cast) -> list[Wish]:
    """What TransferShedder must not do: the fullest broker gives all it has to the emptiest."""
    if not by_transfer(cast):
        return []
    totals = carried(cast)
    giver, taker = totals.index(max(totals)), totals.index(min(totals))
    return [(index, taker) for index, owner in enumerate(cast.owners) if owner == giver]


# -------------------------------------------------------------------------------------- moves


def rounds(decide: Decide, cast: Cast) -> Iterator[Move[Cast]]:
    """One round, with every choice that placement leaves."""
    decisions = decide(cast)
    if not decisions:
        return
    before = squares(cast)
    for owners in placed(cast, tuple(decisions)):
        after = Cast(cast.loads, owners, before)
        label = ", ".join(f"{index} to {owners[index]}" for index, _ in decisions)
        yield label, after


def placed(cast: Cast, decisions: tuple[Wish, ...]) -> list[tuple[int, ...]]:
    """The owners after these bundles went, in order; what is on its way counts."""
    leaving = {index for index, _ in decisions}
    totals = [0] * BROKERS
    for index, owner in enumerate(cast.owners):
        if index not in leaving:
            totals[owner] += cast.loads[index]
    found: dict[tuple[int, ...], None] = {}
    open_: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [(cast.owners, tuple(totals), 0)]
    while open_:
        owners, load, place = open_.pop()
        if place == len(decisions):
            found[owners] = None
            continue
        index, destination = decisions[place]
        allowed = [destination] if destination is not None else least(load)
        for to in allowed:
            after = (*owners[:index], to, *owners[index + 1 :])
            more = tuple(t + cast.loads[index] * (b == to) for b, t in enumerate(load))
            open_.append((after, more, place + 1))
    return list(found)


def least(load: tuple[int, ...]) -> list[int]:
    """The brokers with the lowest message rate."""
    return [index for index, total in enumerate(load) if total == min(load)]


def starts() -> Iterator[Cast]:
    """Every distribution of every choice of loads."""
    for loads in combinations_with_replacement(LEVELS, BUNDLES):
        for owners in product(range(BROKERS), repeat=BUNDLES):
            yield Cast(loads, owners, NONE)


def wrong(cast: Cast) -> str | None:
    """Every round makes it more even."""
    now = squares(cast)
    if cast.before != NONE and now >= cast.before:
        return f"a round made it {carried(cast)}: squares {now}, {cast.before} before"
    return None


def quiescent(cast: Cast) -> str | None:
    """Where nothing is shed nothing is wrong: triggers are the documents' (BAL-9)."""
    return None


def calm(name: str, size: Size, decide: Decide, broken: Decide, sentence: str) -> Graph[Cast]:
    """A strategy that cannot oscillate."""
    return Graph(
        name=f"calm-{name}",
        chapter="balancing",
        clauses=("BAL-17",),
        statement="Every round makes the brokers' loads more even, so nothing oscillates.",
        bound=f"{BROKERS} brokers, {BUNDLES} bundles of loads {LEVELS}, every distribution",
        initial=starts,
        moves=partial(rounds, decide),
        wrong=wrong,
        final=quiescent,
        broken=Broken("moves-too-much", sentence, partial(rounds, broken)),
        size=size,
    )


GRAPHS: Final = (
    calm(
        "uniform",
        Size(3_483, 888),
        partial(by_uniform, 0.2),
        partial(by_uniform, 1.0),
        "The whole lead is moved, not a share of it.",
    ),
    calm(
        "avg",
        Size(4_458, 2_305),
        partial(by_avg, 0.5),
        partial(by_avg, 1.0),
        "The whole difference of a pair is moved, not half of it.",
    ),
    calm(
        "transfer",
        Size(4_476, 2_259),
        by_transfer,
        everything,
        "The fullest broker gives all that it has.",
    ),
)
