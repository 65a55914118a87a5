"""Lookups of the lock protocol: a bundle's owner, or next one (OWN-23, OWN-27, OWN-29, OWN-31)."""

from __future__ import annotations

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks import owning, store
from evenkeel.reference.ownership.locks.state import (
    Broker,
    BundleState,
    Cached,
    Ended,
    Fault,
    Node,
    Operation,
    Outcome,
    Request,
    Search,
    Sort,
    Stage,
    Verb,
    World,
    available,
)
from evenkeel_engine.frame.clauses import states


@states("OWN-26", "OWN-29")
def look_up(world: World, broker: Broker, number: int, request: Request, edition: Edition) -> None:
    """A lookup arrives. It joins one under way that asks the same."""
    reads = request.read_only and not edition.locks_join_readers
    key = (request.bundle, request.authoritative, reads)
    if key in broker.finding and owning.lost(broker, edition):
        world.ended.append(Ended(number, Outcome.FAILED))
        return
    joined = broker.finding.get(key)
    if joined is not None:
        joined.lookups.append(number)
        return
    finding = broker.finding[key] = Search(key, request, [number])
    find_owner(world, broker, finding, edition)


@states("OWN-23", "OWN-27", "OWN-52")
def find_owner(world: World, broker: Broker, finding: Search, edition: Edition) -> None:
    """First this broker's own list is asked, then the store."""
    bundle = finding.request.bundle
    owned = broker.owned.get(bundle)
    if owned is None:
        read(world, broker, finding, edition)
    elif owned.standing is BundleState.ACQUIRING and owning.lost(broker, edition):
        owning.finish(world, broker, finding, Outcome.FAILED)
    elif owned.standing is BundleState.ACQUIRING:
        owned.waiting.append(finding)
    elif owned.standing is BundleState.UNLOADING:
        owning.finish(world, broker, finding, Outcome.UNLOADING)
    else:
        owning.finish(world, broker, finding, Outcome.OWNER, broker.number)


@states("OWN-23")
def read(world: World, broker: Broker, finding: Search, edition: Edition) -> None:
    """Read the node, by edition through a cache."""
    bundle = finding.request.bundle
    cached = broker.cache.get(bundle) if edition.locks_answered_from_cache else None
    if cached is None:
        cached = Cached()
        if edition.locks_answered_from_cache:
            broker.cache[bundle] = cached
        load(broker, bundle, cached)
    if cached.known:
        owner_known(world, broker, finding, cached.holder, edition)
    else:
        cached.waiting.append(finding)


def load(broker: Broker, bundle: int, cached: Cached) -> None:
    """Ask the store for a node."""
    store.submit(broker, Operation(Verb.READ, Stage.CACHE, bundle, cached=cached))


@states("OWN-30")
def refresh(broker: Broker, bundle: int) -> None:
    """A node was created: what is cached of it is read again."""
    if bundle in broker.cache:
        broker.cache[bundle] = Cached()
        load(broker, bundle, broker.cache[bundle])


@states("OWN-26", "OWN-52")
def end_read(
    world: World, broker: Broker, operation: Operation, answer: store.Answer, edition: Edition
) -> None:
    """The store has answered a read for the cache. Of lookups that waited for it the last one
    continues first; without an owner, those that need not find out who leads do.
    """
    cached = operation.cached
    assert cached is not None
    if isinstance(answer, Fault):
        if broker.cache.get(operation.bundle) is cached:
            del broker.cache[operation.bundle]
        for finding in cached.waiting:
            owning.finish(world, broker, finding, Outcome.FAILED)
        return
    cached.known = True
    cached.holder = answer.holder if isinstance(answer, Node) else None
    waiting = cached.waiting[::-1]
    if cached.holder is None:
        waiting.sort(key=lambda finding: follows_leader(world, broker, finding.request))
    for finding in waiting:
        owner_known(world, broker, finding, cached.holder, edition)


@states("OWN-23", "OWN-29")
def owner_known(
    world: World, broker: Broker, finding: Search, holder: int | None, edition: Edition
) -> None:
    """What the node says. This broker itself, though its list says otherwise: acquire again, or in
    some editions say so.
    """
    if holder is None and finding.request.read_only:
        owning.finish(world, broker, finding, Outcome.EMPTY)
    elif holder is None:
        assign(world, broker, finding, edition)
    elif holder == broker.number and not edition.locks_known_from_nodes:
        owning.acquire(world, broker, finding, edition)
    else:
        owning.finish(world, broker, finding, Outcome.OWNER, holder)


@states("OWN-31", "OWN-36", "OWN-37")
def assign(world: World, broker: Broker, finding: Search, edition: Edition) -> None:
    """The bundle has no owner: this broker takes it, or redirects the client to one that should."""
    candidate, authoritative = choose(world, broker, finding.request)
    if candidate is None:
        owning.finish(world, broker, finding, Outcome.EMPTY)
    elif candidate == broker.number:
        owning.acquire(world, broker, finding, edition)
    elif candidate in available(world):
        owning.finish(world, broker, finding, Outcome.REDIRECT, candidate, authoritative)
    else:
        owning.finish(world, broker, finding, Outcome.FAILED)


@states("OWN-31", "OWN-36", "OWN-53", "OWN-55", "OWN-69")
def choose(world: World, broker: Broker, request: Request) -> tuple[int | None, bool]:
    """The broker that should own a bundle, and whether that is final: the flag of a redirect."""
    leads = broker.leader == broker.number
    named = named_broker(world, request.bundle)
    if named is not None:
        return named, leads
    if request.authoritative:
        return broker.number, leads
    if leads or broker.leader is None or broker.leader not in available(world):
        return pick(available(world), request.preferred), True
    return broker.leader, False


def follows_leader(world: World, broker: Broker, request: Request) -> bool:
    """Whether a broker finds out first who leads, which takes it one step more."""
    decides = request.authoritative or broker.leader == broker.number
    return not decides and named_broker(world, request.bundle) is None


@states("OWN-31")
def named_broker(world: World, bundle: int) -> int | None:
    """The broker that a bundle is named after; for monitoring, only if it is there."""
    named = world.bundles[bundle]
    if named.sort is Sort.PLAIN:
        return None
    if named.sort is Sort.MONITOR and named.broker not in available(world):
        return None
    return named.broker


def pick(brokers: list[int], preferred: int) -> int | None:
    """What the load manager picks: the preferred broker, or the next one that is there."""
    later = [broker for broker in brokers if broker >= preferred] or brokers
    return later[0] if later else None
