"""Theorems: which record takes the place of which (OWN-1 to OWN-4)."""

from __future__ import annotations

from typing import Final

import z3

from evenkeel.models.givens import Step, case, hypothesis
from evenkeel.models.ownership.record_rules import (
    ASSIGNING,
    CURRENT,
    DELETED,
    FREE,
    INIT,
    NEVER,
    OWNED,
    RELEASING,
    SPLITTING,
    STATES,
    TOPIC,
    TWINS,
    UPDATE,
    Fields,
    accepts_rule,
    by_mutant,
    by_reference,
    is_record,
    next_rule,
    small,
    trial_of,
    unknown,
)
from evenkeel.models.terms import Scope, Term
from evenkeel.models.theorem import Mutant, Theorem
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.ownership.records.trial import ConflictAnswer, ConflictTrial
from evenkeel.reference.ownership.records import LARGEST_VERSION, SMALLEST_VERSION

RIVAL: Final = unknown("rival")


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
            "after Deleted",
            (next_one, case("Deleted", CURRENT.state == DELETED)),
            z3.Not(accepted),
        ),
    )


def anybody_step(scope: Scope) -> Step:
    """Without the check of the brokers an owned bundle is still released by its owner only."""
    accepted = accepts_rule(TOPIC, CURRENT, UPDATE, brokers=False)
    assumptions = (*succeeds(scope), accepted, CURRENT.state == OWNED, CURRENT.destination > 0)
    return Step("after Owned", assumptions, names_owner(CURRENT, UPDATE))


def keeps_owner(trial: ConflictTrial, answer: ConflictAnswer | Refused | Broke) -> bool:
    """What is accepted after Owned names its owner as source."""
    if not isinstance(answer, ConflictAnswer) or trial.current is None or trial.update is None:
        return False
    return not answer.accepted or trial.update.source == trial.current.destination


NAMED_BROKER: Final = Theorem(
    name="named-broker",
    chapter="ownership",
    clauses=("OWN-1", "OWN-4"),
    statement="Without force a bundle in use is never moved on except by a record that names its "
    "owner, or the very pair of brokers that was to end what goes on; a free one is assigned "
    "afresh, a deleted one not at all.",
    bound="both storages, every two records, the next version",
    steps=owner_steps,
    mutant=Mutant(
        name="brokers-unchecked",
        sentence="Without the check of the brokers only the owner's bundle is released.",
        step=anybody_step,
        trial=trial_of,
        broken=lambda trial: by_mutant(trial, "brokers-unchecked"),
        right=by_reference,
        promise=keeps_owner,
    ),
    twins=TWINS,
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
        "a record that is taken where none stands",
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
    """Where the version is not looked at, it grows all the same."""
    accepted = accepts_rule(TOPIC, CURRENT, UPDATE, versions=False)
    known = (is_record(CURRENT), is_record(UPDATE), UPDATE.forced)
    return Step(
        "topic",
        (*small(scope, CURRENT, UPDATE), *known, accepted),
        UPDATE.version > CURRENT.version,
    )


def grows(trial: ConflictTrial, answer: ConflictAnswer | Refused | Broke) -> bool:
    """What is accepted is newer."""
    if not isinstance(answer, ConflictAnswer) or trial.current is None or trial.update is None:
        return False
    return not answer.accepted or trial.update.version > trial.current.version


GROWING: Final = Theorem(
    name="versions-grow",
    chapter="ownership",
    clauses=("OWN-2", "OWN-3", "OWN-40"),
    statement="The versions of the records that stand grow, over removals too, in nodes by one "
    "from 1 on, whatever is forced; only after the largest comes the smallest.",
    bound="both storages, every two records",
    steps=growing_steps,
    mutant=Mutant(
        name="force-before-version",
        sentence="A forced record that stands is newer though its version is not looked at.",
        step=unversioned_step,
        trial=trial_of,
        broken=lambda trial: by_mutant(trial, "force-before-version"),
        right=by_reference,
        promise=grows,
    ),
    twins=TWINS,
)


def rival_steps(scope: Scope) -> tuple[Step, ...]:
    """Two records of one version never take each other's place, whoever is first."""
    both = hypothesis(
        "two records of one version",
        *small(scope, UPDATE, RIVAL),
        is_record(UPDATE),
        is_record(RIVAL),
        UPDATE.version == RIVAL.version,
    )
    forwards, backwards = accepts_rule(TOPIC, UPDATE, RIVAL), accepts_rule(TOPIC, RIVAL, UPDATE)
    after = case(
        "either could follow what stands",
        *small(scope, CURRENT),
        is_record(CURRENT),
        accepts_rule(TOPIC, CURRENT, UPDATE),
        accepts_rule(TOPIC, CURRENT, RIVAL),
    )
    return (
        Step("neither follows the other", (both,), z3.And(z3.Not(forwards), z3.Not(backwards))),
        Step("of two that could stand the first does", (both, after), z3.Not(forwards)),
    )


def equal_step(scope: Scope) -> Step:
    """If equal versions pass for newer, the first of two still stands."""
    known = (is_record(CURRENT), is_record(UPDATE), CURRENT.version == UPDATE.version)
    taken = accepts_rule(TOPIC, CURRENT, UPDATE, equal=True)
    return Step("the first stands", (*small(scope, CURRENT, UPDATE), *known), z3.Not(taken))


def first_stands(trial: ConflictTrial, answer: ConflictAnswer | Refused | Broke) -> bool:
    """A record of equal version is refused."""
    return isinstance(answer, ConflictAnswer) and not answer.accepted


FIRST_OF_EQUALS: Final = Theorem(
    name="first-of-equals",
    chapter="ownership",
    clauses=("OWN-2",),
    statement="Of two records of one version that race for a place exactly the first stands, for "
    "every reader alike.",
    bound="both storages, every three records, forced or not",
    steps=rival_steps,
    mutant=Mutant(
        name="equal-version-overrides",
        sentence="If equal versions pass for newer, the first of two still stands.",
        step=equal_step,
        trial=trial_of,
        broken=lambda trial: by_mutant(trial, "equal-version-overrides"),
        right=by_reference,
        promise=first_stands,
    ),
    twins=TWINS,
)

THEOREMS: Final = (NAMED_BROKER, GROWING, FIRST_OF_EQUALS)
