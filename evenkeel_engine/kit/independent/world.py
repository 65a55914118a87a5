"""The names and numbers of one trial."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from evenkeel_engine.kit.draw import Draw

LAST: Final = 0xFFFFFFFF

TODAY: Final = 1_794_960_000_000
"""A present-day time: ms since 1970, at a whole minute."""

LAST_HASHED: Final = "public/default/maaoimoeiiea"
"""The README's topic of the last hash."""

NAMESPACES: Final = (
    "public/default",
    "acme-prod/orders",
    "acme-prod/orders.v2",
    "acme-prod/payments",
    "iot_eu/telemetry",
    "pulsar/system",
    "t/n",
    "équipe/données",
    "租户/命名空间",
)

HOSTS: Final = (
    "pulsar-broker-{}.pulsar-broker.pulsar.svc.cluster.local:8080",
    "10.42.7.{}:8080",
    "ip-172-31-4-{}.eu-west-1.compute.internal:8443",
    "b{}:1",
    "brøker-{}.example:8080",
)

TOPICS: Final = (
    "events",
    "orders-partition-{}",
    "user.{}-created",
    "clicks_{}",
    "__change_events",
    "Ω-{}",
    "a b {}",
    "\U0001f680{}",
)


# Below 1e-6 Pulsar treats traffic as none.
TAILS: Final = (0.0, 1.0, 10.0, 100.0, 1000.0, 1e4, 1e5, 1e6, 1e8, 1e10)

SPACING: Final = 0.15
"""How often a number repeats an earlier one, or lies one unit in the last place from it."""


class World:
    """Names and numbers that are generated first, so that the parts of a trial refer to the same
    ones.
    """

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.now = draw.pick((0, TODAY))
        self.numbers: list[float] = []
        self.brokers = self._brokers()
        self.namespaces = NAMESPACES[: draw.integer(1, len(NAMESPACES))]
        self.boundaries = self._boundaries()
        self.bundles = self._bundles()

    def _brokers(self) -> tuple[str, ...]:
        draw = self.draw
        count = draw.integer(20, 100) if draw.chance(0.06) else draw.integer(1, 7)
        form = draw.pick(HOSTS)
        return tuple(form.format(number) for number in range(count))

    def _boundaries(self) -> tuple[int, ...]:
        """Even ones, as in a new namespace, or the result of many splits."""
        draw = self.draw
        count = draw.integer(1, 64) if draw.chance(0.1) else draw.integer(1, 8)
        if draw.chance(0.5):
            step = (LAST + 1) // count
            return (*(number * step for number in range(count)), LAST)
        ends = {0, LAST}
        for _ in range(count):
            point = draw.integer(1, LAST - 1)
            ends.add(point)
            if draw.chance(0.2):
                ends.add(min(point + 1, LAST))
        return tuple(sorted(ends))

    def _bundles(self) -> tuple[str, ...]:
        """Full names of bundles: equal ranges in several namespaces, too."""
        most = 200 if len(self.brokers) > 7 else 12
        ranges = list(zip(self.boundaries, self.boundaries[1:], strict=False))
        names = [
            f"{namespace}/0x{lower:08x}_0x{upper:08x}"
            for lower, upper in ranges
            for namespace in self.namespaces
        ]
        return tuple(names[:most])

    def real(self, low: float = 0.0, high: float = math.inf) -> float:
        """A number with a heavy tail, or one just next to another."""
        draw = self.draw
        if self.numbers and draw.chance(SPACING):
            near = draw.pick(self.numbers[-20:])
            value = draw.pick((near, math.nextafter(near, math.inf), math.nextafter(near, 0.0)))
        else:
            scale = draw.pick(TAILS) if draw.chance(0.97) else 1e-6
            whole = draw.chance(0.4)
            value = float(draw.integer(0, 20)) * scale if whole else draw.real(0.0, 1.0) * scale
        value = min(max(value, low), high)
        self.numbers.append(value)
        return value

    def later(self) -> int:
        """The next moment (ms): soon, at one of the usual limits, or one ms from it."""
        draw = self.draw
        step = draw.pick((0, 1, 500, 60_000, 120_000, 180_000, 600_000, 1_800_000, 3_600_000))
        self.now += max(step + draw.pick((0, 0, 0, 1, -1)), 0)
        return self.now

    def some(self, items: Sequence[str], most: int = 6, least: int = 0) -> tuple[str, ...]:
        """Some of the items, each once, in any order."""
        draw, left = self.draw, list(items)
        chosen = []
        for _ in draw.items(min(most, len(left)), 0.7, min(least, len(left))):
            chosen.append(left.pop(draw.integer(0, len(left) - 1)))
        return tuple(chosen)

    def topic(self, namespace: str | None = None) -> str:
        """A full topic name."""
        draw = self.draw
        name = draw.pick(TOPICS).format(draw.integer(0, 9999))
        domain = "non-persistent" if draw.chance(0.2) else "persistent"
        return f"{domain}://{namespace or draw.pick(self.namespaces)}/{name}"

    def range_text(self) -> str:
        """The name of a range, mostly a legal one."""
        draw = self.draw
        place = draw.integer(0, len(self.boundaries) - 2)
        lower, upper = self.boundaries[place], self.boundaries[place + 1]
        if draw.chance(0.1):
            lower, upper = upper, lower
        forms = ("0x{:08x}_0x{:08x}", "0x{:x}_0x{:x}", "0X{:08X}_0X{:08X}", "{}_{}")
        text = draw.pick(forms).format(lower, upper)
        odd = ("", " ", "_0x1", "g", "Z", "z", "\u0660", "-", "+", "0")
        return text + draw.pick(odd) if draw.chance(0.2) else text
