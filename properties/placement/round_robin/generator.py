from __future__ import annotations

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.placement.drawing import BROKERS
from evenkeel.properties.placement.round_robin.trial import RoundRobinTrial, Turns


@seldom_repeated("asks")
def round_robin_trial(draw: Draw) -> RoundRobinTrial:
    """The same candidates for a while, then others, or the same in another order."""
    counter = draw.pick((2**31 - 1, 2**31 - 2, 7, 1)) if draw.chance(0.1) else 0
    asks: list[Turns] = []
    for _ in draw.items(8, 0.75, least=1):
        candidates = tuple(broker for broker in BROKERS[:5] if draw.chance(0.6))
        if draw.chance(0.3):
            candidates = candidates[::-1]
        again = asks and draw.chance(0.3)
        asks.append(Turns(asks[-1].candidates if again else candidates, draw.integer(1, 7)))
    return RoundRobinTrial(counter, tuple(asks))
