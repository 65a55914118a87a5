"""Trials and answers about top bundles: `load.top_bundles`, `load.top_report`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import require_bundles, require_different
from evenkeel.properties.load.trials_report import Heard, require_after
from evenkeel.properties.names import require_namespace
from evenkeel.properties.trial import require
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules, rank


@dataclass(frozen=True, slots=True)
class TopBundlesTrial:
    """`load.top_bundles`: which bundles does a broker report as its heaviest?"""

    bundles: tuple[BundleStatistics, ...]
    rules: TopRules

    def __post_init__(self) -> None:
        require_bundles("bundles", self.bundles)
        for name in ("isolated", "grouped"):
            namespaces = getattr(self.rules, name)
            require_different(f"rules.{name}", namespaces)
            for namespace in namespaces:
                require_namespace(f"rules.{name}", namespace)
        require(abs(self.rules.most) < 2**31, "rules.most", "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class TopBundlesAnswer:
    """The bundles in the order of the report: the lightest of the heaviest first."""

    bundles: tuple[str, ...]


# --------------------------------------------------------------------------------- report

TOP_REPORT: Final = TopRules(10, False, (), ())
"""How `load.top_report` chooses its bundles: by the defaults, without policies."""


@dataclass(frozen=True, slots=True)
class CheckTop:
    """A broker checks whether its top bundles are to be published.

    `after`: so many seconds pass before. `statistics` numbers the latest run of the bundles'
    statistics, `bundles` is what it found: none of them as heavy as another. `force`,
    `store_fails` as for load data.
    """

    DO: ClassVar[str] = "check"
    after: int
    statistics: int
    bundles: tuple[BundleStatistics, ...]
    force: bool
    store_fails: bool

    def __post_init__(self) -> None:
        require_after(self.after)
        require(0 <= self.statistics < 2**31, "statistics", "must be 0 or more, below 2^31")
        require_bundles("bundles", self.bundles)
        ranks = {rank(bundle) for bundle in self.bundles}
        require(len(ranks) == len(self.bundles), "bundles", "must not be as heavy as another")


TopCommand = CheckTop | Heard


@dataclass(frozen=True, slots=True)
class TopReportTrial:
    """`load.top_report`: when does a broker publish its top bundles, and which?"""

    commands: tuple[TopCommand, ...]


@dataclass(frozen=True, slots=True)
class TopChecked:
    """Whether a list was sent to the store, and the list; empty if none was sent."""

    DO: ClassVar[str] = "checked"
    sent: bool
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TopCleared:
    """Whether the store was asked to remove the list."""

    DO: ClassVar[str] = "cleared"
    removed: bool


TopResult = TopChecked | TopCleared


@dataclass(frozen=True, slots=True)
class TopReportAnswer:
    """One result for each command."""

    results: tuple[TopResult, ...]
