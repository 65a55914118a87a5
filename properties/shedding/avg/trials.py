"""Trials of `shedding.avg`: AvgShedder, round after round, and the destinations of its bundles."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import copysign
from operator import attrgetter

from evenkeel.properties.shedding import trial_parts as parts
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Plan
from evenkeel.reference.shedding.cluster import MINUTE, BundleLoad, BundleName, Cluster, Decision
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.trial import require

RATES = attrgetter(*(field.name for field in fields(Traffic)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AvgTrial(parts.RoundsTrial):
    """`shedding.avg`: which bundles does AvgShedder shed, and to which brokers?

    Rounds are in the order of time. `recently_unloaded` names each bundle once. No average is -0.0:
    4.0 keeps plans by a bundle's averages, and there -0.0 and 0.0 differ.
    """

    config: AvgRules

    def __post_init__(self) -> None:
        parts.RoundsTrial.__post_init__(self)
        for place, round_ in enumerate(self.rounds):
            for averages in round_.bundles:
                for traffic in (averages.short_term, averages.long_term):
                    right = all(rate or copysign(1.0, rate) > 0 for rate in RATES(traffic))
                    require(right, f"rounds[{place}].bundles", "must not have -0.0")


@dataclass(frozen=True, slots=True)
class Planned:
    """A bundle and the broker that is planned for it, whether or not its unload fails."""

    bundle: str
    destination: str | None


@dataclass(frozen=True, slots=True)
class PlannedShed:
    """The bundles that one broker is to shed, in the order in which they were chosen."""

    broker: str
    bundles: tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class AvgAnswer:
    """For each round the brokers that shed, each named once, in any order."""

    rounds: tuple[tuple[PlannedShed, ...], ...]


@seldom_large(0.02)
def avg_trial(draw: Draw, large: bool) -> AvgTrial:
    """Rounds enough to collect hits, with brokers whose scores differ by about a threshold."""
    low, high = draw.pick(
        ((15, 40), (15, 40), (10, 20), (5, 45), (20, 20), (1, 100), (0, 0), (40, 15))
    )
    config = AvgRules(
        grace_minutes=parts.draw_grace(draw),
        low_threshold=low,
        high_threshold=high,
        low_hits=draw.pick((8, 2, 3, 6, 1, 4, 7, 0)),
        high_hits=draw.pick((2, 2, 1, 3, 0)),
        share=draw.pick((0.5, 0.2, 0.5, 1.0)),
        min_msg_rate=draw.pick((0, 1000, 0, 500, 2500)),
        min_throughput=draw.pick((0, parts.MIB, 0, 10 * parts.MIB)),
        **parts.draw_weights(draw),
    )
    scores: tuple[float, ...] = (20.0, 80.0, 30.0, 70.0, 95.0, 50.0, 52.0, 53.0)
    scores = (*scores, 30.0 + low, 30.0 + high, 31.0, 29.5)
    if large and draw.chance(0.7):  # many brokers are equally full, and their shedding is observed
        # With a threshold of 0 or less equals that are paired with each other are hit, too.
        config = replace(config, high_hits=1, low_threshold=draw.pick((low, low, 0, -1)))
        scores = draw.pick(((95.0, 20.0), (95.0, 50.0, 20.0), (50.0,)))
    units = parts.Units(draw.pick((1000.0, 250.0, 1.0)), draw.pick(parts.BYTES))
    builder = parts.ClusterBuilder(
        draw, units, lambda d: parts.percent(d, d.pick(scores)), 0.2, [], [], restless=0.5
    )
    rounds = parts.draw_rounds(builder, 9, 5, 5, large)
    unloaded = parts.draw_unloaded(draw, rounds[0], config.grace_minutes)
    rounds = parts.with_shared(draw, rounds)
    if not large:
        rounds = parts.seldom_long(draw, rounds)
    trial = AvgTrial(config=config, recently_unloaded=unloaded, rounds=rounds)
    return with_gap(draw, trial) if draw.chance(0.04) else trial  # decided last


def with_gap(draw: Draw, trial: AvgTrial) -> AvgTrial:
    """Four brokers in the same pairs all the time. The outer two always differ; the inner two are
    alike for a round, or differ less than the high threshold, after which their hits begin again:
    in the last round they are just enough.
    """
    first = trial.rounds[0]
    if len(first.brokers) < 4:
        return trial
    busiest_first = sorted(first.brokers[:4], key=lambda one: -one.traffic.msg_rate)
    hits, rounds = draw.pick((2, 3)), list[parts.ModularRound]()
    high = draw.chance(0.5)
    for number in range(2 * hits):
        second = (50.0 if high else 31.0) if number == hits - 1 else 70.0
        brokers = tuple(
            replace(one, resources=Resources(cpu=Resource(score, 100.0)))
            for one, score in zip(busiest_first, (95.0, second, 30.0, 5.0), strict=True)
        )
        rounds.append(replace(first, at=first.at + number * (30 * MINUTE + 1), brokers=brokers))
    rules = AvgRules(
        low_threshold=15,
        high_threshold=35 if high else 100,
        low_hits=8 if high else hits,
        high_hits=hits,
        share=1.0,
        min_msg_rate=0,
        min_throughput=0,
    )
    return AvgTrial(config=rules, rounds=tuple(rounds))


def planned_of(decision: Decision, plan: Plan, cluster: Cluster) -> tuple[PlannedShed, ...]:
    """A decision in the answer's form."""

    def find_plan(bundle: BundleName) -> Planned:
        load = cluster.bundles.get(bundle, BundleLoad())
        return Planned(bundle, plan.destination(bundle, load))

    return tuple(
        PlannedShed(broker, tuple(map(find_plan, bundles))) for broker, bundles in decision.items()
    )


def answer_avg(trial: AvgTrial, edition: Edition) -> AvgAnswer:
    """The bundles that AvgShedder sheds, and their destinations."""
    memory, state = parts.Memory(trial), avg.State()
    rounds: list[tuple[PlannedShed, ...]] = []
    for round_ in trial.rounds:
        cluster = memory.cluster(round_)
        state, decision = avg.decide(state, cluster, trial.config, edition)
        rounds.append(planned_of(decision, state.plan, cluster))
        memory.unload(round_, parts.bundles_in(parts.shed_of(decision)))
    return AvgAnswer(tuple(rounds))
