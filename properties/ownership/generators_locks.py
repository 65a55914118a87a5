"""Trials of `ownership.locks`: few brokers and bundles, many interleavings.

Most commands come in small stories (a broker takes a bundle, loses its session, another takes it
over), cut short or told beside each other; the queues' steps are mixed in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.ownership.trials_locks import (
    Answer,
    Closed,
    Closing,
    Crash,
    Disconnect,
    Elect,
    Expire,
    Fail,
    Find,
    LocksCommand,
    LocksTrial,
    Lookup,
    NamedBundle,
    Notify,
    Reconnect,
    Restart,
    Retry,
    Settle,
    Stop,
    Unload,
    Views,
)
from evenkeel.reference.ownership.locks_state import Sort

MOST: Final = 12
Story = tuple[LocksCommand, ...]


def draw_bundle(draw: Draw) -> NamedBundle:
    """Mostly an ordinary bundle."""
    if not draw.chance(0.15):
        return NamedBundle(Sort.PLAIN, 0)
    return NamedBundle(draw.pick((Sort.HEARTBEAT, Sort.MONITOR)), draw.integer(0, 2))


def draw_lookup(draw: Draw, broker: int, bundle: int) -> Lookup:
    """A lookup: mostly a first one, or one that follows a redirect."""
    return Lookup(
        broker, bundle, draw.chance(0.45), draw.chance(0.15), draw.pick((broker, 0, 1, 2))
    )


def answers(draw: Draw, broker: int, bundle: int, most: int) -> Story:
    """Some answers of the store, now and then a failure."""
    steps: list[LocksCommand] = []
    for _ in draw.items(most, 0.9):
        if draw.chance(0.08):
            steps.append(Fail(broker, bundle, draw.chance(0.5)))
        else:
            steps.append(Answer(broker, bundle))
    return tuple(steps)


def answering(draw: Draw, broker: int, bundle: int) -> Story:
    """What waits is answered."""
    return answers(draw, broker, bundle, 3)


def taking(draw: Draw, broker: int, bundle: int) -> Story:
    """A broker is asked for a bundle, and takes it if nobody has it."""
    asked = Lookup(broker, bundle, True, False, broker)
    return (asked, *answers(draw, broker, bundle, 4))


def asking(draw: Draw, broker: int, bundle: int) -> Story:
    """A lookup and what it needs of the store."""
    return (draw_lookup(draw, broker, bundle), *answers(draw, broker, bundle, 3))


def unloading(draw: Draw, broker: int, bundle: int) -> Story:
    """An unload, its closing, its release: cut short anywhere."""
    steps: Story = (Unload(broker, bundle),)
    if draw.chance(0.7):
        steps = (*steps, Closed(broker, bundle, draw.pick(tuple(Closing))))
        steps = (*steps, *answers(draw, broker, bundle, 2))
    return steps


def closing(draw: Draw, broker: int, bundle: int) -> Story:
    """Topics are closed, and the lock perhaps released."""
    closed = Closed(broker, bundle, draw.pick(tuple(Closing)))
    return (closed, *answers(draw, broker, bundle, 1))


def telling(draw: Draw, broker: int, bundle: int) -> Story:
    """Notifications, and what they make the broker ask."""
    told = tuple(Notify(broker, bundle) for _ in draw.items(3, 0.6, least=1))
    return (*told, *answers(draw, broker, bundle, 2))


def losing(draw: Draw, broker: int, bundle: int) -> Story:
    """A session ends; perhaps another broker takes over; perhaps the first comes back."""
    steps: Story = (Expire(broker),)
    if draw.chance(0.5):
        steps = (*steps, *taking(draw, broker + 1, bundle))
    if draw.chance(0.7):
        steps = (*steps, Reconnect(broker), *answers(draw, broker, bundle, 3))
    return steps


def breaking(draw: Draw, broker: int, bundle: int) -> Story:
    """A connection breaks; something is asked meanwhile; it comes back."""
    steps: Story = (Disconnect(broker), *answers(draw, broker, bundle, 2))
    if draw.chance(0.5):
        steps = (*steps, Retry(broker), *answers(draw, broker, bundle, 1))
    if draw.chance(0.7):
        steps = (*steps, Reconnect(broker), *answers(draw, broker, bundle, 2))
    return steps


def crashing(draw: Draw, broker: int, bundle: int) -> Story:
    """A process is gone; its session ends; a new one comes."""
    steps: Story = (Crash(broker),)
    if draw.chance(0.4):
        steps = (*steps, Expire(broker))
    if draw.chance(0.6):
        steps = (*steps, Restart(broker))
    return steps


def taking_again(draw: Draw, broker: int, bundle: int) -> Story:
    """A node is made, but the broker is told that it failed; it takes the bundle once more."""
    lost = (Lookup(broker, bundle, True, False, broker), Answer(broker, bundle))
    return (*lost, Fail(broker, bundle, True), *taking(draw, broker, bundle))


def overtaking(draw: Draw, broker: int, bundle: int) -> Story:
    """A session ends during an unload; another broker takes over, or the same; it goes on."""
    closed = Closed(broker, bundle, draw.pick(tuple(Closing)))
    steps: list[LocksCommand] = [Unload(broker, bundle)]
    early = draw.chance(0.5)
    steps += [closed] if early else []
    steps.append(Expire(broker))
    if draw.chance(0.5):
        steps += [Reconnect(broker), *taking(draw, broker, bundle)]
    else:
        steps += [*taking(draw, broker + 1, bundle), Reconnect(broker)]
        steps += answers(draw, broker, bundle, 2)
    return (*steps, *(() if early else (closed,)), *answers(draw, broker, bundle, 2))


def losing_and_retaking(draw: Draw, broker: int, bundle: int) -> Story:
    """A bundle goes to another broker and comes back before the first unload has ended."""
    steps = [*taking(draw, broker, bundle), Expire(broker), *taking(draw, broker + 1, bundle)]
    steps += [Reconnect(broker), *answers(draw, broker, bundle, 1)]
    steps += [Crash(broker + 1), Expire(broker + 1), *(Notify(broker, bundle) for _ in range(4))]
    steps += taking(draw, broker, bundle)
    closed = Closed(broker, bundle, draw.pick(tuple(Closing)))
    return (*steps, closed, *answers(draw, broker, bundle, 3))


def looking_twice(draw: Draw, broker: int, bundle: int) -> Story:
    """Two lookups of different authority wait for one read; the bundle changes meanwhile."""
    first = (Lookup(broker, bundle, True, False, broker), *answers(draw, broker, bundle, 1))
    second = Lookup(broker, bundle, False, draw.chance(0.2), broker)
    return (*first, second, *answers(draw, broker, bundle, 2))


def reading_beside(draw: Draw, broker: int, bundle: int) -> Story:
    """A read-only lookup, and one that is to assign the bundle while it is under way."""
    authoritative = draw.chance(0.5)
    reading = Lookup(broker, bundle, authoritative, True, broker)
    taking_too = Lookup(broker, bundle, authoritative, False, broker)
    return (reading, taking_too, *answers(draw, broker, bundle, 3))


def single(draw: Draw, broker: int, bundle: int) -> Story:
    """One command of any sort."""
    sort = draw.integer(0, 8)
    if sort < 2:
        return (Elect(broker, draw.pick((broker, broker + 1, None))),)
    if sort < 4:
        return (Retry(broker),)
    if sort == 4:
        return (Stop(broker),)
    if sort == 5:
        return (Disconnect(broker),)
    if sort == 6:
        return (Reconnect(broker),)
    return (Answer(broker, bundle),)


def ending(draw: Draw, broker: int, bundle: int) -> Story:
    """Everything settles; a client looks for the bundle; views are compared."""
    sort = draw.integer(0, 3)
    if sort == 0:
        return (Settle(),)
    if sort == 1:
        return (Views(bundle),)
    return (Find(broker, bundle, draw.integer(0, 2)),)


STORIES: Final[tuple[Callable[[Draw, int, int], Story], ...]] = (
    taking,
    asking,
    asking,
    unloading,
    unloading,
    closing,
    telling,
    telling,
    losing,
    losing,
    breaking,
    crashing,
    taking_again,
    overtaking,
    losing_and_retaking,
    looking_twice,
    reading_beside,
    single,
    single,
    answering,
    ending,
)


def locks_trial(draw: Draw) -> LocksTrial:
    """Two or three brokers, one bundle or two, and a dozen stories."""
    brokers = 2 if not draw.chance(0.3) else draw.pick((3, 1))
    bundles = tuple(draw_bundle(draw) for _ in draw.items(2, 0.25, least=1))
    leader = draw.pick((0, 1, None))
    commands: list[LocksCommand] = []
    for _ in draw.items(MOST, 0.92):
        broker, bundle = draw.integer(0, brokers - 1), draw.integer(0, len(bundles) - 1)
        commands += draw.pick(STORIES)(draw, broker, bundle)
    if draw.chance(0.6):
        commands += ending(draw, draw.integer(0, brokers - 1), 0)
    return LocksTrial(brokers, bundles, leader, tuple(commands))
