"""Clauses about AvgShedder: `shedding.avg`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.shedding.avg_hits import walk_documented, walk_exactly
from evenkeel.properties.shedding.avg_walk import AvgCase, walk_pairs
from evenkeel.properties.shedding.book import check

of_pairs: Final = OncePerCase(walk_pairs)
documented: Final = OncePerCase(walk_documented)
exactly: Final = OncePerCase(walk_exactly)


@check("SHD-30", "shedding.avg")
def waits_for_enough_hits(case: AvgCase) -> Finding:
    return documented(case).finding("SHD-30")


@check("SHD-31", "shedding.avg")
def acts_after_enough_hits(case: AvgCase) -> Finding:
    return documented(case).finding("SHD-31")


@check("SHD-32", "shedding.avg")
def fuller_brokers_shed(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-32")


@check("SHD-33", "shedding.avg")
def no_more_than_the_share_of_a_pair(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-33")


@check("SHD-34", "shedding.avg")
def the_partner_gets_it(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-34")


@check("SHD-35", "shedding.avg")
def idle_bundles_never_move(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-35")


@check("SHD-36", "shedding.avg")
def nothing_for_too_little(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-36")


@check("SHD-37", "shedding.avg")
def sheds_or_receives(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-37")


@check("SHD-38", "shedding.avg")
def avg_of_4_0(case: AvgCase) -> Finding:
    return exactly(case).finding("SHD-38")


@check("SHD-39", "shedding.avg")
def plan_by_averages(case: AvgCase) -> Finding:
    return exactly(case).finding("SHD-39")


@check("SHD-40", "shedding.avg")
def sole_bundles_move(case: AvgCase) -> Finding:
    return exactly(case).finding("SHD-40")


@check("SHD-41", "shedding.avg")
def as_even_as_bundles_allow(case: AvgCase) -> Finding:
    return of_pairs(case).finding("SHD-41")
