"""Clauses about every modular shedder of this chapter's three questions."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.clause import Case, Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.shedding.book import check
from evenkeel.properties.shedding.common_walk import walk_common

walked: Final = OncePerCase(walk_common)
ShedderCase = Case[Any, Any]


@check("SHD-1", "shedding.avg")
def only_bundles_that_are_served(case: ShedderCase) -> Finding:
    return walked(case).finding("SHD-1")


@check("SHD-2", "shedding.avg")
def monitoring_bundles_stay(case: ShedderCase) -> Finding:
    return walked(case).finding("SHD-2")


@check("SHD-3", "shedding.avg")
def once_in_the_grace_period(case: ShedderCase) -> Finding:
    return walked(case).finding("SHD-3")


@check("SHD-4", "shedding.avg")
def once_in_a_round(case: ShedderCase) -> Finding:
    return walked(case).finding("SHD-4")


@check("SHD-5", "shedding.avg")
def nothing_without_averages(case: ShedderCase) -> Finding:
    return walked(case).finding("SHD-5")


@check("SHD-8", "shedding.avg")
def sole_bundles_beside_monitoring_stay(case: ShedderCase) -> Finding:
    return walked(case).finding("SHD-8")
