"""What a client keeps of the layouts and assignments that it is sent (SCA-80 to SCA-85)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.scaling.routing import draw_key, hash_of
from evenkeel.properties.scaling.trial_parts import HASHES, History, draw_change
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import updates
from evenkeel.reference.scaling.updates import SentAssignment, SentLayout, SentSegment
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import is_must, monitor, pair_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import LONG, Tagged, require, require_different, require_name


@dataclass(frozen=True, slots=True)
class PushLayout(Tagged):
    """The client is sent a layout: by the broker that it watches."""

    layout: SentLayout


@dataclass(frozen=True, slots=True)
class PushAssignment(Tagged):
    """The client is sent an assignment: by the controller with which it is registered."""

    assignment: SentAssignment


@dataclass(frozen=True, slots=True)
class SendKey(Tagged):
    """The client sends a message with this key."""

    key: str


UpdatesCommand = PushLayout | PushAssignment | SendKey


@dataclass(frozen=True, slots=True)
class UpdatesTrial:
    """`scaling.updates`: what one client of one topic is sent, and sends, in this order.

    The first layout has each hash in one live segment, and comes before the first key. Later ones
    have no hash in two, and may have one in none. A number has the same hashes in each layout. No
    segment is a partition of a classic topic. Keys are hashed as in `scaling.routing`: the high 16
    bits choose the segment. An assignment older than the last one that was taken is stale.
    """

    commands: tuple[UpdatesCommand, ...]

    def __post_init__(self) -> None:
        known, ranges = False, dict[int, tuple[int, int]]()
        for place, command in enumerate(self.commands):
            at = f"commands[{place}]"
            match command:
                case PushLayout(layout):
                    require_layout(at, layout, known, ranges)
                    known = True
                case PushAssignment(given):
                    require_numbers(at, given.epoch, given.segments)
                case SendKey(key):
                    require_name(at, key)
                    require(known, at, "a layout must come before")


def require_layout(
    at: str, layout: SentLayout, known: bool, ranges: dict[int, tuple[int, int]]
) -> None:
    """A layout that a client can be sent. `ranges` of its segments are added."""
    require_numbers(at, layout.epoch, [one.number for one in layout.segments])
    for one in layout.segments:
        require(0 <= one.start <= one.end < HASHES, at, "a range must be within 0 to 65535")
        same = ranges.setdefault(one.number, (one.start, one.end)) == (one.start, one.end)
        require(same, at, f"segment {one.number} must keep its hashes")
    starts, ends = zip(*[(0, -1), *live_ranges(layout), (HASHES, 0)], strict=True)
    apart = all(end < start for end, start in zip(ends[:-1], starts[1:], strict=True))
    require(apart and len(starts) > 2, at, "no hash in two live segments, and one of them at least")
    require(known or is_whole(layout), at, "the first layout must have each hash")


def require_numbers(at: str, epoch: int, segments: Sequence[int]) -> None:
    """An epoch, and different numbers of segments."""
    fit = all(0 <= one < LONG for one in (epoch, *segments))
    require(fit, at, "a number must be 0 to 2^63 - 1")
    require_different(at, segments)


def live_ranges(layout: SentLayout) -> list[tuple[int, int]]:
    """The hashes of the segments that take messages."""
    return sorted((one.start, one.end) for one in layout.segments if not one.sealed)


def is_whole(layout: SentLayout) -> bool:
    """Whether each hash has a live segment; none has two."""
    return sum(end - start + 1 for start, end in live_ranges(layout)) == HASHES


@dataclass(frozen=True, slots=True)
class KeptLayout(Tagged):
    """The layout of the client: its epoch, its live and its sealed segments, in any order."""

    epoch: int
    live: tuple[int, ...]
    sealed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KeptAssignment(Tagged):
    """The segments that the client is to read, in any order."""

    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SentTo(Tagged):
    """The segment to which the message goes."""

    segment: int


UpdatesResult = KeptLayout | KeptAssignment | SentTo | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class UpdatesAnswer:
    """What the client has after each layout and assignment; where each key goes."""

    results: tuple[UpdatesResult, ...]


# -------------------------------------------------------------------------- trials


def updates_trial(draw: Draw) -> UpdatesTrial:
    """Layouts of a topic that is split and merged, most of them in order; some with a gap."""
    epoch, history = draw.pick((0, 1, 2**31 - 2, 2**33)), History.of(draw.integer(1, 4))
    layouts = [show_layout(history, epoch)]
    for _ in draw.items(8, 0.8):
        change = draw_change(draw, history)
        if not history.why_not(change):
            history.apply(change)
        layouts.append(show_layout(history, epoch + len(layouts)))
    commands: list[UpdatesCommand] = [PushLayout(layouts[0])]
    pace = draw.pick((1, 2, 6))
    for place in draw.items(40, 0.92):
        newest = layouts[min(place // pace, len(layouts) - 1)]
        layout = newest if draw.chance(0.5) else draw.pick(layouts)
        numbers = tuple(one.number for one in layout.segments if draw.chance(0.5))
        sorts: tuple[UpdatesCommand, ...] = (
            *(PushLayout(layout), PushLayout(layout), PushLayout(cut(draw, layout))),
            PushLayout(SentLayout(epoch + draw.integer(0, 6), layout.segments)),
            PushAssignment(SentAssignment(layout.epoch, numbers)),
            *[SendKey(draw_key(draw) or "order-1")] * 2,
        )
        commands.append(draw.pick(sorts))
    return UpdatesTrial(tuple(commands))


def show_layout(history: History, epoch: int) -> SentLayout:
    """A layout as a client is sent it."""
    known = history.segments.items()
    parts = (SentSegment(number, one.start, one.end, one.sealed) for number, one in known)
    return SentLayout(epoch, tuple(parts))


def cut(draw: Draw, layout: SentLayout) -> SentLayout:
    """The layout without one of its live segments, if others are left."""
    live = [one for one in layout.segments if not one.sealed]
    gone = draw.pick(live) if len(live) > 1 else None
    return SentLayout(layout.epoch, tuple(one for one in layout.segments if one != gone))


def updates_labels(trial: UpdatesTrial) -> Iterator[str]:
    """What is sent."""
    for command in trial.commands:
        yield command.DO
        if isinstance(command, PushLayout) and not is_whole(command.layout):
            yield "with a gap"


# -------------------------------------------------------------- the reference's answer


def answer_updates(trial: UpdatesTrial, edition: Edition) -> UpdatesAnswer:
    """The reference's answer."""
    layout, assignment = None, None
    results = list[UpdatesResult]()
    for command in trial.commands:
        match command:
            case PushLayout(sent):
                layout = updates.layout_after(layout, sent, edition)
                results.append(KeptLayout(layout.epoch, *numbers_of(layout)))
            case PushAssignment(given):
                assignment = updates.assignment_after(assignment, given)
                results.append(KeptAssignment(assignment.segments))
            case SendKey(key):
                assert layout is not None
                try:
                    results.append(SentTo(updates.segment_of(key, layout, edition)))
                except Refusal as refusal:
                    results.append(CommandRefused(type(refusal).__name__))
    return UpdatesAnswer(tuple(results))


def numbers_of(layout: SentLayout) -> list[tuple[int, ...]]:
    """The numbers of the live segments, and of the sealed ones."""
    return [
        tuple(sorted(one.number for one in layout.segments if one.sealed is sealed))
        for sealed in (False, True)
    ]


# -------------------------------------------------------------------------- the judge

CLAUSES: Final = ("SCA-76", *(f"SCA-{number}" for number in range(80, 86)))


@monitor("scaling.updates", *CLAUSES)
def judge_updates(run: MonitorRun, case: Case[UpdatesTrial, UpdatesAnswer]) -> None:
    layout, assignment = None, None
    for command, result in pair_results(run, "SCA-81", case, "the client"):
        match command:
            case PushLayout(sent):
                layout = layout_judged(run, case.edition, layout, sent, result)
            case PushAssignment(given):
                older = layout is not None and given.epoch < layout.epoch
                older = older and not is_must("SCA-83", case.edition.name)
                assignment = assignment_judged(run, assignment, given, result, older)
            case SendKey(key):
                assert layout is not None
                judge_key(run, case.edition, key, layout, result)


def layout_judged(
    run: MonitorRun,
    edition: Edition,
    has: SentLayout | None,
    sent: SentLayout,
    result: UpdatesResult,
) -> SentLayout:
    """Judge what a client has after it was sent a layout; the layout that it has then."""
    both = [sent] if has is None else [sent, has]
    seen = next((one for one in both if is_shown(result, one, has)), None)
    if has is None or sent.epoch > has.epoch:
        clause, right = "SCA-81", sent
    elif edition.layouts_of_any_epoch:
        clause, right = "SCA-83", sent
    else:
        clause, right = "SCA-80" if sent.epoch < has.epoch else "SCA-82", has
    free = clause == "SCA-81" and not is_whole(sent)
    fits = is_shown(result, right, has) or (free and seen is not None)
    before = "none" if has is None else has.epoch
    sentence = "sent epoch {} after {}, the client has {}, and not epoch {} with {}"
    why = fill(sentence, sent.epoch, before, result, right.epoch, numbers_of(right))
    run.require(clause, fits, why)
    return seen or right


def is_shown(result: UpdatesResult, layout: SentLayout, has: SentLayout | None) -> bool:
    """Whether this is what the client has; one that refuses an update has what it had."""
    if not isinstance(result, KeptLayout):
        return isinstance(result, CommandRefused) and layout is has
    found = [tuple(sorted(result.live)), tuple(sorted(result.sealed))]
    return result.epoch == layout.epoch and found == numbers_of(layout)


def assignment_judged(
    run: MonitorRun,
    has: SentAssignment | None,
    sent: SentAssignment,
    result: UpdatesResult,
    older: bool,
) -> SentAssignment | None:
    """Judge what a client is to read after it was sent an assignment; what it has then. One that is
    `older` than the client's layout may be ignored.
    """
    right = sent if has is None or sent.epoch >= has.epoch else has
    seen = next((one for one in (right, has) if is_read(result, one, has)), right)
    fits = is_read(result, seen, has) and (seen is right or older)
    run.require("SCA-84", fits, fill("sent {} after {}, the client has {}", sent, has, result))
    return seen if fits else right


def is_read(result: UpdatesResult, one: SentAssignment | None, has: SentAssignment | None) -> bool:
    """Whether this is what the client reads; one that refuses an update reads what it had."""
    if isinstance(result, KeptAssignment):
        return sorted(result.segments) == sorted(one.segments if one else ())
    return isinstance(result, CommandRefused) and one is has


def judge_key(
    run: MonitorRun, edition: Edition, key: str, layout: SentLayout, result: UpdatesResult
) -> None:
    """Where a message goes by the layout that the client has."""
    high, low = divmod(hash_of(key), HASHES)
    hash_ = low if edition.segments_by_low_half else high
    places = [one for one in layout.segments if one.start <= hash_ <= one.end and not one.sealed]
    if not places:
        wrong = fill("{} with hash {}, which no live segment has: {}", key, hash_, result)
        run.require("SCA-85", isinstance(result, CommandRefused | CommandBroke), wrong)
        return
    sentence = "{} with hash {} goes to segment {}, not: {}"
    wrong = fill(sentence, key, hash_, places[0].number, result)
    run.require("SCA-76", isinstance(result, SentTo) and result.segment == places[0].number, wrong)


UPDATES: Final = Question(
    "scaling.updates",
    UpdatesTrial,
    UpdatesAnswer,
    updates_trial,
    answer_updates,
    updates_labels,
    commands="commands",
    exempt=Exempt(world=r"commands\[\].*\.(start|end)"),
)

QUESTIONS: Final = (UPDATES,)
