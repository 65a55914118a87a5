"""Which consumers of a subscription read which segments (SCA-54 to SCA-65, SCA-74)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.scaling.layout import change_layout
from evenkeel.properties.scaling.trial_parts import (
    Bucketed,
    Command,
    History,
    Merge,
    Number,
    Prune,
    Split,
    draw_count,
    require_buckets,
    require_count,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import code_units
from evenkeel.reference.scaling import assigning, layout
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case, in_full, name_shape
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import is_must, monitor
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, require, require_name


@dataclass(frozen=True, slots=True)
class Connect(Tagged):
    """A consumer connects: for the first time, or again after its connection was lost."""

    consumer: str


@dataclass(frozen=True, slots=True)
class LoseConnection(Tagged):
    """The connection of a consumer is lost; its period of grace begins."""

    consumer: str


@dataclass(frozen=True, slots=True)
class TimeOut(Tagged):
    """The period of grace of a consumer is over, and it has not come back."""

    consumer: str


@dataclass(frozen=True, slots=True)
class Leave(Tagged):
    """A connected consumer leaves the subscription."""

    consumer: str


@dataclass(frozen=True, slots=True)
class Drain(Tagged):
    """All messages of a sealed segment have been read; it may have been said before."""

    segment: Number


@dataclass(frozen=True, slots=True)
class TakeOver(Tagged):
    """Another broker becomes the controller. The layout and the consumers were stored; those that
    were connected connect again at once.
    """


Consuming = Connect | LoseConnection | TimeOut | Leave
AssignmentCommand = Command | Consuming | Drain | TakeOver


@dataclass(slots=True)
class Group:
    """What trial and judge know of a subscription: layout, connected consumers, what is drained."""

    history: History
    connected: dict[str, bool] = field(default_factory=dict)
    drained: set[int] = field(default_factory=set)

    def why_not(self, command: AssignmentCommand) -> str:
        """Why this cannot happen; empty if it can."""
        match command:
            case Connect(name):
                return f"{name} is connected" if self.connected.get(name) else ""
            case TimeOut(name):
                return "" if self.connected.get(name) is False else f"{name} is not awaited"
            case Leave(name) | LoseConnection(name):
                return "" if self.connected.get(name) else f"{name} is not connected"
            case Drain(number):
                one = self.history.segments.get(number)
                return "" if one is not None and one.sealed else f"segment {number} is not sealed"
            case TakeOver():
                return "" if any(self.connected.values()) else "no consumer is connected"
            case Split() | Merge() | Prune():
                return self.history.why_not(command)

    def apply(self, command: AssignmentCommand) -> None:
        """What can happen happens."""
        match command:
            case Connect(name) | LoseConnection(name):
                self.connected[name] = isinstance(command, Connect)
            case Leave(name) | TimeOut(name):
                del self.connected[name]
            case Drain(number):
                self.drained.add(number)
            case Split() | Merge() | Prune():
                self.history.apply(command)

    def ancestors(self, number: int) -> set[int]:
        """Those that are still known, each looked at once: there can be very many ways to it."""
        found, waiting = set[int](), [number]
        while waiting:
            parents = self.history.segments[waiting.pop()].parents
            waiting += [parent for parent in parents if parent not in found]
            found.update(parents)
        return found

    def to_read(self) -> list[int]:
        """The segments that have something to read, all that was before it having been read."""
        return [
            number
            for number, one in self.history.segments.items()
            if not (one.sealed and number in self.drained)
            and self.ancestors(number) <= self.drained
        ]


@dataclass(frozen=True, slots=True)
class AssignmentTrial:
    """`scaling.assignment`: which consumers of one stream subscription read which segments.

    The topic is new, with `count` segments, `budget` entry buckets and at most `max_buckets` for a
    segment, as in `scaling.layout`, and numbered by SCA-9, in answers, too. It has no consumers at
    first. Their names are any text. Every command can be carried out: one that is refused breaks
    SCA-54. What is removed was read, also if no `drain` said so. When a segment that was split is
    drained, a connected consumer that read it alone reads one of the children (SCA-58). No trial
    drains a live segment, connects who is connected, or has another controller take over while no
    consumer is connected.
    """

    count: int
    commands: tuple[AssignmentCommand, ...]
    budget: Bucketed = 1
    max_buckets: Bucketed = 1

    def __post_init__(self) -> None:
        require_count("count", self.count)
        require_buckets("budget", (self.budget, self.max_buckets))
        group = Group(History.of(self.count, self.budget, self.max_buckets))
        for place, command in enumerate(self.commands):
            if isinstance(command, Consuming):
                require_name(f"commands[{place}]", command.consumer)
            why = group.why_not(command)
            require(not why, f"commands[{place}]", why)
            group.apply(command)


@dataclass(frozen=True, slots=True)
class Reads:
    """A consumer, connected or awaited, and the segments that it reads, alone or with others."""

    consumer: str
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Assignment(Tagged):
    """Each consumer once, in any order."""

    consumers: tuple[Reads, ...]


AssignmentResult = Assignment | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class AssignmentAnswer:
    """What is assigned after each command."""

    results: tuple[AssignmentResult, ...]


# ------------------------------------------------------------------------------- generator

_NAMES: Final = ("b", "a", "c", "c10", "c2", "B", "a ", "ａ", "\U0001f600")
"""The order of the last two is that of their code units."""


def assignment_trial(draw: Draw) -> AssignmentTrial:
    """Consumers that come and go, while segments are split, merged and drained."""
    initial = draw_count(draw)
    budget, most = 1, 1
    if draw.chance(0.4):
        budget, most = draw.pick((4, 8, 2, 3)), draw.pick((1024, 2, 4))
    group, commands = Group(History.of(initial, budget, most)), list[AssignmentCommand]()
    for place in draw.items(4, 0.6, 1):
        add(group, commands, Connect(_NAMES[(place + draw.integer(0, 4)) % len(_NAMES)]))
    for _ in draw.items(30, 0.9):
        add(group, commands, draw_command(draw, group))
    return AssignmentTrial(initial, tuple(commands), budget, most)


def add(group: Group, commands: list[AssignmentCommand], command: AssignmentCommand) -> None:
    """One more command, if it is possible."""
    if not group.why_not(command):
        group.apply(command)
        commands.append(command)


def draw_command(draw: Draw, group: Group) -> AssignmentCommand:
    """Mostly a change of the layout, or what makes another one readable."""
    sort, live, segments = draw.integer(0, 11), group.history.live(), group.history.segments
    name = draw.pick(_NAMES)
    if sort >= 8:
        waiting = [one for one in segments if segments[one].sealed and one not in group.drained]
        if waiting:
            return Drain(waiting[0] if draw.chance(0.7) else draw.pick(waiting))
    if sort in (1, 2) and len(live) > 1:
        place = draw.integer(0, len(live) - 2)
        return Merge(*live[place : place + 2])
    if sort in (3, 4) and group.connected:
        name = draw.pick(list(group.connected))
        return draw_going(draw, name, group.connected[name])
    if sort == 5:
        sealed = [one for one in segments if segments[one].sealed]
        known = draw.pick(sealed) if sealed else 0
        others: tuple[AssignmentCommand, ...] = (TakeOver(), TakeOver(), Prune(known), Drain(known))
        return draw.pick(others)
    return Connect(name) if sort in (6, 7) else Split(draw.pick(live))


def draw_going(draw: Draw, name: str, connected: bool) -> AssignmentCommand:
    """A consumer loses its connection, or leaves; comes back, or does not."""
    if connected:
        return LoseConnection(name) if draw.chance(0.7) else Leave(name)
    return Connect(name) if draw.chance(0.5) else TimeOut(name)


def answer_assignment(trial: AssignmentTrial, edition: Edition) -> AssignmentAnswer:
    """The reference's assignments."""
    budget = layout.budget_in(layout.Budget(trial.budget, trial.max_buckets), edition)
    state = assigning.Subscription(layout.initial(trial.count, budget))
    results = list[AssignmentResult]()
    for command in trial.commands:
        state = after(state, command, budget, edition)
        found = assigning.assign_segments(state, edition)
        results.append(Assignment(tuple(Reads(*one) for one in found.items())))
    return AssignmentAnswer(tuple(results))


def after(
    state: assigning.Subscription,
    command: AssignmentCommand,
    budget: layout.Budget,
    edition: Edition,
) -> assigning.Subscription:
    """A subscription after a command, as the reference sees it."""
    match command:
        case Connect(name):
            return assigning.connect_consumer(state, name)
        case LoseConnection(name):
            return assigning.disconnect_consumer(state, name)
        case Leave(name) | TimeOut(name):
            return assigning.gone(state, name)
        case Drain(number):
            return replace(state, drained=state.drained | {number})
        case TakeOver():
            return assigning.taken_over(state, edition)
        case Split() | Merge() | Prune():
            return replace(state, layout=change_layout(state.layout, command, budget))


def assignment_labels(trial: AssignmentTrial) -> Iterator[str]:
    """What happens."""
    yield from (command.DO for command in trial.commands)
    if trial.max_buckets > 1:
        yield "with entry buckets"


# ----------------------------------------------------------------------------------- judge

Owners = Mapping[int, list[str]]
CLAUSES: Final = (*(f"SCA-{number}" for number in range(54, 66)), "SCA-74")
PRACTICE: Final = frozenset({"SCA-62", "SCA-63"})
"""Clauses after a departure from which the judge continues."""


@monitor("scaling.assignment", *CLAUSES)
def judge_assignment(run: MonitorRun, case: Case[AssignmentTrial, AssignmentAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        why = fill("the subscription {}", in_full(observed))
        run.require("SCA-54", False, why, name_shape(observed))
        return
    most = 0 if case.edition.segments_without_buckets else trial.max_buckets
    group = Group(History.of(trial.count, trial.budget, most))
    before: tuple[Reads, ...] = ()
    for place, (command, result) in enumerate(zip(trial.commands, observed.results, strict=True)):
        if not isinstance(result, Assignment):
            run.require("SCA-54", False, fill("{}: {}", command, result), "refused")
            return
        returns = isinstance(command, Connect) and command.consumer in group.connected
        readable = set(group.to_read())
        group.apply(command)
        if isinstance(command, TakeOver) and case.edition.drained_forgotten:
            group.drained.clear()
        where, departed = f"{place + 1} ({command.DO})", bool(run.findings.violated)
        step = Step(run, case.edition, group, where, result.consumers, departed)
        step.judge_unchanged(command, before, returns)
        if step.is_readable_at_all():
            step.judge(isinstance(command, TakeOver))
            if isinstance(command, Drain):
                step.judge_children(command.segment, owners_of(before), readable)
        if run.findings.violated - PRACTICE:
            return
        before = result.consumers


def owners_of(consumers: Collection[Reads]) -> dict[int, list[str]]:
    """The consumers of each segment that has some."""
    owners: dict[int, list[str]] = {}
    for one in consumers:
        for number in one.segments:
            owners.setdefault(number, []).append(one.consumer)
    return owners


def spread_of(consumers: Collection[Reads], numbers: list[int]) -> int:
    """By how many of these segments consumers differ at most."""
    counts = [len(set(one.segments).intersection(numbers)) for one in consumers]
    return max(counts, default=0) - min(counts, default=0)


@dataclass(frozen=True, slots=True)
class Step:
    """What is assigned after one command."""

    run: MonitorRun
    edition: Edition
    group: Group
    place: str
    consumers: tuple[Reads, ...]
    departed: bool

    def require(self, clause: str, holds: bool, sentence: str, *values: object) -> None:
        """As of the run, with the place of the command."""
        self.run.require(clause, holds, fill(f"command {self.place}: {sentence}", *values))

    def is_readable_at_all(self) -> bool:
        """Whether the right consumers and known segments are named."""
        names = sorted(one.consumer for one in self.consumers)
        present = sorted(self.group.connected)
        self.require("SCA-61", names == present, "consumers are {}, not {}", names, present)
        unknown = set(owners_of(self.consumers)) - set(self.group.history.segments)
        self.require("SCA-54", not unknown, "there are no segments {}", sorted(unknown))
        return names == present and not unknown

    def judge(self, taken_over: bool) -> None:
        """Which segments are assigned, and to whom."""
        owners, to_read = owners_of(self.consumers), self.group.to_read()
        if not self.consumers:
            return
        left = [number for number in to_read if number not in owners]
        self.require("SCA-54", not left, "segments {} can be read, and no consumer does", left)
        self.judge_ancestors(owners)
        again = sorted(self.group.drained & set(owners))
        if self.group.drained:
            self.require("SCA-74", not again, "segments {} are drained, and assigned", again)
        self.judge_shared(owners)
        self.judge_evenness(to_read)
        right, found = sorted(self.list_expected()), sorted(owners)
        clause = "SCA-65" if taken_over else "SCA-64"
        self.require(clause, found == right, "{} are assigned, not {}", found, right)
        self.judge_turns(owners)

    def judge_ancestors(self, owners: Owners) -> None:
        """SCA-56."""
        for number in self.group.history.segments:
            if waits_for := self.group.ancestors(number) - self.group.drained:
                sentence = "segment {} is assigned, but segments {} are not drained"
                self.require("SCA-56", number not in owners, sentence, number, sorted(waits_for))

    def judge_shared(self, owners: Owners) -> None:
        """SCA-55."""
        if len(self.consumers) < 2 and all(len(found) < 2 for found in owners.values()):
            return
        segments = self.group.history.segments
        for number, found in owners.items():
            room = max(self.rooms(number))
            once = len(set(found)) == len(found) <= room
            self.require("SCA-55", once, "{} has {} buckets; {}", number, room, found)
        rooms = [[len(owners[one]) <= room for room in self.rooms(one)] for one in owners]
        alike = any(map(all, zip(*rooms, strict=True))) or not owners
        self.require("SCA-55", alike, "{} have the buckets of no one way to merge", sorted(owners))
        for number, one in segments.items():
            both = sum(len(owners.get(child, ())) for child in one.children)
            if both and len(one.children) == 2:
                room = max(2, *self.rooms(number))
                sentence = "the halves of segment {} have {} buckets; {} consumers"
                self.require("SCA-55", both <= room, sentence, number, room, both)

    def rooms(self, number: int) -> tuple[int, ...]:
        """The entry buckets that a segment has, at most where that is left open (SCA-50): if merges
        add buckets, and if they give shares.
        """
        history, exact = self.group.history, is_must("SCA-64", self.edition.name)
        return (history.segments[number].buckets,) if exact else history.room(number)

    def judge_evenness(self, to_read: list[int]) -> None:
        """SCA-57, of live segments or of all; among all consumers or, as what those who are awaited
        have may be kept for them, among those that are connected. Who departed from practice
        before may deal again at other moments: it is not judged any more.
        """
        if self.departed:
            return
        live = [one for one in to_read if not self.group.history.segments[one].sealed]
        if len(self.consumers) < 2 or len(to_read) < 2:
            return
        present = [one for one in self.consumers if self.group.connected[one.consumer]]
        among = (self.consumers, present)
        spread = [spread_of(those, numbers) for those in among for numbers in (to_read, live)]
        sentence = "of segments {} to be read consumers have {}"
        shown = [(one.consumer, one.segments) for one in self.consumers]
        self.require("SCA-57", min(spread) <= 1, sentence, to_read, shown)

    def list_expected(self) -> Iterator[int]:
        """The segments that this edition assigns."""
        segments, drained = self.group.history.segments, self.group.drained
        for number, one in segments.items():
            waits_for = self.group.ancestors(number)
            if self.edition.parents_alone_awaited:
                waits_for = set(one.parents)
            ready = waits_for <= drained and not (one.sealed and number in drained)
            if (one.sealed and self.edition.sealed_segments_stay) or ready:
                yield number

    def judge_turns(self, owners: Owners) -> None:
        """SCA-63: how many have each segment; SCA-62: who."""
        known = self.group.history.segments
        numbers = sorted(owners, key=lambda one: (known[one].start, known[one].end, one))
        names = sorted((one.consumer for one in self.consumers), key=code_units)
        found = [len(owners[number]) for number in numbers]
        if len(names) > len(numbers):
            rooms = [max(self.rooms(number)) for number in numbers]
            counts = [known[number].buckets for number in numbers]
            right = dealt(counts, len(names))
            # Where buckets are not certain, as many read as the least numbers of them let read.
            exact = rooms == counts
            fair = found == right if exact else sum(found) >= sum(right)
            self.require("SCA-63", fair, "segments {} have {}, not {}", numbers, found, right)
        if len(names) > 1:
            turn = 0
            for number, count in zip(numbers, found, strict=True):
                due = {names[one % len(names)] for one in range(turn, turn + count)}
                turn += count
                sentence = "segment {} has consumer {}; its turn is that of {}"
                right_ones = set(owners[number]) == due
                self.require("SCA-62", right_ones, sentence, number, owners[number], sorted(due))

    def judge_unchanged(
        self, command: AssignmentCommand, before: tuple[Reads, ...], returns: bool
    ) -> None:
        """SCA-59, SCA-60: what is to change nothing."""
        now = self.consumers
        old, new = ({one.consumer: Counter(one.segments) for one in of} for of in (before, now))
        same = old == new
        sentence = "{} before, {} now"
        if isinstance(command, LoseConnection) or returns:
            self.require("SCA-59", same, sentence, before, self.consumers)
        if isinstance(command, TakeOver):
            self.require("SCA-60", same, sentence, before, self.consumers)

    def judge_children(self, parent: int, before: Owners, readable: set[int]) -> None:
        """SCA-58: who had the segment alone has one of its children, if these alone are new, and no
        other that can be read has hashes of it. Others may get what is new while a consumer is
        awaited.
        """
        had = [name for name in before.get(parent, []) if self.group.connected[name]]
        segments = self.group.history.segments
        ends, children = segments[parent], set(segments[parent].children)
        overlapping = any(
            segments[one].start <= ends.end and ends.start <= segments[one].end
            for one in readable - {parent}
        )
        new = set(self.group.to_read()) - readable
        alone = len(had) == len(before.get(parent, [])) == 1
        left_open = overlapping or new & set(before)
        if alone and len(children) == 2 and new == children and not left_open:
            owners = owners_of(self.consumers)
            has = any(had[0] in owners.get(child, ()) for child in children)
            sentence = "consumer {} had segment {}, but has none of {}"
            self.require("SCA-58", has, sentence, had[0], parent, sorted(children))


def dealt(buckets: list[int], consumers: int) -> list[int]:
    """How many consumers each segment has: round after round one more, where there is a bucket."""
    found = [0] * len(buckets)
    for level in range(max(buckets, default=0)):
        for place, most in enumerate(buckets):
            if level < most and sum(found) < consumers:
                found[place] += 1
    return found


ASSIGNMENT: Final = Question(
    "scaling.assignment",
    AssignmentTrial,
    AssignmentAnswer,
    assignment_trial,
    answer_assignment,
    assignment_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores TakeOver": "Another controller must change nothing (SCA-60).",
            "ignores LoseConnection": "A lost connection must change nothing (SCA-59).",
            "ignores Split": (
                "What follows is possible after it alone, so that no trial is left without it."
            ),
            "ignores Merge after 25 commands": (
                "What follows is possible after it alone, so that no trial is left without it."
            ),
        },
        unmet={
            r"\w+\.commands: (Split after (Split|Prune|Drain)|(Prune|Drain) after Prune|"
            r"Merge after Merge), same \w+": "such a segment is live no more, or is gone",
            r"\w+\.commands: ((Connect|TimeOut) after Connect|(Lose\w+|Leave) after Lose\w+|"
            r"(Lose\w+|TimeOut|Leave) after (TimeOut|Leave)), same consumer": (
                "trials have none that connects while it is connected, or goes while it is not"
            ),
            r"\w+\.commands: Connect in the last third, .*": (
                "a trial begins with them: without a consumer nothing is assigned"
            ),
        },
        world="commands.*",
    ),
)

QUESTIONS: Final = (ASSIGNMENT,)
