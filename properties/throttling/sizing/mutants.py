"""Mutants of estimates."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, defect_of, equivalent, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.throttling import sizing


@defect_of(
    sizing,
    "average_after",
    "The average grows with every send, and precise mode reads single entries.",
)
def average_adds_up(original: Function) -> Function:
    return lambda average, messages, entries: average + messages / entries if entries else average


@defect_of(sizing, "entries_for_bytes", "Reads of large entries ignore the byte maximum.", "DT26")
def bytes_do_not_limit_entries(original: Function) -> Function:
    return lambda wanted, *rest: wanted


@defect_of(sizing, "entries_for_bytes", "An entry larger than what is left is never read.")
def no_entry_fits(original: Function) -> Function:
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
