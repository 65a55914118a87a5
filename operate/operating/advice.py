"""What each strategy would do with a cluster as it was seen, and which settings would let it rest.

The cluster of a snapshot becomes a scenario of `operate simulate`: its brokers, its bundles where
they are, their traffic steady. A broker's processor is taken to be used in proportion to its
messages, and its network to its bytes: that is an assumption, and is said. What is done in each
round is the reference's, in the edition asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from evenkeel.operate.operating.java_properties import plain_number
from evenkeel.operate.operating.snapshot import BadSnapshot, Resource, SeenBroker, Snapshot
from evenkeel.operate.plan.nearby import measure_distance, values_near
from evenkeel.operate.recording.views import rules_of
from evenkeel.operate.simulate.ranking import compute_standing
from evenkeel.operate.simulate.reading import BadScenarioFile
from evenkeel.operate.simulate.running import Run, RunJob, balancer_for, carry_out
from evenkeel.operate.simulate.scenario_file import ScenarioFile, change_settings
from evenkeel.operate.simulate.series import Series
from evenkeel.reference.balancing.history import Gauge
from evenkeel.reference.balancing.scenario import (
    BadScenario,
    BrokerSpec,
    BundleSpec,
    Scenario,
    Timing,
)
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.traffic import total
from evenkeel.reference.load.usage import Weights
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.frame.settings import rules_from
from evenkeel_engine.kit.codec import to_json

CLASSES: Final = {
    "ThresholdShedder": Strategy.THRESHOLD,
    "UniformLoadShedder": Strategy.UNIFORM,
    "OverloadShedder": Strategy.OVERLOAD,
    "TransferShedder": Strategy.TRANSFER,
    "AvgShedder": Strategy.AVG,
}
"""By the last part of `loadBalancerLoadSheddingStrategy`."""
FIVE: Final = tuple(CLASSES.values())
CLAUSES: Final = {
    Strategy.THRESHOLD: "SHD-80, SHD-81, SHD-83, SHD-85",
    Strategy.UNIFORM: "SHD-20, SHD-21",
    Strategy.OVERLOAD: "SHD-10, SHD-11",
    Strategy.TRANSFER: "SHD-63",
    Strategy.AVG: "SHD-30, SHD-31",
}
"""What says when a strategy acts, and how much it moves."""
USUAL_BANDWIDTH: Final = 1e9
"""Bytes a second of a network of which nothing is known."""
USUAL_MESSAGES: Final = 100_000.0
"""Messages a second that fill a processor of which nothing is known."""
LEAST_SHARE: Final = 0.02
"""Of a processor: what is used without any message hides smaller shares."""
RATE_SHARE, LEAST_RATE = 0.25, 1.0
"""Reports are published from a change of a tenth on: only much more tells of missing bundles."""
UNLIKE: Final = 5.0
"""A message costs this many times as much at another broker: messages are not the cause."""
TRIED: Final = {
    Strategy.THRESHOLD: ("threshold_percent",),
    Strategy.UNIFORM: ("rate_difference", "throughput_ratio"),
    Strategy.OVERLOAD: ("overloaded_percent",),
    Strategy.TRANSFER: ("target_std",),
    Strategy.AVG: ("low_threshold", "high_threshold"),
}
"""The settings that decide whether a strategy acts at all."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one strategy would do: its run, its moves of the first round that has any."""

    run: Run
    first: tuple[str, ...]

    @property
    def strategy(self) -> Strategy:
        """Which one."""
        return self.run.job.balancer.strategy

    @property
    def verdict(self) -> str:
        """One of: moves nothing, comes to rest, moves without end, or not known to rest."""
        rest, moved = self.run.rest, self.run.measures.unloads
        if rest.since is not None:
            return "comes to rest" if moved or rest.since else "moves nothing"
        return rest.unrest


@dataclass(frozen=True, slots=True)
class Setting:
    """A change that would let the cluster rest."""

    key: str
    value: float
    before: float
    run: Run

    @property
    def distance(self) -> float:
        """How far from what is set, as a factor."""
        return measure_distance(self.value, self.before)


def find_configured(snapshot: Snapshot) -> Strategy | None:
    """The strategy of the brokers' settings; None if they do not name one of the five, or a load
    manager that has none. The extensible one has one alone (BAL-25).
    """
    strategy, manager = (
        (snapshot.value(key) or "").rpartition(".")[2]
        for key in ("loadBalancerLoadSheddingStrategy", "loadManagerClassName")
    )
    if manager == "ExtensibleLoadManagerImpl":
        return Strategy.TRANSFER
    return CLASSES.get(strategy) if manager in ("ModularLoadManagerImpl", "") else None


def settings_of(snapshot: Snapshot) -> Settings:
    """The settings of the snapshot, by Pulsar's names; others keep 4.0's defaults.

    Raises `BadSnapshot` for one that means nothing.
    """
    changes: dict[str, bool | int | float] = {}
    for key, value in to_json(Settings()).items():
        text = (snapshot.value(key) or "").strip()
        if not text:
            continue
        try:
            kind = type(value)
            flag = text.lower() == "true"
            changes[key] = flag if kind is bool else kind(plain_number(kind, text))
        except ValueError:
            raise BadSnapshot(
                f"{snapshot.source}: {key} is {text!r}, which is no number."
            ) from None
    try:
        return change_settings(Settings(), changes, snapshot.source, "")
    except BadScenarioFile as bad:
        raise BadSnapshot(str(bad)) from bad


def scenario_of(snapshot: Snapshot, minutes: int) -> Scenario:
    """The cluster of a snapshot with steady traffic. Raises `BadSnapshot`."""
    known = [one.msg_rate * 100 / one.cpu.percent for one in snapshot.brokers if tells(one)]
    usual = sorted(known)[len(known) // 2] if known else USUAL_MESSAGES
    brokers = tuple(
        BrokerSpec(
            BrokerId(one.id),
            max(1.0, one.msg_rate * 100 / one.cpu.percent if tells(one) else usual),
            bandwidth_of(one),
        )
        for one in snapshot.brokers
    )
    there = {one.id for one in snapshot.brokers}
    bundles = tuple(
        BundleSpec(
            BundleName(one.name),
            one.traffic,
            owner=BrokerId(one.broker) if one.broker in there else None,
        )
        for one in snapshot.bundles
    )
    try:
        return Scenario(brokers, bundles, Timing(minutes))
    except BadScenario as bad:
        raise BadSnapshot(f"{snapshot.source}: {bad}.") from bad


def bandwidth_of(broker: SeenBroker) -> float:
    """Bytes a second in each direction: as reported, or by what share of it the traffic is."""
    busiest = max(broker.bandwidth_in, broker.bandwidth_out, key=lambda one: one.percent)
    if broker.msg_throughput > 1 and busiest.percent > 0:
        return max(1.0, broker.msg_throughput / 2 * 100 / busiest.percent)
    return USUAL_BANDWIDTH


def tells(broker: SeenBroker) -> bool:
    """Whether its processor's use says what a message costs."""
    return broker.msg_rate > 1 and broker.cpu.percent >= LEAST_SHARE * 100


def doubt_traffic(snapshot: Snapshot) -> list[str]:
    """Where the traffic that is seen does not explain what the brokers use."""
    busy = [one for one in snapshot.brokers if one.cpu.percent >= LEAST_SHARE * 100]
    if len(busy) < 2:
        return []
    by_cost = sorted(busy, key=lambda one: one.cpu.percent / max(one.msg_rate, 0.01))
    low, high = by_cost[0], by_cost[-1]
    dear = high.cpu.percent / max(high.msg_rate, 0.01)
    if dear <= UNLIKE * low.cpu.percent / max(low.msg_rate, 0.01):
        return []
    return [
        f"{high.id} uses {high.cpu.percent:.0f} % of its processor for {high.msg_rate:,.0f} "
        f"messages a second, {low.id} {low.cpu.percent:.0f} % for {low.msg_rate:,.0f}: something "
        "else needs the processor, and what is said about usage after a move is not to be relied on"
    ]


WEIGHED: Final = {
    "cpu": "loadBalancerCPUResourceWeight",
    "memory": "loadBalancerMemoryResourceWeight",
    "direct_memory": "loadBalancerDirectMemoryResourceWeight",
    "bandwidth_in": "loadBalancerBandwidthInResourceWeight",
    "bandwidth_out": "loadBalancerBandwidthOutResourceWeight",
}
"""A broker's resources, and the settings with their weights."""


def weights_of(snapshot: Snapshot) -> dict[str, float]:
    """How much each resource counts; what is not set has 4.0's default. Raises `ValueError`."""
    weights = rules_of(Weights, {one.key: one.value for one in snapshot.settings})
    return {name: float(getattr(weights, name)) for name in WEIGHED}


def doubt_model(snapshot: Snapshot, run: Run) -> list[str]:
    """Brokers that the model, before any time has passed, does not load as they report."""
    weights = weights_of(snapshot)
    modelled = {one.broker: one.usage * 100 for one in run.history.moments[0].gauges}
    found = []
    for broker in snapshot.brokers:
        name = most_used(broker, weights)
        reported = weights[name] * compute_percent(broker, name)
        mine = modelled[BrokerId(broker.id)]
        if abs(reported - mine) > LEAST_SHARE * 100:
            found.append(
                f"{broker.id} reports {reported:.1f} % ({name.replace('_', ' ')}; {WEIGHED[name]} "
                f"is {weights[name]:g}), and by its messages and bytes it would be {mine:.1f} %: "
                "what is moved now follows from the reports, what comes later is not known"
            )
        carried = total(one.traffic for one in snapshot.bundles if one.broker == broker.id).msg_rate
        if abs(broker.msg_rate - carried) > LEAST_RATE + broker.msg_rate * RATE_SHARE:
            found.append(
                f"{broker.id} reports {broker.msg_rate:,.0f} messages a second, and its bundles "
                f"carry {carried:,.0f}: what moves is not known"
            )
    return found


ALIKE: Final = 5.0
"""Points: brokers whose usages are not further apart are alike to strategies."""
UNEVEN: Final = 2.0
"""Times as many messages as another broker has."""


def explain_alike(snapshot: Snapshot) -> list[str]:
    """Why nothing may move although traffic is uneven: what is compared is alike."""
    weights = weights_of(snapshot)
    usages = [
        max(weights[name] * compute_percent(one, name) for name in weights)
        for one in snapshot.brokers
    ]
    rates = [one.msg_rate for one in snapshot.brokers]
    if max(usages) - min(usages) > ALIKE or max(rates) < UNEVEN * max(min(rates), 1.0):
        return []
    return [
        f"brokers carry {min(rates):,.0f} to {max(rates):,.0f} messages a second, but what is "
        f"compared is their usage, {min(usages):.1f} to {max(usages):.1f} %: strategies that go by "
        "usage have nothing to even out"
    ]


def most_used(broker: SeenBroker, weights: Mapping[str, float]) -> str:
    """The resource that counts most by the cluster's weights (LOA-1)."""
    return max(weights, key=lambda name: weights[name] * compute_percent(broker, name))


def compute_percent(broker: SeenBroker, name: str) -> float:
    """How much of a resource is used."""
    of_resource: Resource = getattr(broker, name)
    return of_resource.percent


def foresee(
    scenario: Scenario, settings: Settings, strategy: Strategy, edition: Edition, name: str
) -> Outlook:
    """What a strategy would do."""
    file = ScenarioFile("snapshot", name, name, scenario, dict.fromkeys(Strategy, settings))
    run = carry_out(RunJob(file, balancer_for(file, strategy, None), 1, edition))
    first = next((moment for moment in run.history.moments if moment.moves), None)
    moves = () if first is None else first.moves
    return Outlook(
        run, tuple(f"{move.bundle}: {move.source} -> {move.destination or '?'}" for move in moves)
    )


def rank_outlooks(outlooks: Sequence[Outlook]) -> list[Outlook]:
    """Best first, in the order of `operate simulate`'s runs."""

    def order(one: Outlook) -> tuple[bool, float, int]:
        restless, imbalance, moved = compute_standing(Series((one.run,)))
        return bool(restless), imbalance, moved

    return sorted(outlooks, key=order)


def find_resting_settings(
    scenario: Scenario, settings: Settings, strategy: Strategy, edition: Edition
) -> Iterator[Setting]:
    """Changes of one setting with which the strategy rests, or has nothing to move."""
    names = {one.name: one.metadata["key"] for one in fields(Settings)}
    for name in TRIED[strategy]:
        before = getattr(settings, name)
        for value in values_near(before):
            try:
                changed = replace(settings, **{name: value})
            except BadScenario:
                continue
            found = foresee(scenario, changed, strategy, edition, names[name])
            if found.run.rests_after is not None:
                yield Setting(names[name], value, before, found.run)


def explain_bundle(found: Outlook, bundle: str) -> Iterator[str]:
    """Why a bundle is moved, or is not; the last sentence sums it up."""
    clauses = CLAUSES[found.strategy]
    for moment in found.run.history.moments:
        usages = {gauge.broker: gauge.usage for gauge in moment.gauges}
        mean = sum(usages.values()) / len(usages)
        for move in moment.moves:
            if move.bundle == bundle:
                at = f"after {moment.at / 60_000:g} min"
                used = usages[move.source]
                yield f"{at} {move.source} uses {used:.1%}, the brokers {mean:.1%} on average"
                yield (
                    f"{found.strategy.value} moves it from {move.source} to "
                    f"{move.destination or 'the broker that is chosen'} {at}: "
                    f"{move.reason} ({clauses})"
                )
                return
    yield from explain_staying(found, bundle, clauses)


def explain_staying(found: Outlook, bundle: str, clauses: str) -> Iterator[str]:
    """Why a bundle is not moved. What is said of now is what the snapshot has."""
    moment = found.run.history.moments[0]
    owner = next((one for one in moment.gauges if bundle in one.bundles), None)
    if owner is None:
        yield f"no broker serves {bundle}"
        return
    mean = sum(one.usage for one in moment.gauges) / len(moment.gauges)
    instead = [
        move.bundle
        for each in found.run.history.moments
        for move in each.moves
        if move.source == owner.broker
    ]
    yield f"now {owner.broker} uses {owner.usage:.1%}, the brokers {mean:.1%} on average"
    if len(owner.bundles) == 1 and not instead:
        yield f"{owner.broker} serves no other bundle: it stays (SHD-7, SHD-61)"
    elif instead:
        moved = ", ".join(instead[:3])
        yield f"what leaves {owner.broker} instead is enough: {moved} ({clauses})"
    elif found.strategy is Strategy.THRESHOLD:
        yield below_threshold(found, owner, mean)
    else:
        yield f"{found.strategy.value} sheds nothing from {owner.broker} ({clauses})"


def below_threshold(found: Outlook, owner: Gauge, mean: float) -> str:
    """Why ThresholdShedder sheds nothing from a broker with several bundles."""
    rules = rules_from(ThresholdRules, found.run.job.balancer.settings)
    points = rules.threshold_percentage
    if not threshold.is_above(owner.usage, mean, rules):
        return (
            f"{owner.broker} is not {points} points above the average "
            f"(loadBalancerBrokerThresholdShedderPercentage): it sheds nothing (SHD-81)"
        )
    share = threshold.share_to_shed(owner.usage, mean, rules, found.run.job.edition)
    amount = owner.throughput * share / threshold.MEBIBYTE
    if amount < rules.min_throughput:
        return (
            f"{owner.broker} is {points} points above the average, but would shed {amount:.2f} "
            f"MiB/s, less than {rules.min_throughput:g} "
            "(loadBalancerBundleUnloadMinThroughputThreshold): it sheds nothing (SHD-83)"
        )
    return f"{owner.broker} has no bundle that may be shed now ({CLAUSES[Strategy.THRESHOLD]})"
