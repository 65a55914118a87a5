"""A channel's history, command by command: OWN-6 to OWN-20, OWN-40, OWN-42 to OWN-49, and OWN-51.

What stands in the storage, who runs, who is registered and who leads follows from the commands
and the records written; nothing of the subject's inside is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.ownership.channel import commands as do
from evenkeel.properties.ownership.channel.commands import Bundle, ChannelCommand
from evenkeel.properties.ownership.channel.effects import Effects, after, before
from evenkeel.properties.ownership.channel.rest import at_rest
from evenkeel.properties.ownership.channel.trial import (
    ChannelAnswer,
    ChannelTrial,
    Done,
    HalfName,
    LookupEnd,
    Step,
    Write,
    broker_of,
    halves_of,
)
from evenkeel.properties.ownership.records.trial import RecordData
from evenkeel.properties.ownership.succession import distance, ruling
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel.world import IN_FLIGHT_WAIT
from evenkeel.reference.ownership.records import ACTIVE, IN_FLIGHT, State, Storage

ChannelCase = Case[ChannelTrial, ChannelAnswer]


@dataclass(slots=True)
class ChannelMonitor:
    """What is known of the world.

    `led`: who leads or has led. `standing`: the record of each bundle; `removed`: the version that
    was removed, of bundles that have none. `counted`: the newest version of each bundle that was
    ever removed. `entitled`: who was ever named owner of some hashes; `named`: who was ever named
    in a bundle's record. `open`: lookups begun and not ended, and when. `divided`: the range has
    been divided; who divided it says so, whether what he writes stands or not. `in_flight`: a
    transition was begun since the last rest. `serves`: who served what after the last command.
    """

    trial: ChannelTrial
    edition: Edition
    findings: Findings
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
    divided: bool = False
    in_flight: bool = False
    serves: frozenset[tuple[int, HalfName]] = frozenset()
    effects: Effects = field(default_factory=Effects)

    def note(self, clause: str, holds: bool, kind: str, template: str, *values: object) -> None:
        if holds:
            self.findings.add(clause, None)
        else:
            self.findings.check(clause, False, kind, template, *values)


@monitor(
    "ownership.channel",
    *("OWN-6", "OWN-7", "OWN-8", "OWN-9", "OWN-10", "OWN-11", "OWN-12", "OWN-13", "OWN-14"),
    *("OWN-15", "OWN-16", "OWN-17", "OWN-18", "OWN-19", "OWN-20", "OWN-40"),
    *("OWN-42", "OWN-43", "OWN-44", "OWN-45", "OWN-46", "OWN-47", "OWN-48", "OWN-49"),
    "OWN-51",
)
def channel(case: ChannelCase, findings: Findings) -> None:
    trial, observed = case.trial, case.observation
    exact(findings, "OWN-19", case, differing, "steps")
    world = ChannelMonitor(trial, case.edition, findings)
    if isinstance(observed, Refused | Broke) or len(observed.steps) != len(trial.commands):
        world.note("OWN-15", False, "shape", "the channel {}", in_full(observed))
        return
    world.alive = set(range(trial.brokers))
    world.registered = set(range(trial.brokers))
    for index, (command, step) in enumerate(zip(trial.commands, observed.steps, strict=True)):
        follow(world, index, command, step)


def follow(world: ChannelMonitor, index: int, command: ChannelCommand, step: Step) -> None:
    done = isinstance(step.result, Done)
    before(world, index, command, step)
    if done:
        begin(world, index, command)
    for write in step.wrote:
        written(world, write, command)
    ended(world, index, step)
    if done:
        finish(world, command)
    after(world)
    served(world, index, step)
    world.serves = frozenset((one.broker, half) for one in step.serves for half in one.hashes)
    if done and isinstance(command, do.Settle):
        at_rest(world, step)


def begin(world: ChannelMonitor, index: int, command: ChannelCommand) -> None:
    """What changes before anything that the command brings about."""
    match command:
        case do.Ask() | do.Assign():
            world.open[index] = world.now
        case do.Elapse(millis):
            world.now += millis
        case do.Settle():
            world.now += 8 * 61_000
        case do.RestartBroker(broker):
            world.alive.add(broker)
            world.registered.add(broker)
            world.leaving.discard(broker)
        case do.RegainSession(broker):
            if broker not in world.leaving:
                world.registered.add(broker)
        case do.Elect(broker):
            world.leader = broker
            world.led.add(broker)
        case do.ShutDown(broker):
            world.leaving.add(broker)


def finish(world: ChannelMonitor, command: ChannelCommand) -> None:
    """What has changed when the command is done."""
    match command:
        case do.Crash(broker) | do.LoseSession(broker) | do.ShutDown(broker):
            world.registered.discard(broker)
            if isinstance(command, do.Crash):
                world.alive.discard(broker)
                world.leaving.discard(broker)
            if world.leader == broker:
                world.leader = None
        case do.Settle():
            if world.leader is None:
                world.leader = min(world.registered - world.leaving, default=None)
                world.led.update(() if world.leader is None else (world.leader,))


# ---------------------------------------------------------------------------------- writing


def written(world: ChannelMonitor, write: Write, command: ChannelCommand) -> None:
    record, before = write.record, world.standing.get(write.bundle)
    if record is None:
        removed(world, write, before)
        return
    if not record.force:
        by_whom(world, write, record)
    if write.bundle is Bundle.PARENT and record.state is State.DELETED:
        world.divided = True
    world.in_flight = world.in_flight or record.state in IN_FLIGHT
    if world.trial.storage is Storage.NODES:
        stands = write.stands
        if stands:
            takes_place(world, write.bundle, before, record)
    else:
        last = world.removed.get(write.bundle)
        stands = bool(ruling(Storage.TOPIC, before, record, world.edition, last).accepted)
    name_brokers(world, write.bundle, record)
    if record.force and not isinstance(command, do.Settle):
        forced(world, write, record, before if stands else None, command)
    if stands:
        world.standing[write.bundle] = record
        world.removed.pop(write.bundle, None)
        if write.bundle in world.counted:
            world.counted[write.bundle] = record.version


def takes_place(
    world: ChannelMonitor, bundle: Bundle, before: RecordData | None, record: RecordData
) -> None:
    """A record stands in a node: it follows the one before (OWN-20), or the removed (OWN-40)."""
    last, name = world.removed.get(bundle), bundle.value
    if last is None:
        fits = bool(ruling(Storage.NODES, before, record, world.edition).accepted)
        world.note("OWN-20", fits, "", "{} of {} does not follow {}", record, name, before)
    else:
        sentence = "version {} of {} was removed, then {} stands"
        newer = distance(last, record.version) > 0
        world.note("OWN-40", newer, "stands", sentence, last, name, record)


def removed(world: ChannelMonitor, write: Write, before: RecordData | None) -> None:
    """A record was removed: it must not be one that is in use (OWN-6)."""
    if not write.stands or before is None:
        return
    in_use = before.state in ACTIVE
    if world.trial.storage is Storage.NODES:
        sentence = "the removal by broker {} took away {}"
        world.note("OWN-6", not in_use, "", sentence, write.writer, before)
    if world.trial.storage is Storage.NODES or not in_use:
        del world.standing[write.bundle]
        if not world.edition.versions_restart:
            world.removed[write.bundle] = world.counted[write.bundle] = before.version


def by_whom(world: ChannelMonitor, write: Write, record: RecordData) -> None:
    """Without force a broker speaks for itself only (OWN-10)."""
    match record.state:
        case State.OWNED:
            speaker = record.destination
        case State.FREE | State.DELETED | State.ASSIGNING:
            speaker = record.source
        case _:
            return
    if speaker is not None:
        own = speaker == f"b{write.writer}"
        sentence = "broker {} wrote {} of {}"
        kind = record.state.value
        world.note("OWN-10", own, kind, sentence, write.writer, record, write.bundle.value)


def forced(
    world: ChannelMonitor,
    write: Write,
    record: RecordData,
    before: RecordData | None,
    command: ChannelCommand,
) -> None:
    """An override: by the leader or who leaves (OWN-10), for the living (OWN-17, OWN-18).

    A clean-up that a leader has begun is run although another broker leads by then.
    """
    writer, what = write.writer, "broker {} overrides {} with {}"
    values = writer, write.bundle.value, record
    leaves = isinstance(command, do.ShutDown) and command.broker == writer
    begun = isinstance(command, do.Clean) and writer in world.led
    world.note("OWN-10", leaves or begun or world.leader == writer, "override", what, *values)
    if before is not None and before.state is State.OWNED and not leaves:
        owner = broker_of(before.destination)
        healthy = owner in world.registered and owner not in world.leaving
        world.note("OWN-17", not healthy, "", f"{what}, whose owner is healthy", *values)
    given = record.source if record.state is State.SPLITTING else record.destination
    if given is not None:
        present = broker_of(given) in world.registered
        world.note("OWN-18", present, "", f"{what}, to one that is not registered", *values)


def name_brokers(world: ChannelMonitor, bundle: Bundle, record: RecordData) -> None:
    """Who may serve by this record, and whom lookups may name."""
    for broker in (broker_of(record.destination), broker_of(record.source)):
        if broker is not None:
            world.named.add((broker, bundle))
    owner = record.source if record.state is State.SPLITTING else record.destination
    broker = broker_of(owner)
    if broker is not None and record.state in (State.OWNED, State.SPLITTING):
        world.entitled.update((broker, half) for half in halves_of(bundle))


# ------------------------------------------------------------------------ lookups and serving


def ended(world: ChannelMonitor, index: int, step: Step) -> None:
    """Lookups that ended: once, in time, with somebody who was named (OWN-15, OWN-16)."""
    for lookup in step.ended:
        known = world.open.pop(lookup.ticket, None) is not None
        sentence = "command {}: lookup {} ended, which was not open"
        world.note("OWN-15", known, "ended twice", sentence, index + 1, lookup.ticket)
        command = world.trial.commands[lookup.ticket] if known else None
        if lookup.end is LookupEnd.OWNER and isinstance(command, do.Ask | do.Assign):
            named = (lookup.owner, command.bundle) in world.named
            sentence = "lookup {} names broker {}, which no record does"
            world.note("OWN-16", named, "", sentence, lookup.ticket, lookup.owner)
    for ticket, since in world.open.items():
        waits = world.now - since
        sentence = "after command {} lookup {} still waits, {} ms"
        world.note("OWN-15", waits < IN_FLIGHT_WAIT, "waits", sentence, index + 1, ticket, waits)


def served(world: ChannelMonitor, index: int, step: Step) -> None:
    """Who serves what now (OWN-7 to OWN-9)."""
    seen: dict[HalfName, int] = {}
    note, after = world.note, index + 1
    for serving in step.serves:
        broker = serving.broker
        registered = broker in world.registered
        sentence = "after command {} broker {} serves without being registered"
        note("OWN-8", registered, "", sentence, after, broker)
        for half in serving.hashes:
            other = seen.get(half)
            sentence = "after command {} {} is served by {} and by {}"
            note("OWN-7", other is None, "", sentence, after, half, other, broker)
            seen[half] = broker
            own = (broker, half) in world.entitled
            sentence = "after command {} broker {} serves {}, never its own"
            note("OWN-9", own, "", sentence, after, broker, half)


def differing(step: Step, right: Step) -> str | None:
    """The first part in which two steps differ; of refusals and failures only the sort counts."""
    failed = isinstance(right.result, CommandRefused | CommandBroke)
    same_result = type(step.result) is type(right.result) if failed else step.result == right.result
    if not same_result:
        return "result"
    parts = ("ended", "wrote", "serves", "views")
    return next((part for part in parts if getattr(step, part) != getattr(right, part)), None)
