"""A namespace's boundaries over time: looked up, split, read, while others write (SPL-21 to 30).

Each step is a pure function from the stored record to the stored record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenkeel.reference import java_text
from evenkeel.reference.bundles import boundaries as boundary_lists
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import algorithms, applying
from evenkeel.reference.splitting.applying import Rival, StoredRecord
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal


@states("SPL-21")
def create(boundaries: tuple[int, ...], group: str, edition: Edition) -> StoredRecord:
    """A new namespace: both copies of the boundaries, version 0; a group, if one was set before
    any broker read the namespace.
    """
    lost = group and edition.first_group_loses_bundles
    return StoredRecord((0, TOP_HASH) if lost else boundaries, boundaries, group)


@states("SPL-8", "SPL-21", "SPL-29", "SPL-30")
def split(
    record: StoredRecord,
    target: HashRange,
    positions: Sequence[int],
    rivals: Sequence[Rival],
    edition: Edition,
) -> tuple[StoredRecord, tuple[HashRange, ...] | Refusal | Breakage]:
    """Split at the positions that lie inside the target: the children, or why it failed.

    No position inside: nothing happens and there are no children.
    """
    try:
        inside = algorithms.specified_positions(target, 0, positions, True, edition)
    except Refusal as refusal:
        return record, refusal
    if not inside:
        return record, ()
    record, failure = applying.split_stored(record, target, inside, rivals, edition)
    return record, applying.divide_target(target, inside) if failure is None else failure


class BlankGroup(Refusal):
    """A group's name is nothing but white space (SPL-72)."""


@states("SPL-24", "SPL-72")
def set_group(record: StoredRecord, group: str) -> StoredRecord:
    """Write another field of the record: one version on, boundaries unchanged; empty: no group.

    Raises `BlankGroup`.
    """
    if group and java_text.is_blank(group):
        raise BlankGroup(f"{group!r} is no name of a group")
    return replace(record, group=group, version=record.version + 1)


@states("SPL-24")
def touch(record: StoredRecord, group: str | None = None) -> StoredRecord:
    """A rival that rewrites the record as it is, or with another group."""
    kept = record.group if group is None else group
    return replace(record, group=kept, version=record.version + 1)


@states("SPL-25", "SPL-83")
def rival_split(record: StoredRecord, target: HashRange, position: int) -> StoredRecord:
    """A rival that splits a bundle, if it is there and the position lies inside."""
    inside = target.lower < position < target.upper
    if not inside or not boundary_lists.is_bundle(record.boundaries, target):
        return record
    return applying.commit(record, tuple(sorted({*record.boundaries, position})))


@states("SPL-28")
def reload(record: StoredRecord) -> tuple[int, ...]:
    """The boundaries that a broker which starts afresh works with: the stored ones."""
    return record.boundaries
