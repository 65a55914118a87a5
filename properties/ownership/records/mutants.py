"""Mutants of the channel's records: transitions and which record stands."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import conflict, records
from evenkeel.reference.ownership.conflict import Order
from evenkeel.reference.ownership.records import Record, State, Storage


def _one_table(original: Function) -> Function:
    return lambda storage, before, after: original(Storage.TOPIC, before, after)


def _equal_is_newer(original: Function) -> Function:
    return lambda before, after: Order.NEXT if before == after else original(before, after)


def _only_next(original: Function) -> Function:
    def order(before: int, after: int) -> Order:
        found: Order = original(before, after)
        return Order.OLD if found is Order.LATER else found

    return order


Accepts = tuple[Storage, Record | None, Record | None, Edition]


def _force_first(original: Function) -> Function:
    def accepts(*case: *Accepts) -> bool:
        return bool(case[2] is not None and case[2].force) or bool(original(*case))

    return accepts


def _any_first(original: Function) -> Function:
    def accepts(*case: *Accepts) -> bool:
        first = case[0] is Storage.NODES and case[1] is None
        return first or bool(original(*case))

    return accepts


def _removal_of_the_unused(original: Function) -> Function:
    def accepts(*case: *Accepts) -> bool:
        current, update = case[1], case[2]
        if update is None and current is not None:
            return current.state in (State.FREE, State.DELETED)
        return bool(original(*case))

    return accepts


def _any_brokers(original: Function) -> Function:
    return lambda current, update, edition: True


def _spelled_out(original: Function) -> Function:
    def order(before: int, after: int) -> Order:
        gap = (after - before) % 2**64
        if gap == 1:
            return Order.NEXT
        return Order.LATER if after > before else Order.OLD

    return order


MUTANTS: Final = (
    defect(
        "one-table-for-both-storages",
        records,
        "may_follow",
        _one_table,
        "The table that compaction needs is used for nodes as well.",
    ),
    defect(
        "equal-version-overrides",
        conflict,
        "order",
        _equal_is_newer,
        "Two brokers write the same version; each reader keeps the one it sees last.",
    ),
    defect(
        "only-the-next-version",
        conflict,
        "order",
        _only_next,
        "A reader of a compacted topic refuses the record after the gap; views differ for ever.",
        "OW13",
    ),
    defect(
        "force-before-version",
        conflict,
        "accepts",
        _force_first,
        "A late override takes the place of a newer record.",
    ),
    defect(
        "nodes-begin-anywhere",
        conflict,
        "accepts",
        _any_first,
        "A record of a chain that ended begins a new one.",
    ),
    defect(
        "removal-weighed",
        conflict,
        "accepts",
        _removal_of_the_unused,
        "A reader keeps a record that the others have removed.",
    ),
    defect(
        "brokers-unchecked",
        conflict,
        "brokers_fit",
        _any_brokers,
        "Anybody may release, split or take over a bundle.",
    ),
    equivalent(
        "order-by-difference",
        conflict,
        "order",
        _spelled_out,
        "Versions are compared by their difference in 64 bits.",
    ),
)
