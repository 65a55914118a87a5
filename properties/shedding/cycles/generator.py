"""Trials of `shedding.cycles`: cycles of which most are to run."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.shedding.cycles.trial import CyclesTrial
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome

TODAY: Final = 1_790_000_000_000 // MINUTE * MINUTE
"""Milliseconds since 1970, as clocks have them."""

BROKERS: Final = tuple(BrokerId(f"broker-{number}:8080") for number in range(1, 4))
BUNDLES: Final = tuple(
    BundleName(f"t/ns/0x{number:x}0000000_0x{number + 1:x}0000000") for number in range(4)
)


def draw_decided(draw: Draw) -> tuple[Decided, ...]:
    """Some bundles, each from some broker."""
    return tuple(
        Decided(
            bundle,
            draw.pick(BROKERS),
            draw.pick((BROKERS[1], None, BROKERS[2])),
            draw.pick((Outcome.DONE, Outcome.DONE, Outcome.DONE, Outcome.FAILS, Outcome.SKIP)),
        )
        for bundle in BUNDLES
        if draw.chance(0.4)
    )


def cycles_trial(draw: Draw) -> CyclesTrial:
    """Cycles a minute or so apart; now and then one that is not to run."""
    grace, cycles = draw.pick((1, 0, 3, 30)), list[Cycle]()
    now = TODAY if draw.chance(0.2) else 0
    for _ in draw.items(8, 0.85):
        now += draw.pick((1, 2, 0, 3, 30)) * MINUTE
        enabled, shedding = not draw.chance(0.06), not draw.chance(0.06)
        leads = draw.pick((False, None)) if draw.chance(0.1) else True
        available = draw.pick((1, 0, None)) if draw.chance(0.15) else draw.pick((2, 3))
        cycles.append(Cycle(now, enabled, shedding, leads, available, draw_decided(draw)))
    return CyclesTrial(grace, tuple(cycles))
