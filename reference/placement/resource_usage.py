"""LeastResourceUsageWithWeight, in both managers: a broker well below the mean usage.

Source: PIP-182; LeastResourceUsageWithWeight 4.0.8 of the modular and the extensible manager.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resources, Weights
from evenkeel.reference.placement.arithmetic import (
    Number,
    number,
    percent,
    possible_sums,
    total,
    usage,
)
from evenkeel.reference.placement.message_rate import NoReport
from evenkeel_engine.frame.clauses import states

CLOSE = 1e-9
"""A broker closer than this to the mean may be on either side of it, depending on the order in
which the mean was added up."""
ROUNDED = 1e-6
"""A broker closer than this to the mean may be on either side of it in single precision."""


@dataclass(frozen=True, slots=True)
class UsageReport:
    """A broker's report: its resources, how many bundles it serves, and msg/s."""

    resources: Resources = Resources()
    bundles: int = 0
    rate_in: float = 0.0
    rate_out: float = 0.0

    @property
    def idle(self) -> bool:
        """It serves no bundle, or no message goes through it: its history says nothing."""
        return self.bundles == 0 or (self.rate_in == 0 and self.rate_out == 0)


@dataclass(frozen=True, slots=True)
class UsageConfig:
    """How brokers are compared.

    `difference`: points below the mean. `history`: the weight of what was known before (0 to 1).
    """

    difference: int = 10
    history: float = 0.9
    weights: Weights = Weights()


@states("PLC-12", "PLC-13")
def smooth_usage(
    before: Number | None, report: UsageReport, config: UsageConfig, edition: Edition
) -> Number:
    """A broker's usage after one more look: history counts `history`, the present the rest.

    Nothing known before, or an idle broker (as one is after a restart): the present usage alone.
    Source: PIP-182; #16766.
    """
    present = usage(report.resources, config.weights, edition)
    if before is None or report.idle:
        return present
    weight = number(config.history, edition)
    return before * weight + (1 - weight) * present


@states("PLC-4", "PLC-5", "PLC-12")
def look(
    history: dict[str, Number],
    candidates: Sequence[str],
    reports: Mapping[str, UsageReport],
    config: UsageConfig,
    edition: Edition,
) -> dict[str, Number]:
    """One placement's look at its candidates: adds to the history, and answers their usages.

    Candidates without a report break 4.0 half-way (`NoReport`); else they have no usage.
    """
    usages: dict[str, Number] = {}
    for broker in candidates:
        if broker not in reports:
            if edition.unreported_candidates_break:
                raise NoReport(broker)
            continue
        usages[broker] = smooth_usage(history.get(broker), reports[broker], config, edition)
        history[broker] = usages[broker]
    return usages


@states("PLC-14")
def keep_active(history: Mapping[str, Number], active: Collection[str]) -> dict[str, Number]:
    """The history without brokers that left. Source: #19559, #19726."""
    return {broker: known for broker, known in history.items() if broker in active}


@states("PLC-10")
def well_below(
    usages: Mapping[str, Number], mean: Number, difference: int, edition: Edition
) -> tuple[str, ...]:
    """The brokers whose usage is at least `difference` points below the mean."""
    points = percent(difference, edition)
    return tuple(broker for broker, known in usages.items() if known + points <= mean)


@states("PLC-10")
def possible_means(
    usages: Mapping[str, Number], difference: int, edition: Edition
) -> tuple[Number, ...]:
    """The mean usage, in every order of adding that could make a difference to `well_below`."""
    values = tuple(usages.values())
    mean = total(values) / len(values)
    points = percent(difference, edition)
    near = edition.placement_in_floating_point and any(
        -CLOSE < known + points - mean < CLOSE for known in values
    )
    if not near or not math.isfinite(mean):
        return (mean,)
    sums = possible_sums([float(value) for value in values])
    return tuple(sorted(result / len(values) for result in sums))


@states("PLC-10")
def at_the_edge(usages: Mapping[str, Number], difference: int, edition: Edition) -> bool:
    """Whether some broker is so close to `difference` points below the mean that rounding decides.

    Percentages in single precision are off by up to 4e-8 each.
    """
    points = percent(difference, edition)
    mean = total(usages.values()) / len(usages) if usages else 0
    return any(-ROUNDED < known + points - mean < ROUNDED for known in usages.values())


@states("PLC-10", "PLC-11", "PLC-15")
def allowed_sets(
    candidates: Sequence[str], usages: Mapping[str, Number], difference: int, edition: Edition
) -> tuple[tuple[str, ...], ...]:
    """The allowed brokers; several sets only where the order of adding decides.

    Those well below the mean of `usages`, or all candidates if there are none. Candidates
    without a usage do not count in the mean and are allowed only in the second case.
    """
    if not usages:
        return (tuple(candidates),)
    sets = dict.fromkeys(
        well_below(usages, mean, difference, edition) or tuple(candidates)
        for mean in possible_means(usages, difference, edition)
    )
    return tuple(sets)
