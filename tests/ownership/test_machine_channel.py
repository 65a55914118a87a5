"""The ownership channel under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.ownership.machine_channel import ChannelMachine
from evenkeel.properties.ownership.questions_channel import CHANNEL
from evenkeel.properties.ownership.trials_channel import ChannelTrial
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=15, stateful_step_count=8, deadline=None, derandomize=True, database=None
)
FOUND = {
    "everybody-serves": "OWN-7",
    "names-itself": "OWN-16",
    "anybody-says-owned": "OWN-10",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[ChannelMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(ChannelMachine):
        edition = judged_by

        def observe(self, trial: ChannelTrial) -> Observation:
            if planted is None:
                return CHANNEL.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return CHANNEL.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "ownership" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=BOUNDED)
