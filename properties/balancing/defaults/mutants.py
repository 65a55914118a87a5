from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import always, defect, then
from evenkeel.reference.balancing import defaults
from evenkeel.reference.edition import PULSAR_4_0

MUTANTS: Final = (
    defect(
        "no-default-is-known",
        defaults,
        "default_of",
        always(None),
        "Whoever sets nothing gets a balancer with other limits than the documents say.",
    ),
    defect(
        "hundreds-for-shares",
        defaults,
        "default_of",
        then(lambda value: "90" if value == "0.9" else value),
        "The weight of history is read as a percentage, and scores never change.",
        edition=PULSAR_4_0,
    ),
    defect(
        "limits-of-4-1",
        defaults,
        "default_of",
        then(lambda value: "-1" if value == "0" else value),
        "Not 4.0.8: what is unlimited is written as -1.",
        edition=PULSAR_4_0,
    ),
)
