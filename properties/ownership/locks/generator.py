"""Trials of `ownership.locks`: few brokers and bundles, many interleavings.

Most commands come in small stories (a broker takes a bundle, loses its session, another takes it
over), cut short or told beside each other; the queues' steps are mixed in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.ownership.locks import commands as do
from evenkeel.properties.ownership.locks.commands import LocksCommand
from evenkeel.properties.ownership.locks.trial import LocksTrial, NamedBundle
from evenkeel.reference.ownership.locks.state import Sort

MOST: Final = 12
Story = tuple[LocksCommand, ...]


def draw_bundle(draw: Draw) -> NamedBundle:
    if not draw.chance(0.15):
        return NamedBundle(Sort.PLAIN, 0)
    return NamedBundle(draw.pick((Sort.HEARTBEAT, Sort.MONITOR)), draw.integer(0, 2))


def draw_lookup(draw: Draw, broker: int, bundle: int) -> do.Lookup:
    return do.Lookup(
        broker, bundle, draw.chance(0.45), draw.chance(0.15), draw.pick((broker, 0, 1, 2))
    )


def answers(draw: Draw, broker: int, bundle: int, most: int) -> Story:
    steps: list[LocksCommand] = []
    for _ in draw.items(most, 0.9):
        if draw.chance(0.08):
            steps.append(do.Fail(broker, bundle, draw.chance(0.5)))
        else:
            steps.append(do.Answer(broker, bundle))
    return tuple(steps)


def answering(draw: Draw, broker: int, bundle: int) -> Story:
    return answers(draw, broker, bundle, 3)


def taking(draw: Draw, broker: int, bundle: int) -> Story:
    asked = do.Lookup(broker, bundle, True, False, broker)
    return (asked, *answers(draw, broker, bundle, 4))


def asking(draw: Draw, broker: int, bundle: int) -> Story:
    return (draw_lookup(draw, broker, bundle), *answers(draw, broker, bundle, 3))


def unloading(draw: Draw, broker: int, bundle: int) -> Story:
    steps: Story = (do.Unload(broker, bundle),)
    if draw.chance(0.7):
        steps = (*steps, do.Closed(broker, bundle, draw.pick(tuple(do.Closing))))
        steps = (*steps, *answers(draw, broker, bundle, 2))
    return steps


def closing(draw: Draw, broker: int, bundle: int) -> Story:
    closed = do.Closed(broker, bundle, draw.pick(tuple(do.Closing)))
    return (closed, *answers(draw, broker, bundle, 1))


def telling(draw: Draw, broker: int, bundle: int) -> Story:
    told = tuple(do.Notify(broker, bundle) for _ in draw.items(3, 0.6, least=1))
    return (*told, *answers(draw, broker, bundle, 2))


def losing(draw: Draw, broker: int, bundle: int) -> Story:
    steps: Story = (do.Expire(broker),)
    if draw.chance(0.5):
        steps = (*steps, *taking(draw, broker + 1, bundle))
    if draw.chance(0.7):
        steps = (*steps, do.Reconnect(broker), *answers(draw, broker, bundle, 3))
    return steps


def breaking(draw: Draw, broker: int, bundle: int) -> Story:
    steps: Story = (do.Disconnect(broker), *answers(draw, broker, bundle, 2))
    if draw.chance(0.5):
        steps = (*steps, do.Retry(broker), *answers(draw, broker, bundle, 1))
    if draw.chance(0.7):
        steps = (*steps, do.Reconnect(broker), *answers(draw, broker, bundle, 2))
    return steps


def crashing(draw: Draw, broker: int, bundle: int) -> Story:
    steps: Story = (do.Crash(broker),)
    if draw.chance(0.4):
        steps = (*steps, do.Expire(broker))
    if draw.chance(0.6):
        steps = (*steps, do.Restart(broker))
    return steps


def taking_again(draw: Draw, broker: int, bundle: int) -> Story:
    lost = (do.Lookup(broker, bundle, True, False, broker), do.Answer(broker, bundle))
    return (*lost, do.Fail(broker, bundle, True), *taking(draw, broker, bundle))


def overtaking(draw: Draw, broker: int, bundle: int) -> Story:
    closed = do.Closed(broker, bundle, draw.pick(tuple(do.Closing)))
    steps: list[LocksCommand] = [do.Unload(broker, bundle)]
    early = draw.chance(0.5)
    steps += [closed] if early else []
    steps.append(do.Expire(broker))
    if draw.chance(0.5):
        steps += [do.Reconnect(broker), *taking(draw, broker, bundle)]
    else:
        steps += [*taking(draw, broker + 1, bundle), do.Reconnect(broker)]
        steps += answers(draw, broker, bundle, 2)
    return (*steps, *(() if early else (closed,)), *answers(draw, broker, bundle, 2))


def losing_and_retaking(draw: Draw, broker: int, bundle: int) -> Story:
    steps = [*taking(draw, broker, bundle), do.Expire(broker), *taking(draw, broker + 1, bundle)]
    steps += [do.Reconnect(broker), *answers(draw, broker, bundle, 1)]
    steps += [
        do.Crash(broker + 1),
        do.Expire(broker + 1),
        *(do.Notify(broker, bundle) for _ in range(4)),
    ]
    steps += taking(draw, broker, bundle)
    closed = do.Closed(broker, bundle, draw.pick(tuple(do.Closing)))
    return (*steps, closed, *answers(draw, broker, bundle, 3))


def taken(broker: int, bundle: int) -> Story:
    """The broker takes the bundle, if it can: whatever has to be read first is."""
    asked = do.Lookup(broker, bundle, True, False, broker)
    return (asked, *(do.Answer(broker, bundle) for _ in range(3)))


def flagging(draw: Draw, broker: int, bundle: int) -> Story:
    """A re-validation fails without a connection, and is made up for when there is one again."""
    steps: Story = (*taken(broker, bundle), do.Expire(broker), do.Reconnect(broker))
    steps = (*steps, do.Disconnect(broker), do.Answer(broker, bundle))
    back: Story = (do.Reconnect(broker),)
    if draw.chance(0.3):
        back = (do.Retry(broker), do.Answer(broker, bundle), *back)
    elif draw.chance(0.3):
        back = (*back, do.Unload(broker, bundle), *closing(draw, broker, bundle))
    return (*steps, *back, do.Answer(broker, bundle), do.Answer(broker, bundle))


def outrunning(draw: Draw, broker: int, bundle: int) -> Story:
    """Another takes the bundle before the node of a lock can be made again."""
    steps = (*taken(broker, bundle), do.Expire(broker), do.Reconnect(broker))
    steps = (*steps, do.Answer(broker, bundle), *taken(broker + 1, bundle))
    return (*steps, do.Answer(broker, bundle), *answers(draw, broker, bundle, 2))


def validating_twice(draw: Draw, broker: int, bundle: int) -> Story:
    """A look under way, told by a node of before, and a session event that waits for the next."""
    steps = (*taken(broker, bundle), do.Unload(broker, bundle))
    steps = (*steps, do.Closed(broker, bundle, do.Closing.CLOSED), do.Answer(broker, bundle))
    steps = (*steps, *taken(broker, bundle), *(do.Notify(broker, bundle) for _ in range(3)))
    steps = (*steps, do.Expire(broker))
    if draw.chance(0.7):
        steps = (*steps, *taken(broker + 1, bundle))
    steps = (*steps, do.Reconnect(broker), *(do.Answer(broker, bundle) for _ in range(4)))
    if draw.chance(0.5):
        steps = (*steps, do.Crash(broker + 1), do.Expire(broker + 1), *taken(broker, bundle))
        steps = (*steps, do.Expire(broker), do.Reconnect(broker))
    return (*steps, *answers(draw, broker, bundle, 3))


def events_in_a_row(draw: Draw, broker: int, bundle: int) -> Story:
    """Session events that wait while the locks are still being looked at."""
    steps: Story = (*taken(broker, bundle), do.Expire(broker), do.Reconnect(broker))
    for _ in draw.items(2, 0.7, least=1):
        lost = do.Disconnect if draw.chance(0.6) else do.Expire
        steps = (*steps, lost(broker), do.Reconnect(broker))
    steps = (*steps, *(do.Answer(broker, bundle) for _ in range(2)), do.Expire(broker))
    return (*steps, do.Reconnect(broker), *(do.Answer(broker, bundle) for _ in range(4)))


def failing_release(draw: Draw, broker: int, bundle: int) -> Story:
    """The store does not carry a release out, or does so and does not say it."""
    steps: Story = (*taken(broker, bundle), do.Unload(broker, bundle))
    steps = (*steps, do.Closed(broker, bundle, draw.pick(tuple(do.Closing))))
    steps = (*steps, do.Fail(broker, bundle, draw.chance(0.5)))
    if draw.chance(0.4):
        steps = (*steps, draw_lookup(draw, broker, bundle))
    if draw.chance(0.3):
        steps = (*steps, do.Fail(broker, bundle, draw.chance(0.5)))
    steps = (*steps, *answers(draw, broker, bundle, 2))
    return (*steps, *(taken(broker + 1, bundle) if draw.chance(0.4) else ()))


def looking_twice(draw: Draw, broker: int, bundle: int) -> Story:
    first = (do.Lookup(broker, bundle, True, False, broker), *answers(draw, broker, bundle, 1))
    second = do.Lookup(broker, bundle, False, draw.chance(0.2), broker)
    return (*first, second, *answers(draw, broker, bundle, 2))


def reading_beside(draw: Draw, broker: int, bundle: int) -> Story:
    authoritative = draw.chance(0.5)
    reading = do.Lookup(broker, bundle, authoritative, True, broker)
    taking_too = do.Lookup(broker, bundle, authoritative, False, broker)
    return (reading, taking_too, *answers(draw, broker, bundle, 3))


def single(draw: Draw, broker: int, bundle: int) -> Story:
    sort = draw.integer(0, 8)
    if sort < 2:
        return (do.Elect(broker, draw.pick((broker, broker + 1, None))),)
    if sort < 4:
        return (do.Retry(broker),)
    if sort == 4:
        return (do.Stop(broker),)
    if sort == 5:
        return (do.Disconnect(broker),)
    if sort == 6:
        return (do.Reconnect(broker),)
    return (do.Answer(broker, bundle),)


def ending(draw: Draw, broker: int, bundle: int) -> Story:
    sort = draw.integer(0, 3)
    if sort == 0:
        return (do.Settle(),)
    if sort == 1:
        return (do.Views(bundle),)
    return (do.Find(broker, bundle, draw.integer(0, 2)),)


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
    flagging,
    outrunning,
    validating_twice,
    events_in_a_row,
    failing_release,
    single,
    single,
    answering,
    ending,
)


def with_many(draw: Draw) -> LocksTrial:
    """More brokers and bundles, each with a story of its own."""
    brokers = draw.pick((4, 5))
    bundles = tuple(draw_bundle(draw) for _ in range(3))
    leader = draw.integer(0, brokers - 1)
    commands: list[LocksCommand] = []
    for _ in draw.items(MOST, 0.95):
        broker, bundle = draw.integer(0, brokers - 1), draw.integer(0, 2)
        commands += draw.pick(STORIES)(draw, broker, bundle)
    commands += ending(draw, draw.integer(0, brokers - 1), draw.integer(0, 2))
    return LocksTrial(brokers, bundles, leader, tuple(commands))


@seldom_repeated("commands")
def locks_trial(draw: Draw) -> LocksTrial:
    brokers = 2 if not draw.chance(0.3) else draw.pick((3, 1))
    bundles = tuple(draw_bundle(draw) for _ in draw.items(2, 0.25, least=1))
    leader = draw.pick((0, 1, None))
    commands: list[LocksCommand] = []
    for _ in draw.items(MOST, 0.92):
        broker, bundle = draw.integer(0, brokers - 1), draw.integer(0, len(bundles) - 1)
        commands += draw.pick(STORIES)(draw, broker, bundle)
    if draw.chance(0.6):
        commands += ending(draw, draw.integer(0, brokers - 1), 0)
    if draw.chance(0.05):  # drawn last, so that all other trials are as they were
        return with_many(draw)
    return LocksTrial(brokers, bundles, leader, tuple(commands))
