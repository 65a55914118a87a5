"""Stories of the ownership channel in which orders come after a change that is over.

Another leader, a crash that was seen to, a run of the monitor: none of them may keep what is
asked for afterwards from being carried out. Nor may an order about a sibling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from evenkeel.properties.ownership.channel import commands as do
from evenkeel.properties.ownership.channel.commands import Bundle, ChannelCommand
from evenkeel.properties.ownership.channel.stories import GOES, owned, whole_or_other

if TYPE_CHECKING:
    from evenkeel.properties.ownership.channel.generator import Teller

Told = Iterator[ChannelCommand]
HALVES: Final = (Bundle.LEFT, Bundle.RIGHT)


def changed(tell: Teller) -> Told:
    """A bundle is moved, taken away or split after something has changed."""
    bundle, owner = whole_or_other(tell), tell.broker()
    yield from owned(bundle, owner)
    yield from change(tell, owner)
    yield from order(tell, bundle, owner)
    if tell.draw.chance(0.3):
        yield do.Monitor(tell.broker())
    yield do.Settle()


def siblings(tell: Teller) -> Told:
    """Both halves are ordered about before anybody reads: assigned first, or owned by a split."""
    owner = tell.broker()
    yield from owned(Bundle.PARENT, owner)
    yield do.Split(owner)
    yield do.Settle()
    if tell.draw.chance(0.4):
        yield do.UnloadNamespace(tell.broker())
        yield do.Settle()
        for half in HALVES:
            yield do.Assign(tell.broker(), half, tell.broker())
        yield do.Settle()
    if tell.draw.chance(0.3):
        yield from change(tell, owner)
    for half in tell.draw.pick((HALVES, HALVES[::-1])):
        yield do.Unload(tell.broker(), half, tell.broker() if tell.draw.chance(0.7) else None)
        if tell.draw.chance(0.3):
            yield do.Monitor(tell.broker())
    yield do.Settle()


def at_once(tell: Teller) -> Told:
    """A bundle is to go on as soon as its owner has it, while nobody else has read of that."""
    bundle, owner = whole_or_other(tell), tell.broker()
    yield do.Assign(owner, bundle, owner)
    for _ in range(3):
        yield do.Read(owner)
    yield do.Unload(owner, bundle, tell.other(owner))
    yield do.Settle()


def change(tell: Teller, broker: int) -> Told:
    """Another leader, a monitor that runs, or a broker that went and, mostly, came back."""
    other = tell.other(broker)
    match tell.draw.integer(0, 4):
        case 0 | 1:
            yield do.Elect(other)
        case 2:
            yield do.Monitor(tell.draw.pick((0, other)))
        case _:
            gone = tell.draw.pick((other, broker))
            yield tell.draw.pick((do.Crash, *GOES[:2]))(gone)
            yield do.Settle()
            yield do.RestartBroker(gone)
            yield do.RegainSession(gone)
            yield do.Settle()


def order(tell: Teller, bundle: Bundle, owner: int) -> Told:
    """One order about a bundle that is owned."""
    if bundle is Bundle.PARENT and tell.draw.chance(0.4):
        yield do.Split(owner)
    else:
        yield do.Unload(owner, bundle, tell.broker() if tell.draw.chance(0.7) else None)


AFTERMATHS: Final[tuple[Callable[[Teller], Told], ...]] = (changed, siblings, siblings, at_once)
