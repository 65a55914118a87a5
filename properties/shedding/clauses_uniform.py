"""Clauses about UniformLoadShedder: `shedding.uniform`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.shedding.book import check
from evenkeel.properties.shedding.uniform_walk import UniformCase, walk_uniform

walked: Final = OncePerCase(walk_uniform)


@check("SHD-20", "shedding.uniform")
def one_source_the_busiest(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-20")


@check("SHD-21", "shedding.uniform")
def no_more_than_the_share(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-21")


@check("SHD-22", "shedding.uniform")
def idle_bundles_stay(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-22")


@check("SHD-23", "shedding.uniform")
def nothing_for_too_little(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-23")


@check("SHD-24", "shedding.uniform")
def no_more_bundles_than_the_cap(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-24")


@check("SHD-25", "shedding.uniform")
def either_dimension_suffices(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-25")


@check("SHD-26", "shedding.uniform")
def amounts_of_4_0(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-26")


@check("SHD-27", "shedding.uniform")
def rate_masks_throughput(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-27")


@check("SHD-28", "shedding.uniform")
def least_is_32_bits(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-28")


@check("SHD-29", "shedding.uniform")
def idle_bundles_are_shed(case: UniformCase) -> Finding:
    return walked(case).finding("SHD-29")
