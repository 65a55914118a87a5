"""Mutants of the defaults."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import defect, equivalent, then
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import configuration

MUTANTS: Final = (
    defect(
        "limited-by-default",
        configuration,
        "default_of",
        then(lambda value: "1000" if value in ("0", "-1") else value),
        "A broker limits dispatch although nobody configured it.",
    ),
    defect(
        "unlimited-by-minus-one",
        configuration,
        "default_of",
        then(lambda value: "-1" if value == "0" else value),
        "Not 4.0.8: what nobody limits is -1, as in document 004.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "any-number-below-one",
        configuration,
        "default_of",
        then(lambda value: "-2" if value in ("0", "-1") else value),
        "No limit is written with another number.",
    ),
)
