"""What mutants of the lock protocol do (`mutants_locks`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evenkeel.properties.ownership.mutant_maker import Function
from evenkeel.properties.ownership.trials_locks import Closing
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import locks_lookup as lookup
from evenkeel.reference.ownership import locks_owning as owning
from evenkeel.reference.ownership.locks_state import (
    Broker,
    Change,
    Fault,
    Finding,
    Lock,
    Node,
    Operation,
    Outcome,
    Owned,
    Request,
    Standing,
    World,
    available,
)

# ------------------------------------------------------------------------------- the store


def whatever_the_version(original: Function) -> Function:
    """A deletion does not ask for the version."""

    def delete(world: World, bundle: int, version: int, edition: Edition) -> Fault | None:
        node = world.nodes.get(bundle)
        fault: Fault | None = original(world, bundle, node.version if node else version, edition)
        return fault

    return delete


def over_an_existing_one(original: Function) -> Function:
    """A node is made over an existing one."""

    def create(world: World, broker: Broker, bundle: int, edition: Edition) -> Node | Fault:
        world.nodes.pop(bundle, None)
        node: Node | Fault = original(world, broker, bundle, edition)
        return node

    return create


# ------------------------------------------------------------------------------- owning


def remembers_what_it_did_not_get(original: Function) -> Function:
    """A bundle is served though its acquisition failed."""

    def not_acquired(world: World, broker: Broker, owned: Owned) -> None:
        original(world, broker, owned)
        owned.standing = Standing.SERVING
        broker.owned[owned.lock.bundle] = owned

    return not_acquired


def leaves_them_waiting(original: Function) -> Function:
    """Lookups that wait for an acquisition are not told that it failed."""

    def not_acquired(world: World, broker: Broker, owned: Owned) -> None:
        owned.waiting.clear()
        original(world, broker, owned)

    return not_acquired


def takes_anybodys(original: Function) -> Function:
    """Another broker's node is taken for an old one of its own."""

    def looked(
        world: World, broker: Broker, operation: Operation, node: Node | None, edition: Edition
    ) -> None:
        if node is not None and node.holder != broker.number:
            node = replace(node, holder=broker.number, session=-1)
        original(world, broker, operation, node, edition)

    return looked


def waits_for_the_old_session(original: Function) -> Function:
    """An old node of this broker's is left to expire."""

    def looked(
        world: World, broker: Broker, operation: Operation, node: Node | None, edition: Edition
    ) -> None:
        if node is not None and operation.owned is not None and node.session != broker.session:
            owning.not_acquired(world, broker, operation.owned)
        else:
            original(world, broker, operation, node, edition)

    return looked


def gives_up_the_unload(original: Function) -> Function:
    """A release that fails ends the unload: the bundle is served again."""

    def released(
        world: World, broker: Broker, operation: Operation, fault: Fault | None, edition: Edition
    ) -> None:
        unload = operation.unload
        if fault is Fault.NO_CONNECTION and unload is not None:
            unload.owned.standing = Standing.SERVING
            owning.finish_unload(world, unload, Outcome.FAILED)
        else:
            original(world, broker, operation, fault, edition)

    return released


def unloads_twice(original: Function) -> Function:
    """A bundle can be unloaded while it is being unloaded."""

    def unload(world: World, broker: Broker, bundle: int, number: int | None) -> None:
        owned = broker.owned.get(bundle)
        if owned is not None and owned.standing is Standing.UNLOADING:
            owning.begin_unload(broker, owned, number)
        else:
            original(world, broker, bundle, number)

    return unload


def waits_for_ever(original: Function) -> Function:
    """An unload whose topics do not close in time never goes on."""

    def close(world: World, broker: Broker, bundle: int, how: Closing, edition: Edition) -> None:
        closing = broker.closing.get(bundle)
        if how is Closing.TIMED_OUT and closing:
            closing.popleft()
        else:
            original(world, broker, bundle, how, edition)

    return close


def refuses_once_stopping(original: Function) -> Function:
    """The guard of a stopping broker refuses its own unload's release."""

    def topics_closed(world: World, broker: Broker, bundle: int, edition: Edition) -> None:
        if broker.stopping:
            broker.closing.pop(bundle, None)
        else:
            original(world, broker, bundle, edition)

    return topics_closed


def stays_registered(original: Function) -> Function:
    """A broker that stops does not take its registration back."""

    def stop(world: World, broker: Broker) -> None:
        original(world, broker)
        broker.stopping = False

    return stop


def not_even_acquiring(original: Function) -> Function:
    """What is being acquired when the session ends is given up, too."""

    def lose_all(world: World, broker: Broker, edition: Edition) -> None:
        original(world, broker, edition)
        for owned in list(broker.owned.values()):
            if owned.standing is Standing.ACQUIRING:
                waiting, owned.waiting = owned.waiting, []
                for finding in waiting:
                    owning.finish(world, broker, finding, Outcome.FAILED)

    return lose_all


# ------------------------------------------------------------------------------- lookups


def takes_the_node_for_the_list(original: Function) -> Function:
    """The node names this broker: it is answered, though its list does not have the bundle."""

    def owner_known(
        world: World, broker: Broker, finding: Finding, holder: int | None, edition: Edition
    ) -> None:
        if holder == broker.number:
            owning.finish(world, broker, finding, Outcome.OWNER, holder)
        else:
            original(world, broker, finding, holder, edition)

    return owner_known


def reading_takes(original: Function) -> Function:
    """A read-only lookup is like any other."""

    def owner_known(
        world: World, broker: Broker, finding: Finding, holder: int | None, edition: Edition
    ) -> None:
        finding.request = replace(finding.request, read_only=False)
        original(world, broker, finding, holder, edition)

    return owner_known


def hands_out_what_it_unloads(original: Function) -> Function:
    """A broker names itself while it is unloading."""

    def find_owner(world: World, broker: Broker, finding: Finding, edition: Edition) -> None:
        if broker.standing(finding.request.bundle) is Standing.UNLOADING:
            owning.finish(world, broker, finding, Outcome.OWNER, broker.number)
        else:
            original(world, broker, finding, edition)

    return find_owner


def fails_while_unloading(original: Function) -> Function:
    """A bundle that is being unloaded is refused with another error."""

    def find_owner(world: World, broker: Broker, finding: Finding, edition: Edition) -> None:
        if broker.standing(finding.request.bundle) is Standing.UNLOADING:
            owning.finish(world, broker, finding, Outcome.FAILED)
        else:
            original(world, broker, finding, edition)

    return find_owner


def without_a_leader(original: Function) -> Function:
    """Every broker takes nobody for the leader."""

    def choose(world: World, broker: Broker, request: Request) -> tuple[int | None, bool]:
        leader, broker.leader = broker.leader, None
        chosen: tuple[int | None, bool] = original(world, broker, request)
        broker.leader = leader
        return chosen

    return choose


def nobody_without_a_leader(original: Function) -> Function:
    """Without a leader nobody is assigned."""

    def choose(world: World, broker: Broker, request: Request) -> tuple[int | None, bool]:
        decided = broker.leader is not None or request.authoritative
        chosen: tuple[int | None, bool] = original(world, broker, request)
        return chosen if decided else (None, True)

    return choose


def leader_by_another_name(original: Function) -> Function:
    """A broker never recognizes the leader among those that are registered."""

    def choose(world: World, broker: Broker, request: Request) -> tuple[int | None, bool]:
        chosen: tuple[int | None, bool] = original(world, broker, request)
        led = broker.leader not in (None, broker.number) and not request.authoritative
        if led and lookup.named_broker(world, request.bundle) is None:
            return lookup.pick(available(world), request.preferred), True
        return chosen

    return choose


def forgets_the_leader(original: Function) -> Function:
    """A new connection forgets the leader."""

    def reconnect(world: World, broker: Broker) -> None:
        original(world, broker)
        broker.leader = None

    return reconnect


def without_the_flag(original: Function) -> Function:
    """A client that follows a redirect forgets its flag."""

    def ask(world: World, broker: Broker, request: Request, edition: Edition) -> Any:
        return original(world, broker, replace(request, authoritative=False), edition)

    return ask


def everybody(original: Function) -> Function:
    """All brokers count as registered."""

    return lambda world: [broker.number for broker in world.brokers]


def all_but_the_last(original: Function) -> Function:
    """One broker runs and is not registered."""
    return lambda world: original(world)[:-1]


def never_joins(original: Function) -> Function:
    """Every lookup searches for itself."""

    def look_up(
        world: World, broker: Broker, number: int, request: Request, edition: Edition
    ) -> None:
        broker.finding.clear()
        original(world, broker, number, request, edition)

    return look_up


def the_last(original: Function) -> Function:
    """The last registered broker is picked."""

    return lambda brokers, preferred: brokers[-1] if brokers else None


# ------------------------------------------------------------------------------- in 4.0


def deaf(original: Function) -> Function:
    """Notifications of deleted nodes are dropped."""

    def notify(broker: Broker, bundle: int) -> None:
        waiting = broker.notifications.get(bundle)
        if waiting and waiting[0] is Change.DELETED:
            waiting.popleft()
        else:
            original(broker, bundle)

    return notify


def keeps_what_another_holds(original: Function) -> Function:
    """A lock whose node another broker holds is not given up."""

    def judge(
        world: World, broker: Broker, lock: Lock, fault: Fault | None, edition: Edition
    ) -> None:
        if fault is not Fault.BAD_VERSION:
            original(world, broker, lock, fault, edition)

    return judge
