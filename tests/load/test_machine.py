"""The leader under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.load.machine import LeaderMachine
from evenkeel.properties.load.questions import LEADER
from evenkeel.properties.load.trials_averages import LeaderTrial
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=30, stateful_step_count=12, deadline=None, derandomize=True, database=None
)
FOUND = {
    "bundles-of-the-last-broker-only": "LOA-17",
    "departed-broker-stays": "LOA-18",
    "every-notification-is-a-sample": "LOA-20",
    "writing-samples-nothing": "LOA-22",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[LeaderMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(LeaderMachine):
        edition = judged_by

        def observe(self, trial: LeaderTrial) -> Observation:
            if planted is None:
                return LEADER.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return LEADER.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "load" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=BOUNDED)
