"""Trial and answer of `load.history`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import (
    require_different,
    require_fraction,
    require_number,
)
from evenkeel.properties.names import require_name
from evenkeel.properties.trial import require
from evenkeel.reference.load.history import Keeper, Seen

MOST_BUNDLES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Look:
    """The keeper looks at these brokers: a round of shedding, or a choice of one of them."""

    DO: ClassVar[str] = "look"
    brokers: tuple[Seen, ...]

    def __post_init__(self) -> None:
        require_different("brokers", (seen.broker for seen in self.brokers))
        for index, seen in enumerate(self.brokers):
            place = f"brokers[{index}]"
            require_name(f"{place}.broker", seen.broker)
            require_number(f"{place}.cpu", seen.cpu, 0.0)
            require(0 <= seen.bundles <= MOST_BUNDLES, f"{place}.bundles", "must be from 0 to 10^4")
            require_number(f"{place}.msg_rate", seen.msg_rate, 0.0)


@dataclass(frozen=True, slots=True)
class Active:
    """The keeper is told which brokers are there."""

    DO: ClassVar[str] = "active"
    brokers: tuple[str, ...]

    def __post_init__(self) -> None:
        require_different("brokers", self.brokers)
        for broker in self.brokers:
            require_name("brokers", broker)


HistoryCommand = Look | Active


@dataclass(frozen=True, slots=True)
class HistoryTrial:
    """`load.history`: what is each broker's smoothed score?

    `weight` is that of what was before (`loadBalancerHistoryResourcePercentage`, a fraction).
    """

    keeper: Keeper
    weight: float
    commands: tuple[HistoryCommand, ...]

    def __post_init__(self) -> None:
        require_fraction("weight", self.weight)


@dataclass(frozen=True, slots=True)
class Score:
    """A broker's smoothed score, a fraction."""

    broker: str
    score: float


@dataclass(frozen=True, slots=True)
class Scores:
    """Answer to `Look`: the scores of the brokers looked at, in that order, and their mean.

    The mean is null where the keeper tells none (LeastResourceUsageWithWeight).
    """

    DO: ClassVar[str] = "scores"
    scores: tuple[Score, ...]
    mean: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """Answer to `Active`."""

    DO: ClassVar[str] = "told"


HistoryResult = Scores | Told


@dataclass(frozen=True, slots=True)
class HistoryAnswer:
    """One result for each command."""

    results: tuple[HistoryResult, ...]
