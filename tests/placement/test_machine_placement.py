"""The leader under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.placement.machine import LeaderMachine
from evenkeel.properties.placement.planted import PLANTED
from evenkeel.properties.placement.questions import PREALLOCATION
from evenkeel.properties.placement.trials_preallocation import PreallocationTrial
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=200, stateful_step_count=14, deadline=None, derandomize=True, database=None
)
FOUND = {
    "preallocations-stay": "PLC-4[134]",
    "preallocations-of-departed-brokers-stay": "PLC-4[134]",
    "nothing-preallocated": "PLC-4[12]",
    "preallocations-do-not-count": "PLC-4[24]",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[LeaderMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(LeaderMachine):
        edition = judged_by

        def observe(self, trial: PreallocationTrial) -> Observation:
            if planted is None:
                return PREALLOCATION.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return PREALLOCATION.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=BOUNDED)
