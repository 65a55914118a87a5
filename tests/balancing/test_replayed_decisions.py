"""In the loop, the chapter *shedding* decides what may be shed (BAL-11)."""

from __future__ import annotations

import pytest

from evenkeel.properties.balancing.loop.replay import LoopReading, unlike_strategies
from evenkeel.reference.balancing.balancer import Alone
from evenkeel.reference.balancing.history import History
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.catalogue import MUTANTS

LOOP = QUESTIONS["balancing.loop"]
TRIALS = 120
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


def verdicts(name: str) -> list[str]:
    """The violations in runs in which this mutant makes a difference; empty if all hold."""
    mutant, found = BY_NAME[name], []
    for index in range(TRIALS):
        trial = make_trial(LOOP, 1, index)
        if trial.balancer.strategy != name.partition("-")[0]:
            continue
        right = LOOP.observe(trial, DOCUMENTED)
        with mutant.apply():
            observed = LOOP.observe(trial, DOCUMENTED)
        assert isinstance(observed, History)
        if observed != right:
            violation = unlike_strategies(trial, observed, DOCUMENTED, LoopReading(Alone()), [])
            found.append("" if violation is None else violation.sentence)
    return found


@pytest.mark.parametrize(
    "name",
    [
        "avg-lightest-first",
        "overload-sheds-all-that-may-move",
        "threshold-left-in-place",
        "transfer-whole-gap",
        "transfer-largest-that-fits-first",
        "uniform-lightest-first",
    ],
)
def test_decisions_that_shedding_allows_hold_in_the_loop(name: str) -> None:
    """Or only departures from practice, as half the gap that SHD-63 names (a SHOULD)."""
    found = verdicts(name)
    assert found
    assert not any(found)


def test_decisions_that_shedding_forbids_are_violations() -> None:
    assert any("SHD-84" in sentence for sentence in verdicts("threshold-lightest-first"))
