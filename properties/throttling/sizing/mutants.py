"""Mutants of estimates."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import sizing


def _all_together(original: Function) -> Function:
    return lambda average, messages, entries: average + messages / entries if entries else average


def _only_wanted(original: Function) -> Function:
    return lambda wanted, *rest: wanted


def _none_rather_than_one(original: Function) -> Function:
    def estimate(
        wanted: int, size: int, ledgers: Any, position: Any, sizes: Any, edition: Any
    ) -> int:
        if size != -1 and sizes.published is not None and size < sizes.published:
            return 0
        entries: int = original(wanted, size, ledgers, position, sizes, edition)
        return entries

    return estimate


def _equal_weights(original: Function) -> Function:
    return lambda average, messages, entries: (
        (average + messages / entries) / 2 if average else original(average, messages, entries)
    )


MUTANTS: Final = (
    defect(
        "average-adds-up",
        sizing,
        "average_after",
        _all_together,
        "The average grows with every send, and precise mode reads single entries.",
    ),
    defect(
        "bytes-do-not-limit-entries",
        sizing,
        "entries_for_bytes",
        _only_wanted,
        "Reads of large entries ignore the byte maximum.",
        "DT26",
    ),
    defect(
        "no-entry-fits",
        sizing,
        "entries_for_bytes",
        _none_rather_than_one,
        "An entry larger than what is left is never read.",
    ),
    defect(
        "estimate-by-averages",
        sizing,
        "entries_for_bytes",
        switched(entry_sizes_from_ledgers=False),
        "Bytes are divided by the publish average, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "average-halves",
        sizing,
        "average_after",
        _equal_weights,
        "A new send counts half, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "average-follows-faster",
        sizing,
        "average_after",
        _equal_weights,
        "A new send counts half of the average.",
    ),
)
