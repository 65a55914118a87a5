"""The state machine of every question with commands: the reference obeys, mutants are found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, Edition
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.machine import machine_for
from evenkeel_engine.kit.question import Observation, Question
from evenkeel_engine.mutation.catalogue import MUTANTS

LOOP: Final = "balancing.loop"
"""Its commands are the events of a scenario."""
GROWING: Final = [q for q in QUESTIONS.values() if q.commands or q.name == LOOP]
SEEDS: Final = range(2, 12)
"""Several short searches find more than a long one, most examples of which vary earlier ones."""
# What takes a machine longer, the sweep over all mutants finds with seeded trials.
FOUND: Final = {
    "load.leader": {
        "bundles-of-the-last-broker-only": "LOA-17",
        "departed-broker-stays": "LOA-18",
        "every-notification-is-a-sample": "LOA-20",
        "writing-samples-nothing": "LOA-22",
    },
    "ownership.channel": {
        "everybody-serves": "OWN-7",
        "names-itself": "OWN-16",
        "anybody-says-owned": "OWN-10",
    },
    "ownership.locks": {
        "locks-expiry-ignored": "OWN-21 OWN-22",
    },
    "placement.preallocation": {
        "preallocations-stay": "PLC-41 PLC-43 PLC-44",
        "nothing-preallocated": "PLC-41 PLC-42",
        "preallocations-do-not-count": "PLC-42 PLC-44",
    },
    "shedding.avg": {
        "avg-acts-too-soon": "SHD-30",
        "avg-acts-too-late": "SHD-31",
        "avg-hits-of-brokers": "SHD-30",
        "avg-hits-of-pairs": "SHD-38",
        "grace-period-ignored": "SHD-101",
    },
    "shedding.transfer": {
        "transfer-grace-ignored": "SHD-58",
    },
    "splitting.life": {
        "no-membership-test": "SPL-18",
        "one-copy-only": "SPL-22",
        "blind-write": "SPL-21 SPL-24 SPL-25",
        "stale-lookup": "SPL-28",
    },
    "throttling.loop": {
        "deliveries-not-charged": "THR-39 THR-50",
        "writes-not-charged": "THR-40",
        "blocked-for-good": "THR-45",
        "charged-twice": "THR-40",
    },
    LOOP: {
        "sheds-without-trigger": "BAL-9",
        "nothing-is-shed": "BAL-10",
    },
}


def commands_of(question: Question[Any, Any]) -> str:
    """The path of the field that holds the commands."""
    return question.commands or "scenario.events"


def run(
    machine: type[RuleBasedStateMachine], seeds: Iterable[int], examples: int, steps: int
) -> None:
    """The same examples every time. Nothing is shrunk: only that a machine fails counts."""
    bounds = settings(
        max_examples=examples,
        stateful_step_count=steps,
        phases=(Phase.generate,),
    )
    for number in seeds:
        run_state_machine_as_test(seed(number)(machine), settings=bounds)


@pytest.mark.parametrize("question", GROWING, ids=lambda question: question.name)
@pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
def test_the_reference_obeys(question: Question[Any, Any], edition: Edition) -> None:
    machine = machine_for(question, edition, commands=commands_of(question), strict=True)
    run(machine, [2], examples=8, steps=5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "name", "clauses"),
    [(QUESTIONS[q], name, ids) for q, found in FOUND.items() for name, ids in found.items()],
    ids=lambda value: value.name if isinstance(value, Question) else value,
)
def test_mutants_are_found(question: Question[Any, Any], name: str, clauses: str) -> None:
    [mutant] = [one for one in MUTANTS if (one.chapter, one.name) == (question.chapter, name)]

    def observe(trial: Any) -> Observation:
        with mutant.apply():
            return question.observe(trial, mutant.edition)

    ids = clauses.split()
    machine = machine_for(
        question, mutant.edition, observe, ids, commands_of(question), strict=True
    )
    with pytest.raises(AssertionError, match=f"^({'|'.join(ids)}): "):
        run(machine, SEEDS, examples=100, steps=15)


def test_single_decisions_have_no_machine() -> None:
    with pytest.raises(ValueError, match="strategy"):
        machine_for(QUESTIONS["bundles.hash_lookup"], DOCUMENTED)
