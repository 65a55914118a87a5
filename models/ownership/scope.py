"""Small scopes of the ownership channel: every schedule of the reference itself.

A scope begins after a few given commands. From then on all interleavings are tried of what goes
on by itself (a broker reads, ends a work, sees a registration, cleans up) and of a few things that
clients, admins and failures do, each so many times at most. A move is a command of
`ownership.channel`, so that a schedule is a trial. A move that changes nothing is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from evenkeel.models.graph import Move
from evenkeel.models.ownership.channel_keys import (
    BROKERS,
    NOTHING,
    REGISTERED,
    Records,
    Versions,
    WorldKey,
    freeze,
    numbers_of,
    records_of,
    thaw,
    versions_of,
)
from evenkeel.models.ownership.flaws import (
    Leading,
    Standing,
    flaws_of_serving,
    flaws_of_writes,
    flaws_when_quiescent,
)
from evenkeel.models.ownership.steps import (
    After,
    Choice,
    Effect,
    Steps,
    choice,
    going_on,
    perform,
    quiet,
)
from evenkeel.properties.ownership.channel.commands import ChannelCommand, RestartBroker
from evenkeel.properties.ownership.channel.trial import NAMES, ChannelTrial
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.ownership import channel
from evenkeel.reference.ownership.records import BrokerId, Storage


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that happens from outside: one of these commands, at most so many times."""

    commands: tuple[ChannelCommand, ...]
    times: int = 1


class Stood(NamedTuple):
    """The record of each bundle, and the versions that were removed."""

    records: Records
    removed: Versions


class Situation(NamedTuple):
    """A state: the world, what stands in the topic, what is still offered, and a flaw if any.

    `standing`: what stands by the messages so far, read in their order. `led`: who has led.
    """

    world: WorldKey
    standing: Stood
    led: frozenset[BrokerId]
    left: tuple[int, ...]
    flaw: str


Judged = tuple[tuple[str, ...], Stood]
"""What is wrong with records that were written, and the records that stand after them."""


@dataclass(slots=True)
class Memory:
    """What a scope has found out and need not find out again.

    The commands of its moves by their words; what commands do, by edition; what is still offered;
    what is wrong with written records; and what is wrong with quiescent worlds.
    """

    commands: dict[str, ChannelCommand] = field(default_factory=dict)
    steps: dict[str, Steps] = field(default_factory=dict)
    offered: dict[tuple[int, ...], tuple[tuple[Choice, tuple[int, ...]], ...]] = field(
        default_factory=dict
    )
    judged: dict[tuple[Effect, Stood, frozenset[BrokerId]], Judged] = field(default_factory=dict)
    rested: dict[tuple[WorldKey, str], tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Scope:
    """A storage, so many brokers, how it begins, and what is offered.

    `settles`: whenever nothing goes on by itself any more, a fair schedule without further faults
    must lead to rest; `early`: not only then, but from every situation. `wanted`: only flaws whose
    sentences begin so count.
    """

    name: str
    storage: Storage
    brokers: int
    begins: tuple[ChannelCommand, ...]
    offers: tuple[Offer, ...]
    settles: bool = True
    early: bool = False
    wanted: str = ""
    memory: Memory = field(default_factory=Memory, compare=False)

    @cached_property
    def names(self) -> tuple[BrokerId, ...]:
        """The brokers' names."""
        return NAMES[: self.brokers]

    @cached_property
    def restarts(self) -> bool:
        """Can a broker begin anew?"""
        return any(isinstance(c, RestartBroker) for offer in self.offers for c in offer.commands)

    def initial(self, edition: Edition = DOCUMENTED) -> Iterator[Situation]:
        """The world after the commands with which the scope begins."""
        world = channel.new(self.storage, self.names)
        standing = Standing()
        leading = Leading(world.leader, frozenset(self.names[:1]))
        for command in self.begins:
            perform(world, command, edition)
            flaws_of_writes(world, command, leading, standing, edition)
        left = tuple(offer.times for offer in self.offers)
        key = freeze(world, self.restarts)
        yield Situation(key, stood(standing), leading.ever, left, "")

    def moves(self, situation: Situation, edition: Edition = DOCUMENTED) -> list[Move[Situation]]:
        """Everything that can happen next."""
        found: list[Move[Situation]] = []
        steps = self.steps(edition)
        for chosen in going_on(situation.world):
            self.add(found, situation, chosen, situation.left, steps)
        for chosen, left in self.offered(situation.left):
            self.add(found, situation, chosen, left, steps)
        return found

    def steps(self, edition: Edition) -> Steps:
        """What commands do by this edition."""
        found = self.memory.steps.get(edition.name)
        if found is None:
            found = Steps(self.storage, self.names, self.restarts, edition)
            self.memory.steps[edition.name] = found
        return found

    def offered(self, left: tuple[int, ...]) -> tuple[tuple[Choice, tuple[int, ...]], ...]:
        """What is still offered, and what is left afterwards."""
        found = self.memory.offered.get(left)
        if found is None:
            found = self.memory.offered[left] = tuple(
                (choice(command), tuple(n - (at == place) for at, n in enumerate(left)))
                for place, offer in enumerate(self.offers)
                if left[place]
                for command in offer.commands
            )
        return found

    def add(
        self,
        found: list[Move[Situation]],
        situation: Situation,
        chosen: Choice,
        left: tuple[int, ...],
        steps: Steps,
    ) -> None:
        """One move, if the command is possible and changes something."""
        after = steps.after(situation.world, chosen)
        if after.world == situation.world:
            return
        self.memory.commands[chosen.label] = chosen.command
        flaws, standing = self.judged(situation, chosen.command, after, steps)
        flaws += self.serving(after.world) + self.resting(after.world, steps)
        flaw = next((flaw for flaw in flaws if flaw.startswith(self.wanted)), "") if flaws else ""
        led, leader = situation.led, after.world.leader
        if leader != NOTHING and self.names[leader] not in led:
            led = led | {self.names[leader]}
        found.append((chosen.label, Situation(after.world, standing, led, left, flaw)))

    def judged(
        self, situation: Situation, command: ChannelCommand, after: After, steps: Steps
    ) -> Judged:
        """What is wrong with the records that a command wrote, and what stands after them."""
        if not after.written:
            return (), situation.standing
        if after.effect is None:
            return self.judge(situation, command, after, steps)
        seen = after.effect, situation.standing, situation.led
        found = self.memory.judged.get(seen)
        if found is None:
            found = self.memory.judged[seen] = self.judge(situation, command, after, steps)
        return found

    def judge(
        self, situation: Situation, command: ChannelCommand, after: After, steps: Steps
    ) -> Judged:
        """The same, found out."""
        world = thaw(after.world, self.storage, self.names)
        world.written = list(after.written)
        leader = situation.world.leader
        leading = Leading(None if leader == NOTHING else self.names[leader], situation.led)
        nodes = self.storage is Storage.NODES
        before = situation.world if nodes else situation.standing
        records = situation.world.nodes if nodes else situation.standing.records
        standing = Standing(records_of(records), dict(before.removed))
        flaws = flaws_of_writes(world, command, leading, standing, steps.edition)
        return tuple(flaws), situation.standing if nodes else stood(standing)

    def serving(self, key: WorldKey) -> tuple[str, ...]:
        """What is wrong with who serves what; at a glance nothing, as a rule."""
        served = 0
        for number in key.brokers:
            if number != NOTHING:
                broker = BROKERS.values[number]
                unregistered = broker.serves and not broker.flags & REGISTERED
                if broker.serves & served or unregistered:
                    return tuple(flaws_of_serving(thaw(key, self.storage, self.names)))
                served |= broker.serves
        return ()

    def resting(self, key: WorldKey, steps: Steps) -> tuple[str, ...]:
        """What is wrong once a world has come to rest, where that is asked."""
        if not self.settles or not (self.early or quiet(key)):
            return ()
        seen = key, steps.edition.name
        found = self.memory.rested.get(seen)
        if found is None:
            world = thaw(key, self.storage, self.names)
            quiescent = (
                f"{flaw} (quiescent)" for flaw in flaws_when_quiescent(world, steps.edition)
            )
            found = self.memory.rested[seen] = tuple(quiescent)
        return found

    def trial(self, schedule: tuple[str, ...], *ends: ChannelCommand) -> ChannelTrial:
        """The trial that a schedule makes."""
        commands = (*self.begins, *(self.memory.commands[label] for label in schedule), *ends)
        return ChannelTrial(self.storage, self.brokers, commands)


def stood(standing: Standing) -> Stood:
    """What stands, as a value."""
    return Stood(numbers_of(standing.records), versions_of(standing.removed))


def wrong(situation: Situation) -> str | None:
    """What is wrong with a situation."""
    return situation.flaw or None
