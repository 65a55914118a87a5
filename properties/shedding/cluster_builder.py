"""What the generators of modular shedders share: clusters that change a little from round to round.

A generator brings its own way to draw how full a broker is; names, loads and rounds are drawn
here. Few brokers, few bundles, amounts in a few units, so that equal and nearly equal ones are
frequent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.weighing import Weighing
from evenkeel.properties.shedding.rounds import (
    AveragedBundle,
    ModularRound,
    ReportedBroker,
    Unloaded,
)
from evenkeel.reference.load.traffic import Traffic, total
from evenkeel.reference.load.usage import Resource, Resources, Weights, max_weighted_usage
from evenkeel.reference.shedding.cluster import MINUTE, Millis

MEBIBYTE: Final = 2**20
START: Final[Millis] = 10_000_000
NAMESPACES: Final = ("t/ns", "t/other", "pulsar/system")
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
BYTES: Final = (1.0 * MEBIBYTE, 10.0 * MEBIBYTE, 1000.0, 1024.0 * MEBIBYTE)
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

    `floor` is what every broker reports in bytes per second besides its bundles' traffic.
    """

    msg_rate: float
    throughput: float
    floor: float = 0.0


DrawResources = Callable[[Draw], Resources]


def percent(draw: Draw, cpu: float) -> Resources:
    """Usage of the processor in percent; sometimes another resource is used more, or more than
    there is, or could not be measured, or is the same but for rounding.
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
    """The bundle number `index` of 32 that a namespace is divided into; more are of another one."""
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


def scaled(traffic: Traffic, factor: float) -> Traffic:
    """So many times the traffic."""
    return Traffic(
        traffic.msg_rate_in * factor,
        traffic.msg_rate_out * factor,
        traffic.throughput_in * factor,
        traffic.throughput_out * factor,
    )


def draw_reported(
    draw: Draw, averages: list[AveragedBundle], units: Units, traffic_lags: float
) -> Traffic:
    """A broker's own traffic: what its bundles sum to, or more, or less."""
    traffic = total(entry.short_term for entry in averages)
    if draw.chance(traffic_lags):
        factor = draw.pick((10.0, 2.0, 0.5, 0.0))
        more = replace(traffic, throughput_out=traffic.throughput_out + units.throughput)
        traffic = scaled(more, factor)
    if not units.floor:
        return traffic
    return replace(traffic, throughput_out=traffic.throughput_out + units.floor)


@dataclass(slots=True)
class ClusterBuilder:
    """A cluster as it is drawn and changed."""

    draw: Draw
    units: Units
    resources: DrawResources
    traffic_lags: float
    brokers: list[ReportedBroker]
    bundles: list[AveragedBundle]
    before: list[tuple[list[ReportedBroker], list[AveragedBundle]]] = field(default_factory=list)
    restless: float = 0.35

    def add_broker(self, index: int, most_bundles: int, least: int = 0) -> None:
        """One more broker with its bundles, which are mostly known."""
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
            traffic = scaled(self.brokers[0].traffic, factor)
        names = tuple(entry.bundle for entry in served)
        report = ReportedBroker(
            f"broker-{index + 1}:8080", self.resources(self.draw), traffic, names
        )
        self.brokers.append(report)
        self.bundles += served

    def twin(self, served: list[AveragedBundle]) -> str | None:
        """Seldom the range of another bundle in a namespace of its own."""
        if not (self.bundles or served) or not self.draw.chance(0.05):
            return None
        known = [entry.bundle for entry in (*self.bundles, *served)]
        namespace, _, hashes = self.draw.pick(known).rpartition("/")
        name = f"{namespace}-twin/{hashes}"
        return None if name in known else name

    def align(self) -> None:
        """Fuller brokers carry more."""
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
        """One broker or one bundle is another, or goes; or all is as it was some time before."""
        if self.before and self.draw.chance(0.5):
            brokers, bundles = self.draw.pick(self.before)
            self.brokers, self.bundles = [*brokers], [*bundles]
            return
        self.before.append(([*self.brokers], [*self.bundles]))
        sort = self.draw.integer(0, 9)
        if sort < 5 and self.brokers:
            index = self.draw.integer(0, len(self.brokers) - 1)
            fuller = replace(self.brokers[index], resources=self.resources(self.draw))
            self.brokers[index] = fuller
        elif sort < 8 and self.bundles:
            index = self.draw.integer(0, len(self.bundles) - 1)
            name = self.bundles[index].bundle
            self.bundles[index] = draw_averages(self.draw, name, self.units)
        elif sort == 8 and self.bundles:
            self.bundles.pop(self.draw.integer(0, len(self.bundles) - 1))
        elif self.brokers:
            self.brokers.pop(self.draw.integer(0, len(self.brokers) - 1))

    def round(self, at: Millis) -> ModularRound:
        """The cluster as it is now, and unloads that fail."""
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
    """A cluster, round after round; a large one has 11 to 40 brokers, or so many bundles."""
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
        name = bundle_at("t/gone", 31)
        builder.bundles.append(draw_averages(draw, name, builder.units))
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
    """Seldom a long story: the same rounds come again and again, mostly so late that what was shed
    may be shed again. Whoever tires shows there. Drawn last, so that all other trials are as they
    were.
    """
    if not draw.chance(LONG_STORIES):
        return rounds
    pause = draw.pick((30 * MINUTE + 1, 30 * MINUTE + 1, 2 * MINUTE))
    told = [*rounds]
    for number in range(draw.integer(8, 14)):
        told.append(replace(rounds[number % len(rounds)], at=told[-1].at + pause))
    return tuple(told)


def add_many(builder: ClusterBuilder) -> None:
    """Many brokers of few bundles, or a few of many."""
    draw = builder.draw
    if draw.chance(0.6):
        for index in draw.items(40, 0.85, least=11):
            builder.add_broker(index, 2)
        return
    for index in range(draw.integer(2, 3)):
        builder.add_broker(index, 40, least=11)


def with_shared(draw: Draw, rounds: tuple[ModularRound, ...]) -> tuple[ModularRound, ...]:
    """Sometimes bundles have just changed their broker in one of the rounds, or in all of them: the
    old report has them still, the new one already.
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
    """The round with bundles that some other broker reports, too."""
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


def weighed(weighing: Weighing, round_: ModularRound) -> ModularRound:
    """The round with the brokers' usage in the resource that decides."""
    brokers = (replace(one, resources=weighing.of(one.resources)) for one in round_.brokers)
    return replace(round_, brokers=tuple(brokers))


def draw_grace(draw: Draw) -> int:
    """The grace period in minutes."""
    return draw.pick((30, 1, 2, 0))


def draw_unloaded(draw: Draw, first: ModularRound, grace_minutes: int) -> tuple[Unloaded, ...]:
    """Bundles that were unloaded before: just inside their grace period, or just no longer."""
    names = [entry.bundle for entry in first.bundles]
    if not names or not draw.chance(0.25):
        return ()
    edge = max(first.at - grace_minutes * MINUTE, 0)
    return tuple(
        Unloaded(name, draw.pick((edge, max(edge - 1, 0), edge + 1, first.at)))
        for name in draw.sample(names, 3)
    )


def draw_weights(draw: Draw) -> dict[str, float]:
    """The settings of weights, mostly the defaults."""
    return draw.pick(RESOURCE_WEIGHTS) if draw.chance(0.2) else RESOURCE_WEIGHTS[0]
