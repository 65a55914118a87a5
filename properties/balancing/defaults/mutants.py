from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import defect, then
from evenkeel.reference.balancing import defaults
from evenkeel.reference.edition import PULSAR_4_0

MUTANTS: Final = (
    defect(
        "hundreds-for-shares",
        defaults,
        "default_of",
        then(lambda value: "90" if value == "0.9" else value),
        "The weight of history is read as a percentage, and scores never change.",
        edition=PULSAR_4_0,
    ),
)
