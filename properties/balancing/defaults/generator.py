from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.defaults.trial import DefaultsTrial
from evenkeel.properties.draw import Draw
from evenkeel.reference.balancing.defaults import CODE

KEYS: Final = (*sorted(CODE), "loadBalancerNoSuchSetting")


def defaults_trial(draw: Draw) -> DefaultsTrial:
    """A few settings, seldom one that there is not."""
    return DefaultsTrial(tuple(draw.pick(KEYS) for _ in draw.items(8, 0.7, least=1)))
