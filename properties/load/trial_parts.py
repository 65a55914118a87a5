"""Bounds of numbers in this chapter's trials, and generators that its questions share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Final

from evenkeel.properties.names import require_bundle
from evenkeel.reference.load.report import MINUTE, REMOVAL_DELAY, ReportRules
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel_engine.frame.settings import out_of_bounds
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import BadTrial, require, require_different

LARGEST: Final = 1e12
SMALLEST_LIMIT: Final = 1e-6
LARGEST_COUNT: Final = 2**24
TRAFFIC: Final = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
RESOURCES: Final = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")


def finite(value: float) -> float | None:
    """The number; None if it is not finite."""
    return value if math.isfinite(value) else None


def require_number(place: str, value: float, least: float = -LARGEST) -> None:
    """Require a finite number from `least` to 10^12."""
    require(least <= value <= LARGEST, place, f"must be a number from {least:g} to {LARGEST:g}")


def require_limit(place: str, limit: float) -> None:
    """Require a resource's limit: 0 or less if unknown, or a number that is not tiny."""
    require_number(place, limit)
    require(limit <= 0 or limit >= SMALLEST_LIMIT, place, "must be 0 or less, or 10^-6 or more")


def require_resources(place: str, resources: Resources) -> None:
    """Require five usages and limits within bounds."""
    for name in RESOURCES:
        resource = getattr(resources, name)
        require_number(f"{place}.{name}.usage", resource.usage)
        require_limit(f"{place}.{name}.limit", resource.limit)


def require_settings(place: str, settings: Any) -> None:
    """Require each setting to be within its bounds."""
    for name, sentence in out_of_bounds(settings):
        raise BadTrial(f"{place}.{name}", sentence)


def require_traffic(place: str, traffic: Traffic) -> None:
    """Require four numbers, none negative."""
    for name in TRAFFIC:
        if not 0.0 <= getattr(traffic, name) <= LARGEST:  # the place is formatted only when needed
            require_number(f"{place}.{name}", getattr(traffic, name), 0.0)


def require_count(place: str, count: int) -> None:
    """Require a number of things within bounds."""
    require(0 <= count <= LARGEST_COUNT, place, "must be from 0 to 2^24")


def require_bundles(place: str, bundles: tuple[BundleStatistics, ...]) -> None:
    """Require measurements of different bundles."""
    require_different(place, (bundle.bundle for bundle in bundles))
    for index, bundle in enumerate(bundles):
        try:
            require_bundle("bundle", bundle.bundle)
            require_traffic("traffic", bundle.traffic)
            require_count("topics", bundle.topics)
            require_count("producers", bundle.producers)
            require_count("consumers", bundle.consumers)
            require(0 <= bundle.cache < 2**53, "cache", "must be 0 or more")
        except BadTrial as bad:
            raise BadTrial(f"{place}[{index}].{bad.place}", bad.reason) from bad


LONGEST_PAUSE: Final = 10**6


def require_after(after: int) -> None:
    """Require a pause of up to a million seconds."""
    require(0 <= after <= LONGEST_PAUSE, "after", "must be from 0 to 10^6")


def require_rules(rules: ReportRules) -> None:
    """Require rules that a configuration can hold."""
    require_settings("rules", rules)
    require_settings("rules.weights", rules.weights)


class BundleState(StrEnum):
    """The states of a bundle that a broker is notified of."""

    RELEASING = "releasing"
    SPLITTING = "splitting"
    OWNED = "owned"
    ASSIGNING = "assigning"


@dataclass(frozen=True, slots=True)
class Heard:
    """The broker is notified that a bundle changed its state.

    `after`: the seconds that pass before. `source`, `destination`: whether the broker is the one or
    the other. `failed`: the change could not be handled, and changes nothing here. `store_fails`:
    the store fails to remove a report.
    """

    DO: ClassVar[str] = "heard"
    after: int
    state: BundleState
    source: bool
    destination: bool
    failed: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)

    @property
    def concerns(self) -> bool:
        """Whether the broker gains or loses a bundle by this (LOA-46)."""
        if self.failed:
            return False
        if self.state is BundleState.OWNED:
            return self.destination
        return self.source and self.state in (BundleState.RELEASING, BundleState.SPLITTING)


OFTEN: Final = 0.08
"""The share of trials of this kind."""

NAMES: Final = ("direct_memory", "bandwidth_in", "bandwidth_out")

VALUES: Final = {
    "direct_memory": (1.0, 0.5, 2.0),
    "bandwidth_in": (0.5, 0.0, 2.0),
    "bandwidth_out": (0.5, 0.0, 2.0),
}
"""None is the default; powers of two keep percentages exact."""

LITTLE: Final = Resource(5.0, 100.0)
MUCH: Final = Resource(99.0, 100.0)


@dataclass(frozen=True, slots=True)
class Weighing:
    """The resource that decides, and its weight; 0: it is full, and must not count."""

    name: str
    weight: float

    @property
    def weights(self) -> Weights:
        """The defaults, except for the resource that decides."""
        return replace(Weights(), **{self.name: self.weight})

    def of(self, resources: Resources) -> Resources:
        """The resources with the processor's usage in the resource that decides, by its weight."""
        if not self.weight:
            return replace(resources, **{self.name: MUCH})
        cpu = resources.cpu
        moved = Resource(cpu.usage / self.weight, cpu.limit)
        return replace(resources, **{"cpu": LITTLE, self.name: moved})


def draw_weighing(draw: Draw, often: float = OFTEN) -> Weighing | None:
    """Rarely a resource that decides."""
    if not draw.chance(often):
        return None
    name = draw.pick(NAMES)
    return Weighing(name, draw.pick(VALUES[name]))


BROKERS: Final = ("broker-1:8080", "broker-2:8080", "broker-3:8080")

BUNDLES: Final = (
    "tenant/ns/0x00000000_0x40000000",
    "tenant/ns/0x40000000_0x80000000",
    "tenant/ns/0x80000000_0xc0000000",
    "tenant/ns/0xc0000000_0xffffffff",
    "tenant/ns2/0x00000000_0x80000000",
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


LEVELS: Final = (100.0, 110.0, 111.0, 90.0, 89.0, 0.0, 105.0, 115.0, 121.0)
"""Loads some of which differ by exactly 10 %."""

USAGES: Final = (50.0, 60.0, 61.0, 40.0, 39.0, 55.0, 70.0, 0.0, 90.0)


def draw_rules(draw: Draw) -> ReportRules:
    """Mostly the defaults."""
    if draw.chance(0.6):
        return ReportRules()
    weights = Weights(draw.pick((1.0, 0.0, 2.0)), draw.pick((0.0, 1.0)), draw.pick((0.0, 1.0)))
    return ReportRules(
        draw.pick((10, 0, 5, 20)),
        draw.pick((15, 1, 0, 1440)),
        weights,
        draw.pick((0.9, 0.5, 0.0, 1.0)),
    )


def draw_after(draw: Draw, rules: ReportRules) -> int:
    """The usual five seconds, none, or as long as some period lasts."""
    if draw.chance(0.2):
        return rules.max_interval * MINUTE + draw.pick((0, 1, -5)) if rules.max_interval else 1
    return draw.pick((5, 0, REMOVAL_DELAY, REMOVAL_DELAY - 1, 60, 300))


def draw_resources(draw: Draw, before: Resources) -> Resources:
    """As before, or with another CPU usage, rarely other resources."""
    if draw.chance(0.5):
        return before
    memory = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.memory
    direct = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.direct_memory
    inbound = Resource(draw.pick(USAGES), 100.0) if draw.chance(0.2) else before.bandwidth_in
    return Resources(
        Resource(draw.pick(USAGES), 100.0), memory, direct, inbound, before.bandwidth_out
    )


def draw_level(draw: Draw, unit: float) -> Traffic:
    """A load that may differ by exactly 10 % from another."""
    rate, throughput = draw.pick(LEVELS) * unit, draw.pick(LEVELS) * unit * 1000
    share = draw.pick((0.5, 0.0, 1.0))
    return Traffic(rate * share, rate * (1 - share), throughput * share, throughput * (1 - share))


def draw_heard(draw: Draw, after: int) -> Heard:
    """A bundle's change of state, mostly one that concerns the broker."""
    state = draw.pick(tuple(BundleState))
    source = draw.chance(0.7)
    return Heard(
        after,
        state,
        source,
        draw.chance(0.7),
        failed=draw.chance(0.1),
        store_fails=draw.chance(0.2),
    )


def heard_labels(trial: Any) -> Iterator[str]:
    """Whether bundles move, and what fails."""
    if any(isinstance(command, Heard) and command.concerns for command in trial.commands):
        yield "bundles come and go"
    if any(command.store_fails for command in trial.commands):
        yield "the store fails"
