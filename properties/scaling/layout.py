"""What splits, merges and removals make of a layout, and of entry buckets (SCA-1 to 12, 49 to 53,
66 to 72).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.scaling.trial_parts import (
    HASHES,
    Bucketed,
    Change,
    Command,
    History,
    Known,
    Merge,
    Prune,
    Rebucket,
    Split,
    draw_change,
    draw_count,
    require_buckets,
    require_count,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import layout
from evenkeel.reference.scaling.layout import Segment
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged, require


@dataclass(frozen=True, slots=True)
class Read(Tagged):
    """What is the layout?"""


LayoutCommand = Change | Read


@dataclass(frozen=True, slots=True)
class LayoutTrial:
    """`scaling.layout`: a new topic with `count` segments, numbered from 0, and commands.

    Segments have the hashes from `start` to `end`, both included, of 0 to 65535. The topic is given
    `budget` entry buckets, and no segment can have more than `max_buckets`, nor is asked to.
    Each first segment has `budget` / `count` of them, rounded down, but at least 1 (SCA-49). Each
    child of a split has half of its parent's, rounded down, but at least 1; one child may have what
    remains of an odd number (SCA-50).
    Commands name segments by the numbers of SCA-9; to a balancer that numbers them otherwise, by
    its own.
    """

    count: int
    commands: tuple[LayoutCommand, ...]
    budget: Bucketed = 1
    max_buckets: Bucketed = 1

    def __post_init__(self) -> None:
        require_count("count", self.count)
        require_buckets("budget", (self.budget, self.max_buckets))
        for command in self.commands:
            few = not isinstance(command, Rebucket) or command.buckets <= self.max_buckets
            require(few, "commands", "must ask for no more than max_buckets")


@dataclass(frozen=True, slots=True)
class Layout(Tagged):
    """All segments that are left, in the order of their numbers, the depth of each, and the epoch
    of the layout. The depth is the largest number of merges on one line of ancestors, with the
    segment's own. Depths follow from the segments that are left alone (SCA-11).
    """

    segments: tuple[Segment, ...]
    depths: tuple[int, ...]
    epoch: int


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
    """Without entry buckets; else with a few."""
    plain = layout_trial_of(draw, 1, 1)
    if not draw.chance(0.4):
        return plain
    budget = draw.pick((4, 8, 1, 7, 2, 100))
    return layout_trial_of(draw, budget, draw.pick((1024, 4, 1, 2, 6, 100)))


def layout_trial_of(draw: Draw, budget: int, most: int) -> LayoutTrial:
    """Commands of each sort, seldom down to a single hash."""
    initial = draw_count(draw)
    history, commands = History.of(initial, budget, most), list[LayoutCommand]()
    if draw.chance(0.9):
        commands.append(Read())
    deep = 17 if draw.chance(0.03) else 0
    while len(commands) < deep:
        commands.append(apply_command(Split(history.live()[0]), history))
    for _ in draw.items(40, 0.92):
        wrong = draw.chance(0.2)
        command: Change = draw_wrong(draw, history) if wrong else draw_change(draw, history)
        if most > 1 and draw.chance(0.2):
            command = draw_rebucket(draw, history)
        commands.append(apply_command(command, history))
        if draw.chance(0.3):
            commands.append(Read())
    if draw.chance(0.005):
        commands += long_life(history)
    return LayoutTrial(initial, tuple(commands), budget, most)


def long_life(history: History) -> Iterator[Change]:
    """Some hundred changes, after which there are as many segments as before."""
    for _ in range(60):
        begun, pair = history.live()[0], (history.made, history.made + 1)
        if history.why_not(Split(begun)):
            return
        removed: list[Change] = [Prune(number) for number in (begun, *pair)]
        for command in (Split(begun), Merge(*pair), *removed):
            yield apply_command(command, history)


def draw_rebucket(draw: Draw, history: History) -> Rebucket:
    """Mostly of a live segment, about as many as it has."""
    live = draw.pick(history.live())
    number = live if draw.chance(0.9) else draw.integer(0, history.made)
    own = history.segments[live].buckets
    buckets = draw.pick((own, 2 * own, own + 1, own // 2, history.most))
    return Rebucket(number, max(1, min(buckets, history.most)))


def apply_command(command: Change, history: History) -> Change:
    """The command, which is carried out unless it is to be refused."""
    if not history.why_not(command):
        history.apply(command)
    return command


def answer_layout(trial: LayoutTrial, edition: Edition) -> LayoutAnswer:
    """The reference's layouts."""
    budget = layout.budget_in(layout.Budget(trial.budget, trial.max_buckets), edition)
    state = layout.initial(trial.count, budget)
    results: list[LayoutResult] = []
    for command in trial.commands:
        try:
            state = changed_by(state, command, budget, edition)
        except Refusal as refusal:
            results.append(CommandRefused(type(refusal).__name__))
        else:
            results.append(show_layout(state, edition))
    return LayoutAnswer(tuple(results))


def changed_by(
    state: layout.Layout, command: LayoutCommand, budget: layout.Budget, edition: Edition
) -> layout.Layout:
    """The layout after any command."""
    if isinstance(command, Read):
        return state
    if isinstance(command, Rebucket):
        return layout.rebucket(state, command.segment, command.buckets, edition)
    return change_layout(state, command, budget)


def change_layout(
    state: layout.Layout, command: Command, budget: layout.Budget = layout.NO_BUCKETS
) -> layout.Layout:
    """The layout after a split, a merge or a removal."""
    match command:
        case Split(segment):
            return layout.split(state, segment)
        case Merge(first, second):
            return layout.merge(state, first, second, budget)
        case Prune(segment):
            return layout.prune(state, segment)


def show_layout(state: layout.Layout, edition: Edition) -> Layout:
    """A layout as an answer shows it."""
    numbers = sorted(state.segments)
    known: dict[int, int] = {}
    depths = tuple(layout.merge_depth(state, number, edition, known) for number in numbers)
    segments = tuple(layout.shown_as(state.segments[number], edition) for number in numbers)
    return Layout(segments, depths, state.epoch)


def layout_labels(trial: LayoutTrial) -> Iterator[str]:
    """The sorts of commands."""
    history = History.of(trial.count, trial.budget, trial.max_buckets)
    if trial.max_buckets > 1:
        yield "with entry buckets"
    for command in trial.commands:
        if isinstance(command, Read):
            yield "read"
        elif history.why_not(command):
            yield "refused"
        else:
            history.apply(command)
            yield type(command).DO


REFUSING: Final = {Prune: "SCA-10", Merge: "SCA-6", Split: "SCA-4", Rebucket: "SCA-53"}
"""The clause by which a command on live segments is refused."""
BUCKETS: Final = {Split: "SCA-50", Merge: "SCA-51"}
"""The clause about the entry buckets of the segments that a command makes."""
FOLLOWED: Final = frozenset({"SCA-5", "SCA-9", "SCA-51"})
"""Clauses after a departure from which the history continues with what the balancer made."""
CLAUSES: Final = tuple(
    f"SCA-{number}" for number in (*range(1, 13), *range(49, 54), *range(66, 73))
)


@monitor("scaling.layout", *CLAUSES)
def judge_layout(run: MonitorRun, case: Case[LayoutTrial, LayoutAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        run.require("SCA-1", False, fill("the layout {}", in_full(observed)), "shape")
        return
    judge_steps(run, case.edition, trial, observed)
    if is_followed(run):
        epochs = Epochs(dict.fromkeys(range(trial.count), (0, None)))
        for command, result in zip(trial.commands, observed.results, strict=True):
            if isinstance(result, Layout):
                epochs.judge(run, case.edition, command, result)


def judge_steps(
    run: MonitorRun, edition: Edition, trial: LayoutTrial, observed: LayoutAnswer
) -> None:
    """Segments and depths after each command, up to the first that is wrong."""
    has_buckets = not edition.segments_without_buckets
    history = History.of(trial.count, trial.budget, trial.max_buckets if has_buckets else 0)
    for command, result in zip(trial.commands, observed.results, strict=True):
        if not isinstance(command, Read) and (why := history.why_not(command)):
            judge_refusal(run, history, command, result, why)
        elif isinstance(result, Layout):
            judge_layout_after(run, history, command, result)
            if is_followed(run):
                check_depths(run, edition, result, history)
        else:
            run.require(of(command), False, fill("{} is possible; {}", command, result), "refused")
        if not is_followed(run):
            return


def is_followed(run: MonitorRun) -> bool:
    """Whether the history still has the balancer's segments, if with its own numbers or parts."""
    return not run.findings.violated - FOLLOWED


def of(command: LayoutCommand) -> str:
    """The clause that says what a command does."""
    clauses = {Split: "SCA-3", Merge: "SCA-6", Prune: "SCA-10", Read: "SCA-1", Rebucket: "SCA-52"}
    return clauses[type(command)]


def judge_refusal(
    run: MonitorRun, history: History, command: Change, result: LayoutResult, why: str
) -> None:
    """A command that is to be refused."""
    numbers = [command.first, command.second] if isinstance(command, Merge) else [command.segment]
    live = set(history.live())
    clause = REFUSING[type(command)]
    if not isinstance(command, Prune | Rebucket) and not live.issuperset(numbers):
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
    if history.made == history.first and not is_divided_evenly(run, command, before, after):
        return  # all that follows has other ranges
    if not isinstance(command, Read):
        history.apply(command)
        new = [one for one in after.segments if one.number not in before]
        if not isinstance(command, Prune) and not follows_numbers(run, history, before, new):
            return
        check_ranges(run, command, before, new)
    clause = {Prune: "SCA-10", Rebucket: "SCA-52"}.get(type(command), "SCA-7")
    graph = {number: edges(one) for number, one in history.segments.items()}
    seen = {one.number: edges(one) for one in after.segments}
    run.require(clause, seen == graph, fill("after {} the graph is {}", command, seen), "graph")
    if history.most:
        check_buckets(run, command, before, history, after)
    for one in after.segments:
        if known := history.segments.get(one.number):
            known.start, known.end, known.buckets = one.start, one.end, one.buckets


def is_divided_evenly(
    run: MonitorRun, command: LayoutCommand, before: Mapping[int, Known], after: Layout
) -> bool:
    """By the segments that a topic began with: all that is read, or another division."""
    even = [(one.start, one.end) for one in before.values()]
    shown = {one.number: (one.start, one.end) for one in after.segments}
    ranges = [shown[number] for number in before if number in shown]
    ordered = sorted(ranges)
    divides = [0, *(end + 1 for _, end in ordered)] == [*(start for start, _ in ordered), HASHES]
    right = ranges == even or not (divides or isinstance(command, Read))
    why = fill("begins as {}, not {}", ranges, even)
    if HASHES % len(even) == 0:
        run.require("SCA-66", right or ordered == even, why)
    run.require("SCA-2", right, why)
    return right


def check_buckets(
    run: MonitorRun,
    command: LayoutCommand,
    before: Mapping[int, Known],
    history: History,
    after: Layout,
) -> None:
    """The entry buckets of what is new, and that all others keep theirs."""
    if isinstance(command, Split):
        split_unequally(history, command.segment, after)
    for one in after.segments:
        known = history.segments.get(one.number)
        if known is None or history.most == one.buckets == 1:
            continue
        clause = "SCA-52" if one.number in before else BUCKETS.get(type(command), "SCA-52")
        if one.number < history.first and not known.sealed:
            clause = "SCA-49"
        sentence = "after {} segment {} has {} entry buckets, not {}"
        why = fill(sentence, command, one.number, one.buckets, known.buckets)
        run.require(clause, one.buckets == known.buckets, why, "buckets")


def split_unequally(history: History, parent: int, after: Layout) -> None:
    """Take over which half of an odd number of entry buckets is the larger one, if none is lost."""
    whole, children = history.segments[parent].buckets, history.segments[parent].children
    new = [one for one in after.segments if one.number in children]
    if whole > 1 and sorted(one.buckets for one in new) == [whole // 2, whole - whole // 2]:
        for one in new:
            history.segments[one.number].buckets = one.buckets


def follows_numbers(
    run: MonitorRun, history: History, before: Mapping[int, Known], new: Sequence[Segment]
) -> bool:
    """Judge the new segments' numbers, which the history takes over. Whether each has one."""
    numbers = [one.number for one in sorted(new, key=lambda one: one.start)]
    right = [number for number in sorted(history.segments) if number not in before]
    why = fill("new segments are {}, not {}", numbers, right)
    higher = len(set(numbers)) == len(right) and min(numbers) >= right[0]
    run.require("SCA-67", higher, why)
    run.require("SCA-9", numbers == right, why)
    if higher and numbers != right:
        history.rename(dict(zip(right, numbers, strict=True)))
    return higher


def edges(one: Segment | Known) -> tuple[bool, list[int], list[int]]:
    """Whether a segment is sealed, and its parents and children."""
    return one.sealed, sorted(one.parents), sorted(one.children)


def check_ranges(
    run: MonitorRun, command: Change, before: Mapping[int, Known], new: Sequence[Segment]
) -> None:
    """The ranges of the new segments."""
    if isinstance(command, Split):
        check_halves(run, before[command.segment], new)
    elif isinstance(command, Merge):
        pair = (before[command.first], before[command.second])
        low, high = sorted(pair, key=lambda one: one.start)
        joined = [(one.start, one.end) for one in new] == [(low.start, high.end)]
        run.require("SCA-6", joined, fill("{} became {}", command, new), "range")
    elif isinstance(command, Rebucket):
        old = before[command.segment]
        same = [(one.start, one.end) for one in new] == [(old.start, old.end)]
        run.require("SCA-52", same, fill("{} became {}", command, new), "range")


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
    known = {one: depths.get(one) for one in wrong}
    sentence = fill("the depths of segments are {}, not {}", wrong, known)
    for clause in ("SCA-11", "SCA-12"):
        run.require(clause, not wrong, sentence, "depth")


@dataclass(slots=True)
class Epochs:
    """The epochs in which each segment was created and sealed (None: it was live), as they were
    shown, and the last one of the layout; how many changes there were.
    """

    known: dict[int, tuple[int, int | None]]
    last: int = 0
    changes: int = 0

    def judge(
        self, run: MonitorRun, edition: Edition, command: LayoutCommand, after: Layout
    ) -> None:
        """SCA-68 and SCA-70: of the layout; others: of its segments."""
        changes = not isinstance(command, Read)
        self.changes += changes
        why = fill("epoch {} after {}, before it {}", after.epoch, command, self.last)
        run.require("SCA-68", after.epoch >= self.last + changes, why)
        run.require("SCA-70", after.epoch == self.changes, why)
        since = range(self.last + 1, after.epoch + 1)
        for one in after.segments:
            created, sealed_in = self.known.get(one.number, (None, None))
            right = one.created in since if created is None else one.created == created
            why = fill("{} in epoch {}: {}", command, after.epoch, one)
            if not one.sealed:
                none = -1 if edition.no_seal_is_minus_one else 0
                for clause in ("SCA-71", "SCA-72"):
                    run.require(clause, one.sealed_in == none, why)
            elif sealed_in is None:
                right = right and one.sealed_in in since
            else:
                right = right and one.sealed_in == sealed_in
            run.require("SCA-69", right, why)
        self.last = after.epoch
        self.known = {
            one.number: (one.created, one.sealed_in if one.sealed else None)
            for one in after.segments
        }


LAYOUT: Final = Question(
    "scaling.layout",
    LayoutTrial,
    LayoutAnswer,
    layout_trial,
    answer_layout,
    layout_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores Read after 25 commands": (
                "Its answer is the layout after the command before, which is right."
            )
        }
    ),
)

QUESTIONS: Final = (LAYOUT,)
