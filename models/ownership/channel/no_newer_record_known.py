"""Theorem: no broker knows of a newer record than the current one, over removals too (OWN-40).

So the writer of a record that is taken has read all records before it: a reader that misses nothing
never meets a gap between versions, and may take a gap for the work of compaction. Where versions
begin with 1 again, as in 4.0, a broker that has not read of a removal is ahead of the current
record (the case gap-after-a-removal).
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import z3

from evenkeel.models.ownership import records as rules
from evenkeel.models.ownership.channel.invariant import (
    ACTOR,
    GIVEN,
    MESSAGE,
    OTHER,
    RECORD,
    SEEN,
    follows,
    version_after,
)
from evenkeel.models.ownership.records import INIT, NEVER, NO_BROKER, TOPIC, Fields, accepts_rule
from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import Bundle, ChannelTrial
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel import events as channel_events
from evenkeel.reference.ownership.records import FIRST_VERSION, BrokerId, BundleName, Storage
from evenkeel_engine.proofs.assumptions import (
    Assumption,
    Step,
    case,
    hypothesis,
    inductive,
    instances,
)
from evenkeel_engine.proofs.terms import Model, Scope, Term, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

KNOWN: Final[Any] = z3.Function("known", z3.IntSort(), z3.IntSort())
"""The newest version that a broker knows of, standing or removed; `NEVER` if of none."""


def not_ahead(broker: Term, version: Term) -> Term:
    """The broker knows of nothing newer than this version."""
    return KNOWN(broker) <= version


def assume(scope: Scope) -> tuple[Assumption, ...]:
    """There is a record, or one was removed, or never was any; no broker is ahead of it."""
    never = z3.And(RECORD.state == INIT, RECORD.version == NEVER)
    some = z3.And(FIRST_VERSION <= RECORD.version, RECORD.version < 2**62)
    known = tuple(
        z3.Or(KNOWN(broker) == NEVER, KNOWN(broker) >= FIRST_VERSION) for broker in (ACTOR, OTHER)
    )
    return (
        hypothesis(
            "versions from 1 to below 2^62",
            *rules.small(scope, MESSAGE),
            z3.Or(never, z3.And(some, z3.Or(rules.is_record(RECORD), RECORD.state == INIT))),
            *known,
        ),
        instances(
            not_ahead(OTHER, RECORD.version),
            *(not_ahead(broker, RECORD.version) for broker in (ACTOR, OTHER)),
        ),
    )


def assume_written(scope: Scope) -> tuple[Assumption, ...]:
    """The actor writes what follows the newest that it knows of, and it is taken."""
    return (
        *assume(scope),
        case(
            "a broker writes what follows the newest record that it knows of, and it is taken",
            rules.is_record(MESSAGE),
            MESSAGE.version == version_after(KNOWN(ACTOR)),
            accepts_rule(TOPIC, RECORD, MESSAGE),
        ),
    )


def remove(record: Fields) -> Fields:
    """What is left of a record that is removed: which version it had."""
    no_broker = z3.IntVal(NO_BROKER)
    return record._replace(state=z3.IntVal(INIT), destination=no_broker, source=no_broker)


def counting_steps(scope: Scope) -> tuple[Step, ...]:
    """A record is taken, read, removed; and its writer knew all records before it."""
    up_to_date = z3.Or(KNOWN(ACTOR) == RECORD.version, RECORD.version == NEVER)
    reads = z3.If(OTHER == ACTOR, SEEN, KNOWN(OTHER))
    read = case("a broker reads what was written by then", SEEN <= RECORD.version)
    preserved = (
        Step("at first", (), z3.IntVal(NEVER) <= z3.IntVal(NEVER)),
        Step("write", assume_written(scope), not_ahead(OTHER, MESSAGE.version)),
        Step("read", (*assume(scope), read), reads <= RECORD.version),
        Step("remove", assume(scope), not_ahead(OTHER, remove(RECORD).version)),
    )
    knew = z3.And(up_to_date, follows())
    return inductive(preserved, Step("taken from a broker that knew", assume_written(scope), knew))


def forgets(scope: Scope) -> Step:
    """The removed version is forgotten, and still no broker is ahead of the current record."""
    known = RECORD.version >= FIRST_VERSION, RECORD.state == rules.FREE, ACTOR != OTHER
    brokers = tuple(z3.And(1 <= broker, broker <= 2) for broker in (ACTOR, OTHER, GIVEN))
    return Step("remove", (*assume(scope), *known, *brokers), KNOWN(OTHER) <= NEVER)


# ------------------------------------------------------------------------------------ as trials


def late_trial(model: Model) -> ChannelTrial:
    """The model's owner is given the bundle, and unloads it; one reads late that it is removed."""
    leader, late, parent = 0, 1, Bundle.PARENT
    owner = number(model, GIVEN) % 2
    reads = (do.Read(leader), do.Read(late)) * 2
    return ChannelTrial(
        Storage.TOPIC,
        2,
        (
            do.Assign(leader, parent, owner),
            *reads,
            do.Unload(leader, parent, None),
            *reads,
            do.Finish(owner, parent, False),
            *reads,
            do.Elapse(3_601_000),
            do.Monitor(leader),
            do.Assign(leader, parent, leader),
            *(do.Read(leader),) * 3,
            do.Assign(late, parent, late),
            *(do.Read(late),) * 5,
        ),
    )


# ---------------------------------------------------------------------------------------- twins


def removals(random: Random) -> tuple[Any, ...]:
    """A storage and a record."""
    values = (random.randint(rules.FREE, rules.DELETED), 1, 2, random.randint(1, 9), False)
    return random.random() < 0.5, values


def left_by_rule(topic: bool, values: Any) -> int:
    """Which version is known after the removal, by the theorem's rule."""
    return int(z3.simplify(remove(rules.terms_of(values)).version).as_long())


def left_by_reference(topic: bool, values: Any) -> int | None:
    """Which version the reference's broker knows after it has read of the removal."""
    record, bundle = rules.record_of(values), BundleName("parent")
    if record is None:
        return None
    name = BrokerId("b0")
    world = channel.new(Storage.TOPIC if topic else Storage.NODES, (name,))
    broker = world.brokers[name]
    broker.view[bundle] = record
    if not topic:
        world.nodes[bundle] = record
    channel_events.tombstone(world, broker, bundle, record, DOCUMENTED)
    channel_events.catch_up(world, broker, DOCUMENTED)
    return None if bundle in broker.view else broker.removed.get(bundle)


def next_by_rule(known: int) -> int:
    """What is written next, by the theorem's rule."""
    return int(z3.simplify(version_after(z3.IntVal(known))).as_long())


def next_by_reference(known: int) -> int:
    """What the reference's broker writes next, of a bundle without a record."""
    broker = channel.new(Storage.TOPIC, (BrokerId("b0"),)).brokers[BrokerId("b0")]
    if known != NEVER:
        broker.removed[BundleName("parent")] = known
    return channel_events.next_version_of(broker, BundleName("parent"))


def versions(random: Random) -> tuple[int]:
    """A version, or none."""
    return (random.choice((NEVER, random.randint(1, 99))),)


COUNTING: Final = Theorem(
    name="channel-counting",
    chapter="ownership",
    clauses=("OWN-2", "OWN-40"),
    statement="No broker knows of a newer version than that of the current record, or of the last "
    "one removed; so the writer of a record that is taken had read all records before it.",
    bound="both storages, any number of brokers, views of any age, versions below 2^62",
    steps=counting_steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="No broker is ahead though versions begin with 1 again after a removal.",
        step=forgets,
        trial=late_trial,
        question="ownership.channel",
    ),
    cross_checks=(
        *rules.CROSS_CHECKS,
        CrossCheck("what a removal leaves", removals, left_by_rule, left_by_reference),
        CrossCheck("what is written next", versions, next_by_rule, next_by_reference),
    ),
)

THEOREMS: Final = (COUNTING,)
