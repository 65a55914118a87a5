"""What a split changes: boundaries, children, and the stored record (SPL-16 to SPL-27)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.bundles.boundaries import bundles_of, is_bundle
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import algorithms
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal


class TooSmallToSplit(Refusal):
    """No hash lies strictly between the bundle's ends (SPL-1)."""


class PositionOutside(Refusal):
    """A position does not lie strictly inside the bundle (SPL-18)."""


class NotABundle(Refusal):
    """The namespace has no such bundle, or no longer (SPL-18)."""


class RepeatedPosition(Refusal):
    """A position given twice would make an empty child (SPL-20)."""


class NeverCompletes(Breakage):
    """The failure is lost, and the caller that asked for the split waits for ever."""


class TooManyConflicts(Refusal):
    """Other writers were first each time until the attempts were used up (SPL-27)."""


@states("SPL-1", "SPL-16", "SPL-18", "SPL-19", "SPL-20", "SPL-77", "SPL-80")
def apply_positions(
    boundaries: Sequence[int], target: HashRange, positions: Sequence[int], edition: Edition
) -> tuple[int, ...]:
    """All boundaries after cutting `target` at `positions`, given in any order.

    Everything else stays. Raises `TooSmallToSplit`, `PositionOutside`, `NotABundle`,
    `RepeatedPosition`. Source: Pulsar `NamespaceBundleFactory.splitBundles` 4.0.8.
    """
    if not algorithms.can_split(target):
        raise TooSmallToSplit(f"{target} holds no position to cut at")
    if any(not target.lower < position < target.upper for position in positions):
        raise PositionOutside(f"a position lies outside {target}")
    if not is_bundle(boundaries, target):
        raise NotABundle(f"{target} is not a bundle of the namespace")
    if edition.duplicate_positions_kept and len(set(positions)) < len(positions):
        raise RepeatedPosition("a position was given twice")
    return tuple(sorted({*boundaries, *positions}))


@states("SPL-17")
def divide_target(target: HashRange, positions: Sequence[int]) -> tuple[HashRange, ...]:
    """The bundles that take the target's place, in ascending order."""
    return bundles_of((target.lower, *sorted(set(positions)), target.upper))


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A namespace's record in the metadata store, and the second copy of its boundaries.

    `version` counts writes of the record since it was created; `group` is another field of the
    record (the anti-affinity group), which a split must keep (SPL-23).
    """

    boundaries: tuple[int, ...]
    copy: tuple[int, ...]
    group: str = ""
    version: int = 0


Rival = Callable[[StoredRecord], StoredRecord]
"""Another writer that gets in between a broker's read and its write."""

FALLBACK_ATTEMPTS: Final = 8
"""Attempts of the reference where the edition promises no number."""


@states("SPL-20", "SPL-21", "SPL-25", "SPL-26", "SPL-27")
def split_stored(
    record: StoredRecord,
    target: HashRange,
    positions: Sequence[int],
    rivals: Sequence[Rival],
    edition: Edition,
) -> tuple[StoredRecord, Refusal | Breakage | None]:
    """Split by compare-and-set: read, cut, write if there was no write in between, else try again.

    `rivals[i]` writes during attempt i. Returns the record afterwards and why the split failed,
    if it did; rivals' writes stay in any case.
    Source: Pulsar `NamespaceService.splitAndOwnBundleOnceAndRetry` 4.0.8.
    """
    attempts = edition.split_attempts or max(FALLBACK_ATTEMPTS, len(rivals) + 1)
    for attempt in range(attempts):
        try:
            boundaries = apply_positions(record.boundaries, target, positions, edition)
        except RepeatedPosition as lost:
            return record, NeverCompletes(str(lost)) if edition.failed_splits_hang else lost
        except Refusal as refusal:
            return record, refusal
        found_version = record.version
        if attempt < len(rivals):
            record = rivals[attempt](record)
        if record.version == found_version:
            return commit(record, boundaries), None
    return record, TooManyConflicts(f"{attempts} attempts met another writer each")


@states("SPL-22", "SPL-23", "SPL-24", "SPL-82")
def commit(record: StoredRecord, boundaries: tuple[int, ...]) -> StoredRecord:
    """The record after a write: one version on, both copies new, the rest unchanged."""
    return StoredRecord(boundaries, boundaries, record.group, record.version + 1)
