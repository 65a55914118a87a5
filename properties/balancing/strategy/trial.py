"""`balancing.strategy`: what sheds and what places, under this manager and so configured?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from evenkeel.properties.trial import OMITTABLE
from evenkeel.reference.balancing import choosing
from evenkeel.reference.balancing.choosing import Shedding
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import configured
from evenkeel.reference.placement.configured import Placing


class LoadManager(StrEnum):
    """The two load managers, each with strategies of its own."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


@dataclass(frozen=True, slots=True)
class StrategyTrial:
    """`balancing.strategy`: which strategy sheds under this manager, and which one places?

    `strategy` is what is configured to shed, `placement` what is configured to place: the class
    without its package; null: nobody configured any.
    """

    manager: LoadManager
    strategy: Shedding | None
    placement: Placing | None = field(default=None, metadata=OMITTABLE)


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """The class that sheds, without its package; null: nothing is shed.

    `places` is the class that chooses brokers; null, or left out: the subject does not say.
    """

    sheds: str | None
    places: str | None = field(default=None, metadata=OMITTABLE)


def answer_strategy(trial: StrategyTrial, edition: Edition) -> StrategyAnswer:
    extensible = trial.manager is LoadManager.EXTENSIBLE
    places = configured.places(extensible, trial.strategy is Shedding.AVG, trial.placement)
    sheds = choosing.sheds(extensible, trial.strategy, edition)
    return StrategyAnswer(sheds.value, places.value)


def strategy_labels(trial: StrategyTrial) -> Iterator[str]:
    yield trial.manager.value
    yield "not configured" if trial.strategy is None else trial.strategy.value
    yield "no placement" if trial.placement is None else f"placement {trial.placement.value}"
