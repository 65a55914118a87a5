"""The theorems of the chapter *balancing*, and the solver's own counterexample."""

from __future__ import annotations

import pytest

from evenkeel.models.balancing.loop.grace_bounds_hourly_moves import (
    Rule,
    few_moves,
    moved_by,
    rule_at_its_end,
)
from evenkeel.models.balancing.loop.half_of_lead_evens_out import SHARES_EVEN_OUT
from evenkeel.models.balancing.loop.small_bundles_not_shed_back import swinging, swinging_trial
from evenkeel.models.balancing.trial_parts import OTHER, SOURCE, evens_out, trial_with
from evenkeel.models.catalogue import theorems_of
from evenkeel.models.theorem import Theorem, cross_check, prove
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition

THEOREMS = theorems_of(("balancing",))


def test_there_are_four_theorems() -> None:
    assert [theorem.name for theorem in THEOREMS] == [
        "grace-bounds-moves-in-an-hour",
        "half-of-the-lead-evens-out",
        "small-bundles-are-not-shed-back",
        "transfers-and-swaps-even-out",
    ]


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_proved_and_equal_to_the_reference(theorem: Theorem) -> None:
    assert prove(theorem).proved
    assert cross_check(theorem, 3, 300) == ()


def test_the_allowance_of_4_0_makes_it_less_even() -> None:
    """The solver's own counterexample: bundles of 2 and 1 with one broker, 1 with the other."""
    counter = prove(SHARES_EVEN_OUT).counter_trial
    assert counter is not None
    assert counter.convincing
    assert isinstance(counter.trial, BalancingTrial)
    again = answer_loop(counter.trial, PULSAR_4_0)
    assert sum(bool(moment.moves) for moment in again.moments) > 1


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_large_bundles_oscillate(edition: Edition) -> None:
    """In every round the same bundle goes to the other broker, alone."""
    weight, kept_load, other, points = swinging()
    assert weight > points - 5
    trial = swinging_trial(12)
    rounds = [moment.moves for moment in answer_loop(trial, edition).moments[1:]]
    assert all(len(moves) == 1 for moves in rounds)
    assert len({moves[0].bundle for moves in rounds}) == 1
    assert [moves[0].source for moves in rounds] == [SOURCE, OTHER] * 6
    assert max(kept_load, other) < weight


@pytest.mark.parametrize(("rule", "minutes", "most"), [(None, 5, 12), (rule_at_its_end, 4, 15)])
def test_the_bound_of_moves_is_reached(rule: Rule | None, minutes: int, most: int) -> None:
    """Grace 4 minutes, a round a minute: a balancer that may use the last moment reaches the bound,
    15 moves in an hour; the reference moves it twelve times, every five minutes.
    """
    trial = trial_with(
        Strategy.NONE, Settings(grace_minutes=4), {SOURCE: (1,), OTHER: ()}, steps=70
    )
    history = moved_by(rule, trial)
    times = [moment.at // 60_000 for moment in history.moments if moment.moves]
    assert times == list(range(1, 71, minutes))
    assert sum(at <= 60 for at in times) == most
    assert few_moves(trial, history)


def test_evens_out_rejects_a_reversal() -> None:
    """Loads 30 and 0 become 0 and 30 under the allowance of 4.0, but not by the documents."""
    trial = trial_with(
        Strategy.UNIFORM,
        Settings(
            grace_minutes=0,
            max_unload_share=0.5,
            min_unload_rate=0,
            min_unload_throughput=0,
            distribute_evenly=False,
        ),
        {SOURCE: (20, 10), OTHER: ()},
    )
    assert evens_out(trial, answer_loop(trial, DOCUMENTED))
    assert not evens_out(trial, answer_loop(trial, PULSAR_4_0))
