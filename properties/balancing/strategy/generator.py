from __future__ import annotations

from evenkeel.properties.balancing.strategy.trial import LoadManager, StrategyTrial
from evenkeel.properties.draw import Draw
from evenkeel.reference.balancing.choosing import Shedding
from evenkeel.reference.placement.configured import Placing


def strategy_trial(draw: Draw) -> StrategyTrial:
    """Any strategy and any placement under any manager, and none."""
    return StrategyTrial(
        draw.pick(tuple(LoadManager)),
        draw.pick((None, *Shedding)),
        draw.pick((None, *Placing)),
    )
