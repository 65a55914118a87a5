"""Small scopes of the ownership channel: every schedule of the reference itself.

A scope begins after a few given commands. From then on all interleavings are tried of what goes
on by itself (a broker reads, ends a work, sees a registration, cleans up) and of a few things that
clients, admins and failures do, each so many times at most. A move is a command of
`ownership.channel`, so that a schedule is a trial. A move that changes nothing is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Final, NamedTuple

from evenkeel.models.graph import Move
from evenkeel.models.ownership.flaws import Leading, Standing, flaws_at_rest, flaws_of
from evenkeel.models.ownership.keys import (
    Records,
    Versions,
    WorldKey,
    freeze,
    numbers_of,
    records_of,
    thaw,
    versions_of,
)
from evenkeel.properties.ownership.answers_channel import NAMES, run
from evenkeel.properties.ownership.trials_channel import (
    Bundle,
    ChannelCommand,
    ChannelTrial,
    Clean,
    Finish,
    Notice,
    Read,
    RestartBroker,
)
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.errors import Breakage, Refusal
from evenkeel.reference.ownership import channel
from evenkeel.reference.ownership.channel_world import Ticket, World
from evenkeel.reference.ownership.records import BrokerId, Storage

NO_TICKET: Final = Ticket(0)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that happens from outside: one of these commands, at most so many times."""

    commands: tuple[ChannelCommand, ...]
    times: int = 1


class Situation(NamedTuple):
    """A state: the world, what stands in the topic, what is still offered, and a flaw if any.

    `standing`: the record of each bundle by the messages so far, read in their order; `removed`:
    the versions that were removed. `led`: who has led.
    """

    world: WorldKey
    standing: Records
    removed: Versions
    led: frozenset[BrokerId]
    left: tuple[int, ...]
    flaw: str


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
    memory: dict[str, ChannelCommand] = field(default_factory=dict, compare=False)
    rested: dict[tuple[WorldKey, str], tuple[str, ...]] = field(default_factory=dict, compare=False)

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
            flaws_of(world, command, leading, standing, edition)
        left = tuple(offer.times for offer in self.offers)
        key = freeze(world, self.restarts)
        stands = numbers_of(standing.records), versions_of(standing.removed)
        yield Situation(key, *stands, leading.ever, left, "")

    def moves(self, situation: Situation, edition: Edition = DOCUMENTED) -> list[Move[Situation]]:
        """Everything that can happen next."""
        found: list[Move[Situation]] = []
        for command in going_on(thaw(situation.world, self.storage, self.names)):
            self.add(found, situation, command, situation.left, edition)
        for place, offer in enumerate(self.offers):
            if situation.left[place]:
                left = tuple(n - (at == place) for at, n in enumerate(situation.left))
                for command in offer.commands:
                    self.add(found, situation, command, left, edition)
        return found

    def add(
        self,
        found: list[Move[Situation]],
        situation: Situation,
        command: ChannelCommand,
        left: tuple[int, ...],
        edition: Edition,
    ) -> None:
        """One move, if the command is possible and changes something."""
        world = thaw(situation.world, self.storage, self.names)
        standing, leading = self.standing(world, situation), Leading(world.leader, situation.led)
        perform(world, command, edition)
        after = freeze(world, self.restarts)
        if after == situation.world:
            return
        flaws = flaws_of(world, command, leading, standing, edition)
        stands = situation.standing, situation.removed
        if self.storage is Storage.TOPIC:
            stands = numbers_of(standing.records), versions_of(standing.removed)
        flaws.extend(self.resting(world, after, edition))
        flaw = next((flaw for flaw in flaws if flaw.startswith(self.wanted)), "")
        led = situation.led
        if world.leader is not None and world.leader not in led:
            led = led | {world.leader}
        found.append((self.word(command), Situation(after, *stands, led, left, flaw)))

    def standing(self, world: World, situation: Situation) -> Standing:
        """What stands before a move: in the nodes, or by the messages of the topic."""
        if self.storage is Storage.NODES:
            return Standing(dict(world.nodes), dict(world.removed))
        return Standing(records_of(situation.standing), dict(situation.removed))

    def word(self, command: ChannelCommand) -> str:
        """The command in words, from which it can be found again."""
        label = words(command)
        self.memory[label] = command
        return label

    def resting(self, world: World, key: WorldKey, edition: Edition) -> tuple[str, ...]:
        """What is wrong once a world has come to rest, where that is asked."""
        if not self.settles or not (self.early or next(going_on(world), None) is None):
            return ()
        found = self.rested.get((key, edition.name))
        if found is None:
            at_rest = (f"{flaw} (at rest)" for flaw in flaws_at_rest(world, edition))
            found = self.rested[key, edition.name] = tuple(at_rest)
        return found

    def trial(self, schedule: tuple[str, ...], *ends: ChannelCommand) -> ChannelTrial:
        """The trial that a schedule makes."""
        commands = (*self.begins, *(self.memory[label] for label in schedule), *ends)
        return ChannelTrial(self.storage, self.brokers, commands)


def perform(world: World, command: ChannelCommand, edition: Edition) -> None:
    """One command; refused, it changes nothing."""
    world.written, world.ended = [], []
    with suppress(Refusal, Breakage):
        run(world, command, NO_TICKET, edition)


def going_on(world: World) -> Iterator[ChannelCommand]:
    """What can happen next by itself."""
    topic = world.storage is Storage.TOPIC
    for index, broker in enumerate(world.brokers.values()):
        if not broker.alive:
            continue
        if broker.position < len(world.log) if topic else broker.told and broker.connected:
            yield Read(index)
        for bundle in dict.fromkeys(work.bundle for work in broker.works):
            yield Finish(index, Bundle(bundle), False)
        if broker.notices:
            yield Notice(index)
        if any(due <= world.now for due in broker.cleanups.values()):
            yield Clean(index)


@cache
def words(command: ChannelCommand) -> str:
    """A command in words: what is done, at which broker, with what."""
    values = [getattr(command, place.name) for place in fields(command)]
    return " ".join([command.DO, *(str(getattr(value, "value", value)) for value in values)])


def wrong(situation: Situation) -> str | None:
    """What is wrong with a situation."""
    return situation.flaw or None
