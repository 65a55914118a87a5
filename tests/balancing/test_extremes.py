"""Scenarios with extreme numbers: those that cannot be judged are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenkeel.properties.balancing.loop.transferring import extremes
from evenkeel.reference.balancing.curves import Drift, Spike
from evenkeel.reference.balancing.history import Gauge
from evenkeel.reference.balancing.scenario import (
    BadScenario,
    BrokerSpec,
    BundleSpec,
    Scenario,
    Slow,
    Timing,
)
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName

A = BrokerId("a:1")
BROKER = BrokerSpec(A, 1.0, 1.0)
NAME = BundleName("t/n/0x00000000_0x00000001")
NO_TRAFFIC = Traffic()


def scenario(broker: BrokerSpec = BROKER, bundle: BundleSpec | None = None) -> Scenario:
    """One broker, at most one bundle, one step."""
    return Scenario((broker,), (bundle,) if bundle else (), Timing(1))


REFUSED: dict[str, Callable[[], Scenario]] = {
    "brokers[0].id": lambda: scenario(BrokerSpec(BrokerId(""), 1.0, 1.0)),
    "brokers[0].messages": lambda: scenario(BrokerSpec(A, 5e-324, 1.0)),
    "brokers[0].bandwidth": lambda: scenario(BrokerSpec(A, 1.0, 1e16)),
    "bundles[0].traffic.msg_rate_out": lambda: scenario(
        bundle=BundleSpec(NAME, Traffic(0.0, 1e16, 0.0, 0.0))
    ),
    "bundles[0].curve.factor": lambda: scenario(
        bundle=BundleSpec(NAME, NO_TRAFFIC, Spike(0, MINUTE, 1e7))
    ),
    "bundles[0].curve.per_hour": lambda: scenario(
        bundle=BundleSpec(NAME, NO_TRAFFIC, Drift(-1e300, MINUTE))
    ),
    "events[0].factor": lambda: Scenario((BROKER,), (), Timing(1), (Slow(0, A, 1e-300, MINUTE),)),
    "step": lambda: Scenario((BROKER,), (), Timing(1, 10**400, 10**400)),
}


@pytest.mark.parametrize("place", REFUSED)
def test_unjudgeable_numbers_are_refused(place: str) -> None:
    with pytest.raises(BadScenario) as caught:
        REFUSED[place]()
    assert caught.value.place == place


def test_the_fullest_of_very_full_brokers_is_one_of_them() -> None:
    full, empty = Gauge(A, 1e12, 1.0, 1.0, ()), Gauge(BrokerId("b:1"), 0.0, 0.0, 0.0, ())
    assert extremes([full, empty]) == ([full], [empty])
