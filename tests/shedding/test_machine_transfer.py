"""TransferShedder's state machine: over the reference it finds nothing, over a defect it does."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.properties.shedding.machine_transfer import TransferMachine
from evenkeel.properties.shedding.trials_transfer import TransferTrial
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition

BOUNDED = settings(
    max_examples=30,
    stateful_step_count=18,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate,),
)
FOUND = {
    "transfer-grace-ignored": "SHD-58",
    "transfer-count-not-begun-anew": "SHD-55",
    "transfer-no-cool-down": "SHD-50",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[TransferMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(TransferMachine):
        edition = judged_by

        def observe(self, trial: TransferTrial) -> Observation:
            if planted is None:
                return super().observe(trial)
            with planted.replaced_by(planted.make(planted.original())):
                return super().observe(trial)

    return Machine


@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=lambda edition: edition.name)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [planted for planted in PLANTED if planted.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=BOUNDED)
