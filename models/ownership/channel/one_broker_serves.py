"""Theorems: one broker at most serves a bundle of the channel (OWN-6 to OWN-8), for any brokers.

The invariant speaks of every broker x: if x serves, or is registered and has not yet read that it
was made the owner, then the current record *holds* x: Owned by x, Splitting or Releasing from x.
A record holds one broker, so one serves at most. And what x has closed for is no newer than the
current record; if it is that record, x does not serve any more.

Each action is checked alone, without quantifiers: the invariant is assumed of the brokers that
the action names and of any other broker, and proved of all of these. Views may be as old as they
like: a broker may ask for anything at any time, with any version. What a broker must know is only
which Releasing record it has closed for. Versions continue over a removal (OWN-40):
`no_newer_record_known.py`.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import z3

from evenkeel.models.ownership import records as rules
from evenkeel.models.ownership.channel.invariant import (
    ACTOR,
    AGAIN,
    BEFORE,
    GIVEN,
    MESSAGE,
    OPENS,
    OTHER,
    RECORD,
    SEEN,
    World,
    assume,
    fencing_steps,
    first,
    follows,
    holds_rule,
    message,
    others,
    preserve,
    set_at,
    write,
)
from evenkeel.models.ownership.records import (
    ASSIGNING,
    DELETED,
    FREE,
    INIT,
    NO_BROKER,
    OWNED,
    RELEASING,
    SPLITTING,
    TOPIC,
)
from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import Bundle, ChannelTrial
from evenkeel.properties.ownership.records import ConflictTrial
from evenkeel.reference.ownership.records import State, Storage, owner_named_by
from evenkeel_engine.proofs.assumptions import Step, case, inductive
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

# -------------------------------------------------------------------- what any broker may ask for


def asking_steps(scope: Scope) -> tuple[Step, ...]:
    """Any broker assigns, releases, splits, whatever it knows; and one at most serves."""
    after = write(BEFORE, MESSAGE, follows())
    fresh = z3.And(MESSAGE.destination == GIVEN, MESSAGE.source <= NO_BROKER)
    both = case("two serve", BEFORE.serves(ACTOR), BEFORE.serves(OTHER))
    actions = (
        first(),
        preserve("assign", scope, after, *message(ASSIGNING), fresh),
        preserve("release or transfer", scope, after, *message(RELEASING)),
        preserve("split", scope, after, *message(SPLITTING)),
    )
    return inductive(
        actions,
        Step(
            "one at most", (*assume(scope), both, others("handing-over", "losing")), ACTOR == OTHER
        ),
    )


def any_broker_releases(scope: Scope) -> Step:
    """Without the check of the brokers a release keeps the invariant."""
    after = write(BEFORE, MESSAGE, follows(brokers=False))
    table = RECORD.state == OWNED, RECORD.destination > 0
    return preserve("release", scope, after, *message(RELEASING), *table, BEFORE.serves(OTHER))


# -------------------------------------------------------------------------------- handing over


def handing_steps(scope: Scope) -> tuple[Step, ...]:
    """The next owner reports that it owns; a source closes, and reports it."""
    accepted = follows()
    mine = z3.And(MESSAGE.source == ACTOR, BEFORE.closed(ACTOR) + 1 == MESSAGE.version)
    owned = write(BEFORE, MESSAGE, accepted)
    given = write(BEFORE, MESSAGE, z3.And(accepted, RECORD.state == RELEASING))
    without = write(BEFORE, MESSAGE, accepted)
    handed = without._replace(
        serves=set_at(BEFORE.serves, ACTOR, z3.And(BEFORE.serves(ACTOR), z3.Not(accepted))),
        unread=set_at(BEFORE.unread, ACTOR, z3.And(BEFORE.unread(ACTOR), z3.Not(accepted))),
    )
    actions = (
        first(),
        preserve("own", scope, owned, *message(OWNED), MESSAGE.destination == ACTOR),
        preserve("close", scope, close(), SEEN <= RECORD.version, SEEN >= BEFORE.closed(ACTOR)),
        preserve("closed, then freed", scope, given, *message(FREE), mine),
        preserve("closed, then assigned", scope, given, *message(ASSIGNING), mine),
        preserve("divided", scope, handed, *message(DELETED), MESSAGE.source == ACTOR),
    )
    both = case("two serve", BEFORE.serves(ACTOR), BEFORE.serves(OTHER))
    given_too = (*assume(scope), both, others("asking", "losing"))
    return inductive(actions, Step("one at most", given_too, ACTOR == OTHER))


def close() -> World:
    """The actor has closed for the Releasing that it has `SEEN`; if it is the last, it read all."""
    unread = z3.And(BEFORE.unread(ACTOR), SEEN != RECORD.version)
    return BEFORE._replace(
        serves=set_at(BEFORE.serves, ACTOR, z3.BoolVal(False)),
        unread=set_at(BEFORE.unread, ACTOR, unread),
        closed=set_at(BEFORE.closed, ACTOR, SEEN),
    )


def stale_closing(scope: Scope) -> Step:
    """A message of the version in use is taken from a broker that closed for an older Releasing."""
    mine = z3.And(MESSAGE.source == ACTOR, BEFORE.closed(ACTOR) + 1 == MESSAGE.version)
    after = write(BEFORE, MESSAGE, follows(equal=True))
    table = RECORD.state == RELEASING, BEFORE.serves(ACTOR), RECORD.version >= 1
    return preserve(
        "closed, then freed", scope, after, *message(FREE), mine, *table, ACTOR == OTHER
    )


# --------------------------------------------------------------------------- losses and removals


def losing_steps(scope: Scope) -> tuple[Step, ...]:
    """Brokers read, stop serving, lose their session and come back; overrides; removals."""
    opens = z3.And(BEFORE.registered(ACTOR), z3.Or(BEFORE.unread(ACTOR), owns(ACTOR)))
    reads = BEFORE._replace(
        serves=set_at(BEFORE.serves, ACTOR, z3.Or(BEFORE.serves(ACTOR), z3.And(opens, OPENS))),
        unread=set_at(BEFORE.unread, ACTOR, z3.And(BEFORE.unread(ACTOR), AGAIN)),
    )
    stops = BEFORE._replace(serves=set_at(BEFORE.serves, ACTOR, z3.BoolVal(False)))
    loses = stops._replace(registered=set_at(BEFORE.registered, ACTOR, z3.BoolVal(False)))
    returns = BEFORE._replace(
        registered=set_at(BEFORE.registered, ACTOR, z3.BoolVal(True)),
        unread=set_at(BEFORE.unread, ACTOR, z3.BoolVal(False)),
        serves=set_at(BEFORE.serves, ACTOR, owns(ACTOR)),
    )
    has_closed = z3.And(BEFORE.closed(ACTOR) == RECORD.version, RECORD.state == RELEASING)
    newly_read = z3.Implies(has_closed, z3.Not(z3.And(opens, OPENS)))
    absent = z3.Not(BEFORE.registered(ACTOR))
    actions = (
        first(),
        preserve("read", scope, reads, newly_read),
        preserve("stop", scope, stops),
        preserve("lose the session, or crash", scope, loses),
        preserve("return", scope, returns, absent),
        preserve("override", scope, write(BEFORE, MESSAGE, follows()), *overriding()),
        preserve("remove", scope, remove(z3.Or(RECORD.state == FREE, RECORD.state == DELETED))),
    )
    return inductive(actions, *fencing_steps(scope))


def owns(broker: Term) -> Term:
    """The current record is Owned by this broker."""
    return z3.And(RECORD.state == OWNED, RECORD.destination == broker)


def overriding() -> tuple[Term, ...]:
    """A forced record: a registered broker that holds the bundle keeps it, or owns it again."""
    holder = z3.If(RECORD.state == OWNED, RECORD.destination, RECORD.source)
    held = z3.Or([RECORD.state == state for state in (OWNED, RELEASING, SPLITTING)])
    living = z3.And(held, BEFORE.registered(holder))
    stays = z3.Or(MESSAGE.state == RELEASING, MESSAGE.state == SPLITTING)
    again = z3.And(MESSAGE.state == OWNED, MESSAGE.destination == holder)
    return (
        rules.is_record(MESSAGE),
        MESSAGE.forced,
        MESSAGE.state != INIT,
        z3.Implies(living, z3.Or(z3.And(stays, MESSAGE.source == holder), again)),
    )


def remove(allowed: Term) -> World:
    """The record is removed, if that is allowed. Which version it had is remembered (OWN-40)."""
    without = RECORD._replace(
        state=z3.If(allowed, z3.IntVal(INIT), RECORD.state),
        destination=z3.If(allowed, z3.IntVal(NO_BROKER), RECORD.destination),
        source=z3.If(allowed, z3.IntVal(NO_BROKER), RECORD.source),
    )
    return BEFORE._replace(record=without)


def removes_anything(scope: Scope) -> Step:
    """Any record may be removed."""
    after = remove(z3.BoolVal(True))
    use = RECORD.state == OWNED, BEFORE.serves(OTHER), RECORD.source <= NO_BROKER
    return preserve("remove", scope, after, *use)


# ------------------------------------------------------------------------------------ as trials


def conflict_trial(model: Model) -> Any:
    """The current record and the message of a model."""
    topic = bool(evaluate(model.eval(TOPIC, model_completion=True)))
    storage = Storage.TOPIC if topic else Storage.NODES
    current, update = rules.data_of(model, RECORD), rules.data_of(model, MESSAGE)
    return ConflictTrial(storage, current, update)


def removal_trial(model: Model) -> ChannelTrial:
    """The owner of the model is given the bundle as the leader is about to remove its record."""
    owner, parent = number(model, RECORD.destination) % 2, Bundle.PARENT
    reads = (do.Read(0), do.Read(1)) * 2
    return ChannelTrial(
        Storage.NODES,
        2,
        (
            do.Assign(0, parent, owner),
            *reads,
            do.Unload(owner, parent, None),
            *reads,
            do.Finish(owner, parent, False),
            *reads,
            do.Elapse(3_601_000),
            do.Assign(1, parent, owner),
            do.Read(1),
            *((do.Read(owner),) if owner else ()),
            do.Monitor(0),
        ),
    )


def holding(random: Random) -> tuple[Any, ...]:
    """A record and a broker."""
    values = (
        random.randint(FREE, DELETED),
        random.randint(0, 3),
        random.randint(0, 3),
        random.randint(1, 5),
        False,
    )
    return rules.name_broker(values), random.randint(1, 3)


def holds_by_rule(values: Any, broker: int) -> bool:
    """By the theorem's rule."""
    return bool(evaluate(holds_rule(rules.terms_of(values), z3.IntVal(broker))))


def holds_by_reference(values: Any, broker: int) -> bool:
    """By the reference: the owner, or the releasing broker."""
    record = rules.record_of(values)
    if record is not None and record.state is State.RELEASING:
        return record.source == rules.text(broker)
    return owner_named_by(record) == rules.text(broker)


CROSS_CHECKS: Final = (
    *rules.CROSS_CHECKS,
    CrossCheck("holds", holding, holds_by_rule, holds_by_reference),
)
BOUND: Final = "both storages, any number of brokers, views of any age, versions below 2^62"

ASKING: Final = Theorem(
    name="channel-asking",
    chapter="ownership",
    clauses=("OWN-4", "OWN-7"),
    statement="Whatever any broker asks for, on whatever view, the record of a bundle holds the "
    "broker that serves it, and so one at most serves.",
    bound=BOUND,
    steps=asking_steps,
    mutant=ReferenceMutant(
        broken="brokers-unchecked",
        sentence="Without the check of the brokers a release leaves the server held.",
        step=any_broker_releases,
        trial=conflict_trial,
        question="ownership.conflict",
    ),
    cross_checks=CROSS_CHECKS,
)

HANDING: Final = Theorem(
    name="channel-handing-over",
    chapter="ownership",
    clauses=("OWN-2", "OWN-7", "OWN-10"),
    statement="When a source has closed and reports it, and the next owner reports that it owns, "
    "one at most serves; a broker that closed for an older release is ignored.",
    bound=BOUND,
    steps=handing_steps,
    mutant=ReferenceMutant(
        broken="equal-version-overrides",
        sentence="A broker that closed for an older release may report it by a version in use.",
        step=stale_closing,
        trial=conflict_trial,
        question="ownership.conflict",
    ),
    cross_checks=CROSS_CHECKS,
)

LOSING: Final = Theorem(
    name="channel-losing",
    chapter="ownership",
    clauses=("OWN-6", "OWN-7", "OWN-8", "OWN-17"),
    statement="When brokers read, are lost and come back, when bundles of the lost are overridden "
    "and free records removed, one at most serves, and only if it is registered. Where a broker "
    "serves on without its session, one at most of the registered serves.",
    bound=BOUND,
    steps=losing_steps,
    mutant=ReferenceMutant(
        broken="removal-unconditional",
        sentence="Any record may be removed.",
        step=removes_anything,
        trial=removal_trial,
        question="ownership.channel",
    ),
    cross_checks=CROSS_CHECKS,
)

THEOREMS: Final = (ASKING, HANDING, LOSING)
