"""Theorem: one broker at most serves a hash, during a division too (OWN-7), for any brokers.

The hash lies in the parent and in one of its halves, each of which has a record (`half_invariant`
has the invariant). As in `one_broker_serves`, each action is checked without quantifiers, views
may be as old as they like, and versions continue over a removal. What is being split is
overridden by another Splitting or, where no broker is left to continue it, not at all: were it
freed, it could be given away, and then divided by the broker that had begun to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import z3

from evenkeel.models.ownership import records as rules
from evenkeel.models.ownership.channel.division_rules import (
    CROSS_CHECKS,
    holder_of,
    known_rule,
    override_rule,
)
from evenkeel.models.ownership.channel.half_invariant import (
    BEFORE,
    Hash,
    Side,
    assume,
    first,
    is_parted,
    no_record,
    preserve,
)
from evenkeel.models.ownership.channel.invariant import (
    ACTOR,
    MESSAGE,
    OPENS,
    OTHER,
    SEEN,
    follows_of,
    message,
    set_at,
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
    Fields,
)
from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import Bundle, ChannelTrial
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, inductive
from evenkeel_engine.proofs.terms import Model, Scope, Term, number
from evenkeel_engine.proofs.theorem import ReferenceMutant, Theorem

# ------------------------------------------------------------------------------- both sides


def write(side: Side, accepted: Term) -> Side:
    """The side when the message was written; its new owner has not read it yet."""
    record = Fields(
        *(z3.If(accepted, new, old) for new, old in zip(MESSAGE, side.record, strict=True))
    )

    def unread(broker: Term) -> Term:
        made = z3.And(accepted, MESSAGE.state == OWNED, MESSAGE.destination == broker)
        return z3.Or(side.unread(broker), made)

    return replace(side, record=record, unread=unread)


def with_side(of: Hash, name: str, side: Side) -> Hash:
    """The hash with another parent or half."""
    return replace(of, parent=side) if name == "parent" else replace(of, half=side)


def writing_steps(scope: Scope, name: str) -> tuple[Step, ...]:
    """What is written about one side, by the brokers that may, and what its brokers do."""
    side: Side = getattr(BEFORE, name)
    record, free = side.record, known_rule(name, BEFORE.over, MESSAGE.state)
    accepted = z3.And(follows_of(record), free)
    written = z3.And(accepted, z3.Or(name == "parent", is_parted(BEFORE)))
    after = with_side(BEFORE, name, write(side, written))
    released = z3.And(written, record.state == RELEASING)
    mine = z3.And(MESSAGE.source == ACTOR, side.closed(ACTOR) + 1 == MESSAGE.version)
    given = with_side(BEFORE, name, write(side, released))
    fresh = z3.And(MESSAGE.destination > NO_BROKER, MESSAGE.source <= NO_BROKER)
    late = SEEN <= record.version, SEEN >= side.closed(ACTOR)
    return (
        preserve(f"{name}: assign", scope, after, *message(ASSIGNING), fresh),
        preserve(f"{name}: release or transfer", scope, after, *message(RELEASING)),
        preserve(f"{name}: own", scope, after, *message(OWNED), MESSAGE.destination == ACTOR),
        preserve(f"{name}: close", scope, close(name), *late),
        preserve(f"{name}: closed, then freed", scope, given, *message(FREE), mine),
        preserve(f"{name}: closed, then assigned", scope, given, *message(ASSIGNING), mine),
        preserve(f"{name}: read", scope, read(name)),
        preserve(f"{name}: override", scope, override(name), *overriding(name)),
        preserve(f"{name}: remove", scope, remove(name)),
    )


def close(name: str) -> Hash:
    """The actor has closed for the side's Releasing that it has `SEEN`, and all it read before."""
    side: Side = getattr(BEFORE, name)
    unread = z3.And(side.unread(ACTOR), SEEN != side.record.version)
    shut = replace(
        side, unread=set_at(side.unread, ACTOR, unread), closed=set_at(side.closed, ACTOR, SEEN)
    )
    return replace(
        with_side(BEFORE, name, shut), serves=set_at(BEFORE.serves, ACTOR, z3.BoolVal(False))
    )


def owns(side: Side, broker: Term) -> Term:
    """The side's record is Owned by this broker."""
    return z3.And(side.record.state == OWNED, side.record.destination == broker)


def read(name: str) -> Hash:
    """The actor reads that it is the owner, and opens the topics unless it has closed since."""
    side: Side = getattr(BEFORE, name)
    opens = z3.And(BEFORE.registered(ACTOR), z3.Or(side.unread(ACTOR), owns(side, ACTOR)), OPENS)
    return replace(BEFORE, serves=set_at(BEFORE.serves, ACTOR, z3.Or(BEFORE.serves(ACTOR), opens)))


def overriding(name: str) -> tuple[Term, ...]:
    """A forced record about one side. Who shuts down is registered no more when it writes one."""
    record = getattr(BEFORE, name).record
    rule = override_rule(record, MESSAGE, BEFORE.registered(holder_of(record)))
    return rules.is_record(MESSAGE), rule


def override(name: str) -> Hash:
    """The side after a forced record; the broker that is to continue the split is noted."""
    side: Side = getattr(BEFORE, name)
    known = known_rule(name, BEFORE.over, MESSAGE.state)
    begun = z3.Or(name == "parent", is_parted(BEFORE))
    accepted = z3.And(follows_of(side.record), side.record.state != INIT, known, begun)
    after = with_side(BEFORE, name, write(side, accepted))
    return splitting(after, accepted) if name == "parent" else after


def splitting(of: Hash, accepted: Term) -> Hash:
    """If the message is a Splitting, its source was to split."""
    split = z3.And(accepted, MESSAGE.state == SPLITTING)

    def splits(broker: Term) -> Term:
        return z3.Or(BEFORE.splits(broker), z3.And(split, MESSAGE.source == broker))

    return replace(of, splits=splits)


def remove(name: str) -> Hash:
    """A free or deleted record is removed. Versions continue."""
    side: Side = getattr(BEFORE, name)
    record = side.record
    unused = z3.Or(record.state == FREE, record.state == DELETED)
    left = record._replace(
        state=z3.If(unused, z3.IntVal(INIT), record.state),
        destination=z3.If(unused, z3.IntVal(NO_BROKER), record.destination),
        source=z3.If(unused, z3.IntVal(NO_BROKER), record.source),
    )
    return with_side(BEFORE, name, replace(side, record=left))


# ------------------------------------------------------------------------------ the division


def dividing_steps(scope: Scope) -> tuple[Step, ...]:
    """The parent is to be split, its halves are owned, it is divided; brokers come and go."""
    parent = BEFORE.parent
    accepted = z3.And(follows_of(parent.record), z3.Not(BEFORE.over))
    split = splitting(replace(BEFORE, parent=write(parent, accepted)), accepted)
    divided = replace(BEFORE, parent=write(parent, accepted), over=z3.Or(BEFORE.over, accepted))
    no = z3.BoolVal(False)
    stops = replace(BEFORE, serves=set_at(BEFORE.serves, ACTOR, no))
    loses = replace(stops, registered=set_at(BEFORE.registered, ACTOR, no))
    ended = (MESSAGE.source == ACTOR, BEFORE.begun(ACTOR))
    # The first record of a half, written by the broker that reads that it is to split.
    written = (MESSAGE.destination == ACTOR, MESSAGE.source == NO_BROKER, BEFORE.splits(ACTOR))
    birth = (*message(OWNED), MESSAGE.version == 1, *written)
    return (
        first(),
        preserve("split", scope, split, *message(SPLITTING)),
        preserve("the halves are owned", scope, begin(), *birth),
        preserve("divided", scope, divided, *message(DELETED), *ended),
        preserve("stop", scope, stops),
        preserve("lose the session, or crash", scope, loses),
        preserve("return", scope, return_broker(), z3.Not(BEFORE.registered(ACTOR))),
    )


def begin() -> Hash:
    """The splitting broker, which has read all, owns the half, if that has no record."""
    unread = set_at(BEFORE.parent.unread, ACTOR, z3.BoolVal(False))
    return replace(
        BEFORE,
        parent=replace(BEFORE.parent, unread=unread),
        half=write(BEFORE.half, z3.Not(is_parted(BEFORE))),
        begun=set_at(BEFORE.begun, ACTOR, z3.BoolVal(True)),
    )


def return_broker() -> Hash:
    """The actor is registered again, has read everything, and serves what it owns."""
    parent, half, no = BEFORE.parent, BEFORE.half, z3.BoolVal(False)
    return replace(
        BEFORE,
        parent=replace(parent, unread=set_at(parent.unread, ACTOR, no)),
        half=replace(half, unread=set_at(half.unread, ACTOR, no)),
        registered=set_at(BEFORE.registered, ACTOR, z3.BoolVal(True)),
        serves=set_at(BEFORE.serves, ACTOR, z3.Or(owns(parent, ACTOR), owns(half, ACTOR))),
    )


def steps(scope: Scope) -> tuple[Step, ...]:
    """The division itself, and everything else that happens to either side."""
    both = (writing_steps(scope, name) for name in ("parent", "half"))
    two = case("two serve", BEFORE.serves(ACTOR), BEFORE.serves(OTHER))
    together = hypothesis("a broker ceases to serve in the step in which its session ends (OWN-8)")
    return inductive(
        (*dividing_steps(scope), *(step for side in both for step in side)),
        Step("one at most", (*assume(scope), two, together), ACTOR == OTHER),
    )


# -------------------------------------------------------------------------------- the mutant


def any_key(scope: Scope) -> Step:
    """A parent that was divided and removed may be assigned again."""
    parent, half = BEFORE.parent, BEFORE.half
    after = replace(BEFORE, parent=write(parent, follows_of(parent.record)))
    fresh = z3.And(MESSAGE.destination > NO_BROKER, MESSAGE.source <= NO_BROKER)
    use = BEFORE.over, no_record(parent), BEFORE.serves(OTHER), owns(half, OTHER)
    apart_ = MESSAGE.destination != OTHER
    return preserve("parent: assign", scope, after, *message(ASSIGNING), fresh, *use, apart_)


def trial_of(model: Model) -> ChannelTrial:
    """The owner of the model divides the parent; then it is assigned to the broker of the model."""
    owner, new = number(model, OTHER) % 3, number(model, MESSAGE.destination) % 3
    reads = tuple(do.Read(broker) for broker in range(3)) * 2
    parent = Bundle.PARENT
    return ChannelTrial(
        Storage.NODES,
        3,
        (
            do.Assign(0, parent, owner),
            *reads,
            do.Split(owner),
            *reads,
            do.Finish(owner, parent, False),
            *reads,
            do.Assign(0, parent, new),
            *reads,
        ),
    )


DIVIDING: Final = Theorem(
    name="channel-dividing",
    chapter="ownership",
    clauses=("OWN-7", "OWN-14"),
    statement="While a parent is split, and whatever happens to it and to its halves, one broker "
    "at most serves each hash of the namespace.",
    bound="both storages, any number of brokers, views of any age, versions below 2^62 that "
    "continue over a removal",
    steps=steps,
    mutant=ReferenceMutant(
        broken="parent-assigned-again",
        sentence="A parent that was divided and removed may be assigned again.",
        step=any_key,
        trial=trial_of,
        question="ownership.channel",
    ),
    cross_checks=(*rules.CROSS_CHECKS, *CROSS_CHECKS),
)

THEOREMS: Final = (DIVIDING,)
