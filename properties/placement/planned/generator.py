from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.placement.asks import OFTEN
from evenkeel.properties.placement.drawing import STRANGER, draw_brokers, draw_candidates
from evenkeel.properties.placement.planned.trial import (
    KnownBundle,
    Place,
    PlanMove,
    PlannedCommand,
    PlannedTrial,
    Update,
)
from evenkeel.reference.placement.planned import Statistics


def draw_statistics(draw: Draw) -> Statistics:
    """Few values, so that bundles have equal ones."""
    if draw.chance(0.4):
        return Statistics()
    return Statistics(draw.pick((100, 50, 0)), draw.pick((50000, 0)), draw.pick((1, 2)))


@seldom_repeated("commands")
def planned_trial(draw: Draw) -> PlannedTrial:
    """Bundles are planned, change, and are placed."""
    names = tuple(f"tenant/ns/{index}" for index in draw.items(4, 0.7, least=1))
    bundles = tuple(KnownBundle(name, draw_statistics(draw)) for name in names)
    brokers = draw_brokers(draw, least=2)
    commands: list[PlannedCommand] = []
    for _ in draw.items(14, 0.85):
        bundle = draw.pick(names)
        sort = draw.integer(0, 9)
        if sort < 3:
            commands.append(PlanMove(bundle, draw.pick((*brokers, STRANGER))))
        elif sort == 3:
            commands.append(Update(bundle, draw_statistics(draw)))
        else:
            candidates = draw_candidates(draw, brokers)
            commands.append(Place(bundle, tuple(c for c in candidates if c != STRANGER)))
    if draw.chance(0.03):
        for _ in range(OFTEN):
            commands.extend((PlanMove(names[0], STRANGER), Place(names[0], brokers)))
    return PlannedTrial(bundles, tuple(commands))
