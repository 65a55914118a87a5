"""Trials of `splitting.unloading`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.splitting.manual.trial import Manager
from evenkeel.properties.splitting.unloading.trial import OwnedBundle, UnloadingTrial
from evenkeel.reference.bundles.ranges import TOP_HASH, range_name
from evenkeel.reference.splitting.settings import UnloadRules

BROKERS: Final = ("broker-1:8080", "broker-2:8080", "broker-3:8080")
RANGES: Final = ((0, 0x80000000), (0x80000000, TOP_HASH), (0x40000000, 0x40000002))


def unloading_trial(draw: Draw) -> UnloadingTrial:
    """Up to six bundles; mostly several brokers, and the setting as it is by default."""
    manager = draw.pick(tuple(Manager))
    brokers = BROKERS[: draw.integer(1, len(BROKERS))]
    splits: dict[str, str] = {}
    for _ in draw.items(6, 0.6, least=1):
        lower, upper = draw.pick(RANGES)
        name = f"{draw.pick(('t/ns', 't/other'))}/{range_name(lower, upper)}"
        splits[name] = draw.pick(brokers)
    owned = tuple(OwnedBundle(bundle, owner) for bundle, owner in splits.items())
    return UnloadingTrial(manager, UnloadRules(not draw.chance(0.3)), brokers, owned)
