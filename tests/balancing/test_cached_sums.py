"""What placements in the loop cache equals what they would compute again.

Both cache a value as long as the leader's averages are the same mapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from evenkeel.properties.balancing.loop import LOOP
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.placements import MessageRate
from evenkeel.reference.balancing.planning import Plans
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import BASE_EDITIONS, Edition
from evenkeel.reference.load.averages import BundleAverages, guess
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel_engine.check.seeded import make_trial

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)


def trials() -> Iterator[BalancingTrial]:
    """Loop trials in which reports come and go."""
    return (make_trial(LOOP, 1, index) for index in range(120))


@each_edition
def test_cached_rates_equal_those_of_the_view(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, seen = MessageRate.report_of, Counter[bool]()

    def compare_sums(self: MessageRate, broker: BrokerId, view: View) -> RateReport:
        before = self._known.get(broker)
        report = original(self, broker, view)
        given = view.preallocated.get(broker, ())
        assert report == self.added_up(view.cluster.brokers[broker], given, view)
        seen[before is not None and report is before[1]] += 1
        return report

    monkeypatch.setattr(MessageRate, "report_of", compare_sums)
    for trial in trials():
        answer_loop(trial, edition)
    assert min(seen[True], seen[False]) > 50


@each_edition
def test_cached_bundle_counts_equal_those_of_the_view(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, plans = Plans.now, list[Plans]()
    met: dict[int, dict[Statistics, BundleAverages]] = {}

    def compare_sums(self: Plans, view: View, bundle: BundleName) -> Mapping[str, Statistics]:
        plans.append(self)  # referenced, so that no other plan can have the same id
        numbers = met.setdefault(id(self), {})
        now = original(self, view, bundle)
        for name, number in now.items():
            averages = view.averages.get(name) or guess()
            assert numbers.setdefault(number, averages) == averages
        assert len(set(numbers.values())) == len(numbers)
        assert {bundle, *view.averages} <= set(now)
        return now

    monkeypatch.setattr(Plans, "now", compare_sums)
    for trial in trials():
        if trial.balancer.strategy is Strategy.AVG:
            answer_loop(trial, edition)
    assert len(plans) > 50
