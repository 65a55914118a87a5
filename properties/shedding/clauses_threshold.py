"""Clauses about ThresholdShedder: `shedding.threshold`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

from evenkeel.properties.clause import HOLDS, UNEXERCISED, Finding, Violation
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.shedding.book import check
from evenkeel.properties.shedding.common_walk import rounds_of, walk_common, well_formed
from evenkeel.properties.shedding.threshold_orders import Search, Told, all_orders_tried
from evenkeel.properties.shedding.threshold_walk import ThresholdCase, walk_threshold

common: Final = OncePerCase(walk_common)
walked: Final = OncePerCase(walk_threshold)


@check("SHD-1", "shedding.threshold")
def only_bundles_that_are_served(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-1")


@check("SHD-2", "shedding.threshold")
def monitoring_bundles_stay(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-2")


@check("SHD-3", "shedding.threshold")
def once_in_the_grace_period(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-3")


@check("SHD-4", "shedding.threshold")
def once_in_a_round(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-4")


@check("SHD-5", "shedding.threshold")
def nothing_without_averages(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-5")


@check("SHD-7", "shedding.threshold")
def sole_bundles_stay(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-7")


@check("SHD-8", "shedding.threshold")
def sole_bundles_beside_monitoring_stay(case: ThresholdCase) -> Finding:
    return common(case).finding("SHD-8")


@check("SHD-80", "shedding.threshold")
def brokers_below_the_threshold(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-80")


@check("SHD-81", "shedding.threshold")
def brokers_above_the_threshold(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-81")


@check("SHD-82", "shedding.threshold")
def history_decides(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-82")


@check("SHD-83", "shedding.threshold")
def too_little_is_not_shed(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-83")


@check("SHD-84", "shedding.threshold")
def heaviest_first(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-84")


@check("SHD-85", "shedding.threshold")
def enough_is_shed(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-85")


@check("SHD-86", "shedding.threshold")
def one_bundle_beyond_at_most(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-86")


@check("SHD-87", "shedding.threshold")
def source_for_the_lower_boundary(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-87")


@check("SHD-88", "shedding.threshold")
def amount_for_the_lower_boundary(case: ThresholdCase) -> Finding:
    return walked(case).finding("SHD-88")


@check("SHD-89", "shedding.threshold")
def usages_enter_once_a_round(case: ThresholdCase) -> Finding:
    if not case.trial.config.lower_boundary or len(case.trial.rounds) < 2 or well_formed(case):
        return UNEXERCISED
    told = list(rounds_of(case))
    if not all(all_orders_tried(cluster) for _, cluster, _ in told):
        return UNEXERCISED
    if any(explained(case, told, twice=False)):
        return HOLDS
    if walked(case).undecided or not any(explained(case, told, twice=True)):
        return UNEXERCISED
    return Violation("only histories into which usages entered twice in a round explain this")


def explained(case: ThresholdCase, told: list[Told], twice: bool) -> Iterator[bool]:
    """Whether histories with one or two steps a round explain the answers, in any edition."""
    for left, count in product((False, True), repeat=2):
        edition = replace(
            case.edition,
            threshold_steps_twice=twice,
            threshold_left_in_place=left,
            monitoring_bundles_count=count,
        )
        yield Search(case.trial, told, edition).explains()


@check("SHD-90", "shedding.threshold")
def rounds_of_4_0(case: ThresholdCase) -> Finding:
    fault = well_formed(case)
    if fault is not None:
        return Violation(fault, "shape")
    told = list(rounds_of(case))
    search = Search(case.trial, told, case.edition)
    if search.explains():
        return HOLDS
    if not all(all_orders_tried(cluster) for _, cluster, _ in told[: search.deepest + 1]):
        return UNEXERCISED
    return Violation(
        f"round {search.deepest + 1}: must be {dict(search.right)}, not {told[search.deepest][2]}"
    )
