"""Who waits at a broker for the end of an unload, a split or a lookup, and when it is answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import waiting as reference
from evenkeel.reference.ownership.waiting import (
    LIMITS,
    Answered,
    Awaited,
    Desk,
    Outcome,
    Request,
    Then,
)
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import OMITTABLE, Index, Tagged, Within, require, require_within

BUNDLES: Final = 2
MANY: Final = 50_000
"""What broker.conf has for `maxConcurrentLookupRequest`."""


@dataclass(frozen=True, slots=True)
class Ask(Tagged):
    """The bundle is to be unloaded or split, or looked up; what happens when the answer comes.

    `unread`: of a lookup, the policies of its namespace cannot be read now.
    """

    bundle: Index
    then: Then
    unread: bool = field(default=False, metadata=OMITTABLE)


@dataclass(frozen=True, slots=True)
class End(Tagged):
    """What is under way about the bundle ends, asked for here or elsewhere.

    Of lookups: the bundle gets an owner or, if it `fails`, has none.
    """

    bundle: Index
    fails: bool


@dataclass(frozen=True, slots=True)
class PassTime(Tagged):
    """Time passes."""

    DO: ClassVar[str] = "pass"

    millis: Annotated[int, Within(0, 10_000_000)]


@dataclass(frozen=True, slots=True)
class StartChannel(Tagged):
    """The broker has read the records: its channel starts, unless it has."""

    DO: ClassVar[str] = "start"


WaitingCommand = Ask | End | PassTime | StartChannel


@dataclass(frozen=True, slots=True)
class WaitingTrial:
    """`ownership.waiting`: which end does each get who waits at a broker, and when?

    There are two bundles; a number is taken modulo two. All requests are of one kind. An unload or
    split that is asked for has been written down already, and its end is awaited, for 60,000 ms at
    most; that of a lookup for 30,000 ms. Who asks while others wait may share their limit. The
    broker that is asked is registered, and assigns a bundle without an owner to itself. `started`:
    its channel has; only lookups are asked before. `permits`: how many lookups may be under way
    (`maxConcurrentLookupRequest`). Who is answered has given its permit back before it asks again.
    """

    kind: Awaited
    started: bool
    commands: tuple[WaitingCommand, ...]
    permits: Annotated[int, Within(0, 1_000_000)] = field(default=MANY, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        asked = self.started or self.kind is Awaited.LOOKUP
        require(asked, "started", "must be true, but for lookups")
        require_within(self)


@dataclass(frozen=True, slots=True)
class AnswersNow(Tagged):
    """Who was answered during the command, in the order of their numbers, `again` last of each. The
    order counts in editions of a release alone. No command is refused: where nothing happens, none
    is answered. `ask` is the place of the command that asked, from 0.
    """

    DO: ClassVar[str] = "heard"
    answered: tuple[Answered, ...] = field(metadata={"wire": "told"})

    def idle(self, before: AnswersNow | None) -> AnswersNow:
        """No request is answered."""
        return AnswersNow(())

    def renumber(self, numbers: Sequence[int]) -> AnswersNow:
        """With these places."""
        return AnswersNow(tuple(replace(one, ask=numbers[one.ask]) for one in self.answered))


WaitingResult = AnswersNow | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class WaitingAnswer:
    """One result for each command."""

    results: tuple[WaitingResult, ...]


@seldom_repeated("commands")
def waiting_trial(draw: Draw) -> WaitingTrial:
    """Up to twelve commands, mostly about the first bundle; times are near the limit."""
    kind = draw.pick((Awaited.LOOKUP, Awaited.UNLOAD, Awaited.SPLIT))
    started, limit = kind is not Awaited.LOOKUP or not draw.chance(0.25), LIMITS[kind]
    few = kind is Awaited.LOOKUP and draw.chance(0.4)
    permits = draw.integer(0, 4) if few else MANY
    commands: list[WaitingCommand] = []
    for _ in draw.items(12, 0.9, least=1):
        bundle, sort = int(draw.chance(0.2)), draw.integer(0, 9)
        if sort < 5:
            then = draw.pick((Then.NOTHING, Then.AGAIN, *Then))
            commands.append(Ask(bundle, then, few and draw.chance(0.2)))
        elif sort < 8:
            commands.append(End(bundle, draw.chance(0.4)))
        else:
            near = (limit, limit - 1, limit // 2, 1, limit + 1, 2 * limit, 0)
            commands.append(PassTime(draw.pick(near)))
    if not started or draw.chance(0.1):
        commands.insert(draw.integer(0, len(commands)), StartChannel())
    return WaitingTrial(kind, started, tuple(commands), permits)


def answer_waiting(trial: WaitingTrial, edition: Edition) -> WaitingAnswer:
    desk, results = Desk(trial.kind, trial.started, trial.permits), list[WaitingResult]()
    for place, command in enumerate(trial.commands):
        match command:
            case Ask(bundle, then, unread):
                reference.ask(desk, Request(place, bundle % BUNDLES, then, unread=unread), edition)
            case End(bundle, fails):
                outcome = Outcome.FAILED if fails else Outcome.DONE
                reference.end(desk, bundle % BUNDLES, outcome, edition)
            case PassTime(millis):
                reference.pass_time(desk, millis, edition)
            case StartChannel():
                reference.start(desk, edition)
        results.append(AnswersNow(tuple(sorted(desk.answered, key=number_of))))
        desk.answered.clear()
    return WaitingAnswer(tuple(results))


def number_of(answered: Answered) -> tuple[int, bool]:
    """What orders those who are answered."""
    return answered.ask, answered.again


def waiting_labels(trial: WaitingTrial) -> Iterator[str]:
    yield trial.kind.value
    if not trial.started:
        yield "before the start"
    if {command.then for command in trial.commands if isinstance(command, Ask)} - {Then.NOTHING}:
        yield "asked again"
    if trial.permits < MANY:
        yield "few permits"


@dataclass(slots=True)
class Waiter:
    """A request that waits; its time can be over at `early` and is over at `late`.

    `exempt`: nothing is required of it, since something was wrong before, or two things happened
    in any order. `fresh`: it was asked during the present command. `full`: there was no permit.
    """

    bundle: int
    then: Then
    early: int
    late: int
    exempt: bool = False
    fresh: bool = True
    unread: bool = False
    full: bool = False

    def asks_again(self, end: Outcome, passing: bool) -> bool:
        """Whether the same is asked again if this is answered; `passing`: as time passes."""
        late = self.then is Then.LATE and passing and end is Outcome.FAILED
        return late or self.then is Then.AGAIN


@dataclass(frozen=True, slots=True)
class Happened:
    """During one command: which bundles' requests ended and how, as the broker learned.

    `late`: of these, what ended at the moment when the time of a request was over. `crowded`: where
    others asked again at that moment, before or after it.
    """

    passing: bool
    ended: dict[int, Outcome]
    late: set[int]
    crowded: set[int]


Key = tuple[int, bool]
"""Which request: the place of the command that asked, and whether it asked again."""


class WaitingMonitor:
    """Who waits, as it follows from commands and answers."""

    def __init__(self, run: MonitorRun, trial: WaitingTrial) -> None:
        self.run = run
        self.looks_up = trial.kind is Awaited.LOOKUP
        self.permits = trial.permits
        self.limit = LIMITS[trial.kind]
        self.started = trial.started
        self.now = 0
        self.owned: set[int] = set()
        self.waiters: dict[Key, Waiter] = {}
        self.clause = "OWN-61"

    def follow(self, place: int, command: WaitingCommand, heard: AnswersNow) -> None:
        """Follow a command, and judge who is answered, and how."""
        self.clause = "OWN-61" if self.hears() else "OWN-63"
        for waiter in self.waiters.values():
            waiter.fresh = False
        ended = self.carry_out(place, command)
        once = len({*map(number_of, heard.answered)}) == len(heard.answered)
        self.run.require(
            "OWN-61", once, fill("command {}: one is answered twice", place + 1), "twice"
        )
        happened = self.note_late(isinstance(command, PassTime), ended, heard)
        for answered in sorted(heard.answered, key=lambda one: (one.again, one.ask)):
            self.judge_answer(answered, happened)
        self.require_answers(ended)

    def hears(self) -> bool:
        """Whether the broker learns what ends."""
        return self.started or not self.looks_up

    def carry_out(self, place: int, command: WaitingCommand) -> dict[int, Outcome]:
        """What a command changes, and what it ends, as the broker learns."""
        ended = dict[int, Outcome]()
        match command:
            case Ask(bundle, then, unread):
                waiter = Waiter(bundle % BUNDLES, then, self.now, self.now)
                waiter.unread = unread and self.looks_up
                self.add((place, False), waiter)
            case End(bundle, fails):
                self.end(bundle % BUNDLES, Outcome.FAILED if fails else Outcome.DONE, ended)
            case PassTime(millis):
                self.now += millis
            case StartChannel():
                self.started = True
        return ended

    def end(self, bundle: int, outcome: Outcome, ended: dict[int, Outcome]) -> None:
        """What is under way about a bundle ends."""
        (self.owned.add if outcome is Outcome.DONE else self.owned.discard)(bundle)
        if self.hears():
            ended[bundle] = outcome

    def note_late(self, passing: bool, ended: dict[int, Outcome], heard: AnswersNow) -> Happened:
        """What ended at the moment when the time of a request was over."""
        waiting = [(self.waiters.get(number_of(one)), one.end) for one in heard.answered]
        again = [one for one, end in waiting if one is not None and one.asks_again(end, passing)]
        late = {one.bundle for one in again if one.then is Then.LATE}
        for bundle in late:
            self.end(bundle, Outcome.DONE, ended)
        crowded = {bundle for bundle in late if sum(one.bundle == bundle for one in again) > 1}
        return Happened(passing, ended, late, crowded)

    def add(self, key: Key, waiter: Waiter) -> None:
        """One more request, asked between these times; it may share the time of another."""
        others = [one.early for one in self.waiters.values() if one.bundle == waiter.bundle]
        waiter.early = min((waiter.early + self.limit, *others))
        waiter.late += self.limit
        if self.looks_up:
            waiter.full = sum(not one.exempt for one in self.waiters.values()) >= self.permits
            waiter.exempt |= not waiter.full and len(self.waiters) >= self.permits
        self.waiters[key] = waiter

    def is_known(self, bundle: int) -> bool:
        """Whether a lookup of this bundle can be answered at once."""
        return self.looks_up and self.started and bundle in self.owned

    def judge_answer(self, answered: Answered, happened: Happened) -> None:
        """Judge the end of a request, and let it ask again."""
        waiter = self.waiters.pop(number_of(answered), None)
        self.run.require(
            "OWN-61", waiter is not None, fill("{} does not wait", answered), "unasked"
        )
        if waiter is None:
            return
        right = self.list_right(waiter, happened)
        exempt = waiter.exempt or answered.end not in right
        if not waiter.exempt:
            sentence = "what command {} asked for is answered {}, and may be answered {}"
            may = " or ".join(sorted(one.value for one in right)) or "nothing yet"
            why = fill(sentence, answered.ask + 1, answered.end.value, may)
            counted = waiter.full or waiter.unread or answered.end is Outcome.REFUSED
            clause = "OWN-68" if counted else self.clause
            self.run.require(clause, not exempt, why, "untold" if right else "early")
        if waiter.asks_again(answered.end, happened.passing):
            exempt = exempt or waiter.bundle in happened.crowded
            early = waiter.early if happened.passing else self.now
            late = min(self.now, waiter.late)
            self.add((answered.ask, True), Waiter(waiter.bundle, Then.NOTHING, early, late, exempt))

    def list_right(self, waiter: Waiter, happened: Happened) -> set[Outcome]:
        """How a request may end now."""
        if waiter.full or waiter.unread:
            return {Outcome.REFUSED if waiter.full else Outcome.FAILED}
        known = self.is_known(waiter.bundle)
        right = {Outcome.DONE} if known else set[Outcome]()
        if not waiter.fresh and waiter.bundle in happened.ended:
            right.add(happened.ended[waiter.bundle])
        if waiter.early <= self.now and (not known or waiter.bundle in happened.late):
            right.add(Outcome.FAILED)
        return right

    def require_answers(self, ended: dict[int, Outcome]) -> None:
        """Require that who was not answered may still wait."""
        for (ask, _), waiter in self.waiters.items():
            if waiter.exempt:
                continue
            early = waiter.full or waiter.unread
            over = waiter.late <= self.now or early
            ends = waiter.bundle in ended and not waiter.fresh
            waiter.exempt = over or ends or self.is_known(waiter.bundle)
            self.run.require(self.clause, True)
            sentence = "what command {} asked for {}, and it is not answered"
            why = fill(sentence, ask + 1, "has waited too long" if over else "has ended")
            clause = "OWN-68" if early else "OWN-62"
            self.run.require(clause, not waiter.exempt, why, "over" if over else "ended")


def is_limited(trial: WaitingTrial) -> bool:
    """Whether a lookup can end early (OWN-68): OWN-64 says nothing of such trials."""
    unread = any(isinstance(command, Ask) and command.unread for command in trial.commands)
    return unread or trial.permits < MANY


@monitor("ownership.waiting", "OWN-61", "OWN-62", "OWN-63", "OWN-64", "OWN-68")
def judge_waiting(run: MonitorRun, case: Case[WaitingTrial, WaitingAnswer]) -> None:
    if not is_limited(case.trial):
        require_results(run, case, "OWN-64")
    world = WaitingMonitor(run, case.trial)
    for place, (command, result) in enumerate(pair_results(run, "OWN-62", case, "the broker")):
        if not isinstance(result, AnswersNow):
            run.require("OWN-62", False, fill("{}: {}", command, result), "failed")
            return
        world.follow(place, command, result)


WAITING: Final = Question(
    "ownership.waiting",
    WaitingTrial,
    WaitingAnswer,
    waiting_trial,
    answer_waiting,
    waiting_labels,
    commands="commands",
    exempt=Exempt(
        subjects={"ignores StartChannel after 25 commands": "A channel starts once."},
        world=r".*\.bundle",
    ),
)

QUESTIONS: Final = (WAITING,)
