"""Trials of `placement.preallocation`: bursts of lookups between reports, brokers that go."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.placement.preallocation.trial import (
    BundleRate,
    Leaves,
    LookUp,
    PreallocationCommand,
    PreallocationTrial,
    Propose,
    Reports,
)
from evenkeel.reference.load.namespaces import SYSTEM

BROKERS: Final = tuple(f"host-{number}:8080" for number in range(1, 5))


@seldom_repeated("commands")
def preallocation_trial(draw: Draw) -> PreallocationTrial:
    """A few brokers and bundles; a report names about what its broker was given."""
    namespaces = ("tenant/a", SYSTEM if draw.chance(0.2) else "tenant/b")
    brokers = BROKERS[: sum(1 for _ in draw.items(4, 0.8, least=1))]
    bundles = tuple(
        BundleRate(
            f"{draw.pick(namespaces)}/0x{index:08x}_0x{index + 1:08x}",
            draw.pick((100, 0, 50, 200, 1000)),
        )
        for index in draw.items(6, 0.85, least=1)
    )
    names = [known.bundle for known in bundles]
    commands: list[PreallocationCommand] = []
    for _ in draw.items(16, 0.9):
        sort = draw.integer(0, 19)
        if sort < 11:
            commands.append(LookUp(draw.pick(names)))
        elif sort < 13:
            commands.append(Propose(draw.pick(names)))
        elif sort < 19:
            reported = tuple(name for name in names if draw.chance(0.4))
            commands.append(Reports(draw.pick(brokers), reported))
        else:
            commands.append(Leaves(draw.pick(brokers)))
    return PreallocationTrial(not draw.chance(0.6), brokers, bundles, tuple(commands))
