"""Mutants of the stored record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent, switched, then
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.splitting import applying, life
from evenkeel.reference.splitting.applying import Rival, StoredRecord

Failure = Refusal | Breakage | None


def _blind_write(original: Function) -> Function:
    def split(
        record: StoredRecord,
        target: HashRange,
        positions: Sequence[int],
        rivals: Sequence[Rival],
        edition: Edition,
    ) -> tuple[StoredRecord, Failure]:
        read = record
        for rival in rivals[:1]:
            record = rival(record)
        after, failure = original(read, target, positions, (), edition)
        return (record if failure else replace(after, version=record.version + 1)), failure

    return split


def _moved_on_retry(original: Function) -> Function:
    def split(
        record: StoredRecord,
        target: HashRange,
        positions: Sequence[int],
        rivals: Sequence[Rival],
        edition: Edition,
    ) -> Any:
        after = rivals[0](record) if rivals else record
        if after.version == record.version:
            return original(record, target, positions, rivals, edition)
        moved = [max(position - 1, target.lower + 1) for position in positions]
        return original(after, target, moved, rivals[1:], edition)

    return split


def _nothing_refused(original: Function) -> Function:
    return then(
        lambda split: (
            split if split[1] != () else (split[0], applying.PositionOutside("nothing to cut"))
        )
    )(original)


MUTANTS: Final = (
    defect(
        "other-fields-lost",
        applying,
        "commit",
        then(lambda record: replace(record, group="")),
        "After a split the namespace's anti-affinity group is gone.",
        "SP10",
    ),
    defect(
        "one-copy-only",
        applying,
        "commit",
        lambda original: lambda record, points: replace(original(record, points), copy=record.copy),
        "After a restart the old bundles are back.",
        "SP11",
    ),
    defect(
        "second-write-fails",
        applying,
        "commit",
        lambda original: (
            lambda record, points: replace(original(record, points), boundaries=record.boundaries)
        ),
        "The policies list the split, but brokers work without it.",
        "F13",
    ),
    defect(
        "blind-write",
        applying,
        "split_stored",
        _blind_write,
        "A split overwrites what another broker wrote in between.",
    ),
    defect(
        "positions-move-on-retry",
        applying,
        "split_stored",
        _moved_on_retry,
        "A retry computes other positions than the first attempt announced.",
        "SP13",
    ),
    defect(
        "stale-lookup",
        life,
        "reload",
        lambda original: lambda record: (record.boundaries[0], record.boundaries[-1]),
        "Topics are looked up in the bundles of long ago.",
        "SP11",
    ),
    equivalent(
        "one-attempt",
        applying,
        "split_stored",
        switched(split_attempts=1),
        "How often a contested split is tried is left open.",
    ),
    equivalent(
        "twenty-attempts",
        applying,
        "split_stored",
        switched(split_attempts=20),
        "How often a contested split is tried is left open.",
    ),
    equivalent(
        "nothing-to-cut-refused",
        life,
        "split",
        _nothing_refused,
        "A split that changes nothing may be refused.",
    ),
    equivalent(
        "idle-write-left-out",
        life,
        "set_group",
        lambda original: (
            lambda record, group: record if record.group == group else original(record, group)
        ),
        "Writing what is there already may be left out.",
    ),
    defect(
        "blank-groups-stored",
        life,
        "set_group",
        lambda original: lambda record, group: original(record, group.strip()),
        "A group that nobody can name keeps brokers apart.",
        edition=PULSAR_4_0,
    ),
    defect(
        "nothing-to-cut-fails",
        life,
        "split",
        _nothing_refused,
        "Not 4.0's modular manager: a split that changes nothing is refused.",
        edition=PULSAR_4_0,
    ),
)
