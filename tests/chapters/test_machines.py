"""The state machine of every question with commands: the reference obeys, mutants are found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json, from_json, to_json
from evenkeel_engine.kit.question import Question
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.pytest_hypothesis import machine_for

LOOP: Final = "balancing.loop"
"""Its commands are the events of a scenario."""
GROWING: Final = [q for q in QUESTIONS.values() if q.commands or q.name == LOOP]
SEEDS: Final = range(2, 12)
"""Several short searches find more than a long one, most examples of which vary earlier ones."""
# Of a few questions; the sweep over all mutants finds those of all with seeded trials.
FOUND: Final = {
    "load.leader": ("departed-broker-stays", "LOA-18"),
    "throttling.loop": ("writes-not-charged", "THR-40"),
    LOOP: ("nothing-is-shed", "BAL-10"),
}


def commands_of(question: Question[Any, Any]) -> str:
    """The path of the field that holds the commands."""
    return question.commands or "scenario.events"


def run(
    machine: type[RuleBasedStateMachine], seeds: Iterable[int], examples: int, steps: int
) -> None:
    """The same examples every time. Nothing is shrunk: only that a machine fails counts."""
    bounds = settings(max_examples=examples, stateful_step_count=steps, phases=(Phase.generate,))
    for number in seeds:
        run_state_machine_as_test(seed(number)(machine), settings=bounds)


@pytest.mark.parametrize("question", GROWING, ids=lambda question: question.name)
def test_the_reference_obeys(question: Question[Any, Any]) -> None:
    """In one edition: the sweep over all clauses asks each with seeded trials."""
    machine = machine_for(question, DOCUMENTED, commands=commands_of(question), strict=True)
    run(machine, [2], examples=4, steps=5)


@pytest.mark.slow
@pytest.mark.parametrize("asked", FOUND)
def test_a_mutant_is_found(asked: str) -> None:
    question, (name, clauses) = QUESTIONS[asked], FOUND[asked]
    [mutant] = [one for one in MUTANTS if (one.chapter, one.name) == (question.chapter, name)]

    def observe(form: Json) -> Json:
        with mutant.apply():
            return to_json(question.observe(from_json(question.trial_type, form), mutant.edition))

    ids = clauses.split()
    machine = machine_for(
        question, mutant.edition, observe, ids, commands_of(question), strict=True
    )
    with pytest.raises(AssertionError, match=f"^({'|'.join(ids)})[: ]"):
        run(machine, SEEDS, examples=100, steps=15)


def test_single_decisions_have_no_machine() -> None:
    with pytest.raises(ValueError, match="strategy"):
        machine_for(QUESTIONS["bundles.hash_lookup"], DOCUMENTED)
