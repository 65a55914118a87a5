"""Logs of the reference channel: the changes of each broker's view, by a clock of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import pytest

from evenkeel.properties.ownership.channel.trials import NAMES, ChannelTrial, run
from evenkeel.properties.ownership.trace import Event
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel import events as channel_events
from evenkeel.reference.ownership.channel.world import Broker, Ticket, World
from evenkeel.reference.ownership.records import BundleName, Record, State
from evenkeel_engine.frame.errors import Breakage, Refusal

BUNDLES = {
    "parent": "public/default/0x00000000_0x80000000",
    "left": "public/default/0x00000000_0x40000000",
    "right": "public/default/0x40000000_0x80000000",
    "other": "public/other/0x00000000_0xffffffff",
}

Log = list[tuple[str, Event]]


@contextmanager
def watch_views(world: World, clocks: Sequence[int], log: Log) -> Iterator[None]:
    """Log every change of a view within the context."""
    see = channel_events.see

    def log_change(
        broker: Broker, bundle: BundleName, record: Record | None, removed: int | None
    ) -> None:
        see(broker, bundle, record, removed)
        if broker.name not in world.brokers:
            return  # the compaction's reader
        time = 1_000_000 + world.now + clocks[NAMES.index(broker.name)]
        log.append((BUNDLES[bundle], event_of(broker.name, time, record, removed, len(log))))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(channel_events, "see", log_change)
        yield


def event_of(
    broker: str, time: int, record: Record | None, removed: int | None, place: int
) -> Event:
    """The event of a broker that saw this record, or the removal of this version."""
    if record is None:
        return Event(time, broker, State.INIT, None, None, removed, None, place)
    return Event(
        time,
        broker,
        record.state,
        record.destination,
        record.source,
        record.version,
        record.force,
        place,
    )


def record(trial: ChannelTrial, edition: Edition, clocks: Sequence[int] = (0, 0, 0)) -> Log:
    """Run a trial on the reference; return the events of its brokers, in order."""
    world = channel.new(trial.storage, NAMES[: trial.brokers])
    log: Log = []
    with watch_views(world, clocks, log):
        for ticket, command in enumerate(trial.commands):
            world.ended, world.written = [], []
            with suppress(Refusal, Breakage):
                run(world, command, Ticket(ticket), edition)
    return log
