"""What the generators of the chapter share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.reference.load.traffic import Traffic

BROKERS: Final = ("broker-1:8080", "broker-2:8080", "broker-3:8080")


BUNDLES: Final = (
    "tenant/ns/0x00000000_0x40000000",
    "tenant/ns/0x40000000_0x80000000",
    "tenant/ns/0x80000000_0xc0000000",
    "tenant/ns/0xc0000000_0xffffffff",
    "tenant/other/0x00000000_0x80000000",
    "pulsar/system/0x00000000_0x40000000",
)


MANY_BROKERS: Final = (*BROKERS, *(f"broker-{number}:8080" for number in range(4, 41)))
MANY_BUNDLES: Final = (
    *BUNDLES,
    *(f"tenant/many/{n << 26:#010x}_{min((n + 1) << 26, 0xFFFFFFFF):#010x}" for n in range(34)),
)


def draw_many(draw: Draw, names: Sequence[str]) -> list[str]:
    """At least 11 of many names, in their order."""
    most = draw.integer(11, len(names))
    first = draw.integer(0, len(names) - most)
    return [*names[first : first + most]]


def draw_traffic(draw: Draw) -> Traffic:
    """Idle, equal in and out, or anything."""
    if draw.chance(0.2):
        return Traffic()
    if draw.chance(0.3):
        rate = draw.pick((10.0, 100.0, 1000.0))
        return Traffic(rate, rate, rate * 1024, rate * 1024)
    return Traffic(
        float(draw.integer(0, 5000)),
        draw.real(0.0, 5000.0),
        float(draw.integer(0, 10**8)),
        draw.real(0.0, 1e8),
    )
