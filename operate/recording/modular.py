"""What the modular manager's leader knew in a round, put together again from a recording, and what
its strategy does with that.

The leader averages the traffic of every bundle over reports, one sample whenever a broker's report
changes; now and then it writes the averages down, which the recording has too. So they are followed
from report to report, and set right whenever they were written.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evenkeel.operate.recording.entries import RESOURCES, Entry
from evenkeel.operate.recording.modularlog import LoggedModular
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import leader
from evenkeel.reference.load.averages import Average, BundleAverages
from evenkeel.reference.load.leader import BundleSample
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
)

TRAFFIC: Final = ("msgRateIn", "msgRateOut", "msgThroughputIn", "msgThroughputOut")
"""How brokers call the four numbers of a topic or a bundle."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the leader knows from one notification to the next."""

    at: int
    brokers: Mapping[str, BrokerReport]
    known: leader.Known
    written: int = 0
    """Bundles whose averages are those that were written down."""


@dataclass(slots=True)
class Follower:
    """Follows reports as the leader does."""

    edition: Edition
    moments: list[Moment] = field(default_factory=lambda: [Moment(0, {}, leader.Known())])

    def take(self, entry: Entry) -> None:
        """A broker's report, a broker that went, or averages that were written down."""
        at = entry.time if entry.clock is None else max(entry.clock, self.moments[-1].at)
        last = self.moments[-1]
        if entry.source == "average" and entry.subject is not None:
            bundles = {**last.known.bundles, entry.subject: averages_of(entry.data)}
            known = replace(last.known, bundles=bundles)
            self.moments.append(Moment(at, last.brokers, known, last.written + 1))
        elif entry.source == "load" and entry.broker is not None:
            brokers = {**last.brokers, entry.broker: report_of(entry.data)}
            known = leader.publish(last.known, entry.broker, samples_of(entry.data), self.edition)
            self.moments.append(Moment(at, brokers, known, last.written))
        elif entry.source == "session" and entry.data is None and entry.broker is not None:
            brokers = {k: one for k, one in last.brokers.items() if k != entry.broker}
            known = leader.leave(last.known, entry.broker, self.edition)
            self.moments.append(Moment(at, brokers, known, last.written))

    def list_near(self, at: int, margin: int) -> list[Moment]:
        """What may have been known at a time, likeliest first: the latest, then those around."""
        before = [one for one in self.moments if one.at <= at]
        around = [one for one in reversed(before[:-1]) if before[-1].at - one.at <= margin]
        return [before[-1], *around, *(one for one in self.moments if at < one.at <= at + margin)]


def follow(entries: Iterable[Entry], edition: Edition) -> Follower:
    """All moments of a recording."""
    found = Follower(edition)
    for entry in entries:
        found.take(entry)
    return found


def read_resource(data: Mapping[str, Any], key: str) -> Resource:
    """A resource in a report."""
    heard = data.get(key) or {}
    # A machine without a network card that has a speed tells a limit below 0: no limit is known.
    return Resource(float(heard.get("usage", 0.0)), max(float(heard.get("limit", 0.0)), 0.0))


def read_traffic(data: Mapping[str, Any]) -> Traffic:
    """Rates and throughput."""
    return Traffic(*(data[key] for key in TRAFFIC))


def report_of(data: Mapping[str, Any]) -> BrokerReport:
    """A broker's report as strategies take it; bundles are those in its statistics."""
    names = tuple(BundleName(name) for name in data.get("lastStats") or {})
    return BrokerReport(
        Resources(*(read_resource(data, key) for key in RESOURCES)), read_traffic(data), names
    )


def samples_of(data: Mapping[str, Any]) -> tuple[BundleSample, ...]:
    """A report's statistics of bundles."""
    return tuple(
        BundleSample(name, read_traffic(one), int(one.get("topics", 0)))
        for name, one in (data.get("lastStats") or {}).items()
    )


def averages_of(data: Mapping[str, Any]) -> BundleAverages:
    """Averages as the leader writes them."""
    short, long = (
        Average(int(data[key]["numSamples"]), int(data[key]["maxSamples"]), read_traffic(data[key]))
        for key in ("shortTermData", "longTermData")
    )
    return BundleAverages(short, long, int(data.get("topics", 0)))


def cluster_of(moment: Moment, recently: Mapping[str, int]) -> Cluster:
    """What a strategy is given."""
    return Cluster(
        {BrokerId(name): report for name, report in moment.brokers.items()},
        {
            BundleName(name): BundleLoad(one.short_term.traffic, one.long_term.traffic)
            for name, one in moment.known.bundles.items()
        },
        {BundleName(name): at for name, at in recently.items()},
    )


def recently_unloaded(
    rounds: Sequence[LoggedModular], now: LoggedModular, grace_minutes: int, interval: int
) -> list[tuple[str, dict[str, int]]]:
    """Bundles that this leader unloaded within the grace period, with a word for how that is read.

    An unload is logged when it begins, and noted when it has ended: before the round's next line,
    or before the interval to the next round began. So some may be within the period or not.
    """
    begun: dict[str, int] = {}
    ended: dict[str, int] = {}
    mine = [one for one in rounds if one.broker == now.broker and one.at <= now.at]
    for one, following in itertools.pairwise(mine):
        for bundle, at in one.unloaded.items():
            later = [other for other in one.unloaded.values() if other > at]
            begun[bundle] = at
            ended[bundle] = min(later, default=max(at, following.at - interval))
    oldest = now.at - grace_minutes * 60_000
    first, other = (
        {name: at for name, at in found.items() if at >= oldest} for found in (begun, ended)
    )
    same = first.keys() == other.keys()
    return [("", first)] if same else [("", first), ("an unload took some seconds", other)]
