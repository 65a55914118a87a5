"""Trial and answer of `load.usage`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenkeel.properties.load.numbers import (
    RESOURCES,
    finite,
    require_limit,
    require_number,
    require_settings,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import usage
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
        require_settings("weights", self.weights)
        for misspelt in (self.misspelt_in, self.misspelt_out):
            require_settings("misspelt", Weights(misspelt))

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


def answer_usage(trial: UsageTrial, edition: Edition) -> UsageAnswer:
    """Percentages and scores; the same in all editions."""
    del edition
    resources = trial.resources()
    weights = replace(
        trial.weights,
        bandwidth_in=usage.bandwidth_weight(trial.weights.bandwidth_in, trial.misspelt_in),
        bandwidth_out=usage.bandwidth_weight(trial.weights.bandwidth_out, trial.misspelt_out),
    )
    return UsageAnswer(
        cpu=finite(usage.percent_usage(resources.cpu)),
        memory=finite(usage.percent_usage(resources.memory)),
        direct_memory=finite(usage.percent_usage(resources.direct_memory)),
        bandwidth_in=finite(usage.percent_usage(resources.bandwidth_in)),
        bandwidth_out=finite(usage.percent_usage(resources.bandwidth_out)),
        weight_in=weights.bandwidth_in,
        weight_out=weights.bandwidth_out,
        weighted=finite(usage.max_weighted_usage(resources, weights)),
        weighted_with_heap=finite(usage.max_weighted_usage_with_heap(resources, weights)),
        unweighted=finite(usage.max_usage(resources)),
        unweighted_extensible=finite(usage.max_usage_in_double(resources)),
    )


def usage_labels(trial: UsageTrial) -> Iterator[str]:
    """What is known, and what is more than there should be."""
    metered = [getattr(trial, name) for name in RESOURCES]
    if any(each.usage is None for each in metered):
        yield "not a number"
    if any(each.limit <= 0 for each in metered):
        yield "without a limit"
    if any(each.usage is not None and 0 < each.limit < each.usage for each in metered):
        yield "above 100 %"
    if trial.misspelt_in != 1.0 or trial.misspelt_out != 1.0:
        yield "weight under its old name"
