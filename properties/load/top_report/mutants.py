"""Mutants of publishing the heaviest bundles."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import always, defect, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import top_report

MUTANTS: Final = (
    defect(
        "lists-do-not-wait",
        top_report,
        "due",
        switched(top_bundles_wait=False),
        "A broker publishes what those of 4.0 do not.",
        edition=PULSAR_4_0,
    ),
    defect(
        "lists-published-at-every-check",
        top_report,
        "due",
        always(True),
        "The same list goes to the store and to the leader twelve times a minute.",
    ),
    defect(
        "lists-never-removed",
        top_report,
        "removal_due",
        always(False),
        "A bundle is moved that the broker has just lost.",
    ),
)
