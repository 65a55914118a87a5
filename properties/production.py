"""What production looks like to the independent generator: names, and sizes of what is named."""

from __future__ import annotations

from typing import Final

from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.independent.world import World

LAST: Final = 0xFFFFFFFF

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
    "broker.example:80{:02}",
    "[2001:db8::{}]:8080",
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
    "e\u0301-{}",
)


class Cluster(World):
    """A cluster's brokers, namespaces and bundles, and the boundaries of a namespace."""

    FORMS = HOSTS

    def __init__(self, draw: Draw) -> None:
        super().__init__(draw)
        self.brokers = self.names
        self.namespaces = NAMESPACES[: draw.integer(1, len(NAMESPACES))]
        self.boundaries = self._boundaries()
        self.bundles = self._bundles()

    def name(self) -> str:
        """Any broker."""
        return self.draw.pick(self.brokers)

    def few_names(self) -> tuple[str, ...]:
        """Some brokers, each once."""
        return self.some(self.brokers, 20, 1)

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

    def hash(self) -> int:
        """A hash: a boundary, one next to it, or any."""
        draw = self.draw
        if draw.chance(0.6):
            return min(max(draw.pick(self.boundaries) + draw.pick((0, 0, 1, -1)), 0), LAST)
        return draw.integer(0, LAST)

    def bundle(self) -> str:
        """A bundle of any of the namespaces."""
        return self.draw.pick(self.bundles)

    def some_bundles(self) -> tuple[str, ...]:
        """Some bundles, each once."""
        return self.some(self.bundles, 8)

    def namespace(self) -> str:
        """A namespace."""
        return self.draw.pick(self.namespaces)

    def some_namespaces(self) -> tuple[str, ...]:
        """Some namespaces, each once."""
        return self.some(self.namespaces, 4)

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
