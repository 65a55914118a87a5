"""Clauses about OverloadShedder: `shedding.overload`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.shedding.book import check
from evenkeel.properties.shedding.overload_walk import OverloadCase, walk_overload

walked: Final = OncePerCase(walk_overload)


@check("SHD-10", "shedding.overload")
def others_are_left_alone(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-10")


@check("SHD-11", "shedding.overload")
def overloaded_brokers_shed(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-11")


@check("SHD-12", "shedding.overload")
def heaviest_bundles_first(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-12")


@check("SHD-13", "shedding.overload")
def usage_comes_below_the_threshold(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-13")


@check("SHD-14", "shedding.overload")
def amount_of_4_0(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-14")


@check("SHD-15", "shedding.overload")
def no_more_than_one_bundle_beyond(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-15")


@check("SHD-16", "shedding.overload")
def monitoring_bundles_count(case: OverloadCase) -> Finding:
    return walked(case).finding("SHD-16")
