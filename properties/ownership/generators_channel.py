"""Trials of the ownership questions.

Channels are told as stories: an assignment, a transfer, a split, a crash, each with its steps in
the order in which they mostly happen; a step is sometimes left out, doubled, or followed by
something else, so that records cross on their way. Most trials end by settling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.ownership.trials_channel import (
    Ask,
    Assign,
    Bundle,
    ChannelCommand,
    ChannelTrial,
    Clean,
    Compact,
    ConflictTrial,
    Crash,
    Elapse,
    Elect,
    Finish,
    LoseSession,
    Monitor,
    Notice,
    PlainCommand,
    Read,
    RecordData,
    RegainSession,
    RestartBroker,
    Settle,
    ShutDown,
    Split,
    TransitionTrial,
    Unload,
)
from evenkeel.reference.ownership.records import FOLLOWERS, State, Storage

MOST: Final = 24
BUNDLES: Final = (Bundle.PARENT, Bundle.OTHER, Bundle.LEFT, Bundle.RIGHT)
PLAIN: Final[tuple[type[PlainCommand], ...]] = (
    Read,
    Monitor,
    Notice,
    Clean,
    Elect,
    RegainSession,
    RestartBroker,
    LoseSession,
    Crash,
)
"""Commands that say nothing but the broker."""

TIMES: Final = (31_000, 61_000, 1_000, 181_000, 30_000, 3_601_000)


def transition_trial(draw: Draw) -> TransitionTrial:
    """Any two states."""
    return TransitionTrial(
        draw.pick(tuple(Storage)), draw.pick(tuple(State)), draw.pick(tuple(State))
    )


# --------------------------------------------------------------------------------- conflict

TEXTS: Final = ("b0", "b1", None, "", " ", "b2")
EDGES: Final = (2**63 - 1, -(2**63), 2**63 - 2, -(2**63) + 1)


def draw_record(draw: Draw, version: int) -> RecordData:
    """A record of any state and brokers."""
    state = draw.pick(tuple(State))
    destination, source = draw.pick(TEXTS), draw.pick(TEXTS)
    if state is not State.FREE and not any(n and n.strip() for n in (destination, source)):
        destination = "b0"
    return RecordData(state, destination, source, version, draw.chance(0.15))


def conflict_trial(draw: Draw) -> ConflictTrial:
    """Two records, mostly one version apart, often of the same pair of brokers."""
    storage = draw.pick(tuple(Storage))
    if draw.chance(0.04):  # an owned bundle whose record names no owner
        ends = draw.pick((State.SPLITTING, State.RELEASING))
        ownerless = RecordData(State.OWNED, None, "b1", 1)
        return ConflictTrial(storage, ownerless, RecordData(ends, None, draw.pick(("b1", "b0")), 2))
    before = draw.pick(EDGES) if draw.chance(0.1) else draw.integer(1, 4)
    current = draw_record(draw, before) if not draw.chance(0.15) else None
    if draw.chance(0.05):
        return ConflictTrial(storage, current, None)
    step = draw.pick((1, 1, 1, 0, 2, -1))
    after = before + step if current is not None else draw.integer(0, 3)
    after = (after + 2**63) % 2**64 - 2**63
    update = draw_record(draw, after)
    if current is not None and draw.chance(0.6):
        update = draw_follower(draw, storage, current, update)
    return ConflictTrial(storage, current, update)


def draw_follower(
    draw: Draw, storage: Storage, current: RecordData, update: RecordData
) -> RecordData:
    """The update made a likely follower: a state of the table, and brokers that may fit."""
    followers = sorted(FOLLOWERS[storage][current.state], key=lambda state: state.value)
    state = draw.pick(followers)
    pair = draw.pick(
        (
            (current.destination, current.source),
            (None, current.destination),
            (update.destination, current.destination),
            (update.destination, update.source),
        )
    )
    if not any(text and text.strip() for text in pair):
        pair = (None, "b0")
    return RecordData(state, *pair, update.version, update.force)


# ---------------------------------------------------------------------------------- channel


class Teller:
    """Draws the commands of one trial for so many brokers."""

    def __init__(self, draw: Draw, brokers: int) -> None:
        self.draw = draw
        self.brokers = brokers

    def broker(self) -> int:
        """Any broker."""
        return self.draw.integer(0, self.brokers - 1)

    def bundle(self) -> Bundle:
        """Mostly the parent."""
        return self.draw.pick((Bundle.PARENT, Bundle.PARENT, Bundle.PARENT, *BUNDLES))

    def reads(self, times: int = 1) -> Iterator[ChannelCommand]:
        """All brokers, or one, read so many changes."""
        if self.draw.chance(0.25):
            yield Read(self.broker())
            return
        for _ in range(times):
            for broker in range(self.brokers):
                yield Read(broker)

    def assignment(self) -> Iterator[ChannelCommand]:
        """A bundle is assigned, and its owner says so."""
        bundle, to = self.bundle(), self.broker()
        yield Assign(self.broker(), bundle, to)
        yield from self.reads(2)

    def unloading(self) -> Iterator[ChannelCommand]:
        """A bundle is unloaded or transferred."""
        bundle = self.bundle()
        to = self.broker() if self.draw.chance(0.6) else None
        yield Unload(self.broker(), bundle, to)
        yield from self.reads()
        if self.draw.chance(0.8):
            yield Finish(self.broker(), bundle, self.draw.chance(0.15))
            yield from self.reads(2)

    def splitting(self) -> Iterator[ChannelCommand]:
        """The parent is split."""
        yield Split(self.broker())
        yield from self.reads()
        if self.draw.chance(0.8):
            yield Finish(self.broker(), Bundle.PARENT, self.draw.chance(0.15))
            yield from self.reads(3)

    def loss(self) -> Iterator[ChannelCommand]:
        """A broker is lost, seen to be, and cleaned up after; sometimes it comes back."""
        lost, other = self.broker(), self.broker()
        back: ChannelCommand
        if self.draw.chance(0.6):
            yield Crash(lost)
            back = RestartBroker(lost)
        elif self.draw.chance(0.7):
            yield LoseSession(lost)
            back = RegainSession(lost)
        else:
            yield ShutDown(lost)
            back = Crash(lost)
        if self.draw.chance(0.4):
            yield Elect(other)
        if self.draw.chance(0.3):
            yield back
        yield Notice(other)
        if self.draw.chance(0.3):
            yield Elapse(self.draw.pick(TIMES))
        else:
            yield Clean(other) if self.draw.chance(0.5) else Monitor(other)
        yield from self.reads()
        if self.draw.chance(0.3):
            yield back

    def flapping(self) -> Iterator[ChannelCommand]:
        """The leader's session comes and goes, and another broker is lost meanwhile."""
        leader, lost = self.broker(), self.broker()
        yield LoseSession(leader)
        yield RegainSession(leader)
        yield Elect(leader)
        yield Crash(lost)
        yield Notice(leader)
        yield Clean(leader)

    def behind(self) -> Iterator[ChannelCommand]:
        """The parent is split, and a broker that has read nothing of it unloads the parent."""
        owner, other = self.broker(), self.broker()
        yield Split(owner)
        yield Read(owner)
        yield Finish(owner, Bundle.PARENT, False)
        for _ in range(4):
            yield Read(owner)
        yield Unload(other, Bundle.PARENT, owner)
        yield from self.reads(4)

    def removing(self) -> Iterator[ChannelCommand]:
        """A bundle is unloaded, long free, and assigned as the monitor is about to remove it."""
        bundle, owner, leader = self.bundle(), self.broker(), self.broker()
        yield Unload(owner, bundle, None)
        yield from self.reads()
        for broker in range(self.brokers):
            yield Finish(broker, bundle, False)
        yield from self.reads()
        yield Elapse(3_601_000)
        yield Assign(self.broker(), bundle, owner)
        yield Monitor(leader)
        yield from self.reads(2)

    def returning(self) -> Iterator[ChannelCommand]:
        """A bundle is unloaded, long free, removed, and assigned again.

        Meanwhile another broker has read nothing, or has begun anew after compaction; it assigns
        the bundle, too.
        """
        bundle, late = self.bundle(), self.broker()
        yield Assign(late, bundle, late)
        yield Settle()
        yield Unload(self.broker(), bundle, None)
        yield Settle()
        yield Elapse(3_601_000)
        if self.draw.chance(0.5):
            yield Settle()
            yield Compact()
            yield Crash(late)
            yield RestartBroker(late)
        else:
            yield Monitor(0)
            yield Assign(0, bundle, 0)
            for _ in range(3):
                yield Read(0)
        yield Assign(late, bundle, late)
        for _ in range(5):
            yield Read(late)
        yield Settle()

    def leaving(self) -> Iterator[ChannelCommand]:
        """The last broker leaves while it splits the parent, which one that is back is given."""
        last, back = self.broker(), self.broker()
        yield Assign(last, Bundle.PARENT, last)
        for _ in range(3):
            yield Read(last)
        yield Elect(last)
        yield Split(last)
        yield Read(last)
        for other in range(self.brokers):
            if other != last:
                yield LoseSession(other)
        yield ShutDown(last)
        yield RegainSession(back)
        for _ in range(3):
            yield Read(back)
        yield Assign(back, Bundle.PARENT, back)
        yield Read(back)
        yield Settle()

    def anything(self) -> ChannelCommand:
        """Any single command."""
        draw, broker = self.draw, self.broker()
        match draw.integer(0, 9):
            case 0 | 1:
                return Ask(broker, self.bundle())
            case 2:
                return Finish(broker, self.bundle(), draw.chance(0.2))
            case 3:
                return Assign(broker, self.bundle(), self.broker())
            case 4:
                return Unload(broker, self.bundle(), self.broker())
            case 5:
                return Elapse(draw.pick(TIMES))
            case 6:
                return Compact()
            case _:
                return draw.pick(PLAIN)(broker)

    def story(self) -> Iterator[ChannelCommand]:
        """One of the stories, or a single command."""
        stories = (self.assignment, self.unloading, self.splitting, self.loss)
        if self.draw.chance(0.35):
            yield self.anything()
        elif self.draw.chance(0.2):
            rare = (self.behind, self.removing, self.returning, self.flapping, self.leaving)
            yield from self.draw.pick(rare)()
        else:
            yield from self.draw.pick(stories)()
        if self.draw.chance(0.4):
            yield Ask(self.broker(), self.bundle())


def channel_trial(draw: Draw) -> ChannelTrial:
    """A few stories, each step of which may be left out; mostly settled in the end."""
    storage, brokers = draw.pick(tuple(Storage)), 2 + draw.chance(0.4)
    teller, commands = Teller(draw, brokers), list[ChannelCommand]()
    if not draw.chance(0.1):
        commands.extend(teller.assignment())
    for _ in draw.items(6, 0.75):
        commands.extend(step for step in teller.story() if not draw.chance(0.1))
    del commands[MOST:]
    if draw.chance(0.7):
        commands.append(Settle())
    return ChannelTrial(storage, brokers, tuple(commands))
