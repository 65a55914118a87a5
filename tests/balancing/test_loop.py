"""The closed loop on small clusters, computed by hand."""

from __future__ import annotations

import pytest

from evenkeel.reference.balancing import leader
from evenkeel.reference.balancing.curves import (
    DAY,
    HOUR,
    Daily,
    Drift,
    Replay,
    Row,
    Spike,
    Steady,
    traffic_at,
)
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.scenario import (
    BadScenario,
    Crash,
    DelayReports,
    Join,
    LeaderChange,
    Leave,
    LoseReports,
    Slow,
    Timing,
)
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Settings, Strategy
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId
from tests.balancing.clusters import broker, bundle, run

A, B, C = BrokerId("a"), BrokerId("b"), BrokerId("c")
each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)


def usages(history: History, broker_: str) -> list[float]:
    """A broker's usage at each moment at which it was up."""
    gauges = (gauge for moment in history.moments for gauge in moment.gauges)
    return [round(gauge.usage, 3) for gauge in gauges if gauge.broker == broker_]


def owners(history: History, name: str) -> list[str | None]:
    """The broker that served a bundle at each moment."""
    return [
        next((gauge.broker for gauge in moment.gauges if name in gauge.bundles), None)
        for moment in history.moments
    ]


# ------------------------------------------------------------------------------------- curves


def test_curves() -> None:
    base = Traffic(10.0, 20.0, 100.0, 200.0)
    assert traffic_at(base, Steady(), 5) == base
    assert traffic_at(base, Spike(10, 20, 3.0), 9) == base
    assert traffic_at(base, Spike(10, 20, 3.0), 10) == Traffic(30.0, 60.0, 300.0, 600.0)
    assert traffic_at(base, Spike(10, 20, 3.0), 20) == base
    assert traffic_at(base, Drift(-0.5, DAY), HOUR).msg_rate_in == 5.0
    assert traffic_at(base, Drift(-0.5, DAY), 3 * HOUR).msg_rate_in == 0.0
    assert traffic_at(base, Drift(0.5, HOUR), 5 * HOUR).msg_rate_in == 15.0
    noon = Daily(12 * HOUR, 0.2)
    assert traffic_at(base, noon, 12 * HOUR) == base
    assert traffic_at(base, noon, 0).msg_rate_in == pytest.approx(2.0)
    assert traffic_at(base, noon, DAY + 6 * HOUR).msg_rate_in == pytest.approx(6.0)
    table = Replay((Row(10, base), Row(20, Traffic())))
    assert traffic_at(base, table, 9) == Traffic()
    assert traffic_at(base, table, 19) == base
    assert traffic_at(base, table, 20) == Traffic()


# ------------------------------------------------------------------------------------ cluster


@each_edition
def test_usage_is_the_fullest_resource_of_unequal_brokers(edition: Edition) -> None:
    bundles = [bundle("t/n/1", "a", 20.0, 4000.0), bundle("t/n/2", "b", 20.0, 4000.0)]
    history = run([broker("a"), broker("b", 2.0)], bundles, Timing(2), edition)
    assert usages(history, A) == [0.4, 0.4, 0.4]
    assert usages(history, B) == [0.2, 0.2, 0.2]


@each_edition
def test_a_slow_broker_is_fuller_for_a_while(edition: Edition) -> None:
    events = (Slow(2 * MINUTE, A, 0.5, 3 * MINUTE),)
    bundles = [bundle("t/n/1", "a", 1.0, 4000.0)]
    history = run([broker("a")], bundles, Timing(6), edition, events=events)
    assert usages(history, A) == [0.4, 0.4, 0.8, 0.8, 0.8, 0.4, 0.4]


@each_edition
def test_the_slower_of_two_slowdowns_counts(edition: Edition) -> None:
    events = (Slow(MINUTE, A, 0.5, 5 * MINUTE), Slow(2 * MINUTE, A, 0.8, 2 * MINUTE))
    bundles = [bundle("t/n/1", "a", 1.0, 4000.0)]
    history = run([broker("a")], bundles, Timing(6), edition, events=events)
    assert usages(history, A) == [0.4, 0.8, 0.8, 0.8, 0.8, 0.8, 0.4]


def test_a_short_loss_or_delay_does_not_end_a_longer_one() -> None:
    new = leader.new()
    for lasts in (5 * MINUTE, MINUTE):
        new = leader.disturb(new, LoseReports(MINUTE, A, lasts))
        new = leader.disturb(new, DelayReports(MINUTE, A, lasts // 5, lasts))
    assert new.lost[A] == 6 * MINUTE
    assert [leader.delay_of(new, A, at * MINUTE) for at in (1, 5, 6)] == [MINUTE, MINUTE, 0]


@each_edition
def test_bundles_of_a_crashed_broker_wait_for_its_session(edition: Edition) -> None:
    events = (Crash(MINUTE, A),)
    history = run(
        [broker("a"), broker("b")],
        [bundle("t/n/1", "a", 10.0)],
        Timing(4, session=90_000),
        edition,
        events=events,
    )
    assert owners(history, "t/n/1") == ["a", None, None, "b", "b"]
    assert [moment.away for moment in history.moments][1:3] == [("t/n/1",)] * 2


@each_edition
def test_bundles_of_a_broker_that_leaves_are_placed_at_once(edition: Edition) -> None:
    events = (Leave(MINUTE, A), Join(3 * MINUTE, A))
    bundles = [bundle("t/n/1", "a", 10.0)]
    history = run([broker("a"), broker("b")], bundles, Timing(4), edition, events=events)
    assert owners(history, "t/n/1") == ["a", None, "b", "b", "b"]
    assert usages(history, A) == [0.1, 0.0, 0.0]


def test_bundles_looked_up_at_once_are_counted_for_their_brokers() -> None:
    bundles = [bundle(f"t/n/{index}", None, 1.0, 100.0) for index in range(4)]
    history = run([broker("a"), broker("b")], bundles, Timing(1), DOCUMENTED)
    assert sorted(len(gauge.bundles) for gauge in history.moments[0].gauges) == [2, 2]


# --------------------------------------------------------------------- what strategies make of it


def test_an_overloaded_broker_sheds_until_it_is_not() -> None:
    bundles = [bundle(f"t/n/{index}", "a", 9.9, 100.0) for index in range(9)]
    history = run([broker("a"), broker("b")], bundles, Timing(5), DOCUMENTED, Strategy.OVERLOAD)
    assert usages(history, A) == [0.891, 0.891, 0.792, 0.792, 0.792, 0.792]
    assert [len(moment.moves) for moment in history.moments] == [0, 1, 0, 0, 0, 0]


def test_4_0_keeps_a_bundle_whose_owner_is_chosen() -> None:
    """F-X4: the fullest broker has the fewest messages, so it is chosen in every round.

    With both overloaded the documented balancer sheds, and the lookup may choose any broker.
    """
    bundles = [bundle("t/n/1", "a", 45.0, 10.0), bundle("t/n/2", "a", 40.0, 10.0)]
    bundles += [bundle("t/m/1", "b", 40.0, 5000.0)]
    brokers = [broker("a"), broker("b")]
    settings = Settings(distribute_evenly=False, overloaded_percent=85)
    at_85 = run(brokers, bundles, Timing(5), PULSAR_4_0, Strategy.OVERLOAD, settings)
    assert usages(at_85, A)[0] == 0.85
    assert [moment.moves for moment in at_85.moments] == [()] * 6
    documented = run(brokers, bundles, Timing(5), DOCUMENTED, Strategy.OVERLOAD, settings)
    assert [len(moment.moves) for moment in documented.moments] == [0, 1, 1, 0, 0, 0]


def test_4_0_sends_a_crowd_to_one_broker() -> None:
    """F-X1: B at 5000 msg/s and C at 5100 msg/s; all that A sheds in a round goes to B."""
    hot = [bundle(f"t/hot/{index}", "a", 12.0, 1000.0) for index in range(10)]
    rest = [bundle("t/b/1", "b", 5.0, 5000.0), bundle("t/c/1", "c", 5.0, 5100.0)]
    brokers = [broker("a", 1.0), broker("b", 2.0), broker("c", 2.0)]
    settings = Settings(distribute_evenly=False, overloaded_percent=50)
    crowd = run(brokers, [*hot, *rest], Timing(1), PULSAR_4_0, Strategy.OVERLOAD, settings)
    assert {move.destination for move in crowd.moments[1].moves} == {B}
    assert len(crowd.moments[1].moves) > 5
    spread = run(brokers, [*hot, *rest], Timing(2), DOCUMENTED, Strategy.OVERLOAD, settings)
    assert {placed.broker for placed in spread.moments[2].placed} == {B, C}


def test_4_0_mixes_up_destinations_of_equal_ranges() -> None:
    """F-X5: bundles of two namespaces have one range, and share a destination."""
    hot = [bundle(f"t/one/{index}", "a", 30.0, 100.0) for index in range(3)]
    more = [bundle(f"t/two/{index}", "b", 30.0, 100.0) for index in range(3)]
    brokers = [broker("a"), broker("b"), broker("c", 4.0)]
    settings = Settings(distribute_evenly=False, overloaded_percent=85)
    history = run(brokers, [*hot, *more], Timing(2), PULSAR_4_0, Strategy.OVERLOAD, settings)
    moves = history.moments[1].moves
    assert {move.source for move in moves} == {A, B}
    ranges = [move.bundle.rpartition("/")[2] for move in moves]
    assert len(ranges) == 2
    assert len(set(ranges)) == 1
    assert len(history.moments[2].placed) == 2


def test_grace_periods_survive_a_leader_change_only_in_documented() -> None:
    bundles = [bundle(f"t/n/{index}", "a", 45.0, 10.0 + index) for index in range(2)]
    bundles += [bundle("t/m/1", "b", 90.0, 5.0), bundle("t/m/2", "b", 1.0, 5.0)]
    events = (LeaderChange(3 * MINUTE),)
    counts = {}
    for edition in BASE_EDITIONS.values():
        history = run(
            [broker("a"), broker("b")],
            bundles,
            Timing(8),
            edition,
            Strategy.OVERLOAD,
            events=events,
        )
        moved = [move.bundle for moment in history.moments for move in moment.moves]
        counts[edition.name] = max(moved.count(name) for name in set(moved))
    assert counts == {"DOCUMENTED": 1, "PULSAR_4_0": 2}


def test_late_reports_are_acted_upon() -> None:
    """The leader sheds again for a usage of minutes ago."""
    bundles = [bundle(f"t/n/{index}", "a", 9.9, 100.0) for index in range(9)]
    events = (DelayReports(0, A, 3 * MINUTE, 60 * MINUTE),)
    brokers = [broker("a"), broker("b")]
    late = run(brokers, bundles, Timing(10), DOCUMENTED, Strategy.OVERLOAD, events=events)
    prompt = run(brokers, bundles, Timing(10), DOCUMENTED, Strategy.OVERLOAD)
    assert sum(len(moment.moves) for moment in prompt.moments) == 1
    assert sum(len(moment.moves) for moment in late.moments) == 4


def test_the_same_seed_gives_the_same_run() -> None:
    bundles = [bundle(f"t/n/{index}", "a", 15.0, 100.0) for index in range(8)]
    brokers = [broker("a"), broker("b"), broker("c"), broker("d")]

    def once(seed: int) -> History:
        return run(brokers, bundles, Timing(30), PULSAR_4_0, Strategy.OVERLOAD, seed=seed)

    assert once(1) == once(1)
    assert len({once(seed) for seed in range(8)}) > 1


@pytest.mark.parametrize(
    ("strategy", "placement"),
    [(Strategy.TRANSFER, Placer.MESSAGE_RATE), (Strategy.THRESHOLD, Placer.AVG)],
)
def test_incompatible_strategies_are_refused(strategy: Strategy, placement: Placer) -> None:
    with pytest.raises(BadScenario, match="placement"):
        BalancerSpec(strategy, placement)
