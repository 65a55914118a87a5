"""Two rules of `one_serves_during_division` as terms, with twins: what is written of a parent.

A divided parent may only be removed; and a forced record spares a registered holder of the bundle,
and whether the bundle is being split.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import z3

from evenkeel.models.ownership import records as rules
from evenkeel.models.ownership.records import (
    ASSIGNING,
    DELETED,
    FREE,
    NO_BROKER,
    OWNED,
    RELEASING,
    SPLITTING,
    STATES,
    Fields,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.channel import events, upkeep
from evenkeel.reference.ownership.channel.world import PARENT, Broker, World
from evenkeel.reference.ownership.records import BrokerId, Record, Storage
from evenkeel_engine.proofs.terms import Term, evaluate
from evenkeel_engine.proofs.theorem import CrossCheck

BROKERS: Final = (1, 2, 3)


def known_rule(name: str, divided: Term, state: Term) -> Term:
    """The record is about a bundle of its namespace; a divided parent may only go."""
    if name != "parent":
        return z3.BoolVal(True)
    return z3.Or(z3.Not(divided), state == SPLITTING, state == DELETED)


def holder_of(record: Fields) -> Term:
    """The broker that has the bundle, if one has: the one that owns, releases or splits it."""
    return z3.If(record.state == OWNED, record.destination, record.source)


def override_rule(record: Fields, update: Fields, registered: Term) -> Term:
    """A forced record may override this one: a holder that is registered keeps the bundle or, if no
    other broker can have it, is its owner again (OWN-47).

    A split continues, with another broker if need be; none begins.
    """
    held = z3.Or([record.state == state for state in (OWNED, RELEASING, SPLITTING)])
    stays = z3.Or(update.state == RELEASING, update.state == SPLITTING)
    holder = holder_of(record)
    again = z3.And(update.state == OWNED, update.destination == holder)
    holds_on = z3.Or(z3.And(stays, update.source == holder), again)
    return z3.And(
        update.forced,
        update.state != DELETED,
        (update.state == SPLITTING) == (record.state == SPLITTING),
        z3.Implies(z3.And(held, registered), holds_on),
    )


# --------------------------------------------------------------------------------- the twins


def parents(random: Random) -> tuple[Any, ...]:
    """Was the parent divided, and the state of a record about it."""
    return random.random() < 0.5, random.randint(FREE, DELETED)


def known_by_rule(divided: bool, state: int) -> bool:
    """By the theorem's rule."""
    return bool(evaluate(known_rule("parent", z3.BoolVal(divided), z3.IntVal(state))))


def known_by_reference(divided: bool, state: int) -> bool:
    """By the reference."""
    world = World(Storage.NODES, {}, None, divided=divided)
    return events.known_bundle(world, PARENT, Record(STATES[state], BrokerId("b1"), None, 1))


def overrides(random: Random) -> tuple[Any, ...]:
    """A record in use, the registered brokers, the lost one if any, and whether it left gracefully.

    No broker overrides an owned bundle unless its owner is lost.
    """
    state = random.choice((ASSIGNING, OWNED, RELEASING, SPLITTING))
    first, second, none = *random.sample(BROKERS, 2), NO_BROKER
    destination, source = {
        ASSIGNING: (first, random.choice((second, none))),
        OWNED: (first, random.choice((second, none))),
        RELEASING: (random.choice((second, none)), first),
        SPLITTING: (none, first),
    }[state]
    registered = tuple(broker for broker in BROKERS if random.random() < 0.5)
    lost = random.choice([destination] if state == OWNED else [destination, source, NO_BROKER])
    return (state, destination, source, 5, False), registered, lost, random.random() < 0.5


def override_by_reference(
    values: Any, registered: tuple[int, ...], lost: int, gracefully: bool
) -> Record | None:
    """The record that the reference overrides this one with. A lost broker can be given nothing."""
    names = {number: BrokerId(f"b{number}") for number in BROKERS}
    brokers = {
        name: Broker(name, registered=number in registered, disabled=number == lost)
        for number, name in names.items()
    }
    record = rules.record_of(values)
    assert record is not None
    world = World(Storage.TOPIC, brokers, None)
    return upkeep.overriding(world, record, names.get(lost), gracefully, DOCUMENTED)


def overriding_fits(values: Any, registered: tuple[int, ...], lost: int, gracefully: bool) -> bool:
    """What the reference overrides the record with, if anything, is as the rule wants it.

    A lost broker counts as not registered, even if it registers again just now.
    """
    if (update := override_by_reference(values, registered, lost, gracefully)) is None:
        return True
    state, destination, source, _, _ = values
    holder = destination if state == OWNED else source
    present = z3.BoolVal(holder in registered and holder != lost)
    return bool(evaluate(override_rule(rules.terms_of(values), fields_of(update), present)))


def fields_of(record: Record) -> Fields:
    """The reference's record as terms."""
    numbers = {BrokerId(f"b{number}"): number for number in BROKERS}
    destination, source = (
        NO_BROKER if name is None else numbers[name] for name in (record.destination, record.source)
    )
    state = STATES.index(record.state)
    return rules.terms_of((state, destination, source, record.version, record.force))


CROSS_CHECKS: Final = (
    CrossCheck("known", parents, known_by_rule, known_by_reference),
    CrossCheck("override", overrides, overriding_fits, lambda *arguments: True),
)
