"""What the leader knows: the reports that reached it, averages of bundles, what it did recently.

Reports travel: they can be late or lost. Decisions are made with what has arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evenkeel.reference.balancing.scenario import DelayReports, LoseReports
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    Millis,
    Traffic,
    within_grace,
)

SHORT, LONG = 10, 1000
"""Samples of the two averages (TimeAverageMessageData 4.0.8)."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A report on its way or at the leader, with the traffic of each of the broker's bundles."""

    broker: BrokerId
    sent_at: Millis
    arrives_at: Millis
    report: BrokerReport
    traffic: Mapping[BundleName, Traffic]


@dataclass(frozen=True, slots=True)
class Average:
    """A bundle's averages and the number of samples in them."""

    samples: int = 0
    load: BundleLoad = BundleLoad()


@dataclass(frozen=True, slots=True)
class Leader:
    """The leader's memory.

    `planned` holds destinations that were fixed when bundles were shed, by bundle or by range;
    `preallocated` the placements since the last report; `late` and `lost` until when whose
    reports are late, and by how much, or lost.
    """

    on_their_way: tuple[Sent, ...]
    latest: Mapping[BrokerId, Sent]
    averages: Mapping[BundleName, Average]
    recently_unloaded: Mapping[BundleName, Millis]
    unloaded_brokers: Mapping[BrokerId, Millis]
    preallocated: Mapping[BundleName, BrokerId]
    planned: Mapping[str, BrokerId]
    late: Mapping[BrokerId, tuple[Millis, Millis]]
    lost: Mapping[BrokerId, Millis]


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy is shown.

    `active` are the brokers taken for alive, by id; `sent_at` says how old each report is;
    `owners` whom the leader's records name as owner of each bundle.
    """

    now: Millis
    active: tuple[BrokerId, ...]
    cluster: Cluster
    sent: Mapping[BrokerId, Sent]
    preallocated: Mapping[BundleName, BrokerId]
    unloaded_brokers: Mapping[BrokerId, Millis]
    owners: Mapping[BundleName, BrokerId]


def new() -> Leader:
    """A leader that knows nothing."""
    return Leader((), {}, {}, {}, {}, {}, {}, {}, {})


def succeed(leader: Leader, edition: Edition) -> Leader:
    """A new leader: reports and averages are stored outside, all else was the old one's memory.

    By the documents no bundle is unloaded twice within its grace period, whoever leads (BAL-4).
    """
    if edition.leader_change_forgets_grace:
        leader = replace(leader, recently_unloaded={})
    return replace(leader, unloaded_brokers={}, preallocated={}, planned={})


# --------------------------------------------------------------------------------- reports


def disturb(leader: Leader, event: DelayReports | LoseReports) -> Leader:
    """From now on a broker's reports are late, or lost, for a while."""
    until = event.at + event.lasts
    if isinstance(event, LoseReports):
        return replace(leader, lost={**leader.lost, event.broker: until})
    return replace(leader, late={**leader.late, event.broker: (event.by, until)})


def send(
    leader: Leader,
    now: Millis,
    reports: Mapping[BrokerId, BrokerReport],
    loads: Mapping[BundleName, Traffic],
) -> Leader:
    """Every broker sends its report; some of them are lost."""
    sent = [
        Sent(
            broker,
            now,
            now + delay_of(leader, broker, now),
            report,
            {bundle: loads[bundle] for bundle in report.bundles},
        )
        for broker, report in reports.items()
        if leader.lost.get(broker, now) <= now
    ]
    return replace(leader, on_their_way=(*leader.on_their_way, *sent))


def delay_of(leader: Leader, broker: BrokerId, now: Millis) -> Millis:
    """How long a report that is sent now takes."""
    by, until = leader.late.get(broker, (0, now))
    return by if now < until else 0


def receive(leader: Leader, now: Millis, active: frozenset[BrokerId], edition: Edition) -> Leader:
    """Reports that have arrived replace older ones; who is no longer there is forgotten."""
    latest = dict(leader.latest)
    averages = leader.averages
    arrived = [sent for sent in leader.on_their_way if sent.arrives_at <= now]
    for sent in sorted(arrived, key=lambda sent: (sent.arrives_at, sent.sent_at)):
        if sent.broker in latest and latest[sent.broker].sent_at > sent.sent_at:
            continue
        latest[sent.broker] = sent
        counted = latest.values() if edition.every_report_counts_for_all else (sent,)
        averages = with_samples(averages, counted)
    latest = {broker: sent for broker, sent in latest.items() if broker in active}
    reported = {bundle for sent in latest.values() for bundle in sent.traffic}
    return replace(
        leader,
        on_their_way=tuple(sent for sent in leader.on_their_way if sent.arrives_at > now),
        latest=latest,
        averages={bundle: average for bundle, average in averages.items() if bundle in reported},
        preallocated={} if arrived else leader.preallocated,
    )


def with_samples(
    averages: Mapping[BundleName, Average], reports: Iterable[Sent]
) -> dict[BundleName, Average]:
    """The averages with one sample more for every bundle of these reports."""
    following = dict(averages)
    for sent in reports:
        for bundle, traffic in sent.traffic.items():
            following[bundle] = with_sample(following.get(bundle, Average()), traffic)
    return following


def with_sample(average: Average, sample: Traffic) -> Average:
    """One sample more: a plain mean up to 10 or 1000 samples, then a moving one."""
    samples = min(average.samples + 1, LONG)
    return Average(
        samples,
        BundleLoad(
            moved_towards(average.load.short_term, sample, min(samples, SHORT)),
            moved_towards(average.load.long_term, sample, samples),
        ),
    )


def moved_towards(average: Traffic, sample: Traffic, samples: int) -> Traffic:
    """The average when `sample` is the last of so many samples."""
    before = samples - 1
    return Traffic(
        (before * average.msg_rate_in + sample.msg_rate_in) / samples,
        (before * average.msg_rate_out + sample.msg_rate_out) / samples,
        (before * average.throughput_in + sample.throughput_in) / samples,
        (before * average.throughput_out + sample.throughput_out) / samples,
    )


# ------------------------------------------------------------------------------- decisions


def view(
    leader: Leader,
    now: Millis,
    active: frozenset[BrokerId],
    owners: Mapping[BundleName, BrokerId],
) -> View:
    """What strategies are shown now. Only brokers that have reported are in the cluster."""
    return View(
        now,
        tuple(sorted(active)),
        Cluster(
            {broker: sent.report for broker, sent in leader.latest.items()},
            {bundle: average.load for bundle, average in leader.averages.items()},
            leader.recently_unloaded,
        ),
        leader.latest,
        leader.preallocated,
        leader.unloaded_brokers,
        owners,
    )


def forget_old(leader: Leader, now: Millis, grace_minutes: int) -> Leader:
    """Bundles whose grace period is over may be unloaded again (BAL-4)."""
    return replace(
        leader, recently_unloaded=within_grace(leader.recently_unloaded, now, grace_minutes)
    )


def remember(leader: Leader, now: Millis, bundle: BundleName, source: BrokerId) -> Leader:
    """A bundle was unloaded (BAL-4)."""
    return replace(
        leader,
        recently_unloaded={**leader.recently_unloaded, bundle: now},
        unloaded_brokers={**leader.unloaded_brokers, source: now},
    )


def plan_key(bundle: BundleName, edition: Edition) -> str:
    """Under what a bundle's fixed destination is kept: its name, or its range alone."""
    return bundle.rpartition("/")[2] if edition.destination_kept_by_range else bundle


def plan(leader: Leader, bundle: BundleName, broker: BrokerId, edition: Edition) -> Leader:
    """The next lookup of the bundle is answered with this broker."""
    return replace(leader, planned={**leader.planned, plan_key(bundle, edition): broker})


def planned_for(
    leader: Leader, bundle: BundleName, edition: Edition
) -> tuple[Leader, BrokerId | None]:
    """The fixed destination of a bundle, if there is one; it is used once."""
    key = plan_key(bundle, edition)
    left = {name: broker for name, broker in leader.planned.items() if name != key}
    return replace(leader, planned=left), leader.planned.get(key)


def preallocate(leader: Leader, bundle: BundleName, broker: BrokerId) -> Leader:
    """A placement counts for its broker until the next report."""
    return replace(leader, preallocated={**leader.preallocated, bundle: broker})
