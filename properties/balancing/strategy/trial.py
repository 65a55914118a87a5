"""`balancing.strategy`: which strategy sheds, under this manager and with this configuration?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from evenkeel.reference.balancing import choosing
from evenkeel.reference.balancing.choosing import Shedding
from evenkeel.reference.edition import Edition


class LoadManager(StrEnum):
    """The two load managers, each with strategies of its own."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


@dataclass(frozen=True, slots=True)
class StrategyTrial:
    """`balancing.strategy`: which strategy sheds under this manager?

    `strategy` is what is configured, the class without its package; null: nobody configured any.
    """

    manager: LoadManager
    strategy: Shedding | None


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """The class that sheds, without its package; null: nothing is shed."""

    sheds: str | None


def answer_strategy(trial: StrategyTrial, edition: Edition) -> StrategyAnswer:
    extensible = trial.manager is LoadManager.EXTENSIBLE
    return StrategyAnswer(choosing.sheds(extensible, trial.strategy, edition).value)


def strategy_labels(trial: StrategyTrial) -> Iterator[str]:
    yield trial.manager.value
    yield "not configured" if trial.strategy is None else trial.strategy.value
