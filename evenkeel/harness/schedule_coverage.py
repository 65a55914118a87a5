"""How much of an enumerated scope of the channel random schedules reach.

Random schedules are the generator's trials, restricted to the scope: of a trial's commands those
are taken, in their order, that are moves of the scope where they come; the others are passed over.
For comparison: walks that take any of the moves with equal chance until none is left. A campaign
says it of its own trials, in the scopes that are `REPORTED`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from evenkeel.harness.seeded import make_trial
from evenkeel.models.ownership.channel.graphs import scope_of
from evenkeel.models.ownership.channel.worlds import Scope, Situation, choice
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel.trials import ChannelCommand, ChannelTrial
from evenkeel.reference.ownership.records import Storage

Moves = dict[str, Situation]
Table = dict[Situation, Moves]

REPORTED: Final = (
    ("race", Storage.TOPIC),
    ("race", Storage.NODES),
    ("sessions", Storage.NODES),
    ("division", Storage.TOPIC),
    ("division", Storage.NODES),
    ("division-among-3", Storage.NODES),
    ("crash-among-3", Storage.TOPIC),
)
MOST_TRIALS: Final = 10_000
"""Trials of a campaign that are examined at most."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A scope's states, and how many of them random schedules reach."""

    scope: str
    states: int
    schedules: int
    by_trials: int
    by_walks: int


def table_of(scope: Scope) -> Table:
    """Every state of a scope, and where each move leads."""
    table: Table = {state: {} for state in scope.initial()}
    waiting = deque(table)
    while waiting:
        state = waiting.popleft()
        table[state] = dict(scope.moves(state))
        for after in table[state].values():
            if after not in table:
                table[after] = {}
                waiting.append(after)
    return table


def trials_of(scope: Scope, seed: int) -> Iterator[ChannelTrial]:
    """The generator's trials with this scope's storage and number of brokers, without end."""
    index = 0
    while True:
        trial: ChannelTrial = make_trial(CHANNEL, seed, index)
        index += 1
        if (trial.storage, trial.brokers) == (scope.storage, scope.brokers):
            yield trial


def restricted(
    table: Table, start: Situation, commands: Iterable[ChannelCommand]
) -> Iterator[Situation]:
    """The states that a list of commands leads through."""
    state = start
    for command in commands:
        after = table[state].get(choice(command).label)
        if after is not None:
            state = after
            yield state


def walk(table: Table, start: Situation, random: Random) -> Iterator[Situation]:
    """The states of a random walk to its end."""
    state = start
    while table[state]:
        state = random.choice(list(table[state].values()))
        yield state


def coverage_of(scope: Scope, schedules: int, seed: int) -> Coverage:
    """The states that a number of random schedules of either sort reach."""
    table = table_of(scope)
    start = next(iter(table))
    by_trials, by_walks, random = {start}, {start}, Random(seed)
    for _, trial in zip(range(schedules), trials_of(scope, seed), strict=False):
        by_trials.update(restricted(table, start, trial.commands))
    for _ in range(schedules):
        by_walks.update(walk(table, start, random))
    return Coverage(scope.name, len(table), schedules, len(by_trials), len(by_walks))


@dataclass(frozen=True, slots=True)
class Reached:
    """A scope's states, and how many of them the trials of a campaign reach."""

    scope: str
    states: int
    reached: int

    @property
    def share(self) -> float:
        """1.0: all states."""
        return self.reached / self.states


def reached_by(seed: int, trials: int) -> list[Reached]:
    """What the first trials of a seed reach of each scope that is `REPORTED`."""
    scopes = [scope_of(name, storage) for name, storage in REPORTED]
    tables = [table_of(scope) for scope in scopes]
    starts = [next(iter(table)) for table in tables]
    found = [{start} for start in starts]
    for index in range(trials):
        trial: ChannelTrial = make_trial(CHANNEL, seed, index)
        for scope, table, start, states in zip(scopes, tables, starts, found, strict=True):
            if (trial.storage, trial.brokers) == (scope.storage, scope.brokers):
                states.update(restricted(table, start, trial.commands))
    return [
        Reached(scope.name, len(table), len(states))
        for scope, table, states in zip(scopes, tables, found, strict=True)
    ]
