"""The rules by which a record takes the place of another, as terms (OWN-1 to OWN-4).

A record is five numbers: its state in the order of `State`, destination, source, version, forced.
Brokers are numbers; 0 is no broker, −1 one of nothing but spaces. State 0 is no record; its version
is then the one that was removed last, `NEVER` where nothing is known to have been (OWN-40).
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

import z3

from evenkeel.properties.ownership.records import ConflictTrial, RecordData
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership import conflict, records
from evenkeel.reference.ownership.records import (
    FIRST_VERSION,
    FOLLOWERS,
    LARGEST_VERSION,
    SMALLEST_VERSION,
    BrokerId,
    Record,
    State,
    Storage,
)
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

STATES: Final = tuple(State)
INIT, FREE, OWNED, ASSIGNING, RELEASING, SPLITTING, DELETED = range(7)
NO_BROKER: Final = 0

NEVER: Final = SMALLEST_VERSION - 1
"""No record, and none that was removed."""


class Fields(NamedTuple):
    """A record as terms."""

    state: Term
    destination: Term
    source: Term
    version: Term
    forced: Term


def make_unknown(name: str) -> Fields:
    """An unknown record."""
    state, destination, source, version = z3.Ints(
        f"{name}.state {name}.destination {name}.source {name}.version"
    )
    return Fields(state, destination, source, version, z3.Bool(f"{name}.forced"))


def is_record(record: Fields) -> Term:
    """A record that can be: a state, brokers, 64 bits; a broker unless it is free."""
    named = z3.Or(record.destination > 0, record.source > 0)
    return z3.And(
        FREE <= record.state,
        record.state <= DELETED,
        record.destination >= -1,
        record.source >= -1,
        SMALLEST_VERSION <= record.version,
        record.version <= LARGEST_VERSION,
        z3.Or(record.state == FREE, named),
    )


def small(scope: Scope, *of: Fields) -> tuple[Term, ...]:
    """In a small scope brokers and versions are small."""
    if scope.limit is None:
        return ()
    return tuple(
        z3.And(r.destination <= 3, r.source <= 3, 1 <= r.version, r.version <= 9) for r in of
    )


def follows_rule(topic: Term, before: Term, after: Term) -> Term:
    """The table of transitions."""

    def table(storage: Storage) -> Term:
        return z3.Or(
            [
                z3.And(before == STATES.index(one), after == STATES.index(other))
                for one, others in FOLLOWERS[storage].items()
                for other in sorted(others, key=STATES.index)
            ]
        )

    return z3.If(topic, table(Storage.TOPIC), table(Storage.NODES))


def next_rule(before: Term, after: Term) -> Term:
    """`after` is the version that follows; the largest is followed by the smallest."""
    wraps = z3.And(before == LARGEST_VERSION, after == SMALLEST_VERSION)
    return z3.Or(wraps, after == before + 1)


def fits_rule(current: Fields, update: Fields) -> Term:
    """The brokers of an update fit the record before."""
    owner_ends = z3.And(update.source == current.destination)
    same = z3.And(update.destination == current.destination, update.source == current.source)

    def step(before: int, after: int) -> Term:
        return z3.And(current.state == before, update.state == after)

    chained = z3.Or(step(ASSIGNING, OWNED), step(RELEASING, FREE), step(SPLITTING, DELETED))
    releasing = z3.And(update.source > 0, owner_ends, current.destination != update.destination)
    return z3.And(
        z3.Implies(step(OWNED, SPLITTING), z3.And(update.destination <= 0, owner_ends)),
        z3.Implies(step(OWNED, RELEASING), releasing),
        z3.Implies(step(RELEASING, ASSIGNING), z3.And(update.destination > 0, same)),
        z3.Implies(step(FREE, ASSIGNING), z3.And(update.source <= 0, update.destination > 0)),
        z3.Implies(chained, same),
    )


def accepts_rule(
    topic: Term,
    current: Fields,
    update: Fields,
    versions: bool = True,
    brokers: bool = True,
    equal: bool = False,
) -> Term:
    """Does the update take the record's place? Without its checks it is a broken rule."""
    follows = follows_rule(topic, current.state, update.state)
    fits = fits_rule(current, update) if brokers else z3.BoolVal(True)
    never = z3.And(current.state == INIT, current.version == NEVER)
    begun = z3.Or(topic, update.version == FIRST_VERSION)
    next_one = z3.If(never, begun, next_rule(current.version, update.version))
    later = z3.And(topic, z3.Not(never), update.version > current.version + 1)
    if equal:
        next_one = z3.Or(next_one, update.version == current.version)
    if not versions:
        next_one = z3.BoolVal(True)
    new_node = z3.And(current.state == INIT, z3.Not(topic))
    fitting = z3.Or(update.forced, new_node, z3.And(follows, fits))
    return z3.Or(z3.And(next_one, fitting), z3.And(later, versions))


TOPIC: Final = z3.Bool("topic")
CURRENT: Final = make_unknown("current")
UPDATE: Final = make_unknown("update")


# --------------------------------------------------------------------------- as trials, executed


def text(broker: int) -> str | None:
    """A broker's name."""
    return {0: None, -1: " "}.get(broker, f"b{broker}")


def data_of(model: Model, record: Fields) -> RecordData:
    """The record of a model."""
    return RecordData(
        STATES[number(model, record.state)],
        text(number(model, record.destination)),
        text(number(model, record.source)),
        number(model, record.version),
        bool(evaluate(model.eval(record.forced, model_completion=True))),
    )


def trial_of(model: Model) -> ConflictTrial:
    """The two records of a model."""
    storage = Storage.TOPIC if evaluate(model.eval(TOPIC, model_completion=True)) else Storage.NODES
    return ConflictTrial(storage, data_of(model, CURRENT), data_of(model, UPDATE))


def arguments(random: Random) -> tuple[Any, ...]:
    """A storage and two records, mostly one version apart and with the same brokers.

    Instead of the first there may be none, or the version that was removed.
    """
    before = random.choice((1, 2, 3, LARGEST_VERSION, LARGEST_VERSION - 1, SMALLEST_VERSION))
    step = random.choice((1, 1, 1, 0, 2, -1))
    after = (before + step + 2**63) % 2**64 - 2**63
    pair = (random.randint(-1, 3), random.randint(-1, 3))
    other = pair if random.random() < 0.6 else (random.randint(-1, 3), random.randint(-1, 3))
    if random.random() < 0.3:
        other = (random.choice((0, -1, 2)), pair[0])
    state = random.randint(INIT, DELETED)
    if state == INIT and random.random() < 0.5:
        before, after = NEVER, random.choice((0, 1, 2))
    current = (state, *pair, before, random.random() < 0.1)
    update = (random.randint(FREE, DELETED), *other, after, random.random() < 0.1)
    return random.random() < 0.5, current, name_broker(update)


def name_broker(values: tuple[int, int, int, int, bool]) -> tuple[int, int, int, int, bool]:
    """The record with a broker, if it needs one."""
    state, destination, source, version, forced = values
    if state != FREE and destination <= 0 and source <= 0:
        destination = 1
    return state, destination, source, version, forced


def terms_of(values: tuple[int, int, int, int, bool]) -> Fields:
    """Known values as terms."""
    state, destination, source, version = map(z3.IntVal, values[:4])
    return Fields(state, destination, source, version, z3.BoolVal(values[4]))


def record_of(values: tuple[int, int, int, int, bool]) -> Record | None:
    """The reference's record; state 0 is none."""
    if values[0] == INIT:
        return None
    state, destination, source, version, forced = name_broker(values)
    brokers = (text(destination), text(source))
    to, by = (None if broker is None else BrokerId(broker) for broker in brokers)
    return Record(STATES[state], to, by, version, forced)


def accepted_by_rule(topic: bool, current: Any, update: Any) -> bool:
    """The theorem's rule, executed."""
    if current[0] != INIT:
        current = name_broker(current)
    return bool(evaluate(accepts_rule(z3.BoolVal(topic), terms_of(current), terms_of(update))))


def accepted_by_reference(topic: bool, current: Any, update: Any) -> bool:
    """The reference's rule."""
    storage = Storage.TOPIC if topic else Storage.NODES
    removed = None if current[3] == NEVER else current[3]
    return conflict.accepts(storage, record_of(current), record_of(update), DOCUMENTED, removed)


def followed_by_rule(topic: bool, before: int, after: int) -> bool:
    """The table, by the theorem's rule."""
    return bool(evaluate(follows_rule(z3.BoolVal(topic), z3.IntVal(before), z3.IntVal(after))))


def followed_by_reference(topic: bool, before: int, after: int) -> bool:
    """The table, by the reference."""
    storage = Storage.TOPIC if topic else Storage.NODES
    return records.may_follow(storage, STATES[before], STATES[after])


def states(random: Random) -> tuple[Any, ...]:
    """A storage and two states."""
    return random.random() < 0.5, random.randint(INIT, DELETED), random.randint(INIT, DELETED)


CROSS_CHECKS: Final = (
    CrossCheck("accepts", arguments, accepted_by_rule, accepted_by_reference),
    CrossCheck("table", states, followed_by_rule, followed_by_reference),
)

RIVAL: Final = make_unknown("rival")


def succeeds(scope: Scope) -> tuple[Term, ...]:
    """Two records, the second of which takes the first's place by the next version, unforced."""
    return (
        *small(scope, CURRENT, UPDATE),
        is_record(CURRENT),
        is_record(UPDATE),
        z3.Not(UPDATE.forced),
        next_rule(CURRENT.version, UPDATE.version),
    )


def names_owner(current: Fields, update: Fields) -> Term:
    """The update names, as its source, the owner; or the pair of brokers that was to end this."""
    same = z3.And(update.destination == current.destination, update.source == current.source)
    return z3.If(current.state == OWNED, update.source == current.destination, same)


def owner_steps(scope: Scope) -> tuple[Step, ...]:
    """For each state in use, and for those that are not."""
    accepted = accepts_rule(TOPIC, CURRENT, UPDATE)
    next_one = hypothesis("any two records, the next version, not forced", *succeeds(scope))
    base = (next_one, case("the second is taken", accepted))
    in_use = tuple(
        Step(
            f"after {STATES[state].value}",
            (*base, case(STATES[state].value, CURRENT.state == state)),
            names_owner(CURRENT, UPDATE),
        )
        for state in (OWNED, ASSIGNING, RELEASING, SPLITTING)
    )
    fresh = z3.And(UPDATE.state == ASSIGNING, UPDATE.source <= 0, UPDATE.destination > 0)
    return (
        *in_use,
        Step("after Free", (*base, case("Free", CURRENT.state == FREE)), fresh),
        Step(
            "after Deleted", (next_one, case("Deleted", CURRENT.state == DELETED)), z3.Not(accepted)
        ),
    )


def unchecked_step(scope: Scope) -> Step:
    """Without the check of the brokers an owned bundle is still released by its owner only."""
    accepted = accepts_rule(TOPIC, CURRENT, UPDATE, brokers=False)
    assumptions = (*succeeds(scope), accepted, CURRENT.state == OWNED, CURRENT.destination > 0)
    return Step("after Owned", assumptions, names_owner(CURRENT, UPDATE))


NAMED_BROKER: Final = Theorem(
    name="named-broker",
    chapter="ownership",
    clauses=("OWN-1", "OWN-4"),
    statement="Without force a bundle in use is never moved on except by a record that names its "
    "owner, or the very pair of brokers that was to end it; a free one is assigned "
    "afresh, a deleted one not at all.",
    bound="both storages, every two records, the next version",
    steps=owner_steps,
    mutant=ReferenceMutant(
        broken="brokers-unchecked",
        sentence="Without the check of the brokers only the owner's bundle is released.",
        step=unchecked_step,
        trial=trial_of,
        question="ownership.conflict",
    ),
    cross_checks=CROSS_CHECKS,
)


def growing_steps(scope: Scope) -> tuple[Step, ...]:
    """In topics versions grow, in nodes by one; forced or not; over a removal, too."""
    accepted = accepts_rule(TOPIC, CURRENT, UPDATE)
    base = hypothesis(
        "any two records, the second of which is taken",
        *small(scope, CURRENT, UPDATE),
        is_record(CURRENT),
        is_record(UPDATE),
        accepted,
    )
    topic, nodes = case("in a topic", TOPIC), case("in nodes", z3.Not(TOPIC))
    wraps = z3.And(CURRENT.version == LARGEST_VERSION, UPDATE.version == SMALLEST_VERSION)
    begins = hypothesis(
        "a record that is taken where there is none",
        *small(scope, UPDATE),
        CURRENT.state == INIT,
        is_record(UPDATE),
        accepted,
    )
    first = (begins, case("there was none", CURRENT.version == NEVER))
    versions = SMALLEST_VERSION <= CURRENT.version, CURRENT.version <= LARGEST_VERSION
    again = (begins, case("one was removed", *versions))
    newer = z3.Or(wraps, UPDATE.version > CURRENT.version)
    next_one = z3.Or(wraps, UPDATE.version == CURRENT.version + 1)
    return (
        Step("topic", (base, topic), newer),
        Step("nodes", (base, nodes), next_one),
        Step("topic, after a removal", (*again, topic), newer),
        Step("nodes, after a removal", (*again, nodes), next_one),
        Step("a node's first", (*first, nodes), UPDATE.version == 1),
    )


def unversioned_step(scope: Scope) -> Step:
    """Where the version is not looked at, it grows anyway."""
    accepted = accepts_rule(TOPIC, CURRENT, UPDATE, versions=False)
    known = (is_record(CURRENT), is_record(UPDATE), UPDATE.forced)
    return Step(
        "topic",
        (*small(scope, CURRENT, UPDATE), *known, accepted),
        UPDATE.version > CURRENT.version,
    )


GROWING: Final = Theorem(
    name="versions-grow",
    chapter="ownership",
    clauses=("OWN-2", "OWN-3", "OWN-40"),
    statement="The versions of accepted records grow, over removals too, in nodes by one "
    "from 1 on, whatever is forced; only after the largest comes the smallest.",
    bound="both storages, every two records",
    steps=growing_steps,
    mutant=ReferenceMutant(
        broken="force-before-version",
        sentence="A forced record that is accepted is newer though its version is not compared.",
        step=unversioned_step,
        trial=trial_of,
        question="ownership.conflict",
    ),
    cross_checks=CROSS_CHECKS,
)


def rival_steps(scope: Scope) -> tuple[Step, ...]:
    """Two records of one version never take each other's place, whichever is first."""
    both = hypothesis(
        "two records of one version",
        *small(scope, UPDATE, RIVAL),
        is_record(UPDATE),
        is_record(RIVAL),
        UPDATE.version == RIVAL.version,
    )
    forwards, backwards = accepts_rule(TOPIC, UPDATE, RIVAL), accepts_rule(TOPIC, RIVAL, UPDATE)
    after = case(
        "either could follow the current record",
        *small(scope, CURRENT),
        is_record(CURRENT),
        accepts_rule(TOPIC, CURRENT, UPDATE),
        accepts_rule(TOPIC, CURRENT, RIVAL),
    )
    return (
        Step("neither follows the other", (both,), z3.And(z3.Not(forwards), z3.Not(backwards))),
        Step("of two that could be accepted the first is", (both, after), z3.Not(forwards)),
    )


def equal_step(scope: Scope) -> Step:
    """If equal versions pass for newer, the first of two is still accepted."""
    known = (is_record(CURRENT), is_record(UPDATE), CURRENT.version == UPDATE.version)
    taken = accepts_rule(TOPIC, CURRENT, UPDATE, equal=True)
    return Step("the first is accepted", (*small(scope, CURRENT, UPDATE), *known), z3.Not(taken))


FIRST_OF_EQUALS: Final = Theorem(
    name="first-of-equals",
    chapter="ownership",
    clauses=("OWN-2",),
    statement="Of two records of one version that race for a place exactly the first is accepted, "
    "for every reader alike.",
    bound="both storages, every three records, forced or not",
    steps=rival_steps,
    mutant=ReferenceMutant(
        broken="equal-version-overrides",
        sentence="If equal versions pass for newer, the first of two is still accepted.",
        step=equal_step,
        trial=trial_of,
        question="ownership.conflict",
    ),
    cross_checks=CROSS_CHECKS,
)

THEOREMS: Final = (NAMED_BROKER, GROWING, FIRST_OF_EQUALS)
