"""A namespace's life under Hypothesis: the reference holds, planted defects are found."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.properties.catalogue import PLANTED
from evenkeel.properties.planted import Planted
from evenkeel.properties.question import Observation
from evenkeel.properties.splitting.machine import LifeMachine
from evenkeel.properties.splitting.questions import LIFE
from evenkeel.properties.splitting.trials_life import LifeTrial
from evenkeel.reference.edition import EDITIONS, Edition

BOUNDED = settings(
    max_examples=25, stateful_step_count=15, deadline=None, derandomize=True, database=None
)
FOUND = {
    "no-membership-test": "SPL-18",
    "other-fields-lost": "SPL-23",
    "one-copy-only": "SPL-22",
    "blind-write": "SPL-2[145]",
    "stale-lookup": "SPL-28",
}


def machine_of(judged_by: Edition, planted: Planted | None = None) -> type[LifeMachine]:
    """The machine over the reference, with a change planted in it or not."""

    class Machine(LifeMachine):
        edition = judged_by

        def observe(self, trial: LifeTrial) -> Observation:
            if planted is None:
                return LIFE.observe(trial, judged_by)
            with planted.replaced_by(planted.make(planted.original())):
                return LIFE.observe(trial, judged_by)

    return Machine


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(edition: Edition) -> None:
    run_state_machine_as_test(machine_of(edition), settings=BOUNDED)


@pytest.mark.parametrize(("name", "clause"), FOUND.items(), ids=FOUND)
def test_planted_defects_are_found(name: str, clause: str) -> None:
    [planted] = [p for p in PLANTED if p.chapter == "splitting" and p.name == name]
    with pytest.raises(AssertionError, match=clause):
        run_state_machine_as_test(machine_of(planted.edition, planted), settings=BOUNDED)
