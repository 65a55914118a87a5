"""When the documents say that a strategy acts, computed from what the brokers carried.

Progress and calm are judged by the documented trigger, not by how uneven the load is: a strategy
may leave alone what its trigger does not name. Only runs whose reports all arrive at once are
judged, so that the leader knows the gauges. `SINGLE` is the distance from the thresholds, which the
chapter *shedding* judges to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt

from evenkeel.properties.tolerance import SINGLE, tolerance_of
from evenkeel.reference.balancing.history import Gauge, Moment
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM, is_monitoring, namespace_of
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel_engine.kit.approx import add_in_order

MEBIBYTE = 1024 * 1024
MARGIN = 0.05

MOST_USAGE = 1e3
"""With brokers fuller than this factor, what is close to a threshold is unknown."""


def ordinary(bundles: Iterable[BundleName], edition: Edition) -> list[BundleName]:
    """The bundles that may move and count: without system namespaces."""
    clustered = edition.clustered_monitors
    return [bundle for bundle in bundles if not is_own(namespace_of(bundle), clustered)]


def is_own(namespace: str, clustered: bool) -> bool:
    """Whether a namespace is one of Pulsar's own."""
    return namespace == SYSTEM or is_monitoring(namespace, clustered)


@dataclass(slots=True)
class ObservedLoad:
    """What the brokers have carried so far: the latest gauge of each registered broker, usages
    smoothed as by ThresholdShedder, and the extremes of all gauges.

    `since_back` and `ever`: smoothed usages of a broker that was away, from its return, and from
    the beginning; by the documents either may count (SHD-99).
    """

    settings: Settings
    latest: dict[BrokerId, Gauge] = field(default_factory=dict)
    since_back: dict[BrokerId, float] = field(default_factory=dict)
    ever: dict[BrokerId, float] = field(default_factory=dict)
    gauges: list[Gauge] = field(default_factory=list)

    def look(self, moment: Moment, registered: Iterable[BrokerId]) -> None:
        """Process one moment."""
        self.gauges.extend(moment.gauges)
        self.latest |= {gauge.broker: gauge for gauge in moment.gauges}
        active = set(registered)
        self.latest = {broker: gauge for broker, gauge in self.latest.items() if broker in active}
        self.since_back = {one: h for one, h in self.since_back.items() if one in active}

    def step(self) -> None:
        """Process a round of shedding: usages enter the history (document 003, 1.2)."""
        weight = self.settings.history
        for history in (self.since_back, self.ever):
            for broker, gauge in self.latest.items():
                before = history.get(broker, gauge.usage)
                history[broker] = before * weight + (1 - weight) * gauge.usage

    @property
    def leads(self) -> list[dict[BrokerId, float]]:
        """Each broker's distance above the mean of the smoothed usages, by both histories."""
        found = []
        for history in (self.since_back, self.ever):
            smoothed = {broker: history[broker] for broker in self.latest}
            mean = add_in_order(smoothed.values()) / len(smoothed)
            found.append({broker: usage - mean for broker, usage in smoothed.items()})
        return found


def is_quiet(strategy: Strategy, seen: ObservedLoad, edition: Edition) -> bool:
    """Whether the strategy's trigger surely does not hold: then nothing may move (BAL-9)."""
    settings, gauges = seen.settings, list(seen.latest.values())
    match strategy:
        case Strategy.NONE:
            return True
        case Strategy.OVERLOAD:
            limit = settings.overloaded_percent / 100 - SINGLE
            return all(gauge.usage < limit for gauge in gauges)
        case Strategy.THRESHOLD:
            return threshold_quiet(seen, edition)
        case Strategy.UNIFORM:
            rates = [gauge.msg_rate for gauge in gauges]
            throughputs = [gauge.throughput for gauge in gauges]
            percent = (max(rates) - min(rates)) * 100 / (min(rates) or 1.0)
            ratio = max(throughputs) / (min(throughputs) or 1.0)
            calm = percent < settings.rate_difference - SINGLE
            return calm and ratio < settings.throughput_ratio - SINGLE
        case Strategy.AVG:
            usages = [gauge.usage for gauge in gauges]
            points = min(settings.low_threshold, settings.high_threshold)
            return (max(usages) - min(usages)) * 100 < points - SINGLE
        case Strategy.TRANSFER:
            return transfer_quiet(seen, edition)


def threshold_quiet(seen: ObservedLoad, edition: Edition) -> bool:
    """No smoothed usage is the threshold above the mean; with lower boundary, none below it.

    4.0 steps the history twice in some rounds with the lower boundary: that is not modelled.
    """
    settings = seen.settings
    if settings.lower_boundary and edition.threshold_steps_twice:
        return False
    points = settings.threshold_percent / 100 - SINGLE
    leads = [lead for each in seen.leads for lead in each.values()]
    above = any(lead >= points for lead in leads)
    below = settings.lower_boundary and any(lead <= -points for lead in leads)
    return not above and not below


def transfer_quiet(seen: ObservedLoad, edition: Edition) -> bool:
    """No average of what was ever seen can be a cause: averages lie between the extremes. By the
    documents the deviation may be that of a sample (SHD-52), which is larger.

    A broker lies further above the mean than the deviation, the more others there are: one of n
    brokers by up to (n - 1) / n of the range. So it can be overloaded where the deviation is small.
    """
    settings = seen.settings
    least = min(gauge.usage for gauge in seen.gauges)
    most = max(gauge.usage for gauge in seen.gauges)
    idle = min(gauge.throughput for gauge in seen.gauges)
    busy = max(gauge.throughput for gauge in seen.gauges)
    share = min(0.5, max(0.0, settings.target_std / 2))
    count = len(seen.latest)
    larger = 1.0 if tolerance_of(edition).exact else sqrt(count / max(count - 1, 1))
    even = (most - least) / 2 * larger < settings.target_std - SINGLE
    none_under = least > most * share + SINGLE and idle > busy * share + SINGLE
    none_far_above = (most - least) * (count - 1) / count < settings.target_std - SINGLE
    none_over = none_far_above or most < settings.overloaded_percent / 100 - SINGLE
    return even and none_under and none_over


def must_shed(
    strategy: Strategy, seen: ObservedLoad, movable: Mapping[BrokerId, int], edition: Edition
) -> list[BrokerId]:
    """The brokers whose documented trigger surely holds, with a bundle to give (BAL-10).

    `movable` counts each broker's bundles outside their grace period. A broker keeps one bundle.
    """
    several = [
        gauge
        for gauge in seen.latest.values()
        if len(ordinary(gauge.bundles, edition)) > 1 and movable.get(gauge.broker, 0) > 0
    ]
    settings = seen.settings
    if strategy is Strategy.OVERLOAD:
        limit = settings.overloaded_percent / 100 + SINGLE
        return [gauge.broker for gauge in several if gauge.usage > limit]
    if strategy is Strategy.THRESHOLD:
        return threshold_givers(several, seen, edition)
    return []


def threshold_givers(
    several: Iterable[Gauge], seen: ObservedLoad, edition: Edition
) -> list[BrokerId]:
    """Those surely above the threshold; or, if surely none is and one is surely below the lower
    boundary, the fullest of all brokers (SHD-87).

    Either only where the traffic to give is surely enough.
    """
    settings, leads = seen.settings, seen.leads
    points = settings.threshold_percent / 100
    least = settings.min_throughput * MEBIBYTE + SINGLE
    above = [
        gauge.broker
        for gauge in several
        if (lead := min(each[gauge.broker] for each in leads)) > points + SINGLE
        and gauge.throughput * (lead - points - SINGLE + MARGIN) > least
    ]
    none_above = all(lead < points - SINGLE for each in leads for lead in each.values())
    if not settings.lower_boundary or edition.threshold_steps_twice or not none_above:
        return above
    if not any(all(each[k] < -points - SINGLE for each in leads) for k in seen.latest):
        return []
    enough = [one.broker for one in several if one.throughput * points / 2 > least]
    return [broker for broker in enough if all(is_fullest(broker, each) for each in leads)]


def is_fullest(broker: BrokerId, leads: Mapping[BrokerId, float]) -> bool:
    """Whether no other broker has as much."""
    return all(leads[broker] > lead + SINGLE for other, lead in leads.items() if other != broker)
