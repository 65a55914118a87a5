"""The cluster that results from a trial's events and the observed placements and moves.

Nothing is decided here, and the reference is not used: which brokers are up, which broker serves
which bundle, and its load (BAL-1, BAL-2, BAL-7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.curves import (
    DAY,
    HALF_A_DAY,
    HOUR,
    Curve,
    Daily,
    Drift,
    Replay,
    Row,
    Spike,
    Steady,
)
from evenkeel.reference.balancing.history import Gauge, History, Move
from evenkeel.reference.balancing.scenario import (
    BrokerSpec,
    BundleSpec,
    Crash,
    DelayReports,
    Event,
    Join,
    LeaderChange,
    Leave,
    LoseReports,
    Scenario,
    Slow,
    Split,
    Timing,
)
from evenkeel.reference.balancing.settings import (
    USUAL_PLACER,
    BalancerSpec,
    Placer,
    Settings,
    Strategy,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel_engine.kit.approx import add_in_order
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import require

NOTHING: Final = Traffic()


class Cluster:
    """The cluster at a moment.

    `up`: the brokers that run; `dying`: those that crashed, and when the others learn of it;
    `slow`: those with a slower processor, by how much and until when; `away`: the bundles that no
    broker serves, and when their clients look them up. `keeps`: a broker that splits never unloads
    the children; `alone`: it unloads them even where no other broker can take them.
    """

    def __init__(self, scenario: Scenario, keeps: bool = False, alone: bool = False) -> None:
        self.scenario = scenario
        self.bundles = scenario.every_bundle
        self.keeps = keeps
        self.alone = alone
        self.now: Millis = 0
        self.up = {broker.id for broker in scenario.brokers if broker.present}
        self.dying: dict[BrokerId, Millis] = {}
        self.slow: list[tuple[BrokerId, float, Millis]] = []
        self.owner = {b.name: b.owner for b in scenario.bundles if b.owner is not None}
        self.away: dict[BundleName, Millis] = {
            b.name: 0 for b in scenario.bundles if b.owner is None
        }

    def pass_to(self, now: Millis) -> list[Event]:
        """Advance to the next step, and return the events since the last."""
        self.now = now
        begun = now - self.scenario.timing.step
        events = [event for event in self.scenario.events if begun < event.at <= now]
        for event in events:
            self.happen(event)
        self.dying = {broker: at for broker, at in self.dying.items() if at > now}
        self.slow = [reason for reason in self.slow if reason[2] > now]
        return events

    def happen(self, event: Event) -> None:
        timing = self.scenario.timing
        match event:
            case Join(_, broker):
                self.up.add(broker)
                self.dying.pop(broker, None)
            case Leave(at, broker) if broker in self.up:
                self.lose(broker, at + timing.reconnect)
            case Crash(at, broker) if broker in self.up:
                self.dying[broker] = at + timing.session
                self.lose(broker, at + max(timing.session, timing.reconnect))
            case Slow(at, broker, factor, lasts):
                self.slow.append((broker, factor, at + lasts))
            case Split():
                self.split(event)

    def split(self, split: Split) -> None:
        """The children are with the owner, with no broker, or as far away as their parent is."""
        owner, back_at = self.owner.pop(split.bundle, None), self.away.pop(split.bundle, None)
        stay = self.keeps or not split.unload or (len(self.registered) == 1 and not self.alone)
        for child in split.children:
            if owner is not None and stay:
                self.owner[child.name] = owner
            elif owner is not None:
                self.away[child.name] = split.at + self.scenario.timing.reconnect
            elif back_at is not None:
                self.away[child.name] = back_at

    def lose(self, broker: BrokerId, back_at: Millis) -> None:
        self.up.discard(broker)
        for bundle in sorted(bundle for bundle, owner in self.owner.items() if owner == broker):
            self.leave(bundle, back_at)

    def carry_out(self, move: Move, at: Millis) -> None:
        """A bundle is unserved for a while, or at once with the destination of a transfer."""
        timing = self.scenario.timing
        self.leave(move.bundle, at + (timing.transfer if move.transfer else timing.reconnect))
        at_once = move.transfer and timing.transfer == 0
        if at_once and move.destination and move.destination in self.up:
            self.assign(move.bundle, move.destination)

    def leave(self, bundle: BundleName, back_at: Millis) -> None:
        self.owner.pop(bundle, None)
        self.away[bundle] = back_at

    def assign(self, bundle: BundleName, broker: BrokerId) -> None:
        self.owner[bundle] = broker
        self.away.pop(bundle, None)

    @property
    def registered(self) -> frozenset[BrokerId]:
        """The registered brokers: those that run or are not yet known to have crashed."""
        return frozenset(self.up | self.dying.keys())

    def gauges(self) -> Iterator[Gauge]:
        """What every broker that is up carries, in doubles."""
        loads = {bundle.name: weight(bundle, self.now) for bundle in self.bundles}
        served: dict[BrokerId, list[BundleName]] = {}
        for bundle in sorted(self.owner):
            served.setdefault(self.owner[bundle], []).append(bundle)
        for broker in self.scenario.brokers:
            if broker.id in self.up:
                bundles = served.get(broker.id, [])
                yield self.gauge(broker, [loads[bundle] for bundle in bundles], bundles)

    def gauge(self, broker: BrokerSpec, loads: list[Traffic], bundles: list[BundleName]) -> Gauge:
        messages = add_in_order(load.msg_rate for load in loads)
        came, went = (
            add_in_order(load.throughput_in for load in loads),
            add_in_order(load.throughput_out for load in loads),
        )
        speed = min((by for slow, by, _ in self.slow if slow == broker.id), default=1.0)
        usage = max(messages / (broker.messages * speed), max(came, went) / broker.bandwidth)
        return Gauge(broker.id, usage, messages, came + went, tuple(bundles))


def weight(bundle: BundleSpec, now: Millis) -> Traffic:
    """A bundle's traffic at an instant, if it is served."""
    base, curve = bundle.traffic, bundle.curve
    match curve:
        case Drift(per_hour, until):
            factor = max(0.0, 1.0 + per_hour * min(now, until) / HOUR)
        case Spike(begin, end, times):
            factor = times if begin <= now < end else 1.0
        case Daily(peak, low):
            from_peak = (now - peak) % DAY
            factor = 1.0 - (1.0 - low) * min(from_peak, DAY - from_peak) / HALF_A_DAY
        case Replay(rows):
            return next((row.traffic for row in reversed(rows) if row.at <= now), NOTHING)
        case _:
            return base
    if factor == 1.0:
        return base
    return base.combine(base, lambda one, _: one * factor)


MOST_STEPS = 100_000
"""The maximal number of steps: a trial is judged as a whole."""


@dataclass(frozen=True, slots=True)
class BalancingTrial:
    """What happens to a cluster, and which balancer it has.

    The seed is for subjects that make open choices by a generator; every allowed choice is right.
    """

    scenario: Scenario
    balancer: BalancerSpec
    seed: int = 0

    def __post_init__(self) -> None:
        steps = self.scenario.timing.steps
        require(steps <= MOST_STEPS, "scenario.timing.steps", f"must be {MOST_STEPS} at most")
        require(0 <= self.seed < 2**63, "seed", "must be 0 or more, below 2^63")


MEGABYTE: Final = 1_000_000.0

STRATEGIES: Final = (
    Strategy.OVERLOAD,
    Strategy.THRESHOLD,
    Strategy.UNIFORM,
    Strategy.TRANSFER,
    Strategy.AVG,
)

RARE_SETTINGS: Final[dict[Strategy, dict[str, tuple[Any, ...]]]] = {
    Strategy.THRESHOLD: {"lower_boundary": (True,)},
    Strategy.UNIFORM: {
        "rate_difference": (10.0, 200.0),
        "throughput_ratio": (1.2, 10.0),
        "max_unload_bundles": (1, 2),
        "min_unload_throughput": (0, 20 * 1024 * 1024),
    },
    Strategy.AVG: {"low_threshold": (5, 25), "high_threshold": (20, 60), "high_hits": (1, 3)},
    Strategy.TRANSFER: {
        "target_std": (0.1, 0.5),
        "max_pairs": (1, 2),
        "ttl_seconds": (60, 180),
        "top_bundles": (1, 2),
    },
}

FREE_PLACERS: Final = (Placer.MESSAGE_RATE, Placer.RESOURCE_USAGE, Placer.ROUND_ROBIN)


def broker_id(index: int) -> BrokerId:
    return BrokerId(f"broker-{index + 1}:8080")


def draw_brokers(draw: Draw) -> tuple[BrokerSpec, ...]:
    brokers: list[BrokerSpec] = []
    for index in draw.items(5, 0.5, least=2):
        size = draw.pick((1.0, 1.0, 2.0, 0.5))
        present = index == 0 or not draw.chance(0.1)
        brokers.append(BrokerSpec(broker_id(index), 10_000 * size, 100 * MEGABYTE * size, present))
    return tuple(brokers)


def draw_traffic(draw: Draw) -> Traffic:
    weight = draw.integer(1, 20) if not draw.chance(0.1) else 0
    messages = weight * draw.pick((100.0, 100.0, 10.0))
    size = weight * draw.pick((2.0, 2.0, 1.0, 5.0)) * MEGABYTE
    return Traffic(messages, messages * draw.pick((1.0, 3.0)), size, size)


def draw_curve(draw: Draw, end: Millis) -> Curve:
    sort = draw.integer(0, 11)
    if sort == 1:
        begin = draw.integer(0, end // MINUTE) * MINUTE
        lasts = draw.integer(1, 5) * MINUTE
        return Spike(begin, begin + lasts, draw.pick((3.0, 10.0, 0.0)))
    if sort == 2:
        return Drift(draw.pick((4.0, -4.0)), draw.pick((HOUR, 5 * MINUTE)))
    if sort == 3:
        return Daily(draw.integer(0, 23) * HOUR, draw.pick((0.2, 0.0)))
    if sort == 4:
        rows = [Row(0, draw_traffic(draw))]
        for index in draw.items(3, 0.6):
            rows.append(Row((index + 1) * 3 * MINUTE, draw_traffic(draw)))
        return Replay(tuple(rows))
    return Steady()


def draw_bundles(
    draw: Draw, brokers: tuple[BrokerSpec, ...], end: Millis
) -> tuple[BundleSpec, ...]:
    present = [broker.id for broker in brokers if broker.present]
    bundles: list[BundleSpec] = []
    for index in draw.items(10, 0.85, least=1):
        namespace = draw.pick(("tenant/one", "tenant/one", "tenant/two"))
        owner = None
        if not draw.chance(0.1):
            owner = present[0] if not draw.chance(0.5) else draw.pick(present)
        cut = index // 2 if draw.chance(0.3) else index
        name = BundleName(f"{namespace}/0x{cut:08x}_0x{cut + 1:08x}")
        if any(bundle.name == name for bundle in bundles):
            continue
        bundles.append(BundleSpec(name, draw_traffic(draw), draw_curve(draw, end), owner))
    if draw.chance(0.15):
        bundles.append(heartbeat(draw.pick(present)))
    return tuple(bundles)


def heartbeat(broker: BrokerId) -> BundleSpec:
    name = BundleName(f"pulsar/{broker}/0x00000000_0xffffffff")
    return BundleSpec(name, Traffic(1.0, 1.0, 1.0, 1.0), owner=broker)


def draw_event(draw: Draw, brokers: tuple[BrokerSpec, ...], end: Millis) -> Event:
    at = draw.integer(0, end // MINUTE) * MINUTE + draw.pick((0, 20_000))
    broker = draw.pick(brokers).id
    lasts = draw.integer(1, 6) * MINUTE
    sort = draw.integer(0, 7)
    if sort == 0:
        return Crash(at, broker)
    if sort == 1:
        return Leave(at, broker)
    if sort in {2, 3}:
        return Join(at, broker)
    if sort == 4:
        return Slow(at, broker, draw.pick((0.5, 0.1)), lasts)
    if sort == 5:
        return DelayReports(at, broker, draw.pick((90_000, 200_000)), lasts)
    if sort == 6:
        return LoseReports(at, broker, lasts)
    return LeaderChange(at)


def draw_events(draw: Draw, brokers: tuple[BrokerSpec, ...], end: Millis) -> tuple[Event, ...]:
    events: list[Event] = []
    for _ in draw.items(4, 0.45):
        event = draw_event(draw, brokers, end)
        events.append(event)
        if isinstance(event, Crash | Leave) and draw.chance(0.5):
            events.append(Join(event.at + draw.pick((90_000, 10_000, 200_000)), event.broker))
    return tuple(sorted(events, key=lambda event: event.at))


def draw_timing(draw: Draw) -> Timing:
    steps = draw.pick((5, 8, 12))
    shedding = draw.pick((1, 1, 2)) * MINUTE
    return Timing(
        steps,
        MINUTE,
        shedding,
        draw.pick((1_000, 1_000, 150_000, 0)),
        draw.pick((0, 0, 30_000)),
        draw.pick((30_000, 100_000)),
    )


def draw_settings(draw: Draw) -> Settings:
    small = not draw.chance(0.2)
    return Settings(
        grace_minutes=draw.pick((2, 1, 4, 30, 0)),
        overloaded_percent=draw.pick((85, 85, 50)),
        threshold_percent=draw.pick((10, 10, 5)),
        history=draw.pick((0.9, 0.9, 0.5, 0.0)),
        min_throughput=0.0 if small else 10.0,
        lower_boundary=draw.chance(0.3),
        max_unload_share=draw.pick((0.2, 0.5)),
        min_unload_rate=0 if small else 1000,
        min_unload_throughput=0 if small else 1024 * 1024,
        low_hits=draw.pick((8, 3)),
        distribute_evenly=not draw.chance(0.6),
        hit_threshold=draw.pick((3, 0)),
        transfer=not draw.chance(0.2),
        delay_seconds=draw.pick((180, 60)),
    )


def draw_balancer(draw: Draw) -> BalancerSpec:
    strategy = draw.pick(STRATEGIES)
    placement = USUAL_PLACER[strategy]
    if strategy is not Strategy.TRANSFER and draw.chance(0.4):
        placement = draw.pick(FREE_PLACERS)
    return BalancerSpec(strategy, placement, draw_settings(draw))


def balancing_trial(draw: Draw) -> BalancingTrial:
    timing = draw_timing(draw)
    brokers = draw_brokers(draw)
    scenario = Scenario(
        brokers,
        draw_bundles(draw, brokers, timing.end),
        timing,
        draw_events(draw, brokers, timing.end),
    )
    balancer = draw_balancer(draw)
    seed = draw.integer(0, 1000)
    if draw.chance(0.25):
        scenario, balancer = with_parts(draw, in_proportion(scenario), for_parts(balancer))
    elif balancer.strategy is not Strategy.TRANSFER and draw.chance(0.2):
        scenario, balancer = quiet(scenario, draw_splits(draw, scenario)), for_relief(balancer)
    elif draw.chance(0.06):
        scenario = with_old_reports(draw, scenario)
    elif balancer.strategy is Strategy.TRANSFER and draw.chance(0.3):
        scenario, balancer = to_the_dead(draw, scenario), hasty(balancer)
    elif draw.chance(0.2):  # generated last, so that all other trials stay the same
        balancer = with_rare_settings(draw, balancer)
        scenario = quiet(scenario, ()) if draw.chance(0.5) else scenario
    elif draw.chance(0.03):
        scenario = with_many(draw, scenario)
    elif draw.chance(0.02):
        scenario, balancer = for_long(draw, scenario, balancer)
    elif draw.chance(0.12):
        scenario, balancer = with_overtaken_report(draw, scenario, balancer)
    elif draw.chance(0.06):
        scenario, balancer = with_new_leaders(draw, scenario, balancer)
    elif draw.chance(0.15):
        scenario, balancer = with_a_lone_broker(draw, scenario, balancer)
    elif draw.chance(0.1):
        scenario = with_a_silent_broker(draw, scenario)
    elif draw.chance(0.01):
        scenario = replace(scenario, bundles=(), events=())
    return BalancingTrial(scenario, balancer, seed)


def with_many(draw: Draw, scenario: Scenario) -> Scenario:
    """More than five brokers, which bring a bundle each."""
    more = tuple(
        BrokerSpec(broker_id(index), 10_000.0, 100 * MEGABYTE)
        for index in range(len(scenario.brokers), draw.integer(6, 10))
    )
    bundles = tuple(
        BundleSpec(
            BundleName(f"tenant/many/0x{2 * place:08x}_0x{2 * place + 1:08x}"),
            draw_traffic(draw),
            Steady(),
            broker.id,
        )
        for place, broker in enumerate(more)
    )
    brokers = (*scenario.brokers, *more)
    return replace(scenario, brokers=brokers, bundles=(*scenario.bundles, *bundles))


def for_long(
    draw: Draw, scenario: Scenario, balancer: BalancerSpec
) -> tuple[Scenario, BalancerSpec]:
    """A run that lasts longer than a grace period of half an hour and more."""
    grace = draw.pick((31, 40, 60))
    timing = replace(scenario.timing, steps=grace + draw.integer(2, 15))
    settings = replace(balancer.settings, grace_minutes=grace, low_hits=3, hit_threshold=0)
    return replace(scenario, timing=timing), replace(balancer, settings=settings)


def with_rare_settings(draw: Draw, balancer: BalancerSpec) -> BalancerSpec:
    """Settings of its strategy that usually have defaults, and few others that prevent moves."""
    values = dict(RARE_SETTINGS.get(balancer.strategy, {}))
    if balancer.placement is Placer.RESOURCE_USAGE:
        values["usage_difference"] = (30, 0, 2)
    chosen = {name: draw.pick(some) for name, some in values.items() if draw.chance(0.5)}
    settings = replace(
        balancer.settings, grace_minutes=draw.pick((0, 1)), low_hits=3, hit_threshold=0, **chosen
    )
    return replace(balancer, settings=settings)


def with_old_reports(draw: Draw, scenario: Scenario) -> Scenario:
    """The fullest broker sheds while its reports are lost: two brokers report its bundles."""
    owners = Counter(bundle.owner for bundle in scenario.bundles if bundle.owner is not None)
    if not owners:
        return scenario
    [(fullest, _)] = owners.most_common(1)
    lost = LoseReports(draw.integer(1, 3) * MINUTE, fullest, draw.integer(2, 6) * MINUTE)
    events = sorted((*scenario.events, lost), key=lambda event: event.at)
    timing = replace(scenario.timing, reconnect=1_000, transfer=0)
    return replace(scenario, events=tuple(events), timing=timing)


def with_overtaken_report(
    draw: Draw, scenario: Scenario, balancer: BalancerSpec
) -> tuple[Scenario, BalancerSpec]:
    """A report of the fullest broker arrives after the next one, then none for a while."""
    owners = Counter(bundle.owner for bundle in scenario.bundles if bundle.owner is not None)
    if not owners:
        return scenario, balancer
    [(fullest, _)] = owners.most_common(1)
    late = DelayReports(MINUTE, fullest, draw.pick((130_000, 200_000)), 30_000)
    lost = LoseReports(2 * MINUTE + 10_000, fullest, draw.integer(4, 8) * MINUTE)
    timing = Timing(8, MINUTE, MINUTE, 1_000, 0)
    scenario = replace(quiet(scenario, ()), events=(late, lost), timing=timing)
    strategy = draw.pick((Strategy.OVERLOAD, Strategy.THRESHOLD))
    settings = replace(balancer.settings, overloaded_percent=50, history=0.0)
    return scenario, BalancerSpec(strategy, USUAL_PLACER[strategy], settings)


def with_new_leaders(
    draw: Draw, scenario: Scenario, balancer: BalancerSpec
) -> tuple[Scenario, BalancerSpec]:
    """The leader changes between rounds within a grace period, in which load stays as it is."""
    changes = tuple(LeaderChange(n * MINUTE + 20_000) for n in range(1, 8) if draw.chance(0.6))
    timing = Timing(10, MINUTE, MINUTE, 1_000, 0)
    scenario = replace(quiet(scenario, ()), events=changes, timing=timing)
    grace = draw.pick((4, 30))
    settings = replace(balancer.settings, grace_minutes=grace, low_hits=1, hit_threshold=0)
    return scenario, replace(balancer, settings=settings)


def with_a_lone_broker(
    draw: Draw, scenario: Scenario, balancer: BalancerSpec
) -> tuple[Scenario, BalancerSpec]:
    """All brokers but one leave, and are back a few rounds later; mostly usage is smoothed, and the
    first round comes before.
    """
    others = [broker.id for broker in scenario.brokers if broker.present][1:]
    left = draw.integer(0, 2) * MINUTE
    back = left + draw.integer(2, 6) * MINUTE
    events: list[Event] = [Leave(left, broker) for broker in others]
    events += [Join(back, broker) for broker in others]
    timing = replace(scenario.timing, steps=12)
    scenario = replace(quiet(scenario, ()), events=tuple(events), timing=timing)
    if not draw.chance(0.8):
        return scenario, balancer
    later = tuple(replace(event, at=event.at + 80_000) for event in events)
    timing = replace(timing, shedding=MINUTE, reconnect=1_000)
    settings = replace(
        balancer.settings, history=0.9, min_throughput=0.0, grace_minutes=draw.pick((0, 1))
    )
    spec = BalancerSpec(Strategy.THRESHOLD, USUAL_PLACER[Strategy.THRESHOLD], settings)
    return replace(scenario, events=later, timing=timing), spec


def with_a_silent_broker(draw: Draw, scenario: Scenario) -> Scenario:
    """A broker that is up does not report, from the beginning."""
    silent = draw.pick([broker.id for broker in scenario.brokers if broker.present])
    lost = LoseReports(0, silent, draw.pick((20, 4)) * MINUTE)
    return replace(scenario, events=(lost, *scenario.events))


def to_the_dead(draw: Draw, scenario: Scenario) -> Scenario:
    """The emptiest broker crashes undetected before a round: it receives what is shed."""
    owners = Counter({broker.id: 0 for broker in scenario.brokers if broker.present})
    owners.update(bundle.owner for bundle in scenario.bundles if bundle.owner is not None)
    emptiest = owners.most_common()[-1][0]
    round_at = scenario.timing.shedding * draw.integer(1, 2)
    crash = Crash(round_at - 20_000, emptiest)
    timing = replace(scenario.timing, transfer=draw.pick((0, 90_000)), session=100_000)
    return replace(scenario, events=(crash,), timing=timing)


def hasty(balancer: BalancerSpec) -> BalancerSpec:
    """Transfers begin in the first round."""
    return replace(balancer, settings=replace(balancer.settings, hit_threshold=0, transfer=True))


def draw_splits(draw: Draw, scenario: Scenario) -> tuple[Split, ...]:
    """Sometimes one or several bundles are split in halves."""
    splits: list[Split] = []
    for _ in draw.items(2, 0.5):
        parent = draw.pick(scenario.bundles)
        if is_monitoring(namespace_of(parent.name), clustered=False) or any(
            split.bundle == parent.name for split in splits
        ):
            continue
        at = draw.integer(1, scenario.timing.steps) * MINUTE
        half = parent.traffic.combine(parent.traffic, lambda one, _: one / 2)
        children = tuple(BundleSpec(name, half) for name in halves(parent.name))
        splits.append(Split(at, parent.name, children, not draw.chance(0.1)))
    return tuple(sorted(splits, key=lambda split: split.at))


def halves(parent: BundleName) -> tuple[BundleName, BundleName]:
    """Two unused names: the ranges of a trial have no room for a cut."""
    namespace, _, cut = parent.rpartition("/")
    left = 0x10000000 + 2 * int(cut[:10], 16)
    name = namespace + "/0x{:08x}_0x{:08x}"
    return BundleName(name.format(left, left + 1)), BundleName(name.format(left + 1, left + 2))


def quiet(scenario: Scenario, splits: tuple[Split, ...]) -> Scenario:
    """Load is constant, and the only events are splits."""
    bundles = tuple(replace(bundle, curve=Steady()) for bundle in scenario.bundles)
    return replace(scenario, bundles=bundles, events=splits)


def for_relief(balancer: BalancerSpec) -> BalancerSpec:
    """A balancer that places by messages, spread evenly."""
    settings = replace(balancer.settings, distribute_evenly=True)
    return BalancerSpec(balancer.strategy, Placer.MESSAGE_RATE, settings)


def in_proportion(scenario: Scenario) -> Scenario:
    brokers = tuple(BrokerSpec(broker.id, 10_000.0, 100 * MEGABYTE) for broker in scenario.brokers)
    bundles = tuple(
        BundleSpec(bundle.name, evenly(bundle.traffic), Steady(), bundle.owner)
        for bundle in scenario.bundles
    )
    return Scenario(brokers, bundles, scenario.timing)


def with_parts(
    draw: Draw, scenario: Scenario, balancer: BalancerSpec
) -> tuple[Scenario, BalancerSpec]:
    """At times with TransferShedder two brokers, of which one could give much more than needed."""
    if balancer.strategy is not Strategy.TRANSFER or not draw.chance(0.5):
        return scenario, balancer
    brokers, names = scenario.brokers[:2], range(draw.integer(6, 10))
    few = draw.integer(1, 3)
    bundles = tuple(
        BundleSpec(
            BundleName(f"tenant/one/0x{index:08x}_0x{index + 1:08x}"),
            evenly(Traffic(0.0, 0.0, size, size)),
            Steady(),
            brokers[index < few].id,
        )
        for index in names
        for size in (draw.integer(8, 20) * MEGABYTE,)
    )
    return replace(scenario, brokers=brokers, bundles=bundles), hasty(balancer)


def evenly(traffic: Traffic) -> Traffic:
    messages = traffic.throughput / MEGABYTE * 25
    return replace(traffic, msg_rate_in=messages, msg_rate_out=messages)


def for_parts(balancer: BalancerSpec) -> BalancerSpec:
    settings = replace(balancer.settings, distribute_evenly=False)
    return BalancerSpec(balancer.strategy, USUAL_PLACER[balancer.strategy], settings)


def answer_loop(trial: BalancingTrial, edition: Edition) -> History:
    """The whole run, with open choices by the trial's seed."""
    hire = strategies.hiring(trial.balancer, edition)
    return loop.run(trial.scenario, hire, loop.seed_choices(trial.seed), edition)


def balancing_labels(trial: BalancingTrial) -> Iterator[str]:
    """The balancer, and what happens in the scenario."""
    yield trial.balancer.strategy.value
    yield f"placed by {trial.balancer.placement.value}"
    yield from (kind.DO for kind in {type(event) for event in trial.scenario.events})
    if not trial.scenario.events:
        yield "no events"
    if all(isinstance(bundle.curve, Steady) for bundle in trial.scenario.bundles):
        yield "constant load"
    if any(is_monitoring(namespace_of(bundle.name), True) for bundle in trial.scenario.bundles):
        yield "monitoring bundles"
    if len({broker.messages for broker in trial.scenario.brokers}) > 1:
        yield "unequal brokers"


def cut(trial: BalancingTrial, observed: History, moments: int) -> tuple[BalancingTrial, History]:
    """The beginning of a run."""
    if moments == len(observed.moments):
        return trial, observed
    timing = replace(trial.scenario.timing, steps=moments - 1)
    beginning = replace(trial, scenario=replace(trial.scenario, timing=timing))
    return beginning, replace(observed, moments=observed.moments[:moments])
