"""Trial and answer of `load.usage`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from evenkeel.properties.load.numbers import (
    RESOURCES,
    require_limit,
    require_number,
    require_weight,
    require_weights,
)
from evenkeel.reference.load.usage import Resource, Resources, Weights


@dataclass(frozen=True, slots=True)
class Metered:
    """One resource as a broker measures it: usage and limit, in the same unit.

    `usage` null: what was measured is not a number.
    """

    usage: float | None
    limit: float

    def __post_init__(self) -> None:
        if self.usage is not None:
            require_number("usage", self.usage)
        require_limit("limit", self.limit)

    def resource(self) -> Resource:
        """The same for the reference."""
        return Resource(math.nan if self.usage is None else self.usage, self.limit)


@dataclass(frozen=True, slots=True)
class UsageTrial:
    """`load.usage`: how full is a broker?

    `weights` are configured under their present names, `misspelt_in` and `misspelt_out` those of
    the bandwidths under their old ones (`loadBalancerBandwith…`; 1.0: not configured).
    """

    cpu: Metered
    memory: Metered
    direct_memory: Metered
    bandwidth_in: Metered
    bandwidth_out: Metered
    weights: Weights
    misspelt_in: float
    misspelt_out: float

    def __post_init__(self) -> None:
        require_weights("weights", self.weights)
        require_weight("misspelt_in", self.misspelt_in)
        require_weight("misspelt_out", self.misspelt_out)

    def resources(self) -> Resources:
        """All five for the reference."""
        return Resources(*(getattr(self, name).resource() for name in RESOURCES))


@dataclass(frozen=True, slots=True)
class UsageAnswer:
    """Percentages of the five resources, the weights of the bandwidths, and scores (fractions).

    `weighted` is the modular manager's score, `weighted_with_heap` the extensible one's before
    it is smoothed, `unweighted` and `unweighted_extensible` their largest usages without weights.
    Null: there is no finite number.
    """

    cpu: float | None
    memory: float | None
    direct_memory: float | None
    bandwidth_in: float | None
    bandwidth_out: float | None
    weight_in: float
    weight_out: float
    weighted: float | None
    weighted_with_heap: float | None
    unweighted: float | None
    unweighted_extensible: float | None


SCORES = ("weighted", "weighted_with_heap", "unweighted", "unweighted_extensible")
