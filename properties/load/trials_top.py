"""Trial and answer of `load.top_bundles`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.load.numbers import require_bundles, require_different
from evenkeel.properties.trial import require
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules

_NAME: Final = re.compile(r"[^/]+(/[^/]+){1,2}/0x[0-9a-f]{8}_0x[0-9a-f]{8}", re.ASCII)


@dataclass(frozen=True, slots=True)
class TopBundlesTrial:
    """`load.top_bundles`: which bundles does a broker report as its heaviest?"""

    bundles: tuple[BundleStatistics, ...]
    rules: TopRules

    def __post_init__(self) -> None:
        require_bundles("bundles", self.bundles)
        for index, bundle in enumerate(self.bundles):
            place = f"bundles[{index}].bundle"
            require(_NAME.fullmatch(bundle.bundle) is not None, place, "must be a bundle's name")
        require_different("rules.isolated", self.rules.isolated)
        require_different("rules.grouped", self.rules.grouped)
        require(abs(self.rules.most) < 2**31, "rules.most", "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class TopBundlesAnswer:
    """The bundles in the order of the report: the lightest of the heaviest first."""

    bundles: tuple[str, ...]
