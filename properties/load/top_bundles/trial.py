"""Trial and answer of `load.top_bundles`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.load.numbers import require_bundles, require_settings
from evenkeel.properties.names import require_namespace
from evenkeel.properties.trial import require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import top_bundles
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules


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
        require_settings("rules", self.rules)


@dataclass(frozen=True, slots=True)
class TopBundlesAnswer:
    """The bundles in the order of the report: the lightest of the heaviest first."""

    bundles: tuple[str, ...]


def answer_top_bundles(trial: TopBundlesTrial, edition: Edition) -> TopBundlesAnswer:
    """One of the lists that are right."""
    chosen = top_bundles.top_bundles(trial.bundles, trial.rules, edition)
    return TopBundlesAnswer(tuple(bundle.bundle for bundle in chosen))


def top_bundles_labels(trial: TopBundlesTrial) -> Iterator[str]:
    """How many are wanted, and whether policies count."""
    yield "none wanted" if trial.rules.most <= 0 else f"{trial.rules.most} wanted"
    if trial.rules.isolated or trial.rules.grouped:
        yield "policies allowed" if trial.rules.with_policies else "policies"
