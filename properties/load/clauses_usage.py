"""Clauses about how full a broker is: `load.usage`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
    unless,
)
from evenkeel.properties.load.book import check
from evenkeel.properties.load.comparing import SINGLE, close
from evenkeel.properties.load.numbers import RESOURCES
from evenkeel.properties.load.trials_usage import Metered, UsageAnswer, UsageTrial
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.load.usage import bandwidth_weight

UsageCase = Case[UsageTrial, UsageAnswer]
WITHOUT_HEAP: Final = tuple(name for name in RESOURCES if name != "memory")


def answered(case: UsageCase) -> UsageAnswer | Violation:
    """The answer; a broker's usage is always told."""
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        return Violation("there is no answer", "failed")
    return observed


def share(metered: Metered) -> float | None:
    """The usage in percent of the limit."""
    if metered.limit <= 0:
        return 0.0
    return None if metered.usage is None else 100 * metered.usage / metered.limit


def weights(trial: UsageTrial) -> dict[str, float]:
    """The weight of each resource."""
    known = {name: getattr(trial.weights, name) for name in RESOURCES}
    known["bandwidth_in"] = bandwidth_weight(trial.weights.bandwidth_in, trial.misspelt_in)
    known["bandwidth_out"] = bandwidth_weight(trial.weights.bandwidth_out, trial.misspelt_out)
    return known


def most(trial: UsageTrial, names: Iterable[str], weight: Callable[[str], float]) -> float | None:
    """The largest weighted usage as a fraction; what is not a number does not count."""
    shares = ((share(getattr(trial, name)), weight(name)) for name in names)
    return max((usage * by / 100 for usage, by in shares if usage is not None), default=None)


def unweighted(_: str) -> float:
    """Every resource counts alike."""
    return 1.0


@check("LOA-1", "load.usage")
def usage_is_a_share_of_the_limit(case: UsageCase) -> Finding:
    told = answered(case)
    if isinstance(told, Violation):
        return told
    for name in RESOURCES:
        right, percent = share(getattr(case.trial, name)), getattr(told, name)
        if not close(percent, right, SINGLE):
            return Violation(f"{name} is {percent} %, but {right} % are used", name)
    return HOLDS


@check("LOA-2", "load.usage")
def percentages_of_4_0(case: UsageCase) -> Finding:
    told, expected = answered(case), case.expected
    if isinstance(told, Violation):
        return told
    for name in RESOURCES:
        percent, right = getattr(told, name), getattr(expected, name)
        if percent != right:
            return Violation(f"{name} is {percent} %: in single precision it is {right} %")
    return HOLDS


@check("LOA-3", "load.usage")
def the_fullest_resource_counts(case: UsageCase) -> Finding:
    told = answered(case)
    if isinstance(told, Violation):
        return told
    right = most(case.trial, WITHOUT_HEAP, weights(case.trial).__getitem__)
    return unless(
        close(told.weighted, right, SINGLE), f"the score is {told.weighted}, but must be {right}"
    )


@check("LOA-4", "load.usage")
def heap_counts_in_the_extensible_manager(case: UsageCase) -> Finding:
    told = answered(case)
    if isinstance(told, Violation):
        return told
    right = most(case.trial, RESOURCES, weights(case.trial).__getitem__)
    return unless(
        close(told.weighted_with_heap, right, SINGLE),
        f"the score with heap memory is {told.weighted_with_heap}, but must be {right}",
    )


@check("LOA-5", "load.usage")
def usage_without_weights(case: UsageCase) -> Finding:
    told = answered(case)
    if isinstance(told, Violation):
        return told
    right = most(case.trial, WITHOUT_HEAP, unweighted)
    for name in ("unweighted", "unweighted_extensible"):
        if not close(getattr(told, name), right, SINGLE):
            return Violation(f"{name} is {getattr(told, name)}, but must be {right}", name)
    return HOLDS


@check("LOA-6", "load.usage")
def scores_of_4_0(case: UsageCase) -> Finding:
    return as_expected(case, "usage")


@check("LOA-7", "load.usage")
def weights_under_two_names(case: UsageCase) -> Finding:
    told = answered(case)
    if isinstance(told, Violation):
        return told
    right = weights(case.trial)
    if case.trial.misspelt_in == case.trial.misspelt_out == 1.0 == right["bandwidth_in"]:
        return UNEXERCISED
    return unless(
        (told.weight_in, told.weight_out) == (right["bandwidth_in"], right["bandwidth_out"]),
        f"the weights of the bandwidths are {told.weight_in} and {told.weight_out}, but must be "
        f"{right['bandwidth_in']} and {right['bandwidth_out']}",
    )
