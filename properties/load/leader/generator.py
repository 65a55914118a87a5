"""Trials of `load.leader`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw
from evenkeel.properties.load.drawing import BROKERS, BUNDLES, draw_traffic
from evenkeel.properties.load.leader.trial import LeaderCommand, LeaderTrial, Leave, Publish, Write
from evenkeel.reference.load.leader import BundleSample


def leader_trial(draw: Draw) -> LeaderTrial:
    """Two or three brokers that publish, move bundles among them, leave and come back."""
    served: dict[str, str] = {}
    commands: list[LeaderCommand] = []
    for _ in draw.items(12, 0.85, least=1):
        sort = draw.integer(0, 9)
        if sort == 9:
            commands.append(Write())
            continue
        broker = draw.pick(BROKERS)
        served = {bundle: other for bundle, other in served.items() if other != broker}
        if sort == 8:
            commands.append(Leave(broker))
            continue
        free = [bundle for bundle in BUNDLES if bundle not in served]
        chosen = draw.sample(free, 4)
        served |= dict.fromkeys(chosen, broker)
        samples = (BundleSample(b, draw_traffic(draw), draw.integer(0, 3)) for b in chosen)
        commands.append(Publish(broker, tuple(samples)))
    return LeaderTrial(tuple(commands))
