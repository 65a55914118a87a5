"""Variants that the documents allow and Pulsar's practice does not: departures, and no error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.scoring.scope import EVERYTHING
from evenkeel_engine.mutation.scoring.score import BLOCK, find_failures
from evenkeel_engine.sweeps.sweep import (
    SEED,
    JobOutcome,
    Sweep,
    SweepPlan,
    by_chapter,
    make_outcome,
)

TRIALS: Final = 300
IN_THE_LOOP: Final = {"preallocated-rates-left-out": "BAL-27"}
"""Variants of other chapters, and the clause from which a whole run with them departs."""
DEPARTING: Final = {
    "partition-numbers-with-leading-zeros": "BUN-21",
    "a-single-topic-is-split": "SPL-33",
    "one-topic-counts": "SPL-33",
    "another-order-refused": "SPL-77",
    "each-split-by-itself": "SPL-78",
    "children-not-counted": "SPL-78",
    "the-leader-is-capped": "SPL-79",
    "one-topic-is-parted": "SPL-6",
    "owner-needed": "SPL-63",
    "nobody-while-nothing-is-known": "PLC-11",
    "placement-usage-without-weights": "PLC-52",
    "placement-usage-of-every-resource": "PLC-52",
    "preallocated-rates-left-out": "PLC-42",
    "first-of-those-below-the-mean": "PLC-53",
    "a-lone-broker-sheds": "BAL-28",
    "avg-plans-first": "BAL-27",
    "avg-idle-bundles-go-along": "SHD-35",
    "avg-sheds-idle-bundles": "SHD-35",
    "avg-nearest-sum": "SHD-100",
    "looks-in-between": "THR-45",
}
"""By variant: the clause of practice that it departs from."""


def objections(mutant: Mutant, questions: Iterable[str], trials: int) -> Iterator[tuple[str, str]]:
    """The clauses that object to it, each with a trial."""
    for question in questions:
        for start in range(0, trials, BLOCK):
            block = Block(question, SEED, start, min(BLOCK, trials - start))
            for shown in find_failures(mutant, block):
                yield shown.check[0], f"{question}@{SEED}:{start + shown.trials - 1}"


def found_of(mutant: Mutant, questions: Iterable[str]) -> set[str]:
    """The clauses that object to it."""
    return {clause for clause, _ in objections(mutant, questions, TRIALS)}


Job = tuple[str, bool]
"""A variant, and whether it is asked in the loop."""


def groups(_: SweepPlan) -> list[list[Job]]:
    """The variants of a chapter together; each one in the loop by itself."""
    jobs = [(name, False) for name in DEPARTING]
    together = by_chapter(jobs, lambda job: BY_NAME[job[0]].chapter)
    return [[(name, True)] for name in IN_THE_LOOP] + together


def work(job: Job) -> JobOutcome:
    """The clause of practice objects, and no clause that binds does; in the loop no other one."""
    name, in_the_loop = job
    mutant = BY_NAME[name]
    if in_the_loop:
        expected, found = IN_THE_LOOP[name], found_of(mutant, ["balancing.loop"])
        wrong = sorted(found - {expected})
    else:
        expected, found = DEPARTING[name], found_of(mutant, EVERYTHING.questions_about(mutant))
        wrong = sorted(clause for clause in found if not Severity("DOCUMENTED").may(clause))
    failures = [f"{clause} objects to {name}, which the documents allow" for clause in wrong]
    if expected not in found:
        failures.append(f"{expected} does not detect that {name} departs from it")
    return make_outcome(mutant.chapter, *failures)


SWEEP: Final = Sweep(
    "departures",
    "departures",
    "{passed} variants depart from practice, and break nothing that the documents say",
    groups,
    work,
)
