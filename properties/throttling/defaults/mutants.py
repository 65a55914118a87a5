"""Mutants of the defaults."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import defect, equivalent, then
from evenkeel.reference.throttling import configuration

MUTANTS: Final = (
    defect(
        "limited-by-default",
        configuration,
        "default_of",
        then(lambda value: "1000" if value in ("0", "-1") else value),
        "A broker limits dispatch although nobody configured it.",
    ),
    equivalent(
        "any-number-below-one",
        configuration,
        "default_of",
        then(lambda value: "-2" if value in ("0", "-1") else value),
        "No limit is written with another number.",
    ),
)
