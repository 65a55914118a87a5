"""Among extreme numbers the fullest and the emptiest broker are found."""

from __future__ import annotations

from evenkeel.properties.balancing.loop.transferring import extremes
from evenkeel.reference.balancing.history import Gauge
from evenkeel.reference.shedding.cluster import BrokerId


def test_the_fullest_of_very_full_brokers_is_one_of_them() -> None:
    full = Gauge(BrokerId("a:1"), 1e12, 1.0, 1.0, ())
    empty = Gauge(BrokerId("b:1"), 0.0, 0.0, 0.0, ())
    assert extremes([full, empty]) == ([full], [empty])
