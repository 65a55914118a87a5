"""Mutants of the channel's records: transitions and which record stands."""

from __future__ import annotations

from evenkeel.properties.mutant_maker import Function, defect_of, equivalent_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import conflict, records
from evenkeel.reference.ownership.conflict import Order
from evenkeel.reference.ownership.records import Record, State, Storage


@defect_of(records, "may_follow", "The table that compaction needs is used for nodes as well.")
def one_table_for_both_storages(original: Function) -> Function:
    return lambda storage, before, after: original(Storage.TOPIC, before, after)


@defect_of(
    conflict, "order", "Two brokers write the same version; each reader keeps the one it sees last."
)
def equal_version_overrides(original: Function) -> Function:
    return lambda before, after: Order.NEXT if before == after else original(before, after)


@defect_of(
    conflict,
    "order",
    "A reader of a compacted topic refuses the record after the gap; views differ for ever.",
    "OW13",
)
def only_the_next_version(original: Function) -> Function:
    def order(before: int, after: int) -> Order:
        found: Order = original(before, after)
        return Order.OLD if found is Order.LATER else found

    return order


Accepts = tuple[Storage, Record | None, Record | None, Edition]


@defect_of(conflict, "accepts", "A late override takes the place of a newer record.")
def force_before_version(original: Function) -> Function:
    def accepts(*case: *Accepts) -> bool:
        return bool(case[2] is not None and case[2].force) or bool(original(*case))

    return accepts


@defect_of(conflict, "accepts", "A reader keeps a record that the others have removed.")
def removal_weighed(original: Function) -> Function:
    def accepts(*case: *Accepts) -> bool:
        current, update = case[1], case[2]
        if update is None and current is not None:
            return current.state in (State.FREE, State.DELETED)
        return bool(original(*case))

    return accepts


@defect_of(conflict, "brokers_fit", "Anybody may release, split or take over a bundle.")
def brokers_unchecked(original: Function) -> Function:
    return lambda current, update, edition: True


@equivalent_of(conflict, "order", "Versions are compared by their difference in 64 bits.")
def order_by_difference(original: Function) -> Function:
    def order(before: int, after: int) -> Order:
        gap = (after - before) % 2**64
        if gap == 1:
            return Order.NEXT
        return Order.LATER if after > before else Order.OLD

    return order
