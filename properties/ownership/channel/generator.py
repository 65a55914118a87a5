"""Trials of the ownership questions.

Channels are told as stories: an assignment, a transfer, a split, a crash, each with its steps in
the order in which they mostly happen; a step is sometimes left out, doubled, or followed by
something else, so that records cross on their way. Most trials end by settling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evenkeel.properties.draw import Draw, seldom_repeated
from evenkeel.properties.ownership.channel import commands as do
from evenkeel.properties.ownership.channel.aftermath import AFTERMATHS
from evenkeel.properties.ownership.channel.commands import Bundle, ChannelCommand, PlainCommand
from evenkeel.properties.ownership.channel.stories import STORIES
from evenkeel.properties.ownership.channel.trial import ChannelTrial
from evenkeel.reference.ownership.records import Storage

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
"""Commands that say nothing but the broker."""

LOSSES: Final[tuple[type[PlainCommand], ...]] = (do.Crash, do.ShutDown, do.LoseSession)
TIMES: Final = (
    *(31_000, 61_000, 1_000, 181_000, 30_000, 3_601_000),
    *(60_000, 180_000, 3_600_000),
)
"""Just behind the limits, and exactly at them."""


# ---------------------------------------------------------------------------------- channel


class Teller:
    """Draws the commands of one trial for so many brokers."""

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
            for broker in range(self.brokers):
                yield do.Read(broker)

    def assignment(self) -> Iterator[ChannelCommand]:
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

    def aged(self) -> Iterator[ChannelCommand]:
        """Records, and a session, that are exactly as old as a limit when they are looked at."""
        bundle, owner, leader = self.bundle(), self.broker(), self.broker()
        late = self.draw.pick((0, 1, -1))
        if self.draw.chance(0.4):
            yield do.LoseSession(leader)
            yield do.RegainSession(leader)
            yield do.Elect(leader)
            yield do.Crash((leader + 1) % self.brokers)
            yield do.Elapse(180_000 + late)
            for _ in range(4):
                yield do.Notice(leader)
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
            for _ in range(3):
                yield do.Read(owner)  # begins to close the topics
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
        for broker in range(self.brokers):
            yield do.Monitor(broker)

    def behind(self) -> Iterator[ChannelCommand]:
        owner, other = self.broker(), self.broker()
        yield do.Split(owner)
        yield do.Read(owner)
        yield do.Finish(owner, Bundle.PARENT, False)
        for _ in range(4):
            yield do.Read(owner)
        yield do.Unload(other, Bundle.PARENT, owner)
        yield from self.reads(4)

    def removing(self) -> Iterator[ChannelCommand]:
        bundle, owner, leader = self.bundle(), self.broker(), self.broker()
        yield do.Unload(owner, bundle, None)
        yield from self.reads()
        for broker in range(self.brokers):
            yield do.Finish(broker, bundle, False)
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
            for _ in range(3):
                yield do.Read(0)
        yield do.Assign(late, bundle, late)
        for _ in range(5):
            yield do.Read(late)
        yield do.Settle()

    def leaving(self) -> Iterator[ChannelCommand]:
        last, back = self.broker(), self.broker()
        yield do.Assign(last, Bundle.PARENT, last)
        for _ in range(3):
            yield do.Read(last)
        yield do.Elect(last)
        yield do.Split(last)
        yield do.Read(last)
        for other in range(self.brokers):
            if other != last:
                yield do.LoseSession(other)
        yield do.ShutDown(last)
        yield do.RegainSession(back)
        for _ in range(3):
            yield do.Read(back)
        yield do.Assign(back, Bundle.PARENT, back)
        yield do.Read(back)
        yield do.Settle()

    def orderly(self, most: int = 3, chance: float = 0.7) -> Iterator[ChannelCommand]:
        """One order after the other, each carried out before the next."""
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
                case 5:
                    yield do.UnloadNamespace(self.broker())
                case 4:
                    yield self.draw.pick(LOSSES)(self.broker())
                    if self.draw.chance(0.7):  # who does not lead notices first, and must not act
                        for other in reversed(range(self.brokers)):
                            yield do.Notice(other)
                            yield do.Clean(other)
                case _:
                    yield do.Assign(self.broker(), self.bundle(), self.broker())
            if self.draw.chance(0.3):
                yield from self.reads()
        yield do.Settle()

    def whole(self) -> Iterator[ChannelCommand]:
        """One story with all its steps, and perhaps an end."""
        if self.draw.chance(0.8):
            yield from self.draw.pick(STORIES)(self)
        else:
            rare = (self.behind, self.removing, self.returning, self.flapping, self.leaving)
            yield from self.draw.pick((*rare, self.aged))()
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

    def story(self) -> Iterator[ChannelCommand]:
        stories = (self.assignment, self.unloading, self.splitting, self.loss)
        if self.draw.chance(0.35):
            yield self.anything()
        elif self.draw.chance(0.2):
            rare = (self.behind, self.removing, self.returning, self.flapping, self.leaving)
            yield from self.draw.pick((*rare, *[self.aged] * 4))()
        else:
            yield from self.draw.pick(stories)()
        if self.draw.chance(0.4):
            yield do.Ask(self.broker(), self.bundle())


@seldom_repeated("commands")
def channel_trial(draw: Draw) -> ChannelTrial:
    """Mostly a few steps; seldom a long life, or orders after a change, as is decided last."""
    trial = draw_trial(draw)
    if draw.chance(0.08):
        told = draw.pick(AFTERMATHS)(Teller(draw, trial.brokers))
        return ChannelTrial(trial.storage, trial.brokers, tuple(told))
    if not draw.chance(0.035):
        return trial
    commands = Teller(draw, trial.brokers).orderly(MOST, 0.97)
    return ChannelTrial(trial.storage, trial.brokers, tuple(commands))


def draw_trial(draw: Draw) -> ChannelTrial:
    storage, brokers = draw.pick(tuple(Storage)), 2 + draw.chance(0.4)
    teller, commands = Teller(draw, brokers), list[ChannelCommand]()
    if draw.chance(0.15):
        return ChannelTrial(storage, brokers, tuple(teller.orderly()))
    if draw.chance(0.35):
        return ChannelTrial(storage, brokers, tuple(teller.whole()))
    if not draw.chance(0.1):
        commands.extend(teller.assignment())
    for _ in draw.items(6, 0.75):
        commands.extend(step for step in teller.story() if not draw.chance(0.1))
    del commands[MOST:]
    if draw.chance(0.7):
        commands.append(do.Settle())
    return ChannelTrial(storage, brokers, tuple(commands))
