"""Theorems: one broker at most serves a bundle of the channel (OWN-6 to OWN-8), for any brokers.

The invariant speaks of every broker x: if x serves, or is registered and has not yet read that it
was made the owner, then the standing record *holds* x: Owned by x, Splitting or Releasing from x.
A record holds one broker, so one serves at most. And what x has closed for is no newer than the
record that stands; if it is that record, x serves no more.

Each action is checked by itself, without quantifiers: the invariant is assumed of the brokers that
the action names and of any other broker, and shown of all of these. Views may be as old as they
like: a broker may ask for anything at any time, with any version. What a broker must know is only
which Releasing record it has closed for. Versions continue after a removal (OWN-40): `counting.py`.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import z3

from evenkeel.models.assumptions import Step, case, inductive
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
    assumed,
    fencing_steps,
    first,
    follows,
    holds_rule,
    kept,
    message,
    moved,
    others,
    set_at,
)
from evenkeel.models.ownership.records import (
    ASSIGNING,
    DELETED,
    FREE,
    INIT,
    NOBODY,
    OWNED,
    RELEASING,
    SPLITTING,
    TOPIC,
    accepts_rule,
)
from evenkeel.models.terms import Model, Scope, Term, evaluate, number
from evenkeel.models.theorem import Mutant, ReferenceMutant, Theorem, Twin
from evenkeel.properties.ownership.channel.trials import (
    Assign,
    Bundle,
    ChannelTrial,
    Elapse,
    Finish,
    Monitor,
    Read,
    Unload,
)
from evenkeel.properties.ownership.records import ConflictAnswer, ConflictTrial
from evenkeel.reference.ownership.records import State, Storage, owner_named_by

# -------------------------------------------------------------------- what anybody may ask for


def asking_steps(scope: Scope) -> tuple[Step, ...]:
    """Anybody assigns, releases, splits, whatever he knows; and there is one at most."""
    after = moved(BEFORE, MESSAGE, follows())
    fresh = z3.And(MESSAGE.destination == GIVEN, MESSAGE.source <= NOBODY)
    both = case("two serve", BEFORE.serves(ACTOR), BEFORE.serves(OTHER))
    actions = (
        first(),
        kept("assign", scope, after, *message(ASSIGNING), fresh),
        kept("release or transfer", scope, after, *message(RELEASING)),
        kept("split", scope, after, *message(SPLITTING)),
    )
    return inductive(
        actions,
        Step(
            "one at most", (*assumed(scope), both, others("handing-over", "losing")), ACTOR == OTHER
        ),
    )


def anybody_releases(scope: Scope) -> Step:
    """Without the check of the brokers a release keeps the invariant."""
    after = moved(BEFORE, MESSAGE, follows(brokers=False))
    table = RECORD.state == OWNED, RECORD.destination > 0
    return kept("release", scope, after, *message(RELEASING), *table, BEFORE.serves(OTHER))


# -------------------------------------------------------------------------------- handing over


def handing_steps(scope: Scope) -> tuple[Step, ...]:
    """The next owner says so; a source closes, and says so."""
    accepted = follows()
    mine = z3.And(MESSAGE.source == ACTOR, BEFORE.closed(ACTOR) + 1 == MESSAGE.version)
    owned = moved(BEFORE, MESSAGE, accepted)
    given = moved(BEFORE, MESSAGE, z3.And(accepted, RECORD.state == RELEASING))
    gone = moved(BEFORE, MESSAGE, accepted)
    handed = gone._replace(
        serves=set_at(BEFORE.serves, ACTOR, z3.And(BEFORE.serves(ACTOR), z3.Not(accepted))),
        unread=set_at(BEFORE.unread, ACTOR, z3.And(BEFORE.unread(ACTOR), z3.Not(accepted))),
    )
    actions = (
        first(),
        kept("own", scope, owned, *message(OWNED), MESSAGE.destination == ACTOR),
        kept("close", scope, closed(), SEEN <= RECORD.version, SEEN >= BEFORE.closed(ACTOR)),
        kept("closed, then freed", scope, given, *message(FREE), mine),
        kept("closed, then assigned", scope, given, *message(ASSIGNING), mine),
        kept("divided", scope, handed, *message(DELETED), MESSAGE.source == ACTOR),
    )
    both = case("two serve", BEFORE.serves(ACTOR), BEFORE.serves(OTHER))
    given_too = (*assumed(scope), both, others("asking", "losing"))
    return inductive(actions, Step("one at most", given_too, ACTOR == OTHER))


def closed() -> World:
    """The actor has closed for the Releasing that it has `SEEN`; if it is the last, it read all."""
    unread = z3.And(BEFORE.unread(ACTOR), SEEN != RECORD.version)
    return BEFORE._replace(
        serves=set_at(BEFORE.serves, ACTOR, z3.BoolVal(False)),
        unread=set_at(BEFORE.unread, ACTOR, unread),
        closed=set_at(BEFORE.closed, ACTOR, SEEN),
    )


def stale_closing(scope: Scope) -> Step:
    """Without the version check, who has closed for an older Releasing may say so all the same."""
    mine = z3.And(MESSAGE.source == ACTOR, BEFORE.closed(ACTOR) + 1 == MESSAGE.version)
    after = moved(BEFORE, MESSAGE, follows(versions=False))
    table = RECORD.state == RELEASING, BEFORE.serves(ACTOR), RECORD.version >= 1
    return kept("closed, then freed", scope, after, *message(FREE), mine, *table, ACTOR == OTHER)


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
    newly_read = z3.Implies(current_closed(ACTOR), z3.Not(z3.And(opens, OPENS)))
    absent = z3.Not(BEFORE.registered(ACTOR))
    actions = (
        first(),
        kept("read", scope, reads, newly_read),
        kept("stop", scope, stops),
        kept("lose the session, or crash", scope, loses),
        kept("return", scope, returns, absent),
        kept("override", scope, moved(BEFORE, MESSAGE, follows()), *overriding()),
        kept("remove", scope, removed(z3.Or(RECORD.state == FREE, RECORD.state == DELETED))),
    )
    return inductive(actions, *fencing_steps(scope))


def owns(broker: Term) -> Term:
    """The standing record is Owned by this broker."""
    return z3.And(RECORD.state == OWNED, RECORD.destination == broker)


def current_closed(broker: Term) -> Term:
    """The broker has closed for the Releasing that stands."""
    return z3.And(BEFORE.closed(broker) == RECORD.version, RECORD.state == RELEASING)


def overriding() -> tuple[Term, ...]:
    """A forced record: whoever holds the bundle and is registered goes on, or owns it again."""
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


def removed(allowed: Term) -> World:
    """The record is gone, if that is allowed. Which version it had is remembered (OWN-40)."""
    gone = RECORD._replace(
        state=z3.If(allowed, z3.IntVal(INIT), RECORD.state),
        destination=z3.If(allowed, z3.IntVal(NOBODY), RECORD.destination),
        source=z3.If(allowed, z3.IntVal(NOBODY), RECORD.source),
    )
    return BEFORE._replace(record=gone)


def removes_anything(scope: Scope) -> Step:
    """Whatever record stands may be removed."""
    after = removed(z3.BoolVal(True))
    use = RECORD.state == OWNED, BEFORE.serves(OTHER), RECORD.source <= NOBODY
    return kept("remove", scope, after, *use)


# ------------------------------------------------------------------------------------ as trials


def conflict_trial(model: Model) -> Any:
    """The standing record and the message of a model."""
    topic = bool(evaluate(model.eval(TOPIC, model_completion=True)))
    storage = Storage.TOPIC if topic else Storage.NODES
    current, update = rules.data_of(model, RECORD), rules.data_of(model, MESSAGE)
    return ConflictTrial(storage, current, update)


def removal_trial(model: Model) -> ChannelTrial:
    """The owner of the model is given the bundle as the leader is about to remove its record."""
    owner, parent = number(model, RECORD.destination) % 2, Bundle.PARENT
    reads = (Read(0), Read(1)) * 2
    return ChannelTrial(
        Storage.NODES,
        2,
        (
            Assign(0, parent, owner),
            *reads,
            Unload(owner, parent, None),
            *reads,
            Finish(owner, parent, False),
            *reads,
            Elapse(3_601_000),
            Assign(1, parent, owner),
            Read(1),
            *((Read(owner),) if owner else ()),
            Monitor(0),
        ),
    )


def without_versions(trial: Any) -> Any:
    """The rule without versions, executed."""
    sides = (rules.values_of(trial.current), rules.values_of(trial.update))
    topic = z3.BoolVal(trial.storage is Storage.TOPIC)
    current, update = map(rules.terms_of, sides)
    accepted = accepts_rule(topic, current, update, versions=False)
    return ConflictAnswer(bool(evaluate(accepted)))


def refused(trial: Any, answer: Any) -> bool:
    """The message must not stand."""
    return isinstance(answer, ConflictAnswer) and not answer.accepted


def holding(random: Random) -> tuple[Any, ...]:
    """A record and a broker."""
    values = (
        random.randint(FREE, DELETED),
        random.randint(0, 3),
        random.randint(0, 3),
        random.randint(1, 5),
        False,
    )
    return rules.named(values), random.randint(1, 3)


def holds_by_rule(values: Any, broker: int) -> bool:
    """By the theorem's rule."""
    return bool(evaluate(holds_rule(rules.terms_of(values), z3.IntVal(broker))))


def holds_by_reference(values: Any, broker: int) -> bool:
    """By the reference: the owner, or who is releasing."""
    record = rules.record_of(values)
    if record is not None and record.state is State.RELEASING:
        return record.source == rules.text(broker)
    return owner_named_by(record) == rules.text(broker)


TWINS: Final = (*rules.TWINS, Twin("holds", holding, holds_by_rule, holds_by_reference))
BOUND: Final = "both storages, any number of brokers, views of any age, versions below 2^62"

ASKING: Final = Theorem(
    name="channel-asking",
    chapter="ownership",
    clauses=("OWN-4", "OWN-7"),
    statement="Whatever anybody asks for, on whatever view, a broker that serves a bundle is held "
    "by its record, and so one at most serves.",
    bound=BOUND,
    steps=asking_steps,
    mutant=ReferenceMutant(
        broken="brokers-unchecked",
        sentence="Without the check of the brokers a release leaves the server held.",
        step=anybody_releases,
        trial=conflict_trial,
        question="ownership.conflict",
    ),
    twins=TWINS,
)

HANDING: Final = Theorem(
    name="channel-handing-over",
    chapter="ownership",
    clauses=("OWN-2", "OWN-7", "OWN-10"),
    statement="When a source has closed and says so, and the next owner says that it is, one at "
    "most serves; who closed for an older release is not listened to.",
    bound=BOUND,
    steps=handing_steps,
    mutant=Mutant(
        name="versions-unchecked",
        sentence="Who closed for an older release may say so now.",
        step=stale_closing,
        trial=conflict_trial,
        broken=without_versions,
        right=rules.by_reference,
        promise=refused,
    ),
    twins=TWINS,
)

LOSING: Final = Theorem(
    name="channel-losing",
    chapter="ownership",
    clauses=("OWN-6", "OWN-7", "OWN-8", "OWN-17"),
    statement="When brokers read, are lost and come back, when bundles of the lost are overridden "
    "and free records removed, one at most serves, and only who is registered. Where a broker goes "
    "on serving without its session, one at most of the registered serves.",
    bound=BOUND,
    steps=losing_steps,
    mutant=ReferenceMutant(
        broken="removal-unconditional",
        sentence="Whatever record stands may be removed.",
        step=removes_anything,
        trial=removal_trial,
        question="ownership.channel",
    ),
    twins=TWINS,
)

THEOREMS: Final = (ASKING, HANDING, LOSING)
