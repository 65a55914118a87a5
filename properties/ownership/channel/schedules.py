"""Generators of complete scenarios of the ownership channel, which random commands seldom reach.

Each begins with a bundle whose owner all brokers know, so that the commands that follow are carried
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import (
    Bundle,
    ChannelCommand,
    ChannelTrial,
    PlainCommand,
)
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine.kit.draw import Draw, seldom_repeated

Commands = Iterator[ChannelCommand]
GOES: Final[tuple[type[PlainCommand], ...]] = (do.Crash, do.LoseSession, do.ShutDown)

SETTLED: Final = 8 * 61_000
"""The time that a channel takes to settle, in ms."""


def assign_and_settle(bundle: Bundle, owner: int) -> Commands:
    yield do.Assign(owner, bundle, owner)
    yield do.Settle()


def parent_or_other(builder: Builder) -> Bundle:
    return builder.draw.pick((Bundle.PARENT, Bundle.OTHER))


def failing(builder: Builder) -> Commands:
    """Topics that cannot be closed, or a range that cannot be divided: nothing changes."""
    bundle, owner = parent_or_other(builder), builder.broker()
    yield from assign_and_settle(bundle, owner)
    if bundle is Bundle.PARENT and builder.draw.chance(0.5):
        yield do.Split(owner)
    else:
        yield do.Unload(owner, bundle, builder.broker() if builder.draw.chance(0.5) else None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, True)
    if builder.draw.chance(0.4):  # what is stuck is repaired
        yield do.Settle()
    yield do.Finish(owner, bundle, False)  # nothing is under way
    yield do.Ask(builder.broker(), bundle)
    if builder.draw.chance(0.5):
        yield from builder.reads(3)
        yield do.Elapse(31_000)
        yield do.Monitor(0)


def override_owner(builder: Builder) -> Commands:
    """A bundle is reassigned by force while its topics are being closed."""
    bundle, owner = parent_or_other(builder), builder.broker()
    yield from assign_and_settle(bundle, owner)
    yield do.Unload(builder.broker(), bundle, builder.other(owner))
    yield from map(do.Read, range(builder.brokers))
    yield do.Elapse(builder.draw.pick((31_000, 30_000, 30_001)))
    yield do.Monitor(0)
    yield from [do.Read(owner)] * 2
    yield from (do.Finish(owner, bundle, builder.draw.chance(0.3)) for _ in range(3))
    yield from builder.reads(2)


def transfer_bundle(builder: Builder) -> Commands:
    """A complete transfer, and the remaining work of the source."""
    bundle, owner = parent_or_other(builder), builder.broker()
    to = builder.other(owner)
    yield from assign_and_settle(bundle, owner)
    yield do.Unload(builder.broker(), bundle, to)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    for _ in range(3):
        yield from map(do.Read, range(builder.brokers))
    yield do.Finish(owner, bundle, False)
    yield do.Ask(owner, bundle)


def pending(builder: Builder) -> Commands:
    """A clean-up that waits for a young leader's session, and events that may come before it."""
    leader, bundle = builder.broker(), parent_or_other(builder)
    lost = builder.other(leader)
    yield from assign_and_settle(bundle, lost)
    yield do.LoseSession(leader)
    yield do.RegainSession(leader)
    yield do.Elect(leader)
    crashed = builder.draw.chance(0.6)
    gone: tuple[ChannelCommand, ChannelCommand] = (
        (do.Crash(lost), do.RestartBroker(lost))
        if crashed
        else (do.LoseSession(lost), do.RegainSession(lost))
    )
    yield gone[0]
    yield do.Notice(leader)
    yield do.Elapse(100_000)
    match builder.draw.integer(0, 5):
        case 0:  # it returns, and leaves again: the first clean-up is cancelled
            yield gone[1]
            yield do.Notice(leader)
            yield gone[0]
            yield do.Notice(leader)
        case 1:
            yield gone[1]
        case 2:
            yield do.ShutDown(leader)
            yield do.Elect(builder.broker())
        case 3:
            yield do.LoseSession(leader)
        case 4:
            yield do.Elect(builder.broker())
        case _:
            yield do.Monitor(leader)
    yield do.Elapse(builder.draw.pick((80_000, 79_999, 90_000)))
    yield do.Clean(leader)
    if builder.draw.chance(0.5):  # after the clean-up nothing is taken away again
        yield from builder.reads(2)
        yield do.Assign(leader, bundle, lost)
        yield from map(do.Read, range(builder.brokers))
        yield do.Clean(leader)


def find_missing_broker(builder: Builder) -> Commands:
    """The leader's monitor finds a missing broker before the leader is notified."""
    leader, bundle = builder.broker(), parent_or_other(builder)
    lost = builder.other(leader)
    owner = lost if builder.draw.chance(0.7) else leader
    yield from assign_and_settle(bundle, owner)
    yield do.Elect(leader)
    sort = builder.draw.integer(0, 3)
    if sort == 0:  # no broker has left yet
        yield do.Monitor(leader)
    if sort == 1:
        yield do.Unload(leader, bundle, lost if owner != lost else builder.other(lost))
        if builder.draw.chance(0.5):
            yield do.Read(owner)
            yield do.Finish(owner, bundle, False)
        yield from builder.reads(2)
    yield builder.draw.pick((do.Crash, *GOES))(lost)
    if sort:
        yield do.Monitor(leader)
    if sort == 3:
        yield do.RestartBroker(lost)
    yield do.Clean(leader)
    yield from builder.reads(2)


def miss_changes(builder: Builder) -> Commands:
    """Changes of which a broker without a session is not notified."""
    away = builder.broker()
    other, bundle = builder.other(away), parent_or_other(builder)
    yield from assign_and_settle(bundle, other)
    early = builder.draw.chance(0.5)
    lost = builder.draw.pick(GOES[:2])(builder.other(away))
    if early:
        yield lost
    yield do.LoseSession(away)
    if builder.draw.chance(0.5):
        yield do.Assign(builder.broker(), bundle, away)  # without a node no broker can
        yield do.Ask(away, bundle)
    if builder.draw.chance(0.5):
        yield do.Unload(other, bundle, None)
        yield do.Read(other)
        yield do.Finish(other, bundle, False)
    if not early:
        yield lost
    yield do.RegainSession(away)
    yield do.Read(away)
    yield do.Elect(away)
    yield do.Elapse(181_000)
    yield do.Notice(away)
    yield do.Clean(away)
    yield do.Read(away)


def waiting(builder: Builder) -> Commands:
    """Lookups that wait for a broker that leaves, or that began later."""
    bundle, broker = parent_or_other(builder), builder.broker()
    other = builder.other(broker)
    match builder.draw.integer(0, 3):
        case 0:
            yield do.Elapse(31_000)
            yield do.Assign(broker, bundle, other)
            yield do.Elapse(1_000)
            yield do.Ask(other, bundle)
            yield do.Elapse(builder.draw.pick((29_000, 28_999)))
        case 1:
            yield do.Assign(other, bundle, broker)
            yield do.Read(broker)
            yield do.Ask(broker, bundle)
            yield builder.draw.pick(GOES[1:])(broker)
            yield do.Ask(broker, bundle)
            yield do.Read(broker)
            yield do.Read(broker)
        case 2:
            yield from assign_and_settle(Bundle.PARENT, broker)
            yield do.Split(broker)
            yield from map(do.Read, range(builder.brokers))
            yield do.LoseSession(broker)
            yield do.Ask(other, Bundle.PARENT)
            yield do.Finish(broker, Bundle.PARENT, builder.draw.chance(0.2))
            yield from builder.reads(3)
        case _:
            yield from assign_and_settle(bundle, broker)
            yield builder.draw.pick(GOES)(broker)
            yield do.Ask(other, bundle)
            yield do.Elect(other)
            yield do.Notice(other)
            yield do.Clean(other)
            yield do.Ask(other, bundle)
            yield do.Read(other)
            yield do.Read(other)


def grown_old(builder: Builder) -> Commands:
    """A free record that reaches the age of removal while, and after, the channel settles."""
    bundle, owner = parent_or_other(builder), builder.broker()
    yield from assign_and_settle(bundle, owner)
    yield do.Unload(owner, bundle, None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    for broker in range(builder.brokers):
        yield from [do.Read(broker)] * 2
    yield do.Settle()
    yield do.Elapse(3_600_000 - SETTLED + builder.draw.pick((0, 1, 1_000)))
    yield do.Monitor(0)
    if builder.draw.chance(0.3):  # another leader, which has not read that the record was removed
        yield do.Elect(1)
        yield do.Monitor(1)
    yield do.Assign(owner, bundle, builder.broker())
    if builder.draw.chance(0.5):
        yield do.Compact()
        yield do.Crash(owner)
        yield do.RestartBroker(owner)
        yield do.Assign(owner, bundle, owner)


def remove_unseen(builder: Builder) -> Commands:
    """A record that is created and removed before another broker reads anything."""
    bundle, owner = parent_or_other(builder), builder.broker()
    yield do.Elect(owner)
    yield do.Assign(owner, bundle, owner)
    yield from [do.Read(owner)] * 2
    yield do.Unload(owner, bundle, None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    yield do.Read(owner)
    yield do.Elapse(3_601_000)
    yield do.Monitor(owner)
    yield do.Settle()
    other = builder.other(owner)
    yield do.Assign(other, bundle, other)


def compact_topic(builder: Builder) -> Commands:
    """The topic is compacted after a removal of which one broker has not read."""
    bundle, owner = parent_or_other(builder), builder.broker()
    late = builder.other(owner)
    yield do.Elect(owner)
    yield from assign_and_settle(bundle, owner)
    yield do.Unload(owner, bundle, None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    yield do.Read(owner)
    if builder.draw.chance(0.7):
        yield do.Elapse(3_601_000)
        yield do.Monitor(owner)
        yield do.Read(owner)
    yield do.Compact()
    yield do.Read(late)
    yield do.Ask(late, bundle)
    yield do.Settle()
    yield do.Ask(late, bundle)


def divide_range(builder: Builder) -> Commands:
    """Orders about a parent, or about its halves, before and after the range is divided."""
    owner = builder.broker()
    if builder.draw.chance(0.4):
        yield from assign_and_settle(Bundle.LEFT, builder.broker())
    yield from assign_and_settle(Bundle.PARENT, owner)
    yield do.Split(owner)
    if builder.draw.chance(0.3):
        yield do.Read(owner)
        yield builder.draw.pick(GOES)(owner)
    yield do.Settle()
    asked = builder.broker()
    yield do.Assign(asked, Bundle.PARENT, builder.broker())
    yield do.Split(asked)
    yield do.Ask(asked, Bundle.PARENT)
    yield do.Unload(asked, Bundle.LEFT, builder.broker() if builder.draw.chance(0.5) else None)
    yield do.Settle()
    yield do.Unload(asked, Bundle.RIGHT, builder.broker())
    yield do.Read(asked)


def stepping_down(builder: Builder) -> Commands:
    """The leader shuts down while it owns bundles, and while others are being transferred to it."""
    leader = builder.broker()
    other, bundle = builder.other(leader), parent_or_other(builder)
    yield from assign_and_settle(bundle, leader)
    yield do.Elect(leader)
    if builder.draw.chance(0.5):
        yield do.Assign(other, Bundle.OTHER if bundle is Bundle.PARENT else Bundle.PARENT, leader)
    else:
        yield do.Unload(other, bundle, other)
    yield from builder.reads()
    yield do.ShutDown(leader)
    yield do.Ask(leader, bundle)
    yield do.Monitor(leader)
    yield from map(do.Read, range(builder.brokers))
    yield do.Ask(leader, bundle)
    yield do.Notice(other)
    yield do.Clean(other)
    yield do.Elect(other)
    yield do.Finish(leader, bundle, False)
    if builder.draw.chance(0.4):
        yield do.LoseSession(leader)
        yield do.RegainSession(leader)
    yield from builder.reads(2)


SCENARIOS: Final[tuple[Callable[[Builder], Commands], ...]] = (
    failing,
    override_owner,
    transfer_bundle,
    pending,
    pending,
    pending,
    find_missing_broker,
    find_missing_broker,
    miss_changes,
    waiting,
    waiting,
    grown_old,
    remove_unseen,
    compact_topic,
    divide_range,
    stepping_down,
)

HALVES: Final = (Bundle.LEFT, Bundle.RIGHT)


def change_and_order(builder: Builder) -> Commands:
    """A bundle is transferred, unloaded or split after a change."""
    bundle, owner = parent_or_other(builder), builder.broker()
    yield from assign_and_settle(bundle, owner)
    yield from change(builder, owner)
    yield from order(builder, bundle, owner)
    if builder.draw.chance(0.3):
        yield do.Monitor(builder.broker())
    yield do.Settle()


def siblings(builder: Builder) -> Commands:
    """Orders about both halves before any broker reads; halves are assigned, or just split."""
    owner = builder.broker()
    yield from assign_and_settle(Bundle.PARENT, owner)
    yield do.Split(owner)
    yield do.Settle()
    if builder.draw.chance(0.5):
        if builder.draw.chance(0.6):  # one half has no owner
            yield do.Unload(owner, builder.draw.pick(HALVES), None)
            yield do.Settle()
        yield do.UnloadNamespace(builder.broker())
        yield do.Settle()
        for half in HALVES:
            yield do.Assign(builder.broker(), half, builder.broker())
        yield do.Settle()
    if builder.draw.chance(0.3):
        yield from change(builder, owner)
    for half in builder.draw.pick((HALVES, HALVES[::-1])):
        yield do.Unload(
            builder.broker(), half, builder.broker() if builder.draw.chance(0.7) else None
        )
        if builder.draw.chance(0.3):
            yield do.Monitor(builder.broker())
    yield do.Settle()


def at_once(builder: Builder) -> Commands:
    """A bundle is to be transferred once its owner has it, before another broker has read it."""
    bundle, owner = parent_or_other(builder), builder.broker()
    yield do.Assign(owner, bundle, owner)
    yield from [do.Read(owner)] * 3
    yield do.Unload(owner, bundle, builder.other(owner))
    yield do.Settle()


def change(builder: Builder, broker: int) -> Commands:
    """Another leader, a run of the monitor, or a broker that leaves and mostly returns."""
    other = builder.other(broker)
    match builder.draw.integer(0, 4):
        case 0 | 1:
            yield do.Elect(other)
        case 2:
            yield do.Monitor(builder.draw.pick((0, other)))
        case _:
            gone = builder.draw.pick((other, broker))
            yield builder.draw.pick((do.Crash, *GOES[:2]))(gone)
            yield do.Settle()
            yield do.RestartBroker(gone)
            yield do.RegainSession(gone)
            yield do.Settle()


def order(builder: Builder, bundle: Bundle, owner: int) -> Commands:
    """One order about a bundle that is owned."""
    if bundle is Bundle.PARENT and builder.draw.chance(0.4):
        yield do.Split(owner)
    else:
        yield do.Unload(owner, bundle, builder.broker() if builder.draw.chance(0.7) else None)


def join_lookups(builder: Builder) -> Commands:
    """A lookup begins while another one waits; each ends in its own time."""
    bundle, broker = parent_or_other(builder), builder.broker()
    yield do.Assign(builder.other(broker), bundle, broker)
    yield do.Read(broker)
    yield do.Ask(broker, bundle)
    yield do.Elapse(20_000)
    yield do.Ask(broker, bundle)
    yield do.Elapse(10_000)
    yield do.Settle()


def crowd_lookups(builder: Builder) -> Commands:
    """Several lookups wait for one bundle, at one broker or at each."""
    bundle, broker = parent_or_other(builder), builder.broker()
    yield do.Assign(builder.other(broker), bundle, broker)
    yield from (do.Read(each) for each in range(builder.brokers))
    for _ in builder.draw.items(5, 0.8, least=3):
        yield do.Ask(broker if builder.draw.chance(0.8) else builder.broker(), bundle)
        if builder.draw.chance(0.2):
            yield do.Elapse(builder.draw.pick((10_000, 30_000)))
    if builder.draw.chance(0.3):
        yield builder.draw.pick(GOES)(broker)
    yield do.Settle()


def in_flight(builder: Builder) -> Commands:
    """The monitor of a leader whose session is old enough runs while a bundle is given away."""
    bundle, owner = parent_or_other(builder), builder.other(0)
    yield from assign_and_settle(bundle, owner)
    yield do.Elapse(181_000)
    yield do.Unload(owner, bundle, builder.draw.pick((None, builder.other(owner))))
    yield do.Read(0)
    yield do.Monitor(0)
    yield do.Settle()


AFTER_A_CHANGE: Final[tuple[Callable[[Builder], Commands], ...]] = (
    change_and_order,
    siblings,
    siblings,
    at_once,
    join_lookups,
    crowd_lookups,
    crowd_lookups,
    in_flight,
    in_flight,
)
MOST: Final = 24
BUNDLES: Final = (Bundle.PARENT, Bundle.OTHER, Bundle.LEFT, Bundle.RIGHT)

PLAIN: Final[tuple[type[PlainCommand], ...]] = (
    do.Read,
    do.Monitor,
    do.Notice,
    do.Clean,
    do.Elect,
    do.RegainSession,
    do.RestartBroker,
    do.LoseSession,
    do.Crash,
    do.UnloadNamespace,
)
"""Commands whose only field is the broker."""

LOSSES: Final[tuple[type[PlainCommand], ...]] = (do.Crash, do.ShutDown, do.LoseSession)

TIMES: Final = (*(31_000, 61_000, 1_000, 181_000, 30_000, 3_601_000), *(60_000, 180_000, 3_600_000))
"""Just after the limits, and exactly at them."""


# ---------------------------------------------------------------------------------- channel


class Builder:
    """Generates the commands of one trial for this many brokers."""

    def __init__(self, draw: Draw, brokers: int) -> None:
        self.draw = draw
        self.brokers = brokers

    def broker(self) -> int:
        return self.draw.integer(0, self.brokers - 1)

    def other(self, broker: int) -> int:
        """Another broker than this."""
        return (broker + self.draw.integer(1, self.brokers - 1)) % self.brokers

    def bundle(self) -> Bundle:
        return self.draw.pick((Bundle.PARENT, Bundle.PARENT, Bundle.PARENT, *BUNDLES))

    def reads(self, times: int = 1) -> Iterator[ChannelCommand]:
        if self.draw.chance(0.25):
            yield do.Read(self.broker())
            return
        for _ in range(times):
            yield from map(do.Read, range(self.brokers))

    def assign_bundle(self) -> Iterator[ChannelCommand]:
        bundle, to = self.bundle(), self.broker()
        yield do.Assign(self.broker(), bundle, to)
        yield from self.reads(2)

    def unloading(self) -> Iterator[ChannelCommand]:
        bundle = self.bundle()
        to = self.broker() if self.draw.chance(0.6) else None
        yield do.Unload(self.broker(), bundle, to)
        yield from self.reads()
        if self.draw.chance(0.8):
            yield do.Finish(self.broker(), bundle, self.draw.chance(0.15))
            yield from self.reads(2)

    def splitting(self) -> Iterator[ChannelCommand]:
        yield do.Split(self.broker())
        yield from self.reads()
        if self.draw.chance(0.8):
            yield do.Finish(self.broker(), Bundle.PARENT, self.draw.chance(0.15))
            yield from self.reads(3)

    def loss(self) -> Iterator[ChannelCommand]:
        lost, other = self.broker(), self.broker()
        back: ChannelCommand
        if self.draw.chance(0.6):
            yield do.Crash(lost)
            back = do.RestartBroker(lost)
        elif self.draw.chance(0.7):
            yield do.LoseSession(lost)
            back = do.RegainSession(lost)
        else:
            yield do.ShutDown(lost)
            back = do.Crash(lost)
        if self.draw.chance(0.4):
            yield do.Elect(other)
        if self.draw.chance(0.3):
            yield back
        yield do.Notice(other)
        if self.draw.chance(0.3):
            yield do.Elapse(self.draw.pick(TIMES))
        else:
            yield do.Clean(other) if self.draw.chance(0.5) else do.Monitor(other)
        yield from self.reads()
        if self.draw.chance(0.3):
            yield back

    def flapping(self) -> Iterator[ChannelCommand]:
        leader, lost = self.broker(), self.broker()
        yield do.LoseSession(leader)
        yield do.RegainSession(leader)
        yield do.Elect(leader)
        yield do.Crash(lost)
        yield do.Notice(leader)
        yield do.Clean(leader)

    def age_records(self) -> Iterator[ChannelCommand]:
        """Records, and a session, whose age is exactly a limit when they are checked."""
        bundle, owner, leader = self.bundle(), self.broker(), self.broker()
        late = self.draw.pick((0, 1, -1))
        if self.draw.chance(0.4):
            yield do.LoseSession(leader)
            yield do.RegainSession(leader)
            yield do.Elect(leader)
            yield do.Crash((leader + 1) % self.brokers)
            yield do.Elapse(180_000 + late)
            yield from [do.Notice(leader)] * 4
            yield do.Monitor(leader)
            return
        if self.draw.chance(0.3):
            yield do.Assign(owner, bundle, (owner + 1) % self.brokers)  # waits for an answer
            yield do.Elapse(30_000 + late)
            return
        yield do.Assign(owner, bundle, owner)
        yield do.Settle()
        if self.draw.chance(0.55):
            yield do.Unload(owner, bundle, None)
            yield from [do.Read(owner)] * 3  # begins to close the topics
            yield do.Elapse(60_000 + late)
            return
        yield do.Elapse(181_000)
        yield do.Unload(owner, bundle, None)
        limit = 30_000
        if self.draw.chance(0.5):
            limit = 3_600_000
            for broker in range(self.brokers):
                yield from (do.Read(broker) for _ in range(3))
            yield do.Finish(owner, bundle, False)
        yield from self.reads(3)
        yield do.Elapse(limit + late)
        yield from map(do.Monitor, range(self.brokers))

    def lagging(self) -> Iterator[ChannelCommand]:
        owner, other = self.broker(), self.broker()
        yield do.Split(owner)
        yield do.Read(owner)
        yield do.Finish(owner, Bundle.PARENT, False)
        yield from [do.Read(owner)] * 4
        yield do.Unload(other, Bundle.PARENT, owner)
        yield from self.reads(4)

    def removing(self) -> Iterator[ChannelCommand]:
        bundle, owner, leader = self.bundle(), self.broker(), self.broker()
        yield do.Unload(owner, bundle, None)
        yield from self.reads()
        yield from (do.Finish(broker, bundle, False) for broker in range(self.brokers))
        yield from self.reads()
        yield do.Elapse(3_601_000)
        yield do.Assign(self.broker(), bundle, owner)
        yield do.Monitor(leader)
        yield from self.reads(2)

    def returning(self) -> Iterator[ChannelCommand]:
        bundle, late = self.bundle(), self.broker()
        yield do.Assign(late, bundle, late)
        yield do.Settle()
        yield do.Unload(self.broker(), bundle, None)
        yield do.Settle()
        yield do.Elapse(3_601_000)
        if self.draw.chance(0.5):
            yield do.Settle()
            yield do.Compact()
            yield do.Crash(late)
            yield do.RestartBroker(late)
        else:
            yield do.Monitor(0)
            yield do.Assign(0, bundle, 0)
            yield from [do.Read(0)] * 3
        yield do.Assign(late, bundle, late)
        yield from [do.Read(late)] * 5
        yield do.Settle()

    def leaving(self) -> Iterator[ChannelCommand]:
        last, back = self.broker(), self.broker()
        yield do.Assign(last, Bundle.PARENT, last)
        yield from [do.Read(last)] * 3
        yield do.Elect(last)
        yield do.Split(last)
        yield do.Read(last)
        for other in range(self.brokers):
            if other != last:
                yield do.LoseSession(other)
        yield do.ShutDown(last)
        yield do.RegainSession(back)
        yield from [do.Read(back)] * 3
        yield do.Assign(back, Bundle.PARENT, back)
        yield do.Read(back)
        yield do.Settle()

    def orderly(self, most: int = 3, chance: float = 0.7) -> Iterator[ChannelCommand]:
        """Several orders, each carried out before the next."""
        bundle = self.draw.pick((Bundle.PARENT, Bundle.OTHER))
        yield do.Assign(self.broker(), bundle, self.broker())
        for _ in self.draw.items(most, chance, least=1):
            yield do.Settle()
            if self.draw.chance(0.3):
                yield do.Ask(self.broker(), bundle)
            match self.draw.integer(0, 6):
                case 0 | 1:
                    yield do.Unload(self.broker(), bundle, self.broker())
                case 2:
                    yield do.Unload(self.broker(), bundle, None)
                case 3:
                    yield do.Split(self.broker())
                    bundle = self.draw.pick((*HALVES, bundle))
                case 5:
                    yield do.UnloadNamespace(self.broker())
                case 4:
                    yield self.draw.pick(LOSSES)(self.broker())
                    # a broker that does not lead detects it first, and must not act
                    if self.draw.chance(0.7):
                        for other in reversed(range(self.brokers)):
                            yield do.Notice(other)
                            yield do.Clean(other)
                case _:
                    yield do.Assign(self.broker(), self.bundle(), self.broker())
            if self.draw.chance(0.3):
                yield from self.reads()
        yield do.Settle()

    def whole(self) -> Iterator[ChannelCommand]:
        """One complete scenario, perhaps settled at the end."""
        if self.draw.chance(0.8):
            yield from self.draw.pick(SCENARIOS)(self)
        else:
            rare = (self.lagging, self.removing, self.returning, self.flapping, self.leaving)
            yield from self.draw.pick((*rare, self.age_records))()
        if self.draw.chance(0.7):
            yield do.Settle()

    def anything(self) -> ChannelCommand:
        draw, broker = self.draw, self.broker()
        match draw.integer(0, 9):
            case 0 | 1:
                return do.Ask(broker, self.bundle())
            case 2:
                return do.Finish(broker, self.bundle(), draw.chance(0.2))
            case 3:
                return do.Assign(broker, self.bundle(), self.broker())
            case 4:
                return do.Unload(broker, self.bundle(), self.broker())
            case 5:
                return do.Elapse(draw.pick(TIMES))
            case 6:
                return do.Compact()
            case _:
                return draw.pick(PLAIN)(broker)

    def scenario(self) -> Iterator[ChannelCommand]:
        scenarios = (self.assign_bundle, self.unloading, self.splitting, self.loss)
        if self.draw.chance(0.35):
            yield self.anything()
        elif self.draw.chance(0.2):
            rare = (self.lagging, self.removing, self.returning, self.flapping, self.leaving)
            yield from self.draw.pick((*rare, *[self.age_records] * 4))()
        else:
            yield from self.draw.pick(scenarios)()
        if self.draw.chance(0.4):
            yield do.Ask(self.broker(), self.bundle())


@seldom_repeated("commands")
def channel_trial(draw: Draw) -> ChannelTrial:
    """Mostly a few steps; seldom many, or orders after a change (decided last); or what other
    trials begin with, at the end.
    """
    trial = draw_trial(draw)
    if draw.chance(0.1):
        builder = Builder(draw, trial.brokers)
        commands = (*trial.commands, *builder.assign_bundle(), *builder.scenario(), do.Settle())
        return ChannelTrial(trial.storage, trial.brokers, commands)
    if draw.chance(0.08):
        changed = draw.pick(AFTER_A_CHANGE)(Builder(draw, trial.brokers))
        return ChannelTrial(trial.storage, trial.brokers, tuple(changed))
    if not draw.chance(0.035):
        return trial
    many = Builder(draw, trial.brokers).orderly(MOST, 0.97)
    return ChannelTrial(trial.storage, trial.brokers, tuple(many))


def draw_trial(draw: Draw) -> ChannelTrial:
    storage, brokers = draw.pick(tuple(Storage)), 2 + draw.chance(0.4)
    builder, commands = Builder(draw, brokers), list[ChannelCommand]()
    if draw.chance(0.15):
        return ChannelTrial(storage, brokers, tuple(builder.orderly()))
    if draw.chance(0.35):
        return ChannelTrial(storage, brokers, tuple(builder.whole()))
    if not draw.chance(0.1):
        commands.extend(builder.assign_bundle())
    for _ in draw.items(6, 0.75):
        commands.extend(step for step in builder.scenario() if not draw.chance(0.1))
    del commands[MOST:]
    if draw.chance(0.7):
        commands.append(do.Settle())
    return ChannelTrial(storage, brokers, tuple(commands))
