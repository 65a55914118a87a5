"""What the reference is given in each round of a trial: reports, and what was unloaded lately."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from evenkeel.properties.shedding.rounds import (
    ModularRound,
    ReportedBroker,
    RoundsTrial,
    Shed,
    SheddingAnswer,
    bundles_in,
)
from evenkeel.reference.shedding import cluster as clusters
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    Decision,
    Millis,
)

Reports = tuple[Mapping[BrokerId, BrokerReport], Mapping[BundleName, BundleLoad]]
"""A round's brokers and bundles as the reference takes them."""


def reports_of(trial: RoundsTrial) -> list[Reports]:
    """The reports of each round; one that stays the same in several rounds is made once."""
    brokers: dict[int, BrokerReport] = {}
    bundles: dict[int, BundleLoad] = {}
    return [reports_in(round_, brokers, bundles) for round_ in trial.rounds]


def reports_in(
    round_: ModularRound, brokers: dict[int, BrokerReport], bundles: dict[int, BundleLoad]
) -> Reports:
    """A round's reports; those made before are listed by the identity of what they were made of."""
    for reported in round_.brokers:
        if id(reported) not in brokers:
            brokers[id(reported)] = report_of(reported)
    for averages in round_.bundles:
        if id(averages) not in bundles:
            bundles[id(averages)] = BundleLoad(averages.short_term, averages.long_term)
    return (
        {BrokerId(reported.broker): brokers[id(reported)] for reported in round_.brokers},
        {BundleName(averages.bundle): bundles[id(averages)] for averages in round_.bundles},
    )


def report_of(reported: ReportedBroker) -> BrokerReport:
    """A broker's report as the reference takes it."""
    names = tuple(map(BundleName, reported.bundles))
    return BrokerReport(reported.resources, reported.traffic, names)


def cluster_of(round_: ModularRound, recently_unloaded: dict[BundleName, Millis]) -> Cluster:
    """A round's reports as the reference takes them."""
    return Cluster(*reports_in(round_, {}, {}), recently_unloaded)


class Memory:
    """The bundles that were unloaded a short while ago, as the rounds go on.

    `cluster` is called once for every round, in their order.
    """

    __slots__ = ("_grace_minutes", "_reports", "_unloaded")

    def __init__(self, trial: RoundsTrial) -> None:
        self._grace_minutes = trial.config.grace_minutes
        self._reports = iter(reports_of(trial))
        self._unloaded = {
            BundleName(unloaded.bundle): unloaded.at for unloaded in trial.recently_unloaded
        }

    def cluster(self, round_: ModularRound) -> Cluster:
        """What the shedder is given in this round."""
        self._unloaded = clusters.within_grace(self._unloaded, round_.at, self._grace_minutes)
        brokers, bundles = next(self._reports)
        return Cluster(brokers, bundles, self._unloaded)

    def unload(self, round_: ModularRound, bundles: Iterator[str]) -> None:
        """These bundles were shed in this round; those that do not fail are remembered."""
        done = (BundleName(bundle) for bundle in bundles if bundle not in round_.failing)
        self._unloaded = clusters.remembered(self._unloaded, done, round_.at)


def shed_of(decision: Decision) -> tuple[Shed, ...]:
    """A decision as an answer has it."""
    return tuple(Shed(broker, bundles) for broker, bundles in decision.items())


def answered(trial: RoundsTrial, decide: Callable[[int, Cluster], Decision]) -> SheddingAnswer:
    """What a strategy sheds, round after round; `decide` gets the round's place and the cluster."""
    memory, rounds = Memory(trial), list[tuple[Shed, ...]]()
    for place, round_ in enumerate(trial.rounds):
        rounds.append(shed_of(decide(place, memory.cluster(round_))))
        memory.unload(round_, bundles_in(rounds[-1]))
    return SheddingAnswer(tuple(rounds))
