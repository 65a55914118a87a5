"""Following a channel's steps: what they say about the clauses OWN-6 to OWN-20, and OWN-40.

What stands in the storage, who runs, who is registered and who leads follows from the commands
and the records written; nothing of the subject's inside is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.ownership.answers_channel import record_of
from evenkeel.properties.ownership.channel_rest import at_rest, halves_of
from evenkeel.properties.ownership.trials_channel import (
    Ask,
    Assign,
    Bundle,
    ChannelAnswer,
    ChannelCommand,
    ChannelTrial,
    Clean,
    Crash,
    Done,
    Elapse,
    Elect,
    HalfName,
    LookupEnd,
    LoseSession,
    RecordData,
    RegainSession,
    RestartBroker,
    Settle,
    ShutDown,
    Step,
    Write,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel_world import IN_FLIGHT_WAIT
from evenkeel.reference.ownership.conflict import Order, accepts, order
from evenkeel.reference.ownership.records import (
    ACTIVE,
    State,
    Storage,
)


@dataclass(slots=True)
class Followed:
    """What is known of the world.

    `led`: who leads or has led. `standing`: the record of each bundle; `removed`: the version that
    was removed, of bundles that have none. `counted`: the newest version of each bundle that was
    ever removed. `entitled`: who was ever named owner of some hashes; `named`: who was ever named
    in a bundle's record. `open`: lookups begun and not ended, and when. `divided`: the range has
    been divided; who divided it says so, whether what he writes stands or not.
    """

    trial: ChannelTrial
    edition: Edition
    findings: Findings = field(default_factory=Findings)
    now: int = 0
    leader: int | None = 0
    led: set[int] = field(default_factory=lambda: {0})
    alive: set[int] = field(default_factory=set)
    registered: set[int] = field(default_factory=set)
    leaving: set[int] = field(default_factory=set)
    standing: dict[Bundle, RecordData] = field(default_factory=dict)
    removed: dict[Bundle, int] = field(default_factory=dict)
    counted: dict[Bundle, int] = field(default_factory=dict)
    entitled: set[tuple[int, HalfName]] = field(default_factory=set)
    named: set[tuple[int, Bundle]] = field(default_factory=set)
    open: dict[int, int] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    divided: bool = False

    def note(self, clause: str, holds: bool, sentence: str, kind: str = "") -> None:
        """A clause held here, or was violated."""
        self.findings.note(clause, holds, sentence, kind)


def walk_channel(case: Case[ChannelTrial, ChannelAnswer]) -> Findings:
    """What the steps say about every clause."""
    trial, observed = case.trial, case.observation
    world = Followed(trial, case.edition)
    if isinstance(observed, Refused | Broke) or len(observed.steps) != len(trial.commands):
        world.note("OWN-15", False, f"the channel {describe(observed)}", "shape")
        return world.findings
    world.alive = set(range(trial.brokers))
    world.registered = set(range(trial.brokers))
    for index, (command, step) in enumerate(zip(trial.commands, observed.steps, strict=True)):
        follow(world, index, command, step)
    return world.findings


def follow(world: Followed, index: int, command: ChannelCommand, step: Step) -> None:
    """One command and what it brought about."""
    done = isinstance(step.result, Done)
    if done:
        begin(world, index, command)
    for write in step.wrote:
        written(world, write, command)
    ended(world, index, step)
    if done:
        finish(world, command)
    served(world, index, step)
    if done and isinstance(command, Settle):
        at_rest(world, step)


def begin(world: Followed, index: int, command: ChannelCommand) -> None:
    """What changes before anything that the command brings about."""
    match command:
        case Ask() | Assign():
            world.open[index] = world.now
        case Elapse(millis):
            world.now += millis
        case Settle():
            world.now += 8 * 61_000
        case RestartBroker(broker):
            world.alive.add(broker)
            world.registered.add(broker)
            world.leaving.discard(broker)
        case RegainSession(broker):
            if broker not in world.leaving:
                world.registered.add(broker)
        case Elect(broker):
            world.leader = broker
            world.led.add(broker)
        case ShutDown(broker):
            world.leaving.add(broker)


def finish(world: Followed, command: ChannelCommand) -> None:
    """What has changed when the command is done."""
    match command:
        case Crash(broker) | LoseSession(broker) | ShutDown(broker):
            world.registered.discard(broker)
            if isinstance(command, Crash):
                world.alive.discard(broker)
                world.leaving.discard(broker)
            if world.leader == broker:
                world.leader = None
        case Settle():
            if world.leader is None:
                world.leader = min(world.registered - world.leaving, default=None)
                world.led.update(() if world.leader is None else (world.leader,))


# ---------------------------------------------------------------------------------- writing


def written(world: Followed, write: Write, command: ChannelCommand) -> None:
    """One record that was published."""
    record, before = write.record, world.standing.get(write.bundle)
    if record is None:
        removed(world, write, before)
        return
    if not record.force:
        by_whom(world, write, record)
    if write.bundle is Bundle.PARENT and record.state is State.DELETED:
        world.divided = True
    if world.trial.storage is Storage.NODES:
        stands = write.stands
        if stands:
            takes_place(world, write.bundle, before, record)
    else:
        last = world.removed.get(write.bundle)
        rows = record_of(before), record_of(record)
        stands = accepts(Storage.TOPIC, *rows, world.edition, last)
    name_brokers(world, write.bundle, record)
    if record.force:
        forced(world, write, record, before if stands else None, command)
    if stands:
        world.standing[write.bundle] = record
        world.removed.pop(write.bundle, None)
        if write.bundle in world.counted:
            world.counted[write.bundle] = record.version


def takes_place(
    world: Followed, bundle: Bundle, before: RecordData | None, record: RecordData
) -> None:
    """A record stands in a node: it follows the one before (OWN-20), or the removed (OWN-40)."""
    last = world.removed.get(bundle)
    if last is None:
        fits = accepts(Storage.NODES, record_of(before), record_of(record), world.edition)
        sentence = f"{record} of {bundle.value} does not follow {before}"
        world.note("OWN-20", fits, sentence)
    else:
        newer = order(last, record.version) is not Order.OLD
        sentence = f"version {last} of {bundle.value} was removed, then {record} stands"
        world.note("OWN-40", newer, sentence, "stands")


def removed(world: Followed, write: Write, before: RecordData | None) -> None:
    """A record was removed: it must not be one that is in use (OWN-6)."""
    if not write.stands:
        return
    if world.trial.storage is Storage.NODES and before is not None:
        sentence = f"the removal by broker {write.writer} took away {before}"
        world.note("OWN-6", before.state not in ACTIVE, sentence)
    if before and (world.trial.storage is Storage.NODES or before.state not in ACTIVE):
        del world.standing[write.bundle]
        if not world.edition.versions_restart:
            world.removed[write.bundle] = world.counted[write.bundle] = before.version


def by_whom(world: Followed, write: Write, record: RecordData) -> None:
    """Without force a broker speaks for itself only (OWN-10)."""
    speaker = {
        State.OWNED: record.destination,
        State.FREE: record.source,
        State.DELETED: record.source,
    }.get(record.state)
    if record.state is State.ASSIGNING and record.source is not None:
        speaker = record.source
    if speaker is not None:
        sentence = f"broker {write.writer} wrote {record} of {write.bundle.value}"
        world.note("OWN-10", speaker == name(write.writer), sentence, record.state.value)


def forced(
    world: Followed,
    write: Write,
    record: RecordData,
    before: RecordData | None,
    command: ChannelCommand,
) -> None:
    """An override: by the leader or who leaves (OWN-10), for the living (OWN-17, OWN-18).

    A clean-up that a leader has begun is run although another broker leads by then.
    """
    leaves = isinstance(command, ShutDown) and command.broker == write.writer
    begun = isinstance(command, Clean) and write.writer in world.led
    sentence = f"broker {write.writer} overrides {write.bundle.value} with {record}"
    if not isinstance(command, Settle):
        entitled = leaves or begun or world.leader == write.writer
        world.note("OWN-10", entitled, sentence, "override")
    if isinstance(command, Settle):
        return
    if before is not None and before.state is State.OWNED and not leaves:
        owner = number(before.destination)
        healthy = owner in world.registered and owner not in world.leaving
        world.note("OWN-17", not healthy, f"{sentence}, whose owner is healthy")
    given = record.source if record.state is State.SPLITTING else record.destination
    if given is not None:
        present = number(given) in world.registered
        world.note("OWN-18", present, f"{sentence}, to one that is not registered")


def name_brokers(world: Followed, bundle: Bundle, record: RecordData) -> None:
    """Who may serve by this record, and whom lookups may name."""
    for broker in (number(record.destination), number(record.source)):
        if broker is not None:
            world.named.add((broker, bundle))
    owner = record.source if record.state is State.SPLITTING else record.destination
    broker = number(owner)
    if broker is not None and record.state in (State.OWNED, State.SPLITTING):
        world.entitled.update((broker, half) for half in halves_of(bundle))


# ---------------------------------------------------------------------------------- lookups


def ended(world: Followed, index: int, step: Step) -> None:
    """Lookups that ended: once, in time, with somebody who was named (OWN-15, OWN-16)."""
    for lookup in step.ended:
        known = lookup.ticket in world.open
        sentence = f"command {index}: lookup {lookup.ticket} ended, which was not open"
        world.note("OWN-15", known, sentence, "ended twice")
        world.open.pop(lookup.ticket, None)
        command = world.trial.commands[lookup.ticket] if known else None
        if lookup.end is LookupEnd.OWNER and isinstance(command, Ask | Assign):
            named = (lookup.owner, command.bundle) in world.named
            sentence = f"lookup {lookup.ticket} names broker {lookup.owner}, which no record does"
            world.note("OWN-16", named, sentence)
    for ticket, since in world.open.items():
        sentence = f"after command {index} lookup {ticket} still waits, {world.now - since} ms"
        world.note("OWN-15", world.now - since < IN_FLIGHT_WAIT, sentence, "waits")


# ---------------------------------------------------------------------------------- serving


def served(world: Followed, index: int, step: Step) -> None:
    """Who serves what now (OWN-7 to OWN-9)."""
    seen: dict[HalfName, int] = {}
    for serving in step.serves:
        broker = serving.broker
        sentence = f"after command {index} broker {broker} serves without being registered"
        world.note("OWN-8", broker in world.registered, sentence)
        for half in serving.hashes:
            one = half not in seen
            sentence = f"after command {index} {half.value} is served by {seen.get(half)}, {broker}"
            world.note("OWN-7", one, sentence)
            seen[half] = broker
            sentence = f"after command {index} broker {broker} serves {half.value}, never its own"
            world.note("OWN-9", (broker, half) in world.entitled, sentence)


def name(broker: int) -> str:
    """A broker's name in records."""
    return f"b{broker}"


def number(broker: str | None) -> int | None:
    """The broker that a record names."""
    return None if broker is None else int(broker[1:])
