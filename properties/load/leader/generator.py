"""Trials of `load.leader`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_large, seldom_repeated
from evenkeel.properties.load.drawing import BROKERS, BUNDLES, MANY_BUNDLES, draw_many, draw_traffic
from evenkeel.properties.load.leader.trial import LeaderCommand, LeaderTrial, Leave, Publish, Write
from evenkeel.reference.load.leader import BundleSample


@seldom_repeated("commands")
def leader_trial(draw: Draw) -> LeaderTrial:
    """Two or three brokers that publish, move bundles among them, leave and come back.

    A bundle that moves may be in the old owner's latest report and in the new one's.
    """
    return seldom_large(draw, draw_trial)


def draw_trial(draw: Draw, large: bool) -> LeaderTrial:
    """The same; in a large one they have many bundles."""
    served: dict[str, str] = {}
    commands: list[LeaderCommand] = []
    for _ in draw.items(4 if large else 12, 0.85, least=1):
        sort = draw.integer(0, 9)
        if sort == 9:
            commands.append(Write())
            continue
        broker = draw.pick(BROKERS)
        served = {bundle: other for bundle, other in served.items() if other != broker}
        if sort == 8:
            commands.append(Leave(broker))
            continue
        names = MANY_BUNDLES if large else BUNDLES
        moving = draw.chance(0.06)
        free = [bundle for bundle in names if moving or bundle not in served]
        chosen = draw_many(draw, free) if large and len(free) > 10 else draw.sample(free, 4)
        served |= dict.fromkeys(chosen, broker)
        samples = (BundleSample(b, draw_traffic(draw), draw.integer(0, 3)) for b in chosen)
        commands.append(Publish(broker, tuple(samples)))
    return LeaderTrial(tuple(commands))
