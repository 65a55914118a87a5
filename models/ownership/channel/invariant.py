"""The channel's invariant as terms: worlds, messages, assumptions, and what is preserved."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import z3

from evenkeel.models.ownership import records as rules
from evenkeel.models.ownership.records import (
    INIT,
    OWNED,
    RELEASING,
    SPLITTING,
    TOPIC,
    Fields,
    accepts_rule,
)
from evenkeel.reference.ownership.records import FIRST_VERSION
from evenkeel_engine.proofs.assumptions import Assumption, Step, case, hypothesis, instances
from evenkeel_engine.proofs.terms import Scope, Term

RECORD: Final = rules.make_unknown("record")
ACTOR, OTHER, GIVEN = z3.Ints("actor other given")
MESSAGE: Final = rules.make_unknown("message")
SEEN: Final = z3.Int("seen")
AGAIN, OPENS = z3.Bools("again opens")


class World(NamedTuple):
    """The current record, and what holds of each broker."""

    record: Fields
    serves: Any
    registered: Any
    unread: Any
    closed: Any


def world(name: str) -> World:
    """An unknown world. `closed`: the version of the Releasing that a broker closed for last."""
    whole, truth = z3.IntSort(), z3.BoolSort()
    return World(
        RECORD,
        z3.Function(f"{name}.serves", whole, truth),
        z3.Function(f"{name}.registered", whole, truth),
        z3.Function(f"{name}.unread", whole, truth),
        z3.Function(f"{name}.closed", whole, whole),
    )


BEFORE: Final = world("before")


def holds_rule(record: Fields, broker: Term) -> Term:
    """By the record this broker has the bundle, or still has it."""
    leaving = z3.Or(record.state == SPLITTING, record.state == RELEASING)
    return z3.Or(
        z3.And(record.state == OWNED, record.destination == broker),
        z3.And(leaving, record.source == broker),
    )


def invariant(of: World, broker: Term) -> Term:
    """What holds of every broker."""
    claims = z3.Or(of.serves(broker), z3.And(of.unread(broker), of.registered(broker)))
    current = z3.And(of.closed(broker) == of.record.version, of.record.state == RELEASING)
    return z3.And(
        z3.Implies(of.serves(broker), of.registered(broker)),
        z3.Implies(claims, holds_rule(of.record, broker)),
        of.closed(broker) <= of.record.version,
        z3.Implies(current, z3.Not(claims)),
    )


def set_at(function: Any, place: Term, value: Term) -> Any:
    """The function with another value at one place."""
    return lambda broker: z3.If(broker == place, value, function(broker))


def write(of: World, update: Fields, accepted: Term) -> World:
    """The world when a record was written; the new owner has not read it."""
    record = Fields(
        *(z3.If(accepted, new, old) for new, old in zip(update, of.record, strict=True))
    )
    owner = z3.And(accepted, update.state == OWNED)

    def unread(broker: Term) -> Term:
        return z3.Or(of.unread(broker), z3.And(owner, update.destination == broker))

    return of._replace(record=record, unread=unread)


def at_first() -> World:
    """There is no record, and no broker serves, whichever brokers are registered."""
    no_broker, never = z3.IntVal(rules.NO_BROKER), z3.IntVal(rules.NEVER)
    record = Fields(z3.IntVal(INIT), no_broker, no_broker, never, z3.BoolVal(False))
    no = z3.BoolVal(False)
    return World(
        record, lambda _: no, BEFORE.registered, lambda _: no, lambda _: z3.IntVal(rules.NEVER)
    )


def possible(scope: Scope) -> Assumption:
    """A record that can be, and brokers by number."""
    exists = z3.Or(rules.is_record(RECORD), RECORD.state == INIT)
    never = z3.And(RECORD.state == INIT, RECORD.version == rules.NEVER)
    least = z3.Or(never, z3.And(RECORD.version >= FIRST_VERSION, RECORD.version < 2**62))
    numbers = tuple(b >= 1 for b in (ACTOR, OTHER, GIVEN))
    tight = () if scope.limit is None else tuple(b <= 3 for b in (ACTOR, OTHER, GIVEN))
    return hypothesis(
        "versions from 1 to below 2^62",
        *rules.small(scope, MESSAGE),
        *tight,
        *numbers,
        exists,
        least,
    )


def assume(scope: Scope) -> tuple[Assumption, ...]:
    """The invariant of the brokers that matter, and a record that can be."""
    brokers = (ACTOR, OTHER, GIVEN, RECORD.destination, RECORD.source)
    so_far = (invariant(BEFORE, broker) for broker in brokers)
    counted = hypothesis("no broker writes more than the next version (theorem channel-counting)")
    return possible(scope), counted, instances(invariant(BEFORE, OTHER), *so_far)


def first() -> Step:
    """The invariant holds before anything happened."""
    return Step("at first", (), invariant(at_first(), OTHER))


def preserve(name: str, scope: Scope, after: World, *conditions: Term) -> Step:
    """The invariant holds of every broker after the action."""
    return Step(name, (*assume(scope), case(name, *conditions)), invariant(after, OTHER))


def message(state: int, forced: bool = False) -> tuple[Term, ...]:
    """An update in this state."""
    return rules.is_record(MESSAGE), MESSAGE.state == state, MESSAGE.forced == forced


def follows(brokers: bool = True, equal: bool = False) -> Term:
    """The message takes the place of the current record; its writer knew of nothing newer.

    That no broker does, over removals too, is what `no_newer_record_known.py` proves.
    """
    return follows_of(RECORD, brokers, equal)


def follows_of(record: Fields, brokers: bool = True, equal: bool = False) -> Term:
    """The message takes the place of this record; its writer knew of nothing newer."""
    not_ahead = MESSAGE.version <= version_after(record.version)
    return z3.And(not_ahead, accepts_rule(TOPIC, record, MESSAGE, brokers=brokers, equal=equal))


def version_after(version: Term) -> Term:
    """The version that a broker writes next that knows of this one."""
    return z3.If(version == rules.NEVER, z3.IntVal(FIRST_VERSION), version + 1)


def others(*theorems: str) -> Assumption:
    """The invariant is the same in three theorems, each of which is about some of the actions."""
    names = " and ".join(f"channel-{name}" for name in theorems)
    return hypothesis(f"{names} show the same of the other actions")


RAW: Final[Any] = z3.Function("serves still", z3.IntSort(), z3.BoolSort())
"""Whether a broker serves, with its session or without."""


def fencing_steps(scope: Scope) -> tuple[Step, ...]:
    """What is left where a broker serves for a while after its session ended.

    Then two may serve at once; but one at most of those that are registered.
    """
    lost = set_at(BEFORE.registered, ACTOR, z3.BoolVal(False))
    still = case(
        "`serves` holds of the brokers that serve and are registered",
        *(BEFORE.serves(b) == z3.And(RAW(b), BEFORE.registered(b)) for b in (ACTOR, OTHER)),
    )
    after = BEFORE._replace(registered=lost, serves=lambda b: z3.And(RAW(b), lost(b)))
    both = case("two serve", RAW(ACTOR), RAW(OTHER))
    alive = case("both are registered", BEFORE.registered(ACTOR), BEFORE.registered(OTHER))
    together = hypothesis("a broker ceases to serve in the step in which its session ends (OWN-8)")
    two = case("two serve", BEFORE.serves(ACTOR), BEFORE.serves(OTHER))
    return (
        Step(
            "one at most",
            (*assume(scope), two, together, others("asking", "handing-over")),
            ACTOR == OTHER,
        ),
        Step("serve on without a session", (*assume(scope), still), invariant(after, OTHER)),
        Step("one at most of the registered", (*assume(scope), still, both, alive), ACTOR == OTHER),
    )
