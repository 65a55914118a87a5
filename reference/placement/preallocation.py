"""Preallocation: what a bundle weighs between its placement and its first report.

The leader remembers which broker it gave a bundle to, so that the next lookup of the bundle gets
the same answer and the next placement counts its load. Source: ModularLoadManagerImpl.
selectBrokerForAssignment, preallocateBundle, updateBundleData, ModularLoadManagerWrapper.
getLeastLoaded 4.0.8; #478, #19420, #24884.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM, namespace_of
from evenkeel.reference.placement import spreading
from evenkeel_engine.frame.clauses import states

UNSEEN = 100
"""Messages per second, in and out, that a bundle counts with of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Leader:
    """What the leader knows.

    `reported`: each live broker's bundles. `given`: bundles that were given to a broker and are
    not settled yet. `known`: bundles with stored statistics. `destined`: to which broker an
    operator unloaded a bundle, or in 4.0 a range, that was not looked up since.
    """

    reported: Mapping[str, frozenset[str]]
    given: Mapping[str, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    destined: Mapping[str, str] = field(default_factory=dict)


@states("PLC-42")
def weight(bundle: str, leader: Leader, rates: Mapping[str, int]) -> int:
    """A bundle's messages per second; a bundle not reported yet has the default."""
    return rates[bundle] if bundle in leader.known else UNSEEN


@states("PLC-42")
def score(broker: str, leader: Leader, rates: Mapping[str, int]) -> int:
    """A broker's messages per second: its bundles, and those that were given to it."""
    reported = sum(rates[bundle] for bundle in leader.reported[broker])
    given = [bundle for bundle, to in leader.given.items() if to == broker]
    return reported + sum(weight(bundle, leader, rates) for bundle in given)


@states("PLC-42")
def list_held(broker: str, leader: Leader) -> frozenset[str]:
    """The bundles that a broker serves or is about to."""
    return leader.reported[broker] | {b for b, to in leader.given.items() if to == broker}


@states("PLC-29", "PLC-42", "PLC-43")
def list_allowed(
    bundle: str, leader: Leader, rates: Mapping[str, int], evenly: bool
) -> tuple[str, ...]:
    """The live brokers that may get a bundle: evenly by namespace, then by the lowest score."""
    brokers = tuple(leader.reported)
    namespace = namespace_of(bundle)
    if evenly or namespace == SYSTEM:
        counts = {b: spreading.bundles_of(namespace, tuple(list_held(b, leader))) for b in brokers}
        brokers = spreading.fewest_of(brokers, counts)
    return spreading.fewest_of(brokers, {b: score(b, leader, rates) for b in brokers})


@states("PLC-41")
def give(bundle: str, broker: str, leader: Leader) -> Leader:
    """A lookup gave a bundle to a broker."""
    return replace(leader, given={**leader.given, bundle: broker})


@states("PLC-54")
def destined_as(bundle: str, edition: Edition) -> str:
    """What a bundle's destination is kept by: its full name, or in 4.0 its range."""
    return bundle.rpartition("/")[2] if edition.destination_kept_by_range else bundle


@states("PLC-54", "PLC-55")
def unload(bundle: str, broker: str, leader: Leader, edition: Edition) -> Leader | None:
    """An operator unloads a bundle to a broker: none, refused, if that broker is not there."""
    if broker not in leader.reported:
        return None
    destined = {**leader.destined, destined_as(bundle, edition): broker}
    return replace(leader, destined=destined)


@states("PLC-54")
def take(bundle: str, leader: Leader, edition: Edition) -> tuple[str | None, Leader]:
    """The destination that a lookup of a bundle gets, and the leader after it.

    It is a preallocation from now on; in 4.0 the next lookup does not learn of it.
    """
    key = destined_as(bundle, edition)
    if key not in leader.destined:
        return None, leader
    destination = leader.destined[key]
    rest = {other: to for other, to in leader.destined.items() if other != key}
    after = replace(leader, destined=rest)
    if not edition.destinations_given_once:
        after = give(bundle, destination, after)
    return destination, after


@states("PLC-43", "PLC-44", "PLC-54")
def settle(
    live: Mapping[str, frozenset[str]], reporting: str, leader: Leader, edition: Edition
) -> Leader:
    """The brokers' latest reports, after one of them reported or left.

    A broker's preallocations end with its own report, whether the bundle is in it or not, and
    when it leaves; in 4.0 with any broker's report. A destination that leaves is none any more.
    """
    ended = edition.any_report_ends_preallocations
    given = {
        bundle: broker
        for bundle, broker in leader.given.items()
        if not ended and broker in live and broker != reporting
    }
    destined = {
        bundle: broker
        for bundle, broker in leader.destined.items()
        if edition.destinations_given_once or broker in live
    }
    return Leader(live, given, list_reported(live.values()), destined)


def list_reported(reports: Iterable[frozenset[str]]) -> frozenset[str]:
    """All bundles that are reported; nothing is stored of others."""
    return frozenset[str]().union(*reports)
