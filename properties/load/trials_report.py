"""Trials and answers about reports: `load.report_modular`, `load.report_extensible`.

Time is virtual, in whole seconds: `after` is how many pass before the command.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import (
    require_bundles,
    require_count,
    require_fraction,
    require_resources,
    require_traffic,
    require_weights,
)
from evenkeel.properties.trial import require
from evenkeel.reference.load.report import ReportRules
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resources

LONGEST_PAUSE: Final = 10**6


def require_after(after: int) -> None:
    """A pause of up to a million seconds."""
    require(0 <= after <= LONGEST_PAUSE, "after", "must be from 0 to 10^6")


def require_rules(rules: ReportRules) -> None:
    """Rules as a configuration can hold them."""
    require(0 <= rules.threshold <= 1000, "rules.threshold", "must be from 0 to 1000")
    require(0 <= rules.max_interval <= 10_000, "rules.max_interval", "must be from 0 to 10^4")
    require_weights("rules.weights", rules.weights)
    require_fraction("rules.history", rules.history)


@dataclass(frozen=True, slots=True)
class Check:
    """A modular broker measures, and checks whether a report is due.

    `after`: so many seconds (10^6 at most) pass before. `force`: it is to be written anyway.
    `connected`: the metadata store can be reached. `store_fails`: it fails to write.
    """

    after: int
    resources: Resources
    bundles: tuple[BundleStatistics, ...]
    force: bool
    connected: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require_resources("resources", self.resources)
        require_bundles("bundles", self.bundles)
        for name in ("topics", "producers", "consumers"):
            number = sum(getattr(bundle, name) for bundle in self.bundles)
            require(number < 2**31, "bundles", f"must have less than 2^31 {name} together")


@dataclass(frozen=True, slots=True)
class ModularReportTrial:
    """`load.report_modular`: when does a broker write its report, and what is in it?

    The broker starts at 0 s; its first report, of nothing, counts as written then. `rules.history`
    means nothing here.
    """

    rules: ReportRules
    commands: tuple[Check, ...]

    def __post_init__(self) -> None:
        require_rules(self.rules)


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a report was sent to the store, and what it says or would say.

    `gained` and `lost` are the bundles, by name, since the last report that was written.
    """

    sent: bool
    traffic: Traffic
    topics: int
    bundles: int
    producers: int
    consumers: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModularReportAnswer:
    """One result for each command."""

    results: tuple[Checked, ...]


# ---------------------------------------------------------------------------- extensible


@dataclass(frozen=True, slots=True)
class CheckLoad:
    """An extensible broker measures, and checks whether a report is due; else as `Check`.

    `after`: so many seconds pass before.
    """

    DO: ClassVar[str] = "check"
    after: int
    resources: Resources
    traffic: Traffic
    bundles: int
    force: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require_resources("resources", self.resources)
        require_traffic("traffic", self.traffic)
        require_count("bundles", self.bundles)


class BundleState(StrEnum):
    """The states of a bundle that a broker hears of."""

    RELEASING = "releasing"
    SPLITTING = "splitting"
    OWNED = "owned"
    ASSIGNING = "assigning"


@dataclass(frozen=True, slots=True)
class Heard:
    """The broker hears that some bundle changed its state.

    `after`: so many seconds pass before. `source`, `destination`: whether it is itself the one or
    the other. `failed`: the change could
    not be handled. `store_fails`: the store fails to remove a report.
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


ExtensibleCommand = CheckLoad | Heard


@dataclass(frozen=True, slots=True)
class ExtensibleReportTrial:
    """`load.report_extensible`: when does a broker publish its load data, and what is in it?"""

    rules: ReportRules
    commands: tuple[ExtensibleCommand, ...]

    def __post_init__(self) -> None:
        require_rules(self.rules)


@dataclass(frozen=True, slots=True)
class LoadChecked:
    """Whether load data were sent to the store, and what they are or would be.

    `max_usage` is without weights; `weighted_max` (a fraction) and `throughput` (bytes per second)
    are averages.
    """

    DO: ClassVar[str] = "checked"
    sent: bool
    max_usage: float
    weighted_max: float
    throughput: float


@dataclass(frozen=True, slots=True)
class LoadCleared:
    """Whether the store was asked to remove the load data, and what the broker's are now.

    As in `LoadChecked`: usages are fractions, throughput is in bytes/s.
    """

    DO: ClassVar[str] = "cleared"
    removed: bool
    max_usage: float
    weighted_max: float
    throughput: float


ExtensibleResult = LoadChecked | LoadCleared


@dataclass(frozen=True, slots=True)
class ExtensibleReportAnswer:
    """One result for each command."""

    results: tuple[ExtensibleResult, ...]
