"""Progress and stability judged from outside: what must move, and what must not return."""

from __future__ import annotations

from evenkeel.properties.balancing.loop.progress import Pairs, Round, uniform_moves
from evenkeel.reference.balancing.history import Gauge
from evenkeel.reference.balancing.settings import Settings
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import BrokerId, BundleName

A, B, C = (BrokerId(name) for name in ("a:1", "b:1", "c:1"))
SETTINGS = Settings(
    grace_minutes=2,
    min_throughput=0.0,
    max_unload_share=0.5,
    min_unload_rate=0,
    min_unload_throughput=0,
    distribute_evenly=False,
    hit_threshold=0,
)


def gauges(*carried: tuple[BrokerId, float, tuple[str, ...]]) -> Round:
    """A round with brokers of these usages; every bundle weighs as much as any of its broker's."""
    seen = {
        broker: Gauge(broker, usage, usage * 1e4, usage * 2e8, tuple(map(BundleName, bundles)))
        for broker, usage, bundles in carried
    }
    names = [name for gauge in seen.values() for name in gauge.bundles]
    loads = {
        name: Traffic(
            gauge.msg_rate / len(gauge.bundles), 0.0, gauge.throughput / len(gauge.bundles), 0.0
        )
        for gauge in seen.values()
        for name in gauge.bundles
    }
    return Round(0, seen, frozenset(seen), True, frozenset(names), loads, PULSAR_4_0)


def test_avg_counts_a_pair_that_stays_a_pair() -> None:
    """High hits: 2. Another pair in between resets the count."""
    names = tuple("123456789")
    pairs = Pairs(SETTINGS)
    far = gauges((A, 0.9, names), (B, 0.1, ("x",)))
    assert pairs.step(far) == []
    assert pairs.step(far) == [A]
    assert pairs.step(far) == []
    assert pairs.step(gauges((A, 0.1, ("x",)), (B, 0.9, names))) == []
    assert pairs.step(far) == []


def test_avg_is_not_judged_among_equals() -> None:
    pairs = Pairs(SETTINGS)
    round_ = gauges((A, 0.9, tuple("123456789")), (B, 0.1, ("x",)), (C, 0.1, ("y",)))
    assert [pairs.step(round_) for _ in range(4)] == [[], [], [], []]


def test_uniform_moves_what_fits_alone() -> None:
    """Nine bundles of 0.1 with half of a lead of 0.8 to move; two of 0.45 are too large for it."""
    assert uniform_moves(SETTINGS, gauges((A, 0.9, tuple("123456789")), (B, 0.1, ("x",))))
    assert not uniform_moves(SETTINGS, gauges((A, 0.9, ("1", "2")), (B, 0.1, ("x",))))
