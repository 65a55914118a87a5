"""What placements in the loop keep between two questions is what they would work out anew.

Both keep something as long as the leader's averages are the same mapping. That is sound as long as
a mapping is kept by whoever compares with it (so that no other one can take its place in memory),
is never changed, and is another one whenever a report was taken.
"""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from evenkeel.harness.seeded import make_trial
from evenkeel.properties.balancing.loop import LOOP
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing import leader as leaders
from evenkeel.reference.balancing.leader import Leader, View
from evenkeel.reference.balancing.placements import MessageRate
from evenkeel.reference.balancing.planning import Plans
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, Edition
from evenkeel.reference.load.averages import BundleAverages, unseen
from evenkeel.reference.load.leader import BundleSample, Known, left, reported, written
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName

A, X = BrokerId("a"), BundleName("t/n/x")
each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)


def trials() -> Iterator[BalancingTrial]:
    """Loop trials in which reports come and go."""
    return (make_trial(LOOP, 1, index) for index in range(120))


@each_edition
def test_rates_that_are_kept_are_those_of_the_view(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, seen = MessageRate.report_of, Counter[bool]()

    def compared(self: MessageRate, broker: BrokerId, view: View) -> RateReport:
        before = self._known.get(broker)
        report = kept(self, broker, view)
        given = view.preallocated.get(broker, ())
        assert report == self.added_up(view.cluster.brokers[broker], given, view)
        seen[before is not None and report is before[1]] += 1
        return report

    monkeypatch.setattr(MessageRate, "report_of", compared)
    for trial in trials():
        answer_loop(trial, edition)
    assert min(seen[True], seen[False]) > 50


@each_edition
def test_numbers_of_bundles_are_equal_where_averages_are(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, asked = Plans.now, list[Plans]()
    met: dict[int, dict[Statistics, BundleAverages]] = {}

    def compared(self: Plans, view: View, bundle: BundleName) -> Mapping[str, Statistics]:
        asked.append(self)  # and kept, so that no other plan is met under the same id
        numbers = met.setdefault(id(self), {})
        now = kept(self, view, bundle)
        for name, number in now.items():
            averages = view.averages.get(name) or unseen()
            assert numbers.setdefault(number, averages) == averages
        assert len(set(numbers.values())) == len(numbers)
        assert {bundle, *view.averages} <= set(now)
        return now

    monkeypatch.setattr(Plans, "now", compared)
    for trial in trials():
        if trial.balancer.strategy is Strategy.AVG:
            answer_loop(trial, edition)
    assert len(asked) > 50


def report_of(messages: float) -> BrokerReport:
    return BrokerReport(traffic=Traffic(messages), bundles=(X,))


def told(leader: Leader, at: int, messages: float) -> Leader:
    """The leader after a report of broker a, with this rate of its bundle."""
    sent = leaders.send(leader, at, {A: report_of(messages)}, {X: Traffic(messages)})
    return leaders.receive(sent, at, frozenset({A}), DOCUMENTED)


class Watched(dict[str, BundleAverages]):
    """A mapping of which can be told whether it is still there."""


def watched(number: int) -> View:
    """What a leader shows that has had so many reports of broker a."""
    leader = leaders.new()
    for each in range(1, number + 1):
        leader = told(leader, 60_000 * each, float(each))
    view = leaders.view(leader, 60_000 * number, frozenset({A}), {X: A})
    return replace(view, averages=Watched(view.averages))


@pytest.mark.parametrize("kept_by", [MessageRate(Settings(), DOCUMENTED), Plans(DOCUMENTED)])
def test_the_mapping_that_is_compared_with_lives_until_there_is_another(
    kept_by: MessageRate | Plans,
) -> None:
    """Else another mapping may come to lie where it lay, and be taken for it."""

    def ask(view: View) -> weakref.ref[Watched]:
        if isinstance(kept_by, Plans):
            kept_by.now(view, X)
        else:
            kept_by.report_of(A, view)
        assert isinstance(view.averages, Watched)
        return weakref.ref(view.averages)

    first = ask(watched(1))
    gc.collect()
    assert first() is not None
    second = ask(watched(2))
    gc.collect()
    assert first() is None
    assert second() is not None


def test_a_later_report_is_added_up_anew() -> None:
    placement = MessageRate(Settings(), DOCUMENTED)
    assert placement.report_of(A, watched(1)).rate_in == 1.0
    assert placement.report_of(A, watched(3)).rate_in == 2.0


@each_edition
def test_whatever_a_leader_is_told_makes_another_mapping(edition: Edition) -> None:
    sample = BundleSample("t/n/x", Traffic(1.0), 1)
    known = reported(Known(), "a", (sample,), edition)
    for after in (
        reported(known, "a", (sample,), edition),
        reported(known, "b", (), edition),
        left(known, "b", edition),
        left(known, "a", edition),
    ):
        assert after.bundles is not known.bundles
    before = dict(known.bundles)
    left(known, "a", edition)
    written(known, edition)
    assert known.bundles == before
