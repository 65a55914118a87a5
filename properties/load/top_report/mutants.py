"""Mutants of publishing the heaviest bundles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import top_report
from evenkeel.reference.load.top_report import TopReporter


def _first_list_only(original: Function) -> Function:
    def looked(reporter: TopReporter, statistics: int, bundles: Any) -> TopReporter:
        result: TopReporter = original(reporter, statistics, bundles)
        return result if reporter.seen == 0 else replace(result, bundles=reporter.bundles)

    return looked


MUTANTS: Final = (
    defect(
        "the-first-list-for-ever",
        top_report,
        "looked",
        _first_list_only,
        "Bundles that were heavy at the start are moved for ever.",
    ),
    defect(
        "statistics-not-noticed",
        top_report,
        "due",
        always(False),
        "Nothing is ever moved: the leader knows no bundles.",
    ),
    defect(
        "lists-at-every-check",
        top_report,
        "due",
        always(True),
        "Every broker writes its list every five seconds.",
    ),
    defect(
        "lists-wait-for-statistics",
        top_report,
        "due",
        switched(top_bundles_wait=True),
        "For up to a minute after each move nothing can be moved from the brokers concerned.",
    ),
    defect(
        "lists-do-not-wait",
        top_report,
        "due",
        switched(top_bundles_wait=False),
        "A broker publishes what those of 4.0 do not.",
        edition=PULSAR_4_0,
    ),
    defect(
        "lists-removed-again-and-again",
        top_report,
        "removal_due",
        always(True),
        "A thousand bundles arrive, and a thousand removals are written.",
    ),
    defect(
        "lists-never-removed",
        top_report,
        "removal_due",
        always(False),
        "A bundle is moved that the broker has just lost.",
    ),
)
