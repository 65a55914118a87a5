"""AvgShedder under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.properties.shedding.machine import AvgMachine
from evenkeel.properties.shedding.questions_classic import AVG
from evenkeel.properties.shedding.trials_avg import AvgTrial
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=40, stateful_step_count=12, deadline=None, derandomize=True, database=None
)
FINDING = settings(BOUNDED, max_examples=200, phases=(Phase.generate,))
FOUND = {
    "avg-acts-too-soon": "SHD-30",
    "avg-hits-of-brokers": "SHD-30",
    "avg-acts-too-late": "SHD-31",
    "grace-period-ignored": "SHD-3",
    "avg-hits-of-pairs": "SHD-38",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[AvgMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(AvgMachine):
        edition = judged_by

        def observe(self, trial: AvgTrial) -> Observation:
            if planted is None:
                return AVG.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return AVG.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "shedding" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=FINDING)
