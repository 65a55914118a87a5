"""Known violations of the lock protocol: exploring finds them, by schedules of known length."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.models.ownership.locks.known_violations import KNOWN, Known, trial_of
from evenkeel.properties.ownership.locks import LOCKS
from evenkeel.properties.ownership.locks.trials import LocksTrial, Settle
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import judge

LENGTHS = {
    "served-beyond-the-session": 7,
    "release-deletes-anothers-node": 12,
    "release-tried-once": 7,
    "adopted-lock-is-blind": 12,
}


def sentences(clause: str, trial: LocksTrial, observed: Edition) -> list[str]:
    """The sentences of a clause of DOCUMENTED about what an edition observes."""
    checks = clauses_for(LOCKS.name, DOCUMENTED, frozenset({clause}))
    observation = LOCKS.observe(trial, observed)
    return [v.status for v in judge(LOCKS, checks, trial, observation, DOCUMENTED)]


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_the_shortest_schedule_violates_the_clause(known: Known) -> None:
    schedule = known.schedule()
    assert len(schedule) == LENGTHS[known.name]
    trial = trial_of(schedule)
    trial = replace(trial, commands=(*trial.commands, Settle()))
    assert sentences(known.clause, trial, PULSAR_4_0) == ["violated"]
    assert sentences(known.clause, trial, DOCUMENTED) == ["holds"]


def test_no_schedule_leads_to_an_impossible_state() -> None:
    with pytest.raises(LookupError):
        replace(KNOWN[0], left=KNOWN[0].left._replace(ends=0)).schedule()


def test_a_move_that_is_not_a_command_is_refused() -> None:
    with pytest.raises(LookupError):
        trial_of(("0 sleeps",))
