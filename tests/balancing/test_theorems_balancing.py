"""What the theorems of the chapter *balancing* leave open, and how far their bounds are reached."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import pytest

from evenkeel.models.balancing.loop.small_bundles_not_shed_back import (
    swinging,
    swinging_trial,
)
from evenkeel.models.balancing.trial_parts import OTHER, SOURCE, trial_with
from evenkeel.properties.balancing.loop.judge import most_unloads
from evenkeel.properties.balancing.loop.trials import answer_loop
from evenkeel.reference.balancing import loop
from evenkeel.reference.balancing.balancer import Balancer, Shed
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import WEIGHTS, Settings, Strategy
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, Edition
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName
from evenkeel_engine.mutation.catalogue import BY_NAME


@pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
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


class Restless:
    """The worst of all strategies: whatever may move goes to the other broker."""

    def decide(self, view: View) -> list[Shed]:
        return [
            Shed(bundle, owner, OTHER if owner == SOURCE else SOURCE, "restless")
            for bundle, owner in view.owners.items()
            if bundle not in view.cluster.recently_unloaded
        ]

    def allowed(self, bundle: BundleName, view: View) -> Sequence[BrokerId]:
        return view.active

    def chosen(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        pass


@pytest.mark.parametrize(
    ("variant", "minutes", "most"), [(None, 5, 12), ("grace-without-its-last-moment", 4, 15)]
)
def test_the_bound_is_reached(variant: str | None, minutes: int, most: int) -> None:
    """Grace 4 minutes, a round a minute: a leader that takes the last moment for free reaches the
    bound, 15 moves in an hour; the reference moves a bundle each five minutes.
    """
    settings = Settings(grace_minutes=4)
    trial = trial_with(Strategy.NONE, settings, {SOURCE: (1,), OTHER: ()}, steps=70)
    strategy = Restless()
    with BY_NAME[variant].apply() if variant else nullcontext():
        history = loop.run(
            trial.scenario,
            lambda: Balancer(strategy, strategy, True, WEIGHTS, 4),
            loop.seeded(trial.seed),
            DOCUMENTED,
        )
    times = [moment.at // MINUTE for moment in history.moments if moment.moves]
    assert times == list(range(1, 71, minutes))
    assert sum(at <= 60 for at in times) == most
    assert most_unloads(4 * MINUTE, MINUTE) == 15
    assert max(sum(0 <= at - begin < 60 for at in times) for begin in times) <= 15
