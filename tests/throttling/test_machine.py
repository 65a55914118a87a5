"""The dispatch loop under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.properties.throttling.machine import LoopMachine
from evenkeel.properties.throttling.questions_loop import LOOP
from evenkeel.properties.throttling.trials_loop import LoopTrial
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=20, stateful_step_count=12, deadline=None, derandomize=True, database=None
)
FOUND = {
    "deliveries-not-charged": "THR-(39|50)",
    "writes-not-charged": "THR-40",
    "blocked-for-good": "THR-45",
    "charged-twice": "THR-40",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[LoopMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(LoopMachine):
        edition = judged_by

        def observe(self, trial: LoopTrial) -> Observation:
            if planted is None:
                return LOOP.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return LOOP.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "throttling" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=BOUNDED)
