"""Clauses about the candidates of both managers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evenkeel.properties.clause import Finding, as_expected
from evenkeel.properties.findings import Findings, OncePerCase
from evenkeel.properties.placement.book import check
from evenkeel.properties.placement.candidates_walk import (
    ExtensibleCase,
    ModularCase,
    walk_candidates,
    walk_filters,
)

CANDIDATES: Final = "placement.candidates"
FILTERS: Final = "placement.filters"
BOTH: Final = (
    "PLC-4", "PLC-23", "PLC-25", "PLC-26", "PLC-27", "PLC-28", "PLC-30", "PLC-31", "PLC-32",
    "PLC-39",
)  # fmt: skip
MODULAR: Final = ("PLC-5", "PLC-24", "PLC-29", "PLC-33", "PLC-34")
EXTENSIBLE: Final = ("PLC-40",)

walked: Final = OncePerCase(walk_candidates)
filtered: Final = OncePerCase(walk_filters)


def found_by(
    clause: str, walk: Callable[[ModularCase], Findings] | Callable[[ExtensibleCase], Findings]
) -> Callable[..., Finding]:
    """The check that asks the walk what it found about a clause."""
    return lambda case: walk(case).finding(clause)


for _clause in (*BOTH, *MODULAR):
    check(_clause, CANDIDATES)(found_by(_clause, walked))
for _clause in (*BOTH, *EXTENSIBLE):
    check(_clause, FILTERS)(found_by(_clause, filtered))


@check("PLC-35", CANDIDATES)
def candidates_of_4_0(case: ModularCase) -> Finding:
    return as_expected(case, "placing it")


@check("PLC-38", FILTERS)
def filters_of_4_0(case: ExtensibleCase) -> Finding:
    return as_expected(case, "placing it")
