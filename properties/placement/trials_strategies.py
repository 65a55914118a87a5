"""Trials and answers about the strategies: which of the candidates is chosen.

A trial asks several times, because most strategies choose at random; the answer lists every
choice, null where none is made. Candidates stand in the order in which their set is gone through.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.names import require_name
from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.trial import require
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement.message_rate import RateReport
from evenkeel.reference.placement.planned import Statistics
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport

MOST_BROKERS: Final = 100
MOST_ASKS: Final = 1000
EXACT: Final = 2**31
MOST_PLANNED: Final = 8
"""Bundles of a plan: more entries of one hash code are a tree in Java's map, in any order."""


def require_names(place: str, names: Sequence[str]) -> None:
    """Brokers: not too many, none twice, each with a name."""
    require(len(names) <= MOST_BROKERS, place, f"at most {MOST_BROKERS}")
    require(len(set(names)) == len(names), place, "must be different")
    for name in names:
        require_name(place, name)


def require_times(times: int) -> None:
    """How often is asked."""
    require(1 <= times <= MOST_ASKS, "times", f"must be 1 to {MOST_ASKS}")


def require_amount(place: str, value: float) -> None:
    """A number of a report: finite and not negative."""
    require(math.isfinite(value) and value >= 0, place, "must be finite, 0 or more")


def require_resources(place: str, resources: Resources) -> None:
    """Usages may be anything finite; so may limits."""
    for name in Resources.__slots__:
        resource: Resource = getattr(resources, name)
        finite = math.isfinite(resource.usage) and math.isfinite(resource.limit)
        require(finite, f"{place}.{name}", "must be finite")
        require(abs(resource.usage) < 1e12, f"{place}.{name}", "must be below 10^12")
        require(abs(resource.limit) < 1e12, f"{place}.{name}", "must be below 10^12")
        sized = resource.limit == 0 or abs(resource.limit) > 1e-6
        require(sized, f"{place}.{name}", "the limit must be 0 or not so small")


def require_weights(weights: Weights) -> None:
    """Weights are finite and not negative."""
    for name in Weights.__slots__:
        require_amount(f"weights.{name}", getattr(weights, name))
        require(getattr(weights, name) <= 1e6, f"weights.{name}", "must be at most 10^6")


def require_integer(place: str, value: int) -> None:
    """A number of the configuration: a 32-bit integer."""
    require(-EXACT <= value < EXACT, place, "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class ChoicesAnswer:
    """The broker chosen at each ask, null for none."""

    choices: tuple[str | None, ...]


# ------------------------------------------------------------------------ message rate


@dataclass(frozen=True, slots=True)
class RatedBroker:
    """A broker and what is known of it."""

    name: str
    report: RateReport

    def __post_init__(self) -> None:
        require_resources("report.resources", self.report.resources)
        require_amount("report.rate_in", self.report.rate_in)
        require_amount("report.rate_out", self.report.rate_out)
        allowed = all(0 <= rate < EXACT for rate in self.report.preallocated)
        require(allowed, "report.preallocated", "must be 0 or more, below 2^31")


@dataclass(frozen=True, slots=True)
class MessageRateTrial:
    """`placement.least_long_term_message_rate`. `threshold`: percent, above which a broker is
    overloaded.

    `candidates` are different; `times` (1 to 1000): how often one of them is asked for.
    """

    threshold: int
    weights: Weights
    brokers: tuple[RatedBroker, ...]
    candidates: tuple[str, ...]
    times: int

    def __post_init__(self) -> None:
        require_integer("threshold", self.threshold)
        require_weights(self.weights)
        require_names("brokers", [broker.name for broker in self.brokers])
        require_names("candidates", self.candidates)
        require_times(self.times)

    @property
    def reports(self) -> dict[str, RateReport]:
        """The reports by broker."""
        return {broker.name: broker.report for broker in self.brokers}


# ------------------------------------------------------------- resource usage, modular


@dataclass(frozen=True, slots=True)
class Report:
    """A broker reports."""

    DO: ClassVar[str] = "report"
    broker: str
    report: UsageReport

    def __post_init__(self) -> None:
        require_names("broker", [self.broker])
        require_resources("report.resources", self.report.resources)
        require(0 <= self.report.bundles <= 100, "report.bundles", "must be 0 to 100")
        require_amount("report.rate_in", self.report.rate_in)
        require_amount("report.rate_out", self.report.rate_out)


@dataclass(frozen=True, slots=True)
class Active:
    """These brokers are active now, and no others."""

    DO: ClassVar[str] = "active"
    brokers: tuple[str, ...]

    def __post_init__(self) -> None:
        require_names("brokers", self.brokers)


@dataclass(frozen=True, slots=True)
class Ask:
    """Choose one of the candidates, which are different, so often (1 to 1000)."""

    DO: ClassVar[str] = "ask"
    candidates: tuple[str, ...]
    times: int = 1

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)
        require_times(self.times)


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to a command that only does something."""

    DO: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Answer to an ask: every choice."""

    DO: ClassVar[str] = "chosen"
    choices: tuple[str | None, ...]


AskResult = Chosen | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class AsksAnswer:
    """One result for each command."""

    results: tuple[AskResult, ...]


UsageCommand = Report | Active | Ask


@dataclass(frozen=True, slots=True)
class ModularUsageTrial:
    """`placement.least_resource_usage_modular`: reports come, and bundles are placed."""

    config: UsageConfig
    commands: tuple[UsageCommand, ...]

    def __post_init__(self) -> None:
        require_integer("config.difference", self.config.difference)
        require_weights(self.config.weights)
        require(0 <= self.config.history <= 1, "config.history", "must be 0 to 1")


# ---------------------------------------------------------- resource usage, extensible


@dataclass(frozen=True, slots=True)
class UsedBroker:
    """A candidate and its usage in the load data (1 = 100 %); null without load data."""

    name: str
    usage: float | None

    def __post_init__(self) -> None:
        if self.usage is not None:
            require_amount("usage", self.usage)
            require(self.usage < 1e12, "usage", "must be below 10^12")


@dataclass(frozen=True, slots=True)
class ExtensibleUsageTrial:
    """`placement.least_resource_usage_extensible`. `difference`: points below the mean.

    `candidates` are different; `times` (1 to 1000): how often one of them is asked for.
    """

    difference: int
    candidates: tuple[UsedBroker, ...]
    times: int

    def __post_init__(self) -> None:
        require_integer("difference", self.difference)
        require_names("candidates", [broker.name for broker in self.candidates])
        require_times(self.times)


# ------------------------------------------------------------------------- round robin


@dataclass(frozen=True, slots=True)
class Turns:
    """Choose one of the candidates, which are different, so often (1 to 1000)."""

    candidates: tuple[str, ...]
    times: int

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)
        require_times(self.times)


@dataclass(frozen=True, slots=True)
class RoundRobinTrial:
    """`placement.round_robin`. `counter`: asks that were answered before, modulo 2^31."""

    counter: int
    asks: tuple[Turns, ...]

    def __post_init__(self) -> None:
        require(0 <= self.counter < EXACT, "counter", "must be 0 or more, below 2^31")


# --------------------------------------------------------------------------- AvgShedder


@dataclass(frozen=True, slots=True)
class KnownBundle:
    """A bundle and its statistics."""

    name: str
    statistics: Statistics


def require_statistics(statistics: Statistics) -> None:
    """Whole numbers that every language keeps."""
    for name in Statistics.__slots__:
        value = getattr(statistics, name)
        require(0 <= value < EXACT, f"statistics.{name}", "must be 0 or more, below 2^31")


@dataclass(frozen=True, slots=True)
class PlanMove:
    """The shedder has planned a bundle for a broker."""

    DO: ClassVar[str] = "plan"
    bundle: str
    broker: str


@dataclass(frozen=True, slots=True)
class Update:
    """A bundle's statistics change."""

    DO: ClassVar[str] = "update"
    bundle: str
    statistics: Statistics

    def __post_init__(self) -> None:
        require_statistics(self.statistics)


@dataclass(frozen=True, slots=True)
class Place:
    """A bundle is to be placed on one of the candidates."""

    DO: ClassVar[str] = "place"
    bundle: str
    candidates: tuple[str, ...]

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)


PlannedCommand = PlanMove | Update | Place


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """`placement.avg_shedder`: the shedder plans, statistics change, bundles are placed."""

    bundles: tuple[KnownBundle, ...]
    commands: tuple[PlannedCommand, ...]

    def __post_init__(self) -> None:
        names = [bundle.name for bundle in self.bundles]
        require(len(names) <= MOST_PLANNED, "bundles", f"at most {MOST_PLANNED}")
        require(len(set(names)) == len(names), "bundles", "must be different")
        for bundle in self.bundles:
            require_statistics(bundle.statistics)
        known = all(command.bundle in names for command in self.commands)
        require(known, "commands", "must name one of the bundles")
