"""Stories of the ownership channel that are told whole: what is rare unless each step is taken.

Each begins with a bundle that everybody knows the owner of, so that what follows is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from evenkeel.properties.ownership.channel import commands as do
from evenkeel.properties.ownership.channel.commands import Bundle, ChannelCommand, PlainCommand

if TYPE_CHECKING:
    from evenkeel.properties.ownership.channel.generator import Teller

Told = Iterator[ChannelCommand]
GOES: Final[tuple[type[PlainCommand], ...]] = (do.Crash, do.LoseSession, do.ShutDown)
SETTLED: Final = 8 * 61_000
"""So long a channel takes to settle, in ms."""


def owned(bundle: Bundle, owner: int) -> Told:
    yield do.Assign(owner, bundle, owner)
    yield do.Settle()


def whole_or_other(tell: Teller) -> Bundle:
    return tell.draw.pick((Bundle.PARENT, Bundle.OTHER))


def failing(tell: Teller) -> Told:
    """Topics that cannot be closed, or a range that cannot be divided: nothing follows."""
    bundle, owner = whole_or_other(tell), tell.broker()
    yield from owned(bundle, owner)
    if bundle is Bundle.PARENT and tell.draw.chance(0.5):
        yield do.Split(owner)
    else:
        yield do.Unload(owner, bundle, tell.broker() if tell.draw.chance(0.5) else None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, True)
    yield do.Finish(owner, bundle, False)  # nothing is left that could end
    yield do.Ask(tell.broker(), bundle)
    if tell.draw.chance(0.5):
        yield from tell.reads(3)
        yield do.Elapse(31_000)
        yield do.Monitor(0)


def overridden(tell: Teller) -> Told:
    """A bundle is given away by force while its topics are being closed."""
    bundle, owner = whole_or_other(tell), tell.broker()
    yield from owned(bundle, owner)
    yield do.Unload(tell.broker(), bundle, tell.other(owner))
    for broker in range(tell.brokers):
        yield do.Read(broker)
    yield do.Elapse(tell.draw.pick((31_000, 30_000, 30_001)))
    yield do.Monitor(0)
    for _ in range(2):
        yield do.Read(owner)
    for _ in range(3):
        yield do.Finish(owner, bundle, tell.draw.chance(0.3))
    yield from tell.reads(2)


def moved(tell: Teller) -> Told:
    """A transfer to its end, and what the source still has to do."""
    bundle, owner = whole_or_other(tell), tell.broker()
    to = tell.other(owner)
    yield from owned(bundle, owner)
    yield do.Unload(tell.broker(), bundle, to)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    for _ in range(3):
        for broker in range(tell.brokers):
            yield do.Read(broker)
    yield do.Finish(owner, bundle, False)
    yield do.Ask(owner, bundle)


def pending(tell: Teller) -> Told:
    """A clean-up that waits since the leader's session is young, and what may come in between."""
    leader, bundle = tell.broker(), whole_or_other(tell)
    lost = tell.other(leader)
    yield from owned(bundle, lost)
    yield do.LoseSession(leader)
    yield do.RegainSession(leader)
    yield do.Elect(leader)
    crashed = tell.draw.chance(0.6)
    gone: tuple[ChannelCommand, ChannelCommand] = (
        (do.Crash(lost), do.RestartBroker(lost))
        if crashed
        else (do.LoseSession(lost), do.RegainSession(lost))
    )
    yield gone[0]
    yield do.Notice(leader)
    yield do.Elapse(100_000)
    match tell.draw.integer(0, 5):
        case 0:  # it comes back, and goes again: the first clean-up is off
            yield gone[1]
            yield do.Notice(leader)
            yield gone[0]
            yield do.Notice(leader)
        case 1:
            yield gone[1]
        case 2:
            yield do.ShutDown(leader)
            yield do.Elect(tell.broker())
        case 3:
            yield do.LoseSession(leader)
        case 4:
            yield do.Elect(tell.broker())
        case _:
            yield do.Monitor(leader)
    yield do.Elapse(tell.draw.pick((80_000, 79_999, 90_000)))
    yield do.Clean(leader)
    if tell.draw.chance(0.5):  # once cleaned up, nothing is taken away again
        yield from tell.reads(2)
        yield do.Assign(leader, bundle, lost)
        for broker in range(tell.brokers):
            yield do.Read(broker)
        yield do.Clean(leader)


def watched(tell: Teller) -> Told:
    """The monitor of the leader finds who is gone, before it is told."""
    leader, bundle = tell.broker(), whole_or_other(tell)
    lost = tell.other(leader)
    owner = lost if tell.draw.chance(0.7) else leader
    yield from owned(bundle, owner)
    yield do.Elect(leader)
    sort = tell.draw.integer(0, 3)
    if sort == 0:  # nobody is gone yet
        yield do.Monitor(leader)
    if sort == 1:
        yield do.Unload(leader, bundle, lost if owner != lost else tell.other(lost))
        if tell.draw.chance(0.5):
            yield do.Read(owner)
            yield do.Finish(owner, bundle, False)
        yield from tell.reads(2)
    yield tell.draw.pick((do.Crash, *GOES))(lost)
    if sort:
        yield do.Monitor(leader)
    if sort == 3:
        yield do.RestartBroker(lost)
    yield do.Clean(leader)
    yield from tell.reads(2)


def missed(tell: Teller) -> Told:
    """What a broker without a session is not told of."""
    away = tell.broker()
    other, bundle = tell.other(away), whole_or_other(tell)
    yield from owned(bundle, other)
    early = tell.draw.chance(0.5)
    lost = tell.draw.pick(GOES[:2])(tell.other(away))
    if early:
        yield lost
    yield do.LoseSession(away)
    if tell.draw.chance(0.5):
        yield do.Assign(tell.broker(), bundle, away)  # without a node nobody can
        yield do.Ask(away, bundle)
    if tell.draw.chance(0.5):
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


def waiting(tell: Teller) -> Told:
    """Lookups that wait for somebody who goes, or since later than the beginning."""
    bundle, broker = whole_or_other(tell), tell.broker()
    other = tell.other(broker)
    match tell.draw.integer(0, 3):
        case 0:
            yield do.Elapse(31_000)
            yield do.Assign(broker, bundle, other)
            yield do.Elapse(1_000)
            yield do.Ask(other, bundle)
            yield do.Elapse(tell.draw.pick((29_000, 28_999)))
        case 1:
            yield do.Assign(other, bundle, broker)
            yield do.Read(broker)
            yield do.Ask(broker, bundle)
            yield tell.draw.pick(GOES[1:])(broker)
            yield do.Ask(broker, bundle)
            yield do.Read(broker)
            yield do.Read(broker)
        case 2:
            yield from owned(Bundle.PARENT, broker)
            yield do.Split(broker)
            for each in range(tell.brokers):
                yield do.Read(each)
            yield do.LoseSession(broker)
            yield do.Ask(other, Bundle.PARENT)
            yield do.Finish(broker, Bundle.PARENT, tell.draw.chance(0.2))
            yield from tell.reads(3)
        case _:
            yield from owned(bundle, broker)
            yield tell.draw.pick(GOES)(broker)
            yield do.Ask(other, bundle)
            yield do.Elect(other)
            yield do.Notice(other)
            yield do.Clean(other)
            yield do.Ask(other, bundle)
            yield do.Read(other)
            yield do.Read(other)


def grown_old(tell: Teller) -> Told:
    """A free record that comes to its age while, and after, the channel settles."""
    bundle, owner = whole_or_other(tell), tell.broker()
    yield from owned(bundle, owner)
    yield do.Unload(owner, bundle, None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    for broker in range(tell.brokers):
        for _ in range(2):
            yield do.Read(broker)
    yield do.Settle()
    yield do.Elapse(3_600_000 - SETTLED + tell.draw.pick((0, 1, 1_000)))
    yield do.Monitor(0)
    if tell.draw.chance(0.3):  # another leader, which has not read that the record was removed
        yield do.Elect(1)
        yield do.Monitor(1)
    yield do.Assign(owner, bundle, tell.broker())
    if tell.draw.chance(0.5):
        yield do.Compact()
        yield do.Crash(owner)
        yield do.RestartBroker(owner)
        yield do.Assign(owner, bundle, owner)


def unseen(tell: Teller) -> Told:
    """A record that is made and removed before another broker reads anything."""
    bundle, owner = whole_or_other(tell), tell.broker()
    yield do.Elect(owner)
    yield do.Assign(owner, bundle, owner)
    for _ in range(2):
        yield do.Read(owner)
    yield do.Unload(owner, bundle, None)
    yield do.Read(owner)
    yield do.Finish(owner, bundle, False)
    yield do.Read(owner)
    yield do.Elapse(3_601_000)
    yield do.Monitor(owner)
    yield do.Settle()
    other = tell.other(owner)
    yield do.Assign(other, bundle, other)


def divided(tell: Teller) -> Told:
    """What is asked for of a parent, or of halves, before and after the range is divided."""
    owner = tell.broker()
    if tell.draw.chance(0.4):
        yield from owned(Bundle.LEFT, tell.broker())
    yield from owned(Bundle.PARENT, owner)
    yield do.Split(owner)
    if tell.draw.chance(0.3):
        yield do.Read(owner)
        yield tell.draw.pick(GOES)(owner)
    yield do.Settle()
    asked = tell.broker()
    yield do.Assign(asked, Bundle.PARENT, tell.broker())
    yield do.Split(asked)
    yield do.Ask(asked, Bundle.PARENT)
    yield do.Unload(asked, Bundle.LEFT, tell.broker() if tell.draw.chance(0.5) else None)
    yield do.Settle()
    yield do.Unload(asked, Bundle.RIGHT, tell.broker())
    yield do.Read(asked)


def stepping_down(tell: Teller) -> Told:
    """The leader leaves, with bundles of its own, and with others on their way to it."""
    leader = tell.broker()
    other, bundle = tell.other(leader), whole_or_other(tell)
    yield from owned(bundle, leader)
    yield do.Elect(leader)
    if tell.draw.chance(0.5):
        yield do.Assign(other, Bundle.OTHER if bundle is Bundle.PARENT else Bundle.PARENT, leader)
    else:
        yield do.Unload(other, bundle, other)
    yield from tell.reads()
    yield do.ShutDown(leader)
    yield do.Ask(leader, bundle)
    yield do.Monitor(leader)
    for broker in range(tell.brokers):
        yield do.Read(broker)
    yield do.Ask(leader, bundle)
    yield do.Notice(other)
    yield do.Clean(other)
    yield do.Elect(other)
    yield do.Finish(leader, bundle, False)
    if tell.draw.chance(0.4):
        yield do.LoseSession(leader)
        yield do.RegainSession(leader)
    yield from tell.reads(2)


STORIES: Final[tuple[Callable[[Teller], Told], ...]] = (
    failing,
    overridden,
    moved,
    pending,
    pending,
    pending,
    watched,
    watched,
    missed,
    waiting,
    waiting,
    grown_old,
    unseen,
    divided,
    stepping_down,
)
