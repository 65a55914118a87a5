"""What trials about modular shedders share: rounds of reports, and the decisions in each.

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
times milliseconds.

Whatever a subject sheds in a round is unloaded at the round's time and enters its grace period,
unless the round lists it in `failing`. Reports are the trial's: the same broker may report a bundle
again in the next round after it was shed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Final

from evenkeel.properties.load.trial_parts import Weighing
from evenkeel.properties.names import require_bundle
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic, total
from evenkeel.reference.load.usage import Resource, Resources, Weights, max_weighted_usage
from evenkeel.reference.shedding import cluster as clusters
from evenkeel.reference.shedding.cluster import (
    MINUTE,
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    Decision,
    Millis,
)
from evenkeel.reference.shedding.settings import GraceRules
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import (
    BadTrial,
    require,
    require_bounds,
    require_different,
    require_name,
)

EXACT: Final = 2**53


def require_amounts(place: str, *amounts: float) -> None:
    """Require amounts as reports can hold them: finite, at least 0, integers exact as doubles."""
    for amount in amounts:
        if not 0 <= amount < EXACT:
            raise BadTrial(place, "must be 0 or more, below 2^53")


def require_traffic(place: str, traffic: Traffic) -> None:
    """Require possible rates and throughput."""
    require_amounts(
        place,
        traffic.msg_rate_in,
        traffic.msg_rate_out,
        traffic.throughput_in,
        traffic.throughput_out,
    )


def require_resource(resource: Resource) -> None:
    """Require a usage (-1: not measured) and a limit that is 0 or not tiny."""
    if not abs(resource.usage) < EXACT:
        raise BadTrial("resources", "usage must be below 2^53")
    if not (resource.limit == 0 or 0.001 <= resource.limit < EXACT):
        raise BadTrial("resources", "a limit must be 0, or 0.001 to 2^53")


@dataclass(frozen=True, slots=True)
class ReportedBroker:
    """A broker's report: usage, traffic, the bundles it serves.

    A usage of -1 could not be measured, and counts as -1; a limit is 0, or at least 0.001.
    `traffic` is what the broker measured, and need not be the sum of its bundles' averages.
    """

    broker: str
    resources: Resources
    traffic: Traffic
    bundles: tuple[str, ...]

    def __post_init__(self) -> None:
        require_name("broker", self.broker)
        require_traffic("traffic", self.traffic)
        for resource in (
            self.resources.cpu,
            self.resources.memory,
            self.resources.direct_memory,
            self.resources.bandwidth_in,
            self.resources.bandwidth_out,
        ):
            require_resource(resource)
        for bundle in self.bundles:
            require_bundle("bundles", bundle)
        require_different("bundles", self.bundles)


@dataclass(frozen=True, slots=True)
class AveragedBundle:
    """Averages of a bundle's traffic, over few and over many samples."""

    bundle: str
    short_term: Traffic
    long_term: Traffic

    def __post_init__(self) -> None:
        require_bundle("bundle", self.bundle)
        require_traffic("short_term", self.short_term)
        require_traffic("long_term", self.long_term)


@dataclass(frozen=True, slots=True)
class ModularRound:
    """One shedding round, at `at` (ms): the leader's data, and which unloads fail.

    The adapter keeps unloads from round to round: a bundle that is shed counts as recently unloaded
    since `at` in later rounds, until its grace period is over. A bundle in `failing` does not,
    because its unload fails; the answer names it anyway. The shedder does not learn which fail: it
    plans and counts as if none did.

    The namespaces `pulsar/host:port`, `pulsar/x/host:port` and `sla-monitor/x/host:port` are those
    of brokers' heartbeats and monitors (in 4.2 `sla-monitor/host:port`); `pulsar/system` is not.

    A bundle that has just changed its broker can be in several reports, once in each. Bundles
    without averages can be reported, and averages of bundles that no broker serves can be known.
    """

    at: Millis
    brokers: tuple[ReportedBroker, ...]
    bundles: tuple[AveragedBundle, ...]
    failing: tuple[str, ...]

    def __post_init__(self) -> None:
        require(0 <= self.at < EXACT, "at", "must be 0 or more, below 2^53")
        require_different("brokers", (reported.broker for reported in self.brokers))
        require_different("bundles", (averages.bundle for averages in self.bundles))


@dataclass(frozen=True, slots=True)
class Unloaded:
    """A bundle that was unloaded before the first round, at `at` (ms)."""

    bundle: str
    at: Millis

    def __post_init__(self) -> None:
        require_bundle("bundle", self.bundle)
        require(0 <= self.at < EXACT, "at", "must be 0 or more, below 2^53")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsTrial:
    """A shedder's rounds, in the order of time; a trial of a strategy has its own settings."""

    recently_unloaded: tuple[Unloaded, ...] = ()
    rounds: tuple[ModularRound, ...]
    config: GraceRules

    def __post_init__(self) -> None:
        require_bounds(self.config)
        times = [round_.at for round_ in self.rounds]
        require(times == sorted(times), "rounds", "must be in the order of time")
        require_different(
            "recently_unloaded", (unloaded.bundle for unloaded in self.recently_unloaded)
        )


@dataclass(frozen=True, slots=True)
class Shed:
    """The bundles that one broker is to shed, in the order in which they were chosen."""

    broker: str
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheddingAnswer:
    """For each round the brokers that shed, each named once, in any order."""

    rounds: tuple[tuple[Shed, ...], ...]


def bundles_in(shed: tuple[Shed, ...]) -> Iterator[str]:
    """All bundles that are shed."""
    return (bundle for entry in shed for bundle in entry.bundles)


def shared_in(round_: ModularRound) -> frozenset[str]:
    """The bundles in several reports: one broker has just received them from another."""
    lists = [reported.bundles for reported in round_.brokers]
    if len(set().union(*lists)) == sum(map(len, lists)):
        return frozenset()
    times = Counter(bundle for bundles in lists for bundle in set(bundles))
    return frozenset(bundle for bundle, reports in times.items() if reports > 1)


def misses_a_round(rounds: Iterable[ModularRound]) -> bool:
    """Whether a broker is missing in a round and reports again later."""
    reporting = [{report.broker for report in round_.brokers} for round_ in rounds]
    known, back = set[str](), False
    for before, now in pairwise(reporting):
        known |= before
        back = back or not (now - before).isdisjoint(known)
    return back


def labels_of_rounds(trial: RoundsTrial) -> Iterator[str]:
    """The features of the rounds."""
    yield "one round" if len(trial.rounds) == 1 else "several rounds"
    if trial.recently_unloaded:
        yield "unloaded before"
    served = {b for round_ in trial.rounds for report in round_.brokers for b in report.bundles}
    if any(is_monitoring(namespace_of(bundle), clustered=True) for bundle in served):
        yield "monitoring bundles"
    if any(len(report.bundles) == 1 for round_ in trial.rounds for report in round_.brokers):
        yield "a sole bundle"
    if any(map(shared_in, trial.rounds)):
        yield "a bundle in two reports"


Reports = tuple[Mapping[BrokerId, BrokerReport], Mapping[BundleName, BundleLoad]]
"""A round's brokers and bundles in the reference's form."""


def reports_of(trial: RoundsTrial) -> list[Reports]:
    """The reports of each round; one that is the same in several rounds is created once."""
    brokers: dict[int, BrokerReport] = {}
    bundles: dict[int, BundleLoad] = {}
    return [reports_in(round_, brokers, bundles) for round_ in trial.rounds]


def reports_in(
    round_: ModularRound, brokers: dict[int, BrokerReport], bundles: dict[int, BundleLoad]
) -> Reports:
    """A round's reports; earlier ones are found by the identity of their sources."""
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
    """A broker's report in the reference's form."""
    names = tuple(map(BundleName, reported.bundles))
    return BrokerReport(reported.resources, reported.traffic, names)


def cluster_of(round_: ModularRound, recently_unloaded: dict[BundleName, Millis]) -> Cluster:
    """A round's reports in the reference's form."""
    return Cluster(*reports_in(round_, {}, {}), recently_unloaded)


class Memory:
    """The recently unloaded bundles, from round to round.

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
        """The shedder's input in this round."""
        self._unloaded = clusters.within_grace(self._unloaded, round_.at, self._grace_minutes)
        brokers, bundles = next(self._reports)
        return Cluster(brokers, bundles, self._unloaded)

    def unload(self, round_: ModularRound, bundles: Iterator[str]) -> None:
        """Remember bundles that were shed in this round, if their unload does not fail."""
        done = (BundleName(bundle) for bundle in bundles if bundle not in round_.failing)
        self._unloaded = clusters.remember_unloads(self._unloaded, done, round_.at)


def shed_of(decision: Decision) -> tuple[Shed, ...]:
    """A decision in the answer's form."""
    return tuple(Shed(broker, bundles) for broker, bundles in decision.items())


def answer_rounds(trial: RoundsTrial, decide: Callable[[int, Cluster], Decision]) -> SheddingAnswer:
    """What a strategy sheds in all rounds; `decide` takes the round's place and the cluster."""
    memory, rounds = Memory(trial), list[tuple[Shed, ...]]()
    for place, round_ in enumerate(trial.rounds):
        rounds.append(shed_of(decide(place, memory.cluster(round_))))
        memory.unload(round_, bundles_in(rounds[-1]))
    return SheddingAnswer(tuple(rounds))


MIB: Final = 2**20
START: Final[Millis] = 10_000_000
NAMESPACES: Final = ("t/ns", "t/ns2", "pulsar/system")
MANY: Final = "t/many"

MONITORING: Final = (
    "pulsar/broker-1:8080",
    "pulsar/c/broker-1:8080",
    "sla-monitor/c/broker-1:8080",
)

NEARLY_MONITORING: Final = ("sla-monitor/broker-1:8080", "pulsar/broker-1", "t/broker-1:8080")
TRAFFIC_WEIGHTS: Final = (1.0, 2.0, 5.0, 10.0, 0.0, 0.9, 3.0, 4.0, 20.0)
WHOLE: Final = 2**32

LONG_STORIES: Final = 0.04
"""The share of trials with many rounds."""

BYTES: Final = (1.0 * MIB, 10.0 * MIB, 1000.0, 1024.0 * MIB)

RESOURCE_WEIGHTS: Final[tuple[dict[str, float], ...]] = (
    {},
    {"direct_memory_weight": 1.0},
    {"cpu_weight": 0.5},
    {"cpu_weight": 0.0, "bandwidth_in_weight": 0.0},
    {"cpu_weight": 2.0, "bandwidth_out_weight": 0.1},
)


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a trial's amounts: messages per second, bytes per second.

    `floor`: what every broker reports in bytes per second in addition to its bundles' traffic.
    """

    msg_rate: float
    throughput: float
    floor: float = 0.0


DrawResources = Callable[[Draw], Resources]


def percent(draw: Draw, cpu: float) -> Resources:
    """Processor usage in percent. Sometimes another resource is used more, or above its limit, or
    could not be measured, or is the same but for rounding.
    """
    sort = draw.integer(0, 12)
    if sort < 8:
        return Resources(cpu=Resource(cpu, 100.0))
    if sort == 8:
        return Resources(cpu=Resource(5.0, 100.0), bandwidth_in=Resource(cpu * 10, 1000.0))
    if sort == 9:
        return Resources(cpu=Resource(-1.0, 100.0), bandwidth_out=Resource(cpu, 100.0))
    if sort == 10:
        return Resources(cpu=Resource(cpu, 100.0), direct_memory=Resource(99.0, 100.0))
    if sort == 11:
        return Resources(bandwidth_in=Resource(cpu * 0.03, 3.0))
    return Resources(cpu=Resource(cpu, 0.0), memory=Resource(99.0, 100.0))


@cache
def bundle_at(namespace: str, index: int) -> str:
    """Bundle number `index` of the 32 of a namespace; higher numbers belong to another one."""
    namespace = namespace if index < 32 else MANY
    width = WHOLE // (32 if index < 32 else 256)
    upper = min((index + 1) * width, WHOLE - 1)
    return f"{namespace}/0x{index * width:08x}_0x{upper:08x}"


def draw_namespace(draw: Draw) -> str:
    """Mostly an ordinary namespace."""
    sort = draw.integer(0, 11)
    if sort < 9:
        return draw.pick(NAMESPACES)
    return draw.pick(MONITORING if sort < 11 else NEARLY_MONITORING)


def draw_traffic(draw: Draw, units: Units) -> Traffic:
    """A bundle's traffic."""
    rate = draw.pick(TRAFFIC_WEIGHTS) * units.msg_rate
    throughput = draw.pick(TRAFFIC_WEIGHTS) * units.throughput
    if draw.chance(0.3):
        return Traffic(rate / 2, rate - rate / 2, throughput / 4, throughput - throughput / 4)
    return Traffic(rate, 0.0, 0.0, throughput)


def draw_averages(draw: Draw, bundle: str, units: Units) -> AveragedBundle:
    """A bundle's averages; the long-term ones are mostly the same."""
    short = draw_traffic(draw, units)
    return AveragedBundle(bundle, short, draw_traffic(draw, units) if draw.chance(0.1) else short)


def scale(traffic: Traffic, factor: float) -> Traffic:
    """The traffic multiplied by a factor."""
    return Traffic(
        traffic.msg_rate_in * factor,
        traffic.msg_rate_out * factor,
        traffic.throughput_in * factor,
        traffic.throughput_out * factor,
    )


def draw_reported(
    draw: Draw, averages: list[AveragedBundle], units: Units, traffic_lags: float
) -> Traffic:
    """A broker's own traffic: the sum of its bundles', or more, or less."""
    traffic = total(entry.short_term for entry in averages)
    if draw.chance(traffic_lags):
        factor = draw.pick((10.0, 2.0, 0.5, 0.0))
        more = replace(traffic, throughput_out=traffic.throughput_out + units.throughput)
        traffic = scale(more, factor)
    if not units.floor:
        return traffic
    return replace(traffic, throughput_out=traffic.throughput_out + units.floor)


@dataclass(slots=True)
class ClusterBuilder:
    """A generated cluster that changes between rounds."""

    draw: Draw
    units: Units
    resources: DrawResources
    traffic_lags: float
    brokers: list[ReportedBroker]
    bundles: list[AveragedBundle]
    before: list[tuple[list[ReportedBroker], list[AveragedBundle]]] = field(default_factory=list)
    restless: float = 0.35

    def add_broker(self, index: int, most_bundles: int, least: int = 0) -> None:
        """Add a broker with bundles, mostly with known averages."""
        served: list[AveragedBundle] = []
        for _ in self.draw.items(most_bundles, 0.8, least):
            number = len(self.bundles) + len(served)
            bundle = self.twin(served) or bundle_at(draw_namespace(self.draw), number)
            served.append(draw_averages(self.draw, bundle, self.units))
            others = (served[:1] if len(served) > 1 else []) + self.bundles[:1]
            if others and self.draw.chance(0.35):
                alike = self.draw.pick(others)
                served[-1] = AveragedBundle(bundle, alike.short_term, alike.long_term)
        traffic = draw_reported(self.draw, served, self.units, self.traffic_lags)
        if self.brokers and self.draw.chance(0.2):
            factor = self.draw.pick((1.0, 1.5, 2.0, 4.0, 1.0, 0.25))
            traffic = scale(self.brokers[0].traffic, factor)
        names = tuple(entry.bundle for entry in served)
        report = ReportedBroker(
            f"broker-{index + 1}:8080", self.resources(self.draw), traffic, names
        )
        self.brokers.append(report)
        self.bundles += served

    def twin(self, served: list[AveragedBundle]) -> str | None:
        """Rarely the range of another bundle, in a namespace of its own."""
        if not (self.bundles or served) or not self.draw.chance(0.05):
            return None
        known = [entry.bundle for entry in (*self.bundles, *served)]
        namespace, _, hashes = self.draw.pick(known).rpartition("/")
        name = f"{namespace}-twin/{hashes}"
        return None if name in known else name

    def align(self) -> None:
        """Let fuller brokers carry more."""
        by_traffic = sorted(self.brokers, key=lambda reported: reported.traffic.msg_rate)
        usages = sorted(
            (reported.resources for reported in self.brokers),
            key=lambda resources: max_weighted_usage(resources, Weights()),
        )
        aligned = {
            reported.broker: replace(reported, resources=resources)
            for reported, resources in zip(by_traffic, usages, strict=True)
        }
        self.brokers = [aligned[reported.broker] for reported in self.brokers]

    def change(self) -> None:
        """Change or remove one broker or bundle, or return to an earlier state."""
        if self.before and self.draw.chance(0.5):
            brokers, bundles = self.draw.pick(self.before)
            self.brokers, self.bundles = [*brokers], [*bundles]
            return
        self.before.append(([*self.brokers], [*self.bundles]))
        sort = self.draw.integer(0, 9)
        if sort < 5 and self.brokers:
            index = self.draw.integer(0, len(self.brokers) - 1)
            self.brokers[index] = replace(self.brokers[index], resources=self.resources(self.draw))
        elif sort < 8 and self.bundles:
            index = self.draw.integer(0, len(self.bundles) - 1)
            self.bundles[index] = draw_averages(self.draw, self.bundles[index].bundle, self.units)
        elif sort == 8 and self.bundles:
            self.bundles.pop(self.draw.integer(0, len(self.bundles) - 1))
        elif self.brokers:
            self.brokers.pop(self.draw.integer(0, len(self.brokers) - 1))

    def round(self, at: Millis) -> ModularRound:
        """The current cluster, and unloads that fail."""
        names = [entry.bundle for entry in self.bundles]
        failing = self.draw.sample(names, 3) if self.draw.chance(0.15) else []
        return ModularRound(at, tuple(self.brokers), tuple(self.bundles), tuple(failing))


def draw_rounds(
    builder: ClusterBuilder,
    most_rounds: int,
    most_brokers: int,
    most_bundles: int,
    large: bool = False,
) -> tuple[ModularRound, ...]:
    """A cluster, round after round; a large one has 11 to 40 brokers, or as many bundles."""
    draw = builder.draw
    if large:
        most_rounds = 2
        add_many(builder)
    else:
        for index in draw.items(most_brokers, 0.75, least=1 if draw.chance(0.1) else 2):
            builder.add_broker(index, most_bundles)
    if draw.chance(0.6):
        builder.align()
    if draw.chance(0.05):
        builder.bundles.append(draw_averages(draw, bundle_at("t/gone", 31), builder.units))
    if draw.chance(0.1):
        builder.change()
    rounds, at = [], START
    for _ in draw.items(most_rounds, 0.85, least=1):
        rounds.append(builder.round(at))
        at += draw.pick((MINUTE, 30 * MINUTE, 30 * MINUTE + 1, 29 * MINUTE, 0, 2 * MINUTE))
        if draw.chance(builder.restless):
            builder.change()
    return tuple(rounds)


def seldom_long(draw: Draw, rounds: tuple[ModularRound, ...]) -> tuple[ModularRound, ...]:
    """Rarely a long trial: the same rounds repeat, mostly so late that bundles may be shed again.
    Subjects that stop after some rounds are detected by it. Generated last, so that all other
    trials stay the same.
    """
    if not draw.chance(LONG_STORIES):
        return rounds
    pause = draw.pick((30 * MINUTE + 1, 30 * MINUTE + 1, 2 * MINUTE))
    repeated = [*rounds]
    for number in range(draw.integer(8, 14)):
        repeated.append(replace(rounds[number % len(rounds)], at=repeated[-1].at + pause))
    return tuple(repeated)


def add_many(builder: ClusterBuilder) -> None:
    """Add many brokers with few bundles, or a few with many."""
    draw = builder.draw
    if draw.chance(0.6):
        for index in draw.items(40, 0.85, least=11):
            builder.add_broker(index, 2)
        return
    least = 101 if draw.chance(0.3) else 11
    for index in range(draw.integer(2, 3)):
        builder.add_broker(index, 40, 11 if index else least)


def with_shared(draw: Draw, rounds: tuple[ModularRound, ...]) -> tuple[ModularRound, ...]:
    """Sometimes bundles have just changed their broker in one round, or in all: the old report
    still has them, and the new one has them already.
    """
    if not draw.chance(0.07):
        return rounds
    place = draw.integer(-1, len(rounds) - 1)
    times = draw.integer(1, 2)
    return tuple(
        shared_round(draw, round_, times) if place in (-1, number) else round_
        for number, round_ in enumerate(rounds)
    )


def shared_round(draw: Draw, round_: ModularRound, times: int) -> ModularRound:
    """The round with bundles that another broker reports as well."""
    brokers = [*round_.brokers]
    for _ in range(times):
        givers = [number for number, reported in enumerate(brokers) if reported.bundles]
        if len(brokers) < 2 or not givers:
            break
        giver = draw.pick(givers)
        bundle = draw.pick(brokers[giver].bundles)
        taker = draw.pick([number for number in range(len(brokers)) if number != giver])
        bundles = brokers[taker].bundles
        if bundle not in bundles:
            brokers[taker] = replace(brokers[taker], bundles=(*bundles, bundle))
    return replace(round_, brokers=tuple(brokers))


def weigh_round(weighing: Weighing, round_: ModularRound) -> ModularRound:
    """The round with the brokers' usage in the resource that decides."""
    brokers = (replace(one, resources=weighing.of(one.resources)) for one in round_.brokers)
    return replace(round_, brokers=tuple(brokers))


def draw_grace(draw: Draw) -> int:
    """The grace period in minutes."""
    return draw.pick((30, 1, 2, 0))


def draw_unloaded(draw: Draw, first: ModularRound, grace_minutes: int) -> tuple[Unloaded, ...]:
    """Bundles that were unloaded before: just inside their grace period, or just outside."""
    names = [entry.bundle for entry in first.bundles]
    if not names or not draw.chance(0.25):
        return ()
    edge = max(first.at - grace_minutes * MINUTE, 0)
    return tuple(
        Unloaded(name, draw.pick((edge, max(edge - 1, 0), min(edge + 1, first.at), first.at)))
        for name in draw.sample(names, 3)
    )


def draw_weights(draw: Draw) -> dict[str, float]:
    """The settings of weights, mostly the defaults."""
    return draw.pick(RESOURCE_WEIGHTS) if draw.chance(0.2) else RESOURCE_WEIGHTS[0]
