"""Theorem: levels only ever lower a read, in any order (THR-25, THR-26, THR-57)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

import z3

from evenkeel.properties.throttling.reading import ReaderSort, ReadLimitsTrial, reader_of
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.throttling import reading
from evenkeel.reference.throttling.rates import Limits
from evenkeel.reference.throttling.reading import Read
from evenkeel_engine.proofs.assumptions import Step, hypothesis
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

ENTRIES, FIRST, SECOND = z3.Ints("entries first second")


def cap_read(entries: Term, left: Term) -> Term:
    """A read cut by what is left; -1 is no limit."""
    return z3.If(z3.And(left >= 0, left < entries), left, entries)


def steps(scope: Scope) -> tuple[Step, ...]:
    """One level more, the order, and what is used up."""
    sorts = hypothesis(
        "one entry or more; what is left of a quota is 0 or more, or -1 where there is no limit",
        ENTRIES >= 1,
        FIRST >= -1,
        SECOND >= -1,
    )
    once, twice = cap_read(ENTRIES, FIRST), cap_read(cap_read(ENTRIES, FIRST), SECOND)
    return (
        Step("a level more", (sorts,), z3.And(twice <= once, once <= ENTRIES)),
        Step("any order", (sorts,), twice == cap_read(cap_read(ENTRIES, SECOND), FIRST)),
        Step(
            "within each",
            (sorts, hypothesis("quotas left of 0 or more", FIRST >= 0, SECOND >= 0)),
            z3.And(twice <= FIRST, twice <= SECOND),
        ),
        Step("used up", (sorts,), (twice == 0) == z3.Or(FIRST == 0, SECOND == 0)),
    )


def broken_step(scope: Scope) -> Step:
    """A quota that is used up stops the read, by the broken rule: one of 0 does not cut."""
    small = (1 <= ENTRIES, ENTRIES <= 100, 0 <= FIRST, FIRST <= 100)
    read = z3.If(z3.And(FIRST > 0, FIRST < ENTRIES), FIRST, ENTRIES)
    return Step("used up", small, z3.Implies(FIRST == 0, read == 0))


def trial_of(model: Model) -> ReadLimitsTrial:
    """A dispatcher with the model's permits, and a topic limit with nothing left."""
    return ReadLimitsTrial(
        reader=ReaderSort.SHARED,
        permits=number(model, ENTRIES),
        average_messages=1,
        writable=True,
        cursor_active=False,
        replay_outstanding=False,
        batch_size=100,
        max_bytes=1000,
        precise=False,
        by_entry=False,
        non_backlog=True,
        broker=None,
        topic=Limits(number(model, FIRST), -1),
        subscription=None,
    )


def arguments(random: Random) -> tuple[int, int]:
    """Entries, and what is left."""
    return random.randint(1, 30), random.randint(-1, 30)


def capped_in_reference(entries: int, left: int) -> int:
    """The reference's cut."""
    trial = replace(trial_with(entries), permits=entries)
    read = reading.limit_read(Read(entries, 1000), Limits(left, -1), reader_of(trial), DOCUMENTED)
    return read.entries


def trial_with(permits: int) -> ReadLimitsTrial:
    """A dispatcher with these permits and no limits."""
    return ReadLimitsTrial(
        ReaderSort.SHARED,
        permits,
        1,
        True,
        False,
        False,
        100,
        1000,
        False,
        False,
        True,
        None,
        None,
        None,
    )


LEVELS: Final = Theorem(
    name="levels",
    chapter="throttling",
    clauses=("THR-25", "THR-26", "THR-57"),
    statement="Cutting a read by one level more never makes it larger, levels may come in any "
    "order, and nothing is read if and only if something is used up.",
    bound="every read and every quota; two levels, and so by repetition any number",
    steps=steps,
    mutant=ReferenceMutant(
        broken="zero-quota-does-not-cap",
        sentence="A quota that fell to 0 between two looks still stops the read.",
        step=broken_step,
        trial=trial_of,
        question="throttling.read_limits",
    ),
    cross_checks=(CrossCheck("cut", arguments, lambda *v: run(cap_read, *v), capped_in_reference),),
)

THEOREMS: Final = (LEVELS,)
