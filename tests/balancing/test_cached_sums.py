"""What placements in the loop cache equals what they would compute again.

Both cache a value as long as the leader's averages are the same mapping. That is sound as long as
the cache refers to that mapping (so that no other can have its address), the mapping is never
changed, and every report creates another one.
"""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from evenkeel.properties.balancing.loop import LOOP
from evenkeel.properties.balancing.loop.trials import BalancingTrial, answer_loop
from evenkeel.reference.balancing import leader as leaders
from evenkeel.reference.balancing.leader import Leader, View
from evenkeel.reference.balancing.placements import MessageRate
from evenkeel.reference.balancing.planning import Plans
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, Edition
from evenkeel.reference.load.averages import BundleAverages, guess
from evenkeel.reference.load.leader import BundleSample, Known, leave, publish, write_averages
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.shedding.cluster import BrokerId, BrokerReport, BundleName
from evenkeel_engine.check.seeded import make_trial

A, X = BrokerId("a"), BundleName("t/n/x")
each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)


def trials() -> Iterator[BalancingTrial]:
    """Loop trials in which reports come and go."""
    return (make_trial(LOOP, 1, index) for index in range(120))


@each_edition
def test_cached_rates_equal_those_of_the_view(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, seen = MessageRate.report_of, Counter[bool]()

    def compared(self: MessageRate, broker: BrokerId, view: View) -> RateReport:
        before = self._known.get(broker)
        report = original(self, broker, view)
        given = view.preallocated.get(broker, ())
        assert report == self.added_up(view.cluster.brokers[broker], given, view)
        seen[before is not None and report is before[1]] += 1
        return report

    monkeypatch.setattr(MessageRate, "report_of", compared)
    for trial in trials():
        answer_loop(trial, edition)
    assert min(seen[True], seen[False]) > 50


@each_edition
def test_cached_bundle_counts_equal_those_of_the_view(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, plans = Plans.now, list[Plans]()
    met: dict[int, dict[Statistics, BundleAverages]] = {}

    def compared(self: Plans, view: View, bundle: BundleName) -> Mapping[str, Statistics]:
        plans.append(self)  # referenced, so that no other plan can have the same id
        numbers = met.setdefault(id(self), {})
        now = original(self, view, bundle)
        for name, number in now.items():
            averages = view.averages.get(name) or guess()
            assert numbers.setdefault(number, averages) == averages
        assert len(set(numbers.values())) == len(numbers)
        assert {bundle, *view.averages} <= set(now)
        return now

    monkeypatch.setattr(Plans, "now", compared)
    for trial in trials():
        if trial.balancer.strategy is Strategy.AVG:
            answer_loop(trial, edition)
    assert len(plans) > 50


def report_of(messages: float) -> BrokerReport:
    return BrokerReport(traffic=Traffic(messages), bundles=(X,))


def after_report(leader: Leader, at: int, messages: float) -> Leader:
    """The leader after a report of broker a, with this rate of its bundle."""
    sent = leaders.send(leader, at, {A: report_of(messages)}, {X: Traffic(messages)})
    return leaders.receive(sent, at, frozenset({A}), DOCUMENTED)


class ReferencedMapping(dict[str, BundleAverages]):
    """A mapping that can be weakly referenced."""


def view_with(number: int) -> View:
    """The view of a leader after this number of reports of broker a."""
    leader = leaders.new()
    for each in range(1, number + 1):
        leader = after_report(leader, 60_000 * each, float(each))
    view = leaders.view(leader, 60_000 * number, frozenset({A}), {X: A})
    return replace(view, averages=ReferencedMapping(view.averages))


@pytest.mark.parametrize("cache", [MessageRate(Settings(), DOCUMENTED), Plans(DOCUMENTED)])
def test_a_compared_mapping_is_kept_alive_until_replaced(
    cache: MessageRate | Plans,
) -> None:
    """Otherwise another mapping could have its address, and be taken for it."""

    def ask(view: View) -> weakref.ref[ReferencedMapping]:
        if isinstance(cache, Plans):
            cache.now(view, X)
        else:
            cache.report_of(A, view)
        assert isinstance(view.averages, ReferencedMapping)
        return weakref.ref(view.averages)

    first = ask(view_with(1))
    gc.collect()
    assert first() is not None
    second = ask(view_with(2))
    gc.collect()
    assert first() is None
    assert second() is not None


def test_a_later_report_is_summed_again() -> None:
    placement = MessageRate(Settings(), DOCUMENTED)
    assert placement.report_of(A, view_with(1)).rate_in == 1.0
    assert placement.report_of(A, view_with(3)).rate_in == 2.0


@each_edition
def test_every_report_creates_another_mapping(edition: Edition) -> None:
    sample = BundleSample("t/n/x", Traffic(1.0), 1)
    known = publish(Known(), "a", (sample,), edition)
    for after in (
        publish(known, "a", (sample,), edition),
        publish(known, "b", (), edition),
        leave(known, "b", edition),
        leave(known, "a", edition),
    ):
        assert after.bundles is not known.bundles
    before = dict(known.bundles)
    leave(known, "a", edition)
    write_averages(known, edition)
    assert known.bundles == before
