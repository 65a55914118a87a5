"""The loop's state machine: over the reference it finds nothing, over a defect it does."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.balancing.machine import LoopMachine
from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=40,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate,),
)
FINDING = settings(BOUNDED, max_examples=200)
FOUND = {
    "unloaded-bundle-stays": "BAL-3",
    "bundles-of-a-crash-forgotten": "BAL-3",
    "slow-brokers-look-idle": "BAL-1",
    "grace-unknown": "BAL-4",
    "new-leader-forgets-grace": "BAL-4",
    "clients-back-too-soon": "BAL-7",
    "sheds-without-trigger": "BAL-9",
    "sheds-far-too-late": "BAL-10",
    "nothing-is-shed": "BAL-10",
    "avg-a-round-late": "BAL-10",
    "uniform-never-worth-it": "BAL-10",
    "avg-reverses-pairs": "BAL-17",
    "transfer-never-counts": "BAL-18",
    "preallocations-not-counted": "BAL-11",
}


def machine_of(
    judged_by: Edition, planted: Planted | None = None, clause: str | None = None
) -> type[LoopMachine]:
    """The machine over the reference, with a change planted in it or not, for a clause or all."""

    class Machine(LoopMachine):
        edition = judged_by
        only = None if clause is None else frozenset({clause})

        def observe(self, trial: BalancingTrial) -> Observation:
            if planted is None:
                return super().observe(trial)
            with planted.replaced_by(planted.make(planted.original())):
                return super().observe(trial)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "balancing" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted, clause), settings=FINDING)
