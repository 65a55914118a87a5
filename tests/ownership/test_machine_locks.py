"""The lock protocol under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.ownership.machine_locks import LocksMachine
from evenkeel.properties.ownership.questions_locks import LOCKS
from evenkeel.properties.ownership.trials_locks import LocksTrial
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=25, stateful_step_count=15, deadline=None, derandomize=True, database=None
)
FOUND = {
    "locks-created-over-another": "OWN-(21|22|28)",
    "locks-expiry-ignored": "OWN-(21|22)",
    "locks-leader-always-empty": "OWN-36",
    "locks-failure-untold": "OWN-26",
}


SEARCHED = settings(BOUNDED, max_examples=150)


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[LocksMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(LocksMachine):
        edition = judged_by

        def observe(self, trial: LocksTrial) -> Observation:
            if planted is None:
                return LOCKS.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return LOCKS.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "ownership" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=SEARCHED)
