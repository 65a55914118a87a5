"""What splits, merges and removals make of a layout (SCA-1 to SCA-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.kit.clause import Case, in_full
from evenkeel.properties.kit.draw import Draw
from evenkeel.properties.kit.judge import monitor
from evenkeel.properties.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.kit.question import Question
from evenkeel.properties.kit.run import MonitorRun, fill
from evenkeel.properties.kit.trial import Tagged
from evenkeel.properties.scaling.trial_parts import (
    HASHES,
    Command,
    History,
    Known,
    Merge,
    Prune,
    Split,
    draw_change,
    draw_count,
    require_count,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.errors import Refusal
from evenkeel.reference.scaling import layout
from evenkeel.reference.scaling.layout import Segment


@dataclass(frozen=True, slots=True)
class Read(Tagged):
    """What is the layout?"""


LayoutCommand = Command | Read


@dataclass(frozen=True, slots=True)
class LayoutTrial:
    """`scaling.layout`: a new topic with `count` segments, numbered from 0, and commands.

    Segments have the hashes from `start` to `end`, both included, of 0 to 65535.
    """

    count: int
    commands: tuple[LayoutCommand, ...]

    def __post_init__(self) -> None:
        require_count("count", self.count)


@dataclass(frozen=True, slots=True)
class Layout(Tagged):
    """All segments that are left, in the order of their numbers, and the depth of each."""

    segments: tuple[Segment, ...]
    depths: tuple[int, ...]


LayoutResult = Layout | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LayoutAnswer:
    """The layout after each command, unless that was refused."""

    results: tuple[LayoutResult, ...]


def draw_wrong(draw: Draw, history: History) -> Command:
    """Mostly a command that is to be refused."""
    number, other = draw.integer(0, history.made), draw.integer(0, history.made)
    wrong: tuple[Command, ...] = (Merge(number, other), Split(number), Prune(number))
    return draw.pick(wrong)


def layout_trial(draw: Draw) -> LayoutTrial:
    """Commands of each sort, seldom down to a single hash."""
    initial = draw_count(draw)
    history, commands = History.of(initial), list[LayoutCommand]()
    if draw.chance(0.9):
        commands.append(Read())
    deep = 17 if draw.chance(0.03) else 0
    while len(commands) < deep:
        commands.append(applied(Split(history.live()[0]), history))
    for _ in draw.items(40, 0.92):
        wrong = draw.chance(0.2)
        command = draw_wrong(draw, history) if wrong else draw_change(draw, history)
        commands.append(applied(command, history))
        if draw.chance(0.3):
            commands.append(Read())
    return LayoutTrial(initial, tuple(commands))


def applied(command: Command, history: History) -> Command:
    """The command, which is carried out unless it is to be refused."""
    if not history.why_not(command):
        history.apply(command)
    return command


def answer_layout(trial: LayoutTrial, edition: Edition) -> LayoutAnswer:
    """The reference's layouts."""
    state = layout.initial(trial.count)
    results: list[LayoutResult] = []
    for command in trial.commands:
        try:
            state = state if isinstance(command, Read) else changed(state, command)
        except Refusal as refusal:
            results.append(CommandRefused(type(refusal).__name__))
        else:
            results.append(shown(state, edition))
    return LayoutAnswer(tuple(results))


def changed(state: layout.Layout, command: Command) -> layout.Layout:
    """The layout after a command."""
    match command:
        case Split(segment):
            return layout.split(state, segment)
        case Merge(first, second):
            return layout.merge(state, first, second)
        case Prune(segment):
            return layout.prune(state, segment)


def shown(state: layout.Layout, edition: Edition) -> Layout:
    """A layout as an answer shows it."""
    numbers = sorted(state.segments)
    depths = tuple(layout.merge_depth(state, number, edition) for number in numbers)
    return Layout(tuple(state.segments[number] for number in numbers), depths)


def layout_labels(trial: LayoutTrial) -> Iterator[str]:
    """The sorts of commands."""
    history = History.of(trial.count)
    for command in trial.commands:
        if isinstance(command, Read):
            yield "read"
        elif history.why_not(command):
            yield "refused"
        else:
            history.apply(command)
            yield type(command).DO


REFUSING: Final = {Prune: "SCA-10", Merge: "SCA-6", Split: "SCA-4"}
"""The clause by which a command on live segments is refused."""


@monitor("scaling.layout", *(f"SCA-{number}" for number in range(1, 13)))
def judge_layout(run: MonitorRun, case: Case[LayoutTrial, LayoutAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        run.require("SCA-1", False, fill("the layout {}", in_full(observed)), "shape")
        return
    history = History.of(trial.count)
    for command, result in zip(trial.commands, observed.results, strict=True):
        if not isinstance(command, Read) and (why := history.why_not(command)):
            judge_refusal(run, history, command, result, why)
        elif isinstance(result, Layout):
            judge_layout_after(run, history, command, result)
            check_depths(run, case.edition, result, history)
        else:
            run.require(of(command), False, fill("{} is possible; {}", command, result), "refused")
        if run.findings.violated:
            return


def of(command: LayoutCommand) -> str:
    """The clause that says what a command does."""
    clauses = {Split: "SCA-3", Merge: "SCA-6", Prune: "SCA-10", Read: "SCA-1"}
    return clauses[type(command)]


def judge_refusal(
    run: MonitorRun, history: History, command: Command, result: LayoutResult, why: str
) -> None:
    """A command that is to be refused."""
    numbers = [command.first, command.second] if isinstance(command, Merge) else [command.segment]
    live = set(history.live())
    clause = REFUSING[type(command)]
    if not isinstance(command, Prune) and not live.issuperset(numbers):
        clause = "SCA-8"
    run.require(clause, isinstance(result, CommandRefused), fill("{}: {}", command, why), "not")


def check_cover(run: MonitorRun, state: Layout) -> None:
    """Every hash has one live segment."""
    live = sorted((one.start, one.end) for one in state.segments if not one.sealed)
    begins = [0] + [end + 1 for _, end in live]
    covered = begins == [start for start, _ in live] + [HASHES]
    run.require("SCA-1", covered, fill("the live segments are {}", live), "cover")


def judge_layout_after(
    run: MonitorRun, history: History, command: LayoutCommand, after: Layout
) -> None:
    """What a command did, to the ranges and to the graph; `history` is changed as it must be."""
    check_cover(run, after)
    before = dict(history.segments)
    if isinstance(command, Read):
        even = [(one.start, one.end) for one in before.values() if len(before) == history.made]
        ranges = [(one.start, one.end) for one in after.segments]
        if even and all(not one.parents for one in before.values()):
            run.require("SCA-2", even == ranges, fill("begins as {}, not {}", ranges, even))
    else:
        history.apply(command)
        new = [one for one in after.segments if one.number not in before]
        if not has_new_numbers(run, command, history, before, new):
            return
        check_ranges(run, command, before, new)
    clause = "SCA-10" if isinstance(command, Prune) else "SCA-7"
    graph = {number: edges(one) for number, one in history.segments.items()}
    seen = {one.number: edges(one) for one in after.segments}
    run.require(clause, seen == graph, fill("after {} the graph is {}", command, seen), "graph")


def has_new_numbers(
    run: MonitorRun,
    command: Command,
    history: History,
    before: Mapping[int, Known],
    new: Sequence[Segment],
) -> bool:
    """Whether the new segments have the next numbers."""
    numbers = [one.number for one in new]
    right = [number for number in sorted(history.segments) if number not in before]
    if not isinstance(command, Prune):
        run.require("SCA-9", numbers == right, fill("new are {}, not {}", numbers, right))
    return numbers == right


def edges(one: Segment | Known) -> tuple[bool, list[int], list[int]]:
    """Whether a segment is sealed, and its parents and children."""
    return one.sealed, sorted(one.parents), sorted(one.children)


def check_ranges(
    run: MonitorRun, command: Command, before: Mapping[int, Known], new: Sequence[Segment]
) -> None:
    """The ranges of the new segments."""
    if isinstance(command, Split):
        check_halves(run, before[command.segment], new)
    elif isinstance(command, Merge):
        pair = (before[command.first], before[command.second])
        low, high = sorted(pair, key=lambda one: one.start)
        joined = [(one.start, one.end) for one in new] == [(low.start, high.end)]
        run.require("SCA-6", joined, fill("{} became {}", command, new), "range")


def check_halves(run: MonitorRun, parent: Known, new: Sequence[Segment]) -> None:
    """A split: the middle, and on which side the odd hash is."""
    halves = sorted((one.start, one.end) for one in new)
    sizes = [end - start + 1 for start, end in halves]
    whole = len(halves) == 2 and (halves[0][0], halves[1][1]) == (parent.start, parent.end)
    whole = whole and halves[0][1] + 1 == halves[1][0] and abs(sizes[0] - sizes[1]) <= 1
    run.require("SCA-3", whole, fill("{} became {}", parent, halves))
    if whole and (parent.end - parent.start) % 2 == 0:
        run.require("SCA-5", sizes[0] > sizes[1], fill("{} became {}", parent, halves))


def check_depths(run: MonitorRun, edition: Edition, state: Layout, history: History) -> None:
    """The merges behind each segment."""
    depths = history.depths(edition.all_merges_counted)
    numbers = [one.number for one in state.segments]
    found = dict(zip(numbers, state.depths, strict=False))
    wrong = {
        number: found.get(number) for number in numbers if found.get(number) != depths.get(number)
    }
    sentence = fill("the depths are {}, not {}", wrong, {one: depths.get(one) for one in wrong})
    for clause in ("SCA-11", "SCA-12"):
        run.require(clause, not wrong, sentence, "depth")


LAYOUT: Final = Question(
    "scaling.layout",
    LayoutTrial,
    LayoutAnswer,
    layout_trial,
    answer_layout,
    layout_labels,
    commands="commands",
)

QUESTIONS: Final = (LAYOUT,)
