"""The invariant of a hash, which lies in a parent and in one of its halves, as terms.

As long as the half never had a record, the parent's record decides which broker holds the hash;
from then on the half's does. In between is one step: the broker that splits the parent writes that
it owns the half. No other broker may then serve, or be about to: `apart` states this of the brokers
that split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import z3

from evenkeel.models.ownership import records as rules
from evenkeel.models.ownership.channel.invariant import ACTOR, GIVEN, MESSAGE, OTHER, holds_rule
from evenkeel.models.ownership.records import DELETED, INIT, RELEASING, SPLITTING, Fields
from evenkeel.reference.ownership.records import FIRST_VERSION
from evenkeel_engine.proofs.assumptions import Assumption, Step, case, hypothesis, instances
from evenkeel_engine.proofs.terms import Scope, Term


@dataclass(frozen=True, slots=True)
class Side:
    """The parent or the half: its record, and of each broker whether it was made its owner and has
    not read so, and which Releasing it closed for last.
    """

    record: Fields
    unread: Any
    closed: Any


@dataclass(frozen=True, slots=True)
class Hash:
    """Both sides, and of each broker whether it serves the hash, is registered, was to split the
    parent, has begun to. `over`: the parent was deleted.
    """

    parent: Side
    half: Side
    over: Term
    serves: Any
    registered: Any
    splits: Any
    begun: Any


def make_unknown(name: str) -> Hash:
    """An unknown state of a hash."""
    whole, truth = z3.IntSort(), z3.BoolSort()

    def array(place: str, sort: Any = truth) -> Any:
        return z3.Function(f"{name}.{place}", whole, sort)

    def side(place: str) -> Side:
        record = rules.make_unknown(f"{name}.{place}")
        return Side(record, array(f"{place}.unread"), array(f"{place}.closed", whole))

    others = (array(place) for place in ("serves", "registered", "splits", "begun"))
    return Hash(side("parent"), side("half"), z3.Bool(f"{name}.over"), *others)


BEFORE: Final = make_unknown("hash")


# --------------------------------------------------------------------------------- invariant


def is_parted(of: Hash) -> Term:
    """The half has had a record: from now on that is what counts."""
    return of.half.record.version != rules.NEVER


def claims(of: Hash, side: Side, broker: Term) -> Term:
    """The broker may open the side's topics at any time."""
    return z3.And(side.unread(broker), of.registered(broker))


def divides(of: Hash) -> Term:
    """The parent is being divided, or was."""
    return z3.Or(of.parent.record.state == SPLITTING, of.over)


def invariant(of: Hash, broker: Term) -> Term:
    """What is so of every broker."""
    parent, half = of.parent, of.half
    serves, claimed = of.serves(broker), claims(of, parent, broker)
    made = claims(of, half, broker)
    by_parent = z3.And(
        z3.Implies(z3.Or(serves, claimed), holds_rule(parent.record, broker)),
        z3.Not(half.unread(broker)),
    )
    by_half = z3.And(
        z3.Implies(z3.Or(serves, made), holds_rule(half.record, broker)), z3.Not(claimed)
    )
    return z3.And(
        z3.Implies(serves, of.registered(broker)),
        z3.If(is_parted(of), by_half, by_parent),
        z3.Implies(z3.Or(of.splits(broker), is_parted(of)), divides(of)),
        z3.Implies(parent.record.state == SPLITTING, of.splits(parent.record.source)),
        z3.Implies(of.begun(broker), is_parted(of)),
        z3.Implies(of.over, is_parted(of)),
        of.over == z3.Or(parent.record.state == DELETED, z3.And(is_parted(of), no_record(parent))),
        has_closed(of, parent, broker, z3.Or(serves, claimed)),
        has_closed(of, half, broker, z3.Or(serves, made)),
    )


def no_record(side: Side) -> Term:
    """There is no record."""
    return side.record.state == INIT


def has_closed(of: Hash, side: Side, broker: Term, serving: Term) -> Term:
    """A broker that has closed for the current Releasing does not serve, nor is about to."""
    current = z3.And(side.closed(broker) == side.record.version, side.record.state == RELEASING)
    return z3.And(side.closed(broker) <= side.record.version, z3.Implies(current, z3.Not(serving)))


def apart(of: Hash, one: Term, other: Term) -> Term:
    """Until the halves have records, only the broker that was to split serves, or is about to."""
    still = z3.Or(of.serves(one), claims(of, of.parent, one))
    return z3.Implies(z3.And(z3.Not(is_parted(of)), still, of.splits(other)), one == other)


def whole(of: Hash, brokers: tuple[Term, ...]) -> Term:
    """The invariant of these brokers, and of each two of them."""
    return z3.And(
        *(invariant(of, broker) for broker in brokers),
        *(apart(of, one, other) for one in brokers for other in brokers),
    )


def at_first() -> Hash:
    """There is no record, and no broker serves, whichever brokers are registered."""
    no_broker, no = z3.IntVal(rules.NO_BROKER), z3.BoolVal(False)

    def nowhere(_: Term) -> Term:
        return no

    record = Fields(z3.IntVal(INIT), no_broker, no_broker, z3.IntVal(rules.NEVER), no)
    side = Side(record, nowhere, lambda _: z3.IntVal(rules.NEVER))
    return Hash(side, side, no, nowhere, BEFORE.registered, nowhere, nowhere)


def first() -> Step:
    """The invariant holds before anything happened."""
    return Step("at first", (), whole(at_first(), (OTHER, GIVEN)))


def assume(scope: Scope) -> tuple[Assumption, ...]:
    """The invariant of the brokers that matter, and records that can be."""
    parent, half = BEFORE.parent.record, BEFORE.half.record
    sides = (
        z3.And(
            z3.Or(rules.is_record(record), record.state == INIT),
            z3.Or(
                z3.And(record.state == INIT, record.version == rules.NEVER),
                z3.And(FIRST_VERSION <= record.version, record.version < 2**62),
            ),
        )
        for record in (parent, half)
    )
    actors = (ACTOR, OTHER, GIVEN)
    named = (*actors, parent.destination, parent.source, half.destination, half.source)
    tight = () if scope.limit is None else tuple(broker <= 3 for broker in actors)
    brokers = (*named, MESSAGE.source, MESSAGE.destination)
    each = (invariant(BEFORE, broker) for broker in brokers)
    pairs = (apart(BEFORE, one, other) for one in brokers for other in brokers)
    return (
        hypothesis(
            "versions from 1 to below 2^62",
            *rules.small(scope, MESSAGE),
            *tight,
            *(broker >= 1 for broker in actors),
            *sides,
        ),
        hypothesis("no broker writes more than the next version (theorem channel-counting)"),
        instances(invariant(BEFORE, OTHER), *each),
        instances(apart(BEFORE, OTHER, GIVEN), *pairs),
    )


def preserve(name: str, scope: Scope, after: Hash, *conditions: Term) -> Step:
    """The invariant holds of every two brokers after the action."""
    return Step(name, (*assume(scope), case(name, *conditions)), whole(after, (OTHER, GIVEN)))
