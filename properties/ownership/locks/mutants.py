"""Mutants of the lock protocol."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import (
    Function,
    always,
    around,
    defect,
    defect_of,
    equivalent,
    first,
    instead,
    switched,
    then,
)
from evenkeel.properties.ownership.locks import trial
from evenkeel.properties.ownership.locks.commands import Closing
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.ownership import locks
from evenkeel.reference.ownership import locks_lookup as lookup
from evenkeel.reference.ownership import locks_owning as owning
from evenkeel.reference.ownership import locks_store as store
from evenkeel.reference.ownership.locks_state import (
    Broker,
    BundleState,
    Fault,
    Outcome,
    Search,
    Stage,
    World,
    available,
)

SERVING, UNLOADING = BundleState.SERVING, BundleState.UNLOADING


@defect_of(store, "delete", "A broker that releases late deletes the node of the new owner.", "OW1")
def locks_deleted_without_version(original: Function) -> Function:
    def delete(world: World, bundle: int, version: int, edition: Any) -> Any:
        node = world.nodes.get(bundle)
        return original(world, bundle, node.version if node else version, edition)

    return delete


def serve_all_the_same(world: World, broker: Broker, owned: Any) -> None:
    owned.standing = SERVING
    broker.owned[owned.lock.bundle] = owned


def serve_again(world: World, broker: Broker, operation: Any, *rest: Any) -> None:
    operation.unload.owned.standing = SERVING
    owning.finish_unload(world, operation.unload, Outcome.FAILED)


def is_unloading(world: World, broker: Broker, search: Search, *rest: Any) -> bool:
    return broker.standing(search.request.bundle) is UNLOADING


def hand_out(world: World, broker: Broker, search: Search, *rest: Any) -> None:
    owning.finish(world, broker, search, Outcome.OWNER, broker.number)


def refuse(world: World, broker: Broker, search: Search, *rest: Any) -> None:
    owning.finish(world, broker, search, Outcome.FAILED)


def begin_another(world: World, broker: Broker, bundle: int, number: int | None) -> None:
    owning.begin_unload(broker, broker.owned[bundle], number)


def give_up_acquiring(world: World, broker: Broker, edition: Any) -> None:
    for owned in list(broker.owned.values()):
        if owned.standing is BundleState.ACQUIRING:
            waiting, owned.waiting = owned.waiting, []
            for search in waiting:
                refuse(world, broker, search)


@defect_of(lookup, "choose", "Every broker assigns bundles by itself.", "LK2")
def locks_leader_always_empty(original: Function) -> Function:
    def choose(world: World, broker: Broker, request: Any) -> Any:
        leader, broker.leader = broker.leader, None
        chosen = original(world, broker, request)
        broker.leader = leader
        return chosen

    return choose


@defect_of(
    lookup,
    "choose",
    "The leader's name is not among those of the brokers: everybody assigns bundles.",
    "LK5",
)
def locks_leader_by_another_name(original: Function) -> Function:
    def choose(world: World, broker: Broker, request: Any) -> Any:
        led = broker.leader not in (None, broker.number) and not request.authoritative
        if led and lookup.named_broker(world, request.bundle) is None:
            return lookup.pick(available(world), request.preferred), True
        return original(world, broker, request)

    return choose


@defect_of(owning, "finish", "A lookup of what another broker serves fails.")
def locks_lookups_fail(original: Function) -> Function:
    def finish(world: World, broker: Broker, finding: Search, *told: Any) -> None:
        outcome, *rest = told
        elsewhere = outcome is Outcome.OWNER and rest[0] != broker.number
        original(world, broker, finding, Outcome.FAILED if elsewhere else outcome, *rest)

    return finish


@defect_of(owning, "finish", "A broker says of all that it serves that it is being unloaded.")
def locks_always_unloading(original: Function) -> Function:
    def finish(world: World, broker: Broker, finding: Search, *told: Any) -> None:
        if told[0] is Outcome.OWNER and told[1] == broker.number:
            told = (Outcome.UNLOADING,)
        original(world, broker, finding, *told)

    return finish


nothing: Final = always(None)

MUTANTS: Final = (
    defect(
        "locks-unloads-end-failed",
        owning,
        "finish_unload",
        first(2, lambda outcome: Outcome.FAILED),
        "Every unload is carried out, and answered as failed.",
    ),
    defect(
        "locks-picks-ignored",
        lookup,
        "pick",
        first(1, lambda preferred: 0),
        "The leader gives every bundle to the first broker, whomever the load manager picks.",
    ),
    defect(
        "locks-created-over-another",
        store,
        "create",
        around(before=lambda world, broker, bundle, edition: world.nodes.pop(bundle, None)),
        "Two brokers that ask at once both get the bundle.",
    ),
    defect(
        "locks-remote-owner-remembered",
        owning,
        "not_acquired",
        around(after=serve_all_the_same),
        "A broker that failed to get a bundle serves it.",
        "OW3",
    ),
    defect(
        "locks-expiry-ignored",
        owning,
        "expire",
        nothing,
        "A broker that lost its session, and its bundles to another, serves them still.",
        "OW5",
    ),
    defect(
        "locks-store-says-self",
        lookup,
        "owner_known",
        instead(
            lambda _world, broker, _search, holder, _edition: holder == broker.number, hand_out
        ),
        "Every lookup names a broker that refuses every connection.",
        "OW7",
    ),
    defect(
        "locks-unload-waits-for-topics",
        trial,
        "close",
        instead(
            lambda _world, broker, bundle, how, _edition: (
                how is Closing.TIMED_OUT and bool(broker.closing.get(bundle))
            ),
            lambda _world, broker, bundle, *_: broker.closing[bundle].popleft(),
        ),
        "An unload whose topics do not close never ends.",
        "OW9",
    ),
    defect(
        "locks-taken-while-stopping",
        owning,
        "acquired",
        switched(locks_taken_while_stopping=True),
        "A broker that is stopping takes what it has just unloaded.",
        "OW10",
    ),
    defect(
        "locks-stopping-stays-registered",
        locks,
        "stop",
        around(after=lambda world, broker: setattr(broker, "stopping", False)),
        "A broker that is stopping is still assigned bundles.",
        "OW10",
    ),
    defect(
        "locks-served-without-a-session",
        locks,
        "expire",
        switched(locks_outlive_session=True),
        "Two brokers serve a bundle after one has lost its session.",
        "OW19",
    ),
    defect(
        "locks-named-bundle-anywhere",
        lookup,
        "named_broker",
        nothing,
        "The heartbeat of one broker is served by another.",
        "OW20",
    ),
    defect(
        "locks-stopping-refuses-its-unload",
        owning,
        "topics_closed",
        instead(
            lambda _world, broker, *_: broker.stopping,
            lambda _world, broker, bundle, _edition: broker.closing.pop(bundle, None),
        ),
        "A broker that is stopping never gets rid of its bundles.",
        "OW21",
    ),
    defect(
        "locks-leader-forgotten",
        locks,
        "reconnect",
        around(after=lambda world, broker: setattr(broker, "leader", None)),
        "After a short disconnection a broker assigns bundles by itself.",
        "LK3",
    ),
    defect(
        "locks-nobody-without-a-leader",
        lookup,
        "choose",
        instead(
            lambda _world, broker, request: broker.leader is None and not request.authoritative,
            lambda *_: (None, True),
        ),
        "While a leader is being elected bundles are said to be served by nobody.",
        "LK6",
    ),
    defect(
        "locks-flag-lost-on-redirect",
        locks,
        "ask",
        first(2, lambda request: replace(request, authoritative=False)),
        "A client is sent from the leader to a broker and back for ever.",
        "LK8",
    ),
    defect(
        "locks-stale-unload-releases-newer",
        owning,
        "topics_closed",
        switched(locks_go_by_bundle=True),
        "The unload of a lost lock releases the one that was acquired since.",
        "F23",
    ),
    defect(
        "locks-running-and-not-registered",
        lookup,
        "available",
        then(lambda brokers: brokers[:-1]),
        "A broker whose load manager failed at its start runs on, and is sent no client.",
        "SH51",
    ),
    defect(
        "locks-failure-untold",
        owning,
        "not_acquired",
        around(before=lambda world, broker, owned: owned.waiting.clear()),
        "A lookup whose acquisition failed never ends.",
    ),
    defect(
        "locks-reading-takes",
        lookup,
        "owner_known",
        around(
            before=lambda _world, _broker, search, *_: setattr(
                search, "request", replace(search.request, read_only=False)
            )
        ),
        "Looking at the owners of bundles assigns them.",
    ),
    defect(
        "locks-unloading-handed-out",
        lookup,
        "find_owner",
        instead(is_unloading, hand_out),
        "Clients connect to a broker that is closing their topics.",
    ),
    defect(
        "locks-unload-given-up",
        owning,
        "released",
        instead(
            lambda _world, _broker, operation, fault, _edition: (
                fault is Fault.NO_CONNECTION and operation.unload is not None
            ),
            serve_again,
        ),
        "A bundle is served again, without its node, when its release fails.",
    ),
    defect(
        "locks-release-keeps-the-node",
        store,
        "carry_out",
        instead(
            lambda _world, _broker, operation, _edition: operation.stage is Stage.RELEASE,
            lambda *_: None,
        ),
        "Unloads are answered as done, and no broker can acquire the bundles.",
    ),
    defect(
        "locks-release-timeout-is-done",
        owning,
        "released",
        first(3, lambda fault: None if fault is Fault.NO_CONNECTION else fault),
        "An unload whose release failed is answered as done, and the node stays.",
    ),
    defect(
        "locks-unloaded-twice",
        owning,
        "unload",
        instead(
            lambda _world, broker, bundle, _number: broker.standing(bundle) is UNLOADING,
            begin_another,
        ),
        "Two unloads of one bundle run into each other.",
    ),
    defect(
        "locks-kept-against-another",
        owning,
        "judge",
        instead(
            lambda _world, _broker, _lock, fault, _edition: fault is Fault.BAD_VERSION,
            lambda *_: None,
        ),
        "A broker does not notice that its bundle went to another.",
        "OW5",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "locks-wait-for-the-old-session",
        owning,
        "looked",
        instead(
            lambda _world, broker, operation, node, _edition: (
                node is not None and operation.owned is not None and node.session != broker.session
            ),
            lambda world, broker, op, *_: owning.not_acquired(world, broker, op.owned),
        ),
        "A broker that was restarted waits until its old session has ended.",
    ),
    equivalent(
        "locks-other-error-while-unloading",
        lookup,
        "find_owner",
        instead(is_unloading, refuse),
        "A bundle that is being unloaded is refused with another error.",
    ),
    equivalent(
        "locks-never-join-lookups",
        lookup,
        "look_up",
        around(before=lambda world, broker, *_: broker.finding.clear()),
        "Lookups that ask the same are not joined.",
    ),
    equivalent(
        "locks-give-up-acquisitions",
        locks,
        "lose_all",
        around(after=give_up_acquiring),
        "A lookup that waits for an acquisition fails when the session ends.",
    ),
    equivalent(
        "locks-revive",
        owning,
        "looked",
        switched(locks_revive=True),
        "A re-validation goes on after its lock was released; no session outlives its locks.",
    ),
)
