"""How good a run was: balance, cost and calm, per moment and in all (BAL-12 to BAL-14).

Everything here is computed from a history, and so available for any balancer's run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from evenkeel.reference.balancing.history import Gauge, History, Moment
from evenkeel.reference.balancing.scenario import Crash, Leave, Scenario, Split
from evenkeel.reference.balancing.world import loads_at
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel_engine.frame.clauses import states

TREND: Final = 0.8
"""How fast the way in the prevailing direction stops counting (CockroachDB's simulator)."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One moment in numbers. Usages are fractions; `moved` is the throughput of what moves, B/s.

    `ratio` is the largest usage over the mean, 1 if no broker carries anything.
    """

    at: Millis
    mean: float
    highest: float
    lowest: float
    deviation: float
    ratio: float
    moves: int
    moved: float
    away: int


@dataclass(frozen=True, slots=True)
class Measures:
    """A whole run in numbers.

    `steady_after`: from when on nothing moved and everything was served, None if that was never
    so for a whole grace period. `thrashing`: usage that was moved and moved back, a fraction per
    broker; `thrash`: the same as a score, how often the whole range of usage was swept.
    `returned`: moves of a bundle back to a broker that it had left. `most_unloads`: of one bundle
    within an hour. `unserved`: the time that bundles were not served, added up. `orphaned`: how
    often a bundle lost its broker because that went down.
    """

    unloads: int
    moved: float
    returned: int
    most_unloads: int
    thrashing: float
    thrash: float
    steady_after: Millis | None
    unserved: Millis
    orphaned: int
    highest: float
    mean_deviation: float
    worst_deviation: float
    last_deviation: float
    last_ratio: float


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of all there are (not of a sample)."""
    middle = mean(values)
    return math.sqrt(mean([(value - middle) ** 2 for value in values]))


def usages(gauges: Sequence[Gauge]) -> list[float]:
    """The usage of every broker that is up."""
    return [gauge.usage for gauge in gauges]


@states("BAL-12")
def measure_at(moment: Moment, throughputs: Mapping[BundleName, float]) -> Measurement:
    """One moment in numbers."""
    values = usages(moment.gauges)
    middle = mean(values)
    return Measurement(
        at=moment.at,
        mean=middle,
        highest=max(values, default=0.0),
        lowest=min(values, default=0.0),
        deviation=deviation(values),
        ratio=max(values) / middle if middle > 0 else 1.0,
        moves=len(moment.moves),
        moved=math.fsum(throughputs[move.bundle] for move in moment.moves),
        away=len(moment.away),
    )


@states("BAL-12")
def measurements(scenario: Scenario, history: History) -> tuple[Measurement, ...]:
    """Every moment in numbers."""
    found = []
    for moment in history.moments:
        loads = loads_at(scenario.every_bundle, moment.at) if moment.moves else {}
        found.append(measure_at(moment, {name: load.throughput for name, load in loads.items()}))
    return tuple(found)


@states("BAL-14")
def thrashing(history: History) -> float:
    """Usage moved and moved back again: what a broker's distance from the mean went up and down,
    less what it went in all, halved; the mean over the brokers.

    The distance from the mean is taken so that load which rises and falls for all counts nothing.
    """
    return mean([back_and_forth(series) for series in distances(history)])


def distances(history: History) -> list[list[float]]:
    """Each broker's distances from the mean, moment by moment while it is up."""
    found: dict[BrokerId, list[float]] = {}
    for moment in history.moments:
        middle = mean(usages(moment.gauges))
        for gauge in moment.gauges:
            found.setdefault(gauge.broker, []).append(gauge.usage - middle)
    return list(found.values())


@states("BAL-14")
def back_and_forth(series: Sequence[float]) -> float:
    """Half of the distance covered beyond that from beginning to end."""
    covered = math.fsum(abs(after - before) for before, after in pairwise(series))
    return (covered - abs(series[-1] - series[0])) / 2 if series else 0.0


@states("BAL-14")
def thrash(history: History) -> float:
    """How often brokers swept the whole range of distances to and fro; a trend counts little.

    A share of the range of all brokers' distances, so that small and large changes compare.
    """
    series = distances(history)
    values = [value for one in series for value in one]
    spread = max(values, default=0.0) - min(values, default=0.0)
    if spread == 0:
        return 0.0
    return mean([against_the_trend(*ups_and_downs(one)) for one in series]) / spread


@states("BAL-14")
def ups_and_downs(series: Sequence[float]) -> tuple[float, float]:
    """The way upwards and the way downwards."""
    steps = [after - before for before, after in pairwise(series)]
    up = math.fsum(step for step in steps if step > 0)
    return up, -math.fsum(step for step in steps if step < 0)


@states("BAL-14")
def against_the_trend(up: float, down: float) -> float:
    """The whole way where no direction prevails, near the smaller one where one does, else 0."""
    smaller, larger = sorted((up, down))
    if smaller <= 0:
        return 0.0
    whole = math.pow(smaller / larger, TREND)
    return whole * (up + down) + (1.0 - whole) * smaller


@states("BAL-14")
def returns(history: History) -> int:
    """How often a bundle came back to a broker from which it had been moved."""
    left: dict[BundleName, set[BrokerId]] = {}
    owner: dict[BundleName, BrokerId] = {}
    back = 0
    for moment in history.moments:
        for gauge in moment.gauges:
            for bundle in gauge.bundles:
                arrived = owner.get(bundle) != gauge.broker
                if arrived and gauge.broker in left.get(bundle, ()):
                    back += 1
                owner[bundle] = gauge.broker
        for move in moment.moves:
            left.setdefault(move.bundle, set()).add(move.source)
    return back


@states("BAL-8")
def most_unloads(history: History, window: Millis) -> int:
    """The most often that one bundle was moved within a window of time."""
    times: dict[BundleName, list[Millis]] = {}
    for moment in history.moments:
        for move in moment.moves:
            times.setdefault(move.bundle, []).append(moment.at)
    return max(
        (
            sum(begin <= at < begin + window for at in own)
            for own in times.values()
            for begin in own
        ),
        default=0,
    )


@states("BAL-13")
def steady_after(history: History, calm: Millis) -> Millis | None:
    """From when on nothing moves and everything is served, if that lasts for `calm`."""
    since = history.moments[-1].at
    for moment in reversed(history.moments):
        if moment.moves or moment.away:
            break
        since = moment.at
    return since if history.moments[-1].at - since >= calm else None


@dataclass(frozen=True, slots=True)
class Loss:
    """A bundle that no broker serves, since when; its clients look it up from `back_at` on.

    `orphaned`: its broker went down.
    """

    since: Millis
    back_at: Millis
    orphaned: bool = False


@states("BAL-12")
def losses(scenario: Scenario, before: Moment, now: Moment) -> dict[BundleName, Loss]:
    """What moves, brokers that go down and splits take between two moments, by bundle."""
    timing, found = scenario.timing, dict[BundleName, Loss]()
    for move in before.moves:
        after = timing.transfer if move.transfer else timing.reconnect
        found[move.bundle] = Loss(before.at, before.at + after)
    served = {gauge.broker: gauge.bundles for gauge in before.gauges}
    for event in scenario.events:
        if before.at < event.at <= now.at:
            back_at, names = event.at + timing.reconnect, tuple[BundleName, ...]()
            if isinstance(event, Split):
                names = tuple(child.name for child in event.children)
            elif isinstance(event, Leave | Crash):
                names = served.get(event.broker, ())
            if isinstance(event, Crash):
                back_at = max(back_at, event.at + timing.session)
            for name in names:
                found.setdefault(name, Loss(event.at, back_at, not isinstance(event, Split)))
    gone = {*now.away, *(one.bundle for one in now.placed)}
    return {bundle: loss for bundle, loss in found.items() if bundle in gone}


@states("BAL-12")
def outages(scenario: Scenario, history: History) -> list[tuple[Loss, Millis]]:
    """How long each loss lasted: until clients looked the bundle up, or until the last step at
    which no broker was found for it.
    """
    first, end = history.moments[0], history.moments[-1].at
    lost = dict.fromkeys(first.away, Loss(first.at, first.at))
    over: list[tuple[Loss, Millis]] = []
    for before, now in pairwise(history.moments):
        lost |= losses(scenario, before, now)
        for bundle in sorted(lost.keys() - set(now.away)):
            loss = lost.pop(bundle)
            over.append((loss, max(loss.back_at, before.at) - loss.since))
    return over + [(loss, end - loss.since) for loss in lost.values()]


@states("BAL-12")
def measures(scenario: Scenario, history: History, grace_minutes: int) -> Measures:
    """The whole run in numbers."""
    found = measurements(scenario, history)
    last, lost = found[-1], outages(scenario, history)
    return Measures(
        unloads=sum(one.moves for one in found),
        moved=math.fsum(one.moved for one in found),
        returned=returns(history),
        most_unloads=most_unloads(history, 60 * MINUTE),
        thrashing=thrashing(history),
        thrash=thrash(history),
        steady_after=steady_after(history, grace_minutes * MINUTE),
        unserved=sum(lasted for _, lasted in lost),
        orphaned=sum(loss.orphaned for loss, _ in lost),
        highest=max(one.highest for one in found),
        mean_deviation=mean([one.deviation for one in found]),
        worst_deviation=max(one.deviation for one in found),
        last_deviation=last.deviation,
        last_ratio=last.ratio,
    )
