"""Mutants of what is remembered of removed records (OWN-40)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.ownership.mutant_maker import Function, correct, defect, switched
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import channel, channel_events
from evenkeel.reference.ownership.channel_world import Broker, Message


def _newest_only(original: Function) -> Function:
    return lambda last, of: False


def _removal_has_a_version(original: Function) -> Function:
    def fold(broker: Broker, message: Message, edition: Edition) -> bool:
        stands = bool(original(broker, message, edition))
        if stands and message.record is None and message.bundle in broker.removed:
            broker.removed[message.bundle] += 1
        return stands

    return fold


VERSIONS: Final[tuple[Mutant, ...]] = (
    defect(
        "readers-forget-versions",
        channel_events,
        "fold",
        switched(versions_restart=True),
        "What a broker writes that has not read of a removal passes for a gap; two brokers serve.",
    ),
    defect(
        "nodes-forget-versions",
        channel_events,
        "tombstone",
        switched(versions_restart=True),
        "A record of a node's life before fits the life of now.",
    ),
    defect(
        "compaction-forgets-versions",
        channel,
        "compact",
        switched(versions_restart=True),
        "A broker that begins anew counts from 1; only it sees what it writes.",
    ),
    defect(
        "removal-without-its-record",
        channel_events,
        "tells_of_later",
        _newest_only,
        "What compaction keeps of a removal says nothing to who reads it first.",
    ),
    correct(
        "removal-has-a-version",
        channel_events,
        "fold",
        _removal_has_a_version,
        "A removal in the topic counts as a version of its own.",
    ),
)
