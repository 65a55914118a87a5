"""Trial and answer of `load.history`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import require_number, require_settings
from evenkeel.properties.names import require_name
from evenkeel.properties.trial import require, require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import history
from evenkeel.reference.load.history import Histories, Keeper, Seen
from evenkeel.reference.load.report import ReportRules

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
        require_settings("rules", ReportRules(history=self.weight))


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


def answer_history(trial: HistoryTrial, edition: Edition) -> HistoryAnswer:
    """The scores after each look; the same in all editions."""
    del edition
    histories: Histories = {}
    results: list[HistoryResult] = []
    for command in trial.commands:
        if isinstance(command, Active):
            histories = history.without_departed(histories, command.brokers)
            results.append(Told())
            continue
        histories = history.looked(trial.keeper, histories, command.brokers, trial.weight)
        told = trial.keeper is Keeper.THRESHOLD_SHEDDER
        results.append(
            Scores(
                tuple(Score(seen.broker, histories[seen.broker]) for seen in command.brokers),
                history.mean(histories, command.brokers) if told else None,
            )
        )
    return HistoryAnswer(tuple(results))


def history_labels(trial: HistoryTrial) -> Iterator[str]:
    """Who keeps the history, and whether brokers leave."""
    yield trial.keeper.value
    if any(isinstance(command, Active) for command in trial.commands):
        yield "brokers leave"
