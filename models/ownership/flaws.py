"""What is wrong with a world of the ownership channel, by the clauses OWN-6 to OWN-18 and OWN-47.

Each flaw is a sentence that begins with its clause. The judge of the harness says the same of the
trial that the schedule makes (`properties/ownership/channel`); tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from evenkeel.properties.ownership.channel.commands import ChannelCommand, Clean, ShutDown
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import channel
from evenkeel.reference.ownership.channel_world import (
    BUNDLES,
    HALVES,
    PARENT,
    Broker,
    World,
    Written,
)
from evenkeel.reference.ownership.conflict import accepts
from evenkeel.reference.ownership.records import (
    ACTIVE,
    IN_FLIGHT,
    BrokerId,
    BundleName,
    Record,
    State,
    Storage,
    owner_named_by,
    state_of,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """The record of each bundle, and, where there is none any more, which version was removed."""

    records: dict[BundleName, Record] = field(default_factory=dict)
    removed: dict[BundleName, int] = field(default_factory=dict)


class Leading(NamedTuple):
    """Who leads when a command is given, and who has led until then."""

    now: BrokerId | None
    ever: frozenset[BrokerId]


def flaws_of_writes(
    world: World,
    command: ChannelCommand,
    leading: Leading,
    standing: Standing,
    edition: Edition,
) -> list[str]:
    """What is wrong with the records that a command wrote; `standing` follows them."""
    found = []
    for written in world.written:
        flaw = flaw_of_write(world, written, command, leading, standing, edition)
        if flaw:
            found.append(flaw)
        follow(world.storage, standing, written, edition)
    return found


def follow(storage: Storage, standing: Standing, written: Written, edition: Edition) -> None:
    """The records after one was written; a topic's are those of a reader who reads everything."""
    bundle, record = written.bundle, written.record
    before, removed = standing.records.get(bundle), standing.removed.get(bundle)
    if storage is Storage.NODES:
        stands = written.stands
    elif record is None:
        stands = state_of(before) not in ACTIVE
    else:
        stands = accepts(storage, before, record, edition, removed)
    if not stands:
        return
    if record is not None:
        standing.records[bundle] = record
        standing.removed.pop(bundle, None)
    elif before is not None:
        del standing.records[bundle]
        if not edition.versions_restart:
            standing.removed[bundle] = before.version


def flaw_of_write(
    world: World,
    written: Written,
    command: ChannelCommand,
    leading: Leading,
    standing: Standing,
    edition: Edition,
) -> str:
    """What is wrong with a record that was published."""
    writer, bundle, record = written.writer, written.bundle, written.record
    before = standing.records.get(bundle)
    if record is None:
        erases = world.storage is Storage.NODES and written.stands
        if erases and state_of(before) in ACTIVE:
            return f"OWN-6: {writer} removes the {state_of(before).value} record of {bundle}"
        return ""
    if not record.force:
        speaker = speaker_of(record)
        other = speaker is not None and speaker != writer
        return f"OWN-10: {writer} writes {record.state.value} for {speaker}" if other else ""
    leaves = isinstance(command, ShutDown) and world.brokers[writer].disabled
    begun = isinstance(command, Clean) and writer in leading.ever
    if not leaves and not begun and leading.now != writer:
        return f"OWN-10: {writer} overrides {bundle} and does not lead"
    accepted = accepts(world.storage, before, record, edition)
    if before is not None and before.state is State.OWNED and accepted and not leaves:
        owner = before.destination
        if world.registered(owner) and owner is not None and not world.brokers[owner].disabled:
            return f"OWN-17: {writer} takes {bundle} from {owner}, which is healthy"
    given = record.source if record.state is State.SPLITTING else record.destination
    if given is not None and not world.registered(given):
        return f"OWN-18: {writer} gives {bundle} to {given}, which is not registered"
    return ""


def speaker_of(record: Record) -> BrokerId | None:
    """Who alone may write such a record; None: anybody."""
    match record.state:
        case State.OWNED:
            return record.destination
        case State.FREE | State.DELETED | State.ASSIGNING:
            return record.source
    return None


def flaws_of_serving(world: World) -> Iterator[str]:
    """What is wrong with who serves what."""
    serving = [broker for broker in world.brokers.values() if broker.serves]
    for one, other in combinations(serving, 2):
        both = one.serves & other.serves
        if both:
            yield f"OWN-7: {one.name} and {other.name} serve {min(both)}"
    for broker in serving:
        if not broker.registered:
            yield f"OWN-8: {broker.name} serves and is not registered"


# -------------------------------------------------------------------------------------- rest


def flaws_when_quiescent(world: World, edition: Edition) -> Iterator[str]:
    """What is wrong once the world has settled, which this does; nothing if nobody could lead."""
    if not channel.can_lead(world):
        return
    kept = owned_in_calm(world)
    channel.settle(world, edition)
    staying = channel.can_lead(world)
    agreed = staying[0].view
    for broker in staying:
        if broker.view != agreed:
            yield f"OWN-12: {broker.name} and {staying[0].name} see different records"
    for bundle, record in agreed.items():
        if record.state in IN_FLIGHT:
            yield f"OWN-11: {bundle} is still {record.state.value}"
    if world.divided and state_of(agreed.get(PARENT)) in ACTIVE:
        yield "OWN-14: the parent was divided and is back"
    yield from flaws_of_serving(world)
    yield from flaws_of_owning(world, staying[0])
    able = {broker.name for broker in staying}
    for bundle in sorted(kept):
        owner = owner_named_by(agreed.get(bundle))
        if owner not in able or not world.brokers[owner].serves.issuperset(HALVES[bundle]):
            yield f"OWN-47: {bundle} was owned, and nobody serves it"


def owned_in_calm(world: World) -> set[BundleName]:
    """The bundles that are owned while nothing is under way, whether their owners live or not."""
    first, *others = channel.can_lead(world)
    agreed = all(broker.view == first.view for broker in others)
    busy = any(
        broker.works or broker.told or (world.storage is Storage.TOPIC and unread(world, broker))
        for broker in world.live()
    )
    if busy or not agreed:
        return set()
    return {bundle for bundle, record in first.view.items() if record.state is State.OWNED}


def unread(world: World, broker: Broker) -> bool:
    """Whether the broker has messages to read."""
    return any(world.kept[broker.position :])


def flaws_of_owning(world: World, witness: Broker) -> Iterator[str]:
    """Who owns a bundle serves it, and nobody serves what it does not own."""
    owned = {
        (owner, half)
        for bundle in BUNDLES
        for half in HALVES[bundle]
        if (owner := owner_named_by(witness.view.get(bundle))) is not None
    }
    serves = {(broker.name, half) for broker in world.brokers.values() for half in broker.serves}
    for owner, half in sorted(owned - serves):
        yield f"OWN-13: {owner} owns {half} and does not serve it"
    for server, half in sorted(serves - owned):
        yield f"OWN-13: {server} serves {half} and does not own it"
