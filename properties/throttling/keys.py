"""Which consumer of a Key_Shared subscription gets which entry, and whether all goes that can."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

from evenkeel.properties.throttling.permits import Join, follow_looks
from evenkeel.properties.throttling.trial_parts import Done
from evenkeel.reference.edition import Edition
from evenkeel.reference.switches.throttling import Unbounded
from evenkeel.reference.throttling import keys as reference
from evenkeel.reference.throttling.keys import Entry, Keyed, LookAhead, Sent
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import OMITTABLE, Index, Tagged, Within, require

LOOK_AHEAD: Final = "keySharedLookAheadMsgInReplayThresholdPer"
CLASSIC: Final = "subscriptionKeySharedUseClassicPersistentImplementation"


@dataclass(frozen=True, slots=True)
class Flow(Tagged):
    """The consumer asks for this many more messages, which is counted at once."""

    consumer: Index
    permits: Annotated[int, Within(1, 2**20 - 1)]


@dataclass(frozen=True, slots=True)
class Publish(Tagged):
    """An entry of one message is published; `delayed`: for some time after now."""

    key: Annotated[int, Within(0, 7)]
    delayed: bool


@dataclass(frozen=True, slots=True)
class Due(Tagged):
    """The time of all entries that are delayed has come."""


@dataclass(frozen=True, slots=True)
class Acknowledge(Tagged):
    """The consumers acknowledge all that they got."""


@dataclass(frozen=True, slots=True)
class Look(Tagged):
    """All that comes by itself is delivered; a read that finds nothing may stay open. Nothing is
    delivered between two looks: permits, keys and acknowledgements count as they are at the look.
    """


KeysCommand = Join | Flow | Publish | Due | Acknowledge | Look


@dataclass(frozen=True, slots=True)
class KeysTrial:
    """`throttling.keys`: what does a Key_Shared subscription deliver, and to whom?

    No rate is limited, and consumers do not leave. The number of a consumer is taken modulo the
    number of consumers; before the first one `Flow` does nothing. Nor does `Join` once something
    was published, with the classic dispatcher: what that keeps from later ones is not specified.
    A read asks for no more than the limits of reading ahead leave. No command is refused.
    """

    max_batch: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    commands: tuple[KeysCommand, ...]
    each_ahead: int = field(default=2000, metadata={"wire": f"{LOOK_AHEAD}Consumer", **OMITTABLE})
    all_ahead: int = field(
        default=20_000, metadata={"wire": f"{LOOK_AHEAD}Subscription", **OMITTABLE}
    )
    classic: bool = field(default=False, metadata={"wire": CLASSIC, **OMITTABLE})

    def __post_init__(self) -> None:
        require(0 < self.max_batch < 2**31, "dispatcherMaxReadBatchSize", "must be above 0")
        require(0 <= self.each_ahead < 2**31, f"{LOOK_AHEAD}Consumer", "must not be negative")
        require(0 <= self.all_ahead < 2**31, f"{LOOK_AHEAD}Subscription", "must not be negative")


@dataclass(frozen=True, slots=True)
class Looked(Tagged):
    """Answer to `Look`: what was delivered, of each consumer in its order."""

    DO: ClassVar[str] = "looked"
    sent: tuple[Sent, ...]


KeysResult = Looked | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class KeysAnswer:
    """One result for each command."""

    results: tuple[KeysResult, ...]


def draw_turn(draw: Draw, consumers: int, delays: bool) -> tuple[KeysCommand, ...]:
    sort = draw.integer(0, 9)
    if sort < 5:
        return (Publish(draw.integer(0, 7), delays and draw.chance(0.4)),)
    if sort < 7:
        return (Flow(draw.integer(0, consumers - 1), draw.pick((1, 2, 5, 30))),)
    joins: tuple[KeysCommand, ...] = (Join(), *(Flow(one, 30) for one in range(consumers + 1)))
    return ((Due(),), (Acknowledge(),), joins)[sort - 7]


def draw_fallen_due(draw: Draw, consumers: int) -> tuple[KeysCommand, ...]:
    """Each key shows its consumer; entries of all are delayed, and fall due while some consumers
    have few permits left.
    """
    shown = tuple(Publish(key, False) for key in range(8))
    delayed = tuple(Publish(draw.integer(0, 7), True) for _ in draw.items(12, 0.9, least=2))
    more = tuple(Publish(draw.integer(0, 7), False) for _ in draw.items(12, 0.8))
    flows = tuple(Flow(one, draw.pick((9, 10, 30))) for one in range(consumers))
    return (*flows, *shown, *delayed, Look(), *more, Look(), Due(), Look())


def draw_slow(draw: Draw, consumers: int) -> tuple[KeysCommand, ...]:
    """One consumer can take little, the others all of what is published."""
    slow = draw.integer(0, consumers - 1)
    flows = (Flow(one, 1 if one == slow else 30) for one in range(consumers))
    published = tuple(Publish(draw.integer(0, 7), False) for _ in draw.items(24, 0.93, least=6))
    return (*flows, *published, Look())


@seldom_repeated("commands")
def keys_trial(draw: Draw) -> KeysTrial:
    if draw.chance(0.4):
        return limited_trial(draw)
    commands: list[KeysCommand] = [Join() for _ in draw.items(3, 0.7, least=1)]
    delays = draw.chance(0.6)
    for _ in draw.items(24, 0.93):
        consumers = sum(isinstance(command, Join) for command in commands)
        if delays and draw.chance(0.1):
            commands += draw_fallen_due(draw, consumers)
        commands += draw_turn(draw, consumers, delays) if draw.chance(0.7) else (Look(),)
    joins = (Join() for _ in draw.items(6, 0.6))
    return KeysTrial(draw.pick((500, 100, 1000, 5, 1)), (*commands, *joins, Look()))


def limited_trial(draw: Draw) -> KeysTrial:
    """A slow consumer, and limits of what may wait for it that are soon reached."""
    consumers = draw.integer(2, 4)
    commands: list[KeysCommand] = [Join() for _ in range(consumers)]
    classic, delays = draw.chance(0.3), draw.chance(0.2)
    for _ in draw.items(8, 0.8, least=1):
        commands += draw_slow(draw, consumers) if draw.chance(0.5) else (Look(),)
        commands += draw_turn(draw, consumers, delays)
        consumers = sum(isinstance(command, Join) for command in commands)
    each = draw.pick((1, 2, 3, 0, 2000, 2**31 - 1))
    limits = (each, draw.pick((2, 3, 5, 8, 1, 0, 20_000)))
    return KeysTrial(draw.pick((500, 100, 5, 1)), (*commands, Look()), *limits, classic)


def answer_keys(trial: KeysTrial, edition: Edition) -> KeysAnswer:
    keyed, results = Keyed(), list[KeysResult]()
    ahead = LookAhead(trial.each_ahead, trial.all_ahead, trial.classic)
    for command in trial.commands:
        if isinstance(command, Look):
            most = reference.may_wait(ahead, len(keyed.permits), edition)
            keyed, sent = reference.look(keyed, most)
            results.append(Looked(sent))
        else:
            if not (trial.classic and keyed.published and isinstance(command, Join)):
                keyed = carry_out(keyed, command)
            results.append(Done())
    return KeysAnswer(tuple(results))


def carry_out(keyed: Keyed, command: Join | Flow | Publish | Due | Acknowledge) -> Keyed:
    match command:
        case Join():
            return replace(keyed, permits=(*keyed.permits, 0))
        case Flow(consumer, permits):
            here = len(keyed.permits)
            return reference.flow(keyed, consumer % here, permits) if here else keyed
        case Publish(key, delayed):
            waiting = (*keyed.waiting, Entry(keyed.published, key, delayed))
            return replace(keyed, published=keyed.published + 1, waiting=waiting)
        case Due():
            return replace(keyed, waiting=tuple(replace(one, early=False) for one in keyed.waiting))
        case Acknowledge():
            return replace(keyed, held=frozenset())


@dataclass(slots=True)
class Published:
    """An entry; `early`: it was `delayed`, and is not due yet."""

    key: int
    delayed: bool
    early: bool
    delivered: bool = False


@dataclass(slots=True)
class KeysMonitor:
    """What each consumer may get, and what each key waits for, by commands and answers alone.

    `owner` of a key: who got an entry of it since one joined; `holder`: since it was
    acknowledged.
    """

    run: MonitorRun
    trial: KeysTrial
    edition: Edition
    permits: list[int] = field(default_factory=list)
    entries: list[Published] = field(default_factory=list)
    owner: dict[int, int] = field(default_factory=dict)
    holder: dict[int, int] = field(default_factory=dict)

    def follow(self, command: KeysCommand | Looked) -> None:
        """Follow a command that only does something, and judge what a look answers."""
        match command:
            case Looked():
                self.looked(command)
            case Join() if not (self.trial.classic and self.entries):
                self.permits.append(0)
                self.owner.clear()
            case Flow(consumer, permits) if self.permits:
                self.permits[consumer % len(self.permits)] += permits
            case Publish(key, delayed):
                self.entries.append(Published(key, delayed, delayed))
            case Due():
                for entry in self.entries:
                    entry.early = False
            case Acknowledge():
                self.holder.clear()

    def looked(self, looked: Looked) -> None:
        """Judge what is delivered, and what is left."""
        for sent in looked.sent:
            self.send(sent)
        ready = [number for number in range(len(self.entries)) if self.could_go(number)]
        bounds = self.bounds()
        most = min(bounds.values(), default=len(self.entries))
        self.read_ahead(ready, bounds)
        left = [number for number in ready if self.waiting(number, due=True) < most]
        if left or looked.sent:
            delayed = len(self.permits) > 1 and any(one.delayed for one in self.entries)
            clause = "THR-80" if delayed else "THR-79"
            self.run.require(clause, not left, fill("{} could go, and are not delivered", left))

    def bounds(self) -> dict[str, int]:
        """At how many entries that wait no more are read, by the clause that says so."""
        trial, unbounded = self.trial, self.edition.look_ahead_unbounded
        if unbounded is Unbounded.ALL or (trial.classic and unbounded is Unbounded.CLASSIC):
            return {}
        bounds = {"THR-82": trial.all_ahead} if trial.all_ahead else {}
        if trial.each_ahead and self.permits:
            product = trial.each_ahead * len(self.permits)
            if self.edition.look_ahead_wraps and product >= 2**31:
                product %= 2**32
                if not 0 < product < 2**31:
                    return {}
            bounds["THR-81"] = product
        return bounds

    def read_ahead(self, ready: list[int], bounds: dict[str, int]) -> None:
        """Judge how many entries were passed over: they are before one that was delivered."""
        last = max((n for n, one in enumerate(self.entries) if one.delivered), default=0)
        passed = self.waiting(last, due=False)
        tempting = max((self.waiting(number, due=False) for number in ready), default=0)
        for clause, bound in bounds.items():
            if max(passed, tempting) >= bound:
                why = fill("{} entries were passed over, and less than {} may be", passed, bound)
                self.run.require(clause, passed < bound, why)

    def waiting(self, number: int, due: bool) -> int:
        """How many before this entry wait; `due`: those too that were delayed, and are due."""
        before = self.entries[:number]
        return sum(not (one.delivered or (one.early if due else one.delayed)) for one in before)

    def could_go(self, number: int) -> bool:
        """Whether all of its key up to it are due, and who may have its key has permits."""
        entry = self.entries[number]
        before = self.entries[: number + 1]
        if entry.delivered or any(one.early and one.key == entry.key for one in before):
            return False
        if entry.key in self.owner:
            return self.permits[self.owner[entry.key]] > 0
        return entry.key not in self.holder and min(self.permits, default=0) > 0

    def send(self, sent: Sent) -> None:
        """Check one delivery."""
        known = 0 <= sent.consumer < len(self.permits)
        permits = self.permits[sent.consumer] if known else 0
        why = fill("entry {} goes to consumer {}, without permits", sent.entry, sent.consumer)
        self.run.require("THR-43", permits > 0, why)
        why = fill("entry {} comes early, out of order, or again", sent.entry)
        self.run.require("THR-77", self.may_come(sent.entry), why)
        if not known or not 0 <= sent.entry < len(self.entries):
            return
        entry = self.entries[sent.entry]
        owner = self.owner.get(entry.key, self.holder.get(entry.key, sent.consumer))
        why = fill("entry {} goes to consumer {}; {} has its key", sent.entry, sent.consumer, owner)
        self.run.require("THR-78", owner == sent.consumer, why)
        self.permits[sent.consumer] -= 1
        entry.delivered = True
        self.owner[entry.key] = self.holder[entry.key] = sent.consumer

    def may_come(self, number: int) -> bool:
        """Whether an entry is there and due, comes once, and after those of its key before it."""
        if not 0 <= number < len(self.entries):
            return False
        entry = self.entries[number]
        before = [one for one in self.entries[:number] if one.key == entry.key]
        passes = any(not (one.delayed or one.delivered) for one in before) and not entry.delayed
        return not (entry.early or entry.delivered or passes)


@monitor("throttling.keys", "THR-43", "THR-77", "THR-78", "THR-79", "THR-80", "THR-81", "THR-82")
def judge_keys(run: MonitorRun, case: Case[KeysTrial, KeysAnswer]) -> None:
    world = KeysMonitor(run, case.trial, case.edition)
    follow_looks(run, "THR-77", case, (Look, Looked), world.follow)


KEYS: Final = Question(
    "throttling.keys",
    KeysTrial,
    KeysAnswer,
    keys_trial,
    answer_keys,
    commands="commands",
    exempt=Exempt(
        unmet={
            r"\w+\.commands: Join in the last third, .*": (
                "with the classic dispatcher none joins once something is published"
            )
        }
    ),
)

QUESTIONS: Final = (KEYS,)
