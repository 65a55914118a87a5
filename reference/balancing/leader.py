"""What the leader knows: the reports that reached it, averages of bundles, what it did recently.

Reports travel: they can be late or lost. Decisions are made with what has arrived.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenkeel.reference.balancing.scenario import DelayReports, LoseReports
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import leader as knowing
from evenkeel.reference.load.averages import BundleAverages
from evenkeel.reference.load.leader import BundleSample, Known
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.placement.preallocation import destined_as
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
    Millis,
    within_grace,
)
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.replacing import replace


@dataclass(frozen=True, slots=True)
class Sent:
    """A report on its way or at the leader, with the traffic of each of the broker's bundles."""

    broker: BrokerId
    sent_at: Millis
    arrives_at: Millis
    report: BrokerReport
    traffic: Mapping[BundleName, Traffic]


@dataclass(frozen=True, slots=True)
class Leader:
    """The leader's memory.

    `planned` holds destinations that were fixed when bundles were shed, by bundle or by range;
    `preallocated` the bundles that were placed on each broker since its last report; `relieving`
    those that were taken from a broker to relieve it, and are not placed yet; `late` and `lost`
    brokers with late or lost reports, until when and by how much: of several delays that last, the
    longest counts. `left`: when brokers were last found to have left.
    """

    on_their_way: tuple[Sent, ...]
    latest: Mapping[BrokerId, Sent]
    known: Known
    recently_unloaded: Mapping[BundleName, Millis]
    unloaded_brokers: Mapping[BrokerId, Millis]
    preallocated: Mapping[BrokerId, tuple[BundleName, ...]]
    planned: Mapping[str, BrokerId]
    late: Mapping[BrokerId, tuple[tuple[Millis, Millis], ...]]
    lost: Mapping[BrokerId, Millis]
    relieving: frozenset[BundleName] = frozenset()
    left: Mapping[BrokerId, Millis] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy is shown.

    `active` are the brokers taken for alive, by id; `sent` what they reported, and when;
    `averages` what is remembered of each bundle, samples included; `owners` what the leader's
    records name as owner of each bundle; `relieving` the bundles that are to relieve a broker;
    `left`: when brokers were last found to have left.
    """

    now: Millis
    active: tuple[BrokerId, ...]
    cluster: Cluster
    sent: Mapping[BrokerId, Sent]
    averages: Mapping[str, BundleAverages]
    preallocated: Mapping[BrokerId, tuple[BundleName, ...]]
    unloaded_brokers: Mapping[BrokerId, Millis]
    owners: Mapping[BundleName, BrokerId]
    relieving: frozenset[BundleName] = frozenset()
    left: Mapping[BrokerId, Millis] = field(default_factory=dict)

    def list_stayed(self, since: Millis) -> tuple[BrokerId, ...]:
        """The active brokers that were not found to have left after that moment."""
        return tuple(one for one in self.active if self.left.get(one, since) <= since)


def new() -> Leader:
    """A leader that knows nothing."""
    return Leader((), {}, Known(), {}, {}, {}, {}, {}, {})


@states("BAL-4", "BAL-29")
def succeed(leader: Leader, edition: Edition) -> Leader:
    """A new leader: reports and averages are stored outside; the rest is lost.

    By the documents no bundle is unloaded twice within its grace period, whichever broker leads.
    """
    if edition.leader_change_forgets_grace:
        leader = replace(leader, recently_unloaded={})
    return replace(leader, unloaded_brokers={}, preallocated={}, planned={})


# --------------------------------------------------------------------------------- reports


def disturb(leader: Leader, event: DelayReports | LoseReports) -> Leader:
    """From now on a broker's reports are late, or lost, for a while."""
    until = event.at + event.lasts
    if isinstance(event, LoseReports):
        longest = max(until, leader.lost.get(event.broker, until))
        return replace(leader, lost={**leader.lost, event.broker: longest})
    known = leader.late.get(event.broker, ())
    return replace(leader, late={**leader.late, event.broker: (*known, (event.by, until))})


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
    return max((by for by, until in leader.late.get(broker, ()) if now < until), default=0)


def receive(leader: Leader, now: Millis, active: frozenset[BrokerId], edition: Edition) -> Leader:
    """Reports that have arrived replace older ones; brokers that left are forgotten."""
    latest, known, left = dict(leader.latest), leader.known, dict(leader.left)
    for broker in [broker for broker in latest if broker not in active]:
        del latest[broker]
        left[broker] = now
        known = knowing.leave(known, broker, edition)
    arrived = [sent for sent in leader.on_their_way if sent.arrives_at <= now]
    for sent in sorted(arrived, key=lambda sent: (sent.arrives_at, sent.sent_at)):
        if sent.broker in active and not is_outdated(sent, latest):
            latest[sent.broker] = sent
            known = knowing.publish(known, sent.broker, samples_of(sent), edition)
    return replace(
        leader,
        on_their_way=tuple(sent for sent in leader.on_their_way if sent.arrives_at > now),
        latest=latest,
        known=known,
        preallocated=still_preallocated(leader, arrived, active, edition),
        left=left,
    )


def is_outdated(sent: Sent, latest: Mapping[BrokerId, Sent]) -> bool:
    """Whether a report was overtaken by a later one of the same broker."""
    return sent.broker in latest and latest[sent.broker].sent_at > sent.sent_at


def samples_of(sent: Sent) -> tuple[BundleSample, ...]:
    """What a report says of each bundle. Topics do not matter here."""
    return tuple(BundleSample(bundle, traffic, 1) for bundle, traffic in sent.traffic.items())


def still_preallocated(
    leader: Leader, arrived: Sequence[Sent], active: frozenset[BrokerId], edition: Edition
) -> dict[BrokerId, tuple[BundleName, ...]]:
    """A placement counts for its broker until its report; in 4.0, until any report (#19420)."""
    if edition.any_report_ends_preallocations and arrived:
        return {}
    reported = {sent.broker for sent in arrived}
    return {
        broker: bundles for broker, bundles in leader.preallocated.items() if broker not in reported
    }


# ------------------------------------------------------------------------------- decisions


@states("BAL-11")
def view(
    leader: Leader, now: Millis, active: frozenset[BrokerId], owners: Mapping[BundleName, BrokerId]
) -> View:
    """What strategies are shown now. Only brokers that have reported are in the cluster."""
    return View(
        now,
        tuple(sorted(active)),
        Cluster(
            {broker: sent.report for broker, sent in leader.latest.items()},
            {BundleName(name): load_of(average) for name, average in leader.known.bundles.items()},
            leader.recently_unloaded,
        ),
        leader.latest,
        leader.known.bundles,
        leader.preallocated,
        leader.unloaded_brokers,
        owners,
        leader.relieving,
        leader.left,
    )


def seen_again(view: View, leader: Leader, owners: Mapping[BundleName, BrokerId]) -> View:
    """The view a moment later: bundles were placed, and no report has come since."""
    return replace(view, preallocated=leader.preallocated, owners=owners)


def load_of(averages: BundleAverages) -> BundleLoad:
    """A bundle's averages as shedders see them."""
    return BundleLoad(averages.short_term.traffic, averages.long_term.traffic)


@states("BAL-4", "BAL-8")
def forget_old(leader: Leader, now: Millis, grace_minutes: int) -> Leader:
    """Bundles whose grace period is over may be unloaded again."""
    return replace(
        leader, recently_unloaded=within_grace(leader.recently_unloaded, now, grace_minutes)
    )


@states("BAL-4", "BAL-8")
def remember(leader: Leader, now: Millis, bundle: BundleName, source: BrokerId) -> Leader:
    """A bundle was unloaded."""
    return replace(
        leader,
        recently_unloaded={**leader.recently_unloaded, bundle: now},
        unloaded_brokers={**leader.unloaded_brokers, source: now},
    )


@states("BAL-22")
def relieve(leader: Leader, *bundles: BundleName) -> Leader:
    """These bundles leave their broker because it carries too much."""
    return replace(leader, relieving=leader.relieving | set(bundles))


@states("BAL-22")
def note_placed(leader: Leader, bundle: BundleName) -> Leader:
    """A bundle is served again."""
    return replace(leader, relieving=leader.relieving - {bundle})


def plan(leader: Leader, bundle: BundleName, broker: BrokerId, edition: Edition) -> Leader:
    """The next lookup of the bundle is answered with this broker."""
    return replace(leader, planned={**leader.planned, destined_as(bundle, edition): broker})


@states("BAL-2", "BAL-16")
def planned_for(
    leader: Leader, bundle: BundleName, edition: Edition
) -> tuple[Leader, BrokerId | None]:
    """The fixed destination of a bundle, if there is one; it is used once."""
    key = destined_as(bundle, edition)
    left = {name: broker for name, broker in leader.planned.items() if name != key}
    return replace(leader, planned=left), leader.planned.get(key)


@states("BAL-11")
def preallocate(leader: Leader, bundle: BundleName, broker: BrokerId) -> Leader:
    """A placement counts for its broker until the next report."""
    given = {
        other: tuple(name for name in names if name != bundle)
        for other, names in leader.preallocated.items()
    }
    given[broker] = (*given.get(broker, ()), bundle)
    return replace(leader, preallocated=given)
