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
class Leave(Tagged):
    """The consumer goes. What it did not acknowledge is to be delivered again."""

    consumer: Index


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


KeysCommand = Join | Flow | Leave | Publish | Due | Acknowledge | Look


@dataclass(frozen=True, slots=True)
class KeysTrial:
    """`throttling.keys`: what does a Key_Shared subscription deliver, and to whom?

    No rate is limited. The number of a consumer is taken modulo the number of consumers there have
    been. Before the first one `Flow` and `Leave` do nothing; nor do they of a consumer that left.
    A read asks for no more than the limits of reading ahead leave. No command is refused.
    `out_of_order`: all consumers allow that (`KeySharedMeta.allowOutOfOrderDelivery`): a key's
    entries have no order, and still one consumer until others join or leave.
    """

    max_batch: int = field(metadata={"wire": "dispatcherMaxReadBatchSize"})
    commands: tuple[KeysCommand, ...]
    each_ahead: int = field(default=2000, metadata={"wire": f"{LOOK_AHEAD}Consumer", **OMITTABLE})
    all_ahead: int = field(
        default=20_000, metadata={"wire": f"{LOOK_AHEAD}Subscription", **OMITTABLE}
    )
    classic: bool = field(default=False, metadata={"wire": CLASSIC, **OMITTABLE})
    out_of_order: bool = field(default=False, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require(0 < self.max_batch < 2**31, "dispatcherMaxReadBatchSize", "must be above 0")
        require(0 <= self.each_ahead < 2**31, f"{LOOK_AHEAD}Consumer", "must not be negative")
        require(0 <= self.all_ahead < 2**31, f"{LOOK_AHEAD}Subscription", "must not be negative")

    @property
    def keeps(self) -> bool:
        """Whether a dispatcher keeps from who joins what others may have."""
        return self.classic and not self.out_of_order

    def moves_at_once(self, edition: Edition) -> bool:
        """Whether the dispatcher is, by edition, one that moves a key when others come or go."""
        return self.classic and edition.classic_keys_move_at_once


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
    sort = draw.integer(0, 10)
    if sort < 5:
        return (Publish(draw.integer(0, 7), delays and draw.chance(0.4)),)
    if sort < 7:
        return (Flow(draw.integer(0, consumers - 1), draw.pick((1, 2, 5, 30))),)
    joins: tuple[KeysCommand, ...] = (Join(), *flows(consumers + 1))
    leaves = (Leave(draw.integer(0, consumers - 1)),) if sort == 10 else ()
    return ((Due(),), (Acknowledge(),), joins, leaves)[sort - 7]


def draw_handed_on(draw: Draw, came: int) -> tuple[KeysCommand, ...]:
    """Of each key a consumer has an entry while others come and go; at last some of those from
    before go, or all.
    """
    shown = (*flows(came), *(Publish(key, False) for key in range(8)), Look())
    passing = (Join(), Leave(came), Join()) if draw.chance(0.7) else ()
    gone = tuple(Leave(one) for one in range(came + (2 if draw.chance(0.4) else 0)))
    last = (Acknowledge(),) if draw.chance(0.3) else gone
    more = tuple(Publish(draw.integer(0, 7), False) for _ in draw.items(4, 0.6))
    joins = tuple(Join() for _ in draw.items(3, 0.7))
    end = (*more, *flows(came + 5), Look(), Acknowledge(), Look())
    return (*shown, *passing, *last, *joins, *end)


def flows(consumers: int) -> tuple[Flow, ...]:
    return tuple(Flow(one, 30) for one in range(consumers))


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


def leave_idle(came: int) -> tuple[KeysCommand, ...]:
    """Entries wait for one that joins and asks for nothing, until it goes; nothing is held."""
    published = (Publish(key, False) for key in range(8))
    return (Join(), *flows(came), *published, Look(), Acknowledge(), Look(), Leave(came), Look())


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
        if draw.chance(0.05):
            commands += draw_handed_on(draw, consumers)
        commands += draw_turn(draw, consumers, delays) if draw.chance(0.7) else (Look(),)
    batch = draw.pick((500, 100, 1000, 5, 1))
    commands += [Join() for _ in draw.items(6, 0.6)]
    free, idle = draw.chance(0.2), draw.chance(0.05)
    last = leave_idle(sum(isinstance(command, Join) for command in commands)) if idle else ()
    return KeysTrial(batch, (*commands, Look(), *last), out_of_order=free)


def limited_trial(draw: Draw) -> KeysTrial:
    """A slow consumer, and limits of what may wait for it that are soon reached."""
    consumers = draw.integer(2, 4)
    commands: list[KeysCommand] = [Join() for _ in range(consumers)]
    classic, delays = draw.chance(0.3), draw.chance(0.2)
    if draw.chance(0.2):
        commands += draw_handed_on(draw, consumers)
    for _ in draw.items(8, 0.8, least=1):
        consumers = sum(isinstance(command, Join) for command in commands)
        commands += draw_slow(draw, consumers) if draw.chance(0.5) else (Look(),)
        commands += draw_turn(draw, consumers, delays)
    each = draw.pick((1, 2, 3, 0, 2000, 2**31 - 1))
    limits = (each, draw.pick((2, 3, 5, 8, 1, 0, 20_000)))
    batch, free = draw.pick((500, 100, 5, 1)), draw.chance(0.2)
    return KeysTrial(batch, (*commands, Look()), *limits, classic, free)


def answer_keys(trial: KeysTrial, edition: Edition) -> KeysAnswer:
    keyed, results = reference.begin(trial.classic, trial.out_of_order, edition), list[KeysResult]()
    ahead, awake = LookAhead(trial.each_ahead, trial.all_ahead, trial.classic), True
    for command in trial.commands:
        if isinstance(command, Look):
            most = reference.may_wait(ahead, len(keyed.here), edition)
            keyed, sent = reference.look(keyed, most) if awake else (keyed, ())
            results.append(Looked(sent))
            awake = False
        else:
            awake = awake or awakes(trial, keyed, command, edition)
            keyed = carry_out(keyed, command, trial.keeps, edition)
            results.append(Done())
    return KeysAnswer(tuple(results))


def awakes(trial: KeysTrial, keyed: Keyed, command: KeysCommand, edition: Edition) -> bool:
    """Whether a command makes the dispatcher read at the next look."""
    if trial.moves_at_once(edition) or not isinstance(command, Join | Leave):
        return True
    if isinstance(command, Join):
        return not edition.idle_leavers_read_nothing
    consumer = command.consumer % max(1, len(keyed.permits))
    return reference.reads_after(keyed, consumer, edition)


def carry_out(
    keyed: Keyed,
    command: Join | Flow | Leave | Publish | Due | Acknowledge,
    keeps: bool,
    edition: Edition,
) -> Keyed:
    match command:
        case Join():
            return reference.join(keyed, keeps, edition)
        case Flow(number) | Leave(number):
            consumer = number % max(1, len(keyed.permits))
            if consumer not in keyed.here:
                return keyed
            if isinstance(command, Leave):
                return reference.leave(keyed, consumer)
            return reference.flow(keyed, consumer, command.permits)
        case Publish(key, delayed):
            waiting = (*keyed.waiting, Entry(keyed.published, key, delayed))
            return replace(keyed, published=keyed.published + 1, waiting=waiting)
        case Due():
            return replace(keyed, waiting=tuple(replace(one, early=False) for one in keyed.waiting))
        case Acknowledge():
            return reference.acknowledge(keyed)


@dataclass(slots=True)
class Published:
    """An entry; `early`: it was `delayed`, and is not due yet; `holder`: who has it, and did not
    acknowledge it; `never`: no consumer ever had it.
    """

    key: int
    delayed: bool
    early: bool
    delivered: bool = False
    holder: int | None = None
    never: bool = True


@dataclass(slots=True)
class KeysMonitor:
    """What each consumer may get, and what each key waits for, by commands and answers alone.

    `permits` of those who are here; `came`: how many ever did; `most`: at the same time. `seen`:
    how many entries there were at the last look. `owner` of a key: who got the last entry of it;
    `movable`: keys that may move, since one joined or left after they came to their owner. `read`:
    of how many entries the places of the cursor may be known; `kept`: the last of those from which
    the classic dispatcher keeps what comes after them. `twice`: keys that an edition may keep for
    who has gone. `loose`: an edition requires no more than permits. `unasked`: by edition, nothing
    made it look since one left with all acknowledged.
    """

    run: MonitorRun
    trial: KeysTrial
    edition: Edition
    permits: dict[int, int] = field(default_factory=dict)
    came: int = 0
    most: int = 0
    seen: int = 0
    read: int = 0
    kept: int = 0
    twice: set[int] = field(default_factory=set)
    loose: bool = False
    unasked: bool = False
    entries: list[Published] = field(default_factory=list)
    owner: dict[int, int] = field(default_factory=dict)
    movable: set[int] = field(default_factory=set)

    def follow(self, command: KeysCommand | Looked) -> None:
        """Follow a command that only does something, and judge what a look answers."""
        match command:
            case Looked():
                self.looked(command)
            case Join():
                self.join()
            case Flow(consumer, permits) if (number := self.numbered(consumer)) is not None:
                self.permits[number] += permits
                self.unasked = False
            case Leave(consumer) if (number := self.numbered(consumer)) is not None:
                self.leave(number)
            case Publish(key, delayed):
                self.entries.append(Published(key, delayed, delayed))
                self.unasked = False
            case Due():
                for entry in self.entries:
                    entry.early = False
            case Acknowledge():
                for entry in self.entries:
                    entry.holder = None

    def numbered(self, consumer: int) -> int | None:
        """Whom a command is about, if it is here."""
        number = consumer % max(1, self.came)
        return number if number in self.permits else None

    def join(self) -> None:
        """One more consumer comes."""
        self.loose |= bool(self.entries) and self.trial.moves_at_once(self.edition)
        if self.permits and self.trial.keeps:
            self.kept = max(self.kept, self.read)
        again = self.edition.moved_keys_counted_again and not self.trial.out_of_order
        if again and self.came > len(self.permits):
            self.twice |= {one.key for one in self.entries if one.holder is not None}
        self.permits[self.came] = 0
        self.came += 1
        self.most = max(self.most, len(self.permits))
        self.movable |= self.owner.keys()

    def leave(self, consumer: int) -> None:
        """One goes, and all that it has comes again; after the last one all is read again."""
        self.loose |= self.trial.moves_at_once(self.edition)
        del self.permits[consumer]
        self.movable |= self.owner.keys()
        held = [entry for entry in self.entries if entry.holder == consumer]
        self.unasked |= self.edition.idle_leavers_read_nothing and not held
        for entry in held:
            entry.holder, entry.delivered = None, False
        if not self.permits:
            self.read = self.kept = 0
            self.twice.clear()

    def looked(self, looked: Looked) -> None:
        """Judge what is delivered, and what is left."""
        must, came = self.must_come(), {sent.entry for sent in looked.sent}
        if must and self.trial.out_of_order:
            why = fill("entries {} wait for nothing, and not all of them are delivered", must)
            self.run.require("THR-103", came.issuperset(must), why)
        elif must:
            why = fill("of entries {}, which are to be delivered again, none is", must)
            self.run.require("THR-102", not came.isdisjoint(must), why)
        self.seen = len(self.entries)
        for sent in looked.sent:
            self.send(sent)
        if self.loose:
            return
        ready = [number for number in range(len(self.entries)) if self.could_go(number)]
        most = min(self.bounds(len(self.permits)).values(), default=len(self.entries))
        self.read_ahead(ready)
        self.read = len(self.entries)
        left = [number for number in ready if self.waiting(number, whole=True) < most]
        if (left or looked.sent) and not self.unasked:
            again = self.trial.out_of_order or any(one.delayed for one in self.entries)
            clause = "THR-80" if again and len(self.permits) > 1 else "THR-79"
            self.run.require(clause, not left, fill("entries {} could go, and do not", left))

    def bounds(self, consumers: int) -> dict[str, int]:
        """At how many entries that wait no more are read, by the clause that says so."""
        trial, unbounded = self.trial, self.edition.look_ahead_unbounded
        if unbounded is Unbounded.ALL or (trial.classic and unbounded is Unbounded.CLASSIC):
            return {}
        bounds = {"THR-82": trial.all_ahead} if trial.all_ahead else {}
        if trial.each_ahead and consumers:
            product = trial.each_ahead * consumers
            if self.edition.look_ahead_wraps and product >= 2**31:
                product %= 2**32
                if not 0 < product < 2**31:
                    return {}
            bounds["THR-81"] = product
        return bounds

    def read_ahead(self, ready: list[int]) -> None:
        """Judge how many entries were passed over: they are before one that was delivered. They
        may have been read while there were more consumers.
        """
        last = max((n for n, one in enumerate(self.entries) if not one.never), default=0)
        passed = self.waiting(last, whole=False)
        tempting = max((self.waiting(number, whole=False) for number in ready), default=0)
        been = [self.bounds(consumers) for consumers in range(1, self.most + 1)]
        for clause in ("THR-81", "THR-82"):
            if not been or any(clause not in bounds for bounds in been):
                continue
            bound = max(bounds[clause] for bounds in been)
            if max(passed, tempting) >= bound:
                why = fill("{} entries were passed over, and less than {} may be", passed, bound)
                self.run.require(clause, passed < bound, why)

    def waiting(self, number: int, whole: bool) -> int:
        """How many before this entry wait, and none had; `whole`: those too that come again, and
        that were delayed, and may not be due.
        """
        before = self.entries[:number]
        if whole:
            return sum(not one.delivered for one in before)
        return sum(one.never and not one.delayed for one in before)

    def could_go(self, number: int) -> bool:
        """Whether all of its key up to it are due, and who may have its key has permits."""
        entry = self.entries[number]
        before = self.entries[: number + 1]
        if entry.delivered or any(one.early and one.key == entry.key for one in before):
            return False
        kept = any(one.holder is not None or not one.delivered for one in self.entries[: self.kept])
        if kept or entry.key in self.twice:
            return False
        if entry.key in self.owner and entry.key not in self.movable:
            return self.permits[self.owner[entry.key]] > 0
        return self.holder(entry.key) is None and min(self.permits.values(), default=0) > 0

    def must_come(self) -> list[int]:
        """What consumers had that left, if nothing else keeps anyone from getting it; out of order
        all that waits.
        """
        free = self.trial.out_of_order
        waits = [number for number, one in enumerate(self.entries) if not one.delivered]
        kept = any(number < self.kept for number in waits)
        busy = any(one.early or (one.holder is not None and not free) for one in self.entries)
        news = len(self.entries) > self.seen
        able = min(self.permits.values(), default=0) >= len(waits)
        if self.loose or kept or busy or not (news and able):
            return []
        back = (number for number in waits if free or not self.entries[number].never)
        return [number for number in back if self.entries[number].key not in self.twice]

    def holder(self, key: int) -> int | None:
        """Who holds a key: in order, who has entries of it that are not acknowledged."""
        if self.trial.out_of_order:
            return None
        held = (one.holder for one in self.entries if one.key == key)
        return next((one for one in held if one is not None), None)

    def send(self, sent: Sent) -> None:
        """Check one delivery."""
        known = sent.consumer in self.permits
        permits = self.permits.get(sent.consumer, 0)
        why = fill("entry {} goes to consumer {}, without permits", sent.entry, sent.consumer)
        self.run.require("THR-43", permits > 0, why)
        if self.loose:
            return
        why = fill("entry {} comes early, out of order, or again", sent.entry)
        self.run.require("THR-77", self.may_come(sent.entry), why)
        if not known or not 0 <= sent.entry < len(self.entries):
            return
        entry = self.entries[sent.entry]
        before, owner = self.owner.get(entry.key), self.holder(entry.key)
        if owner is None:
            stays = before is not None and entry.key not in self.movable
            owner = before if stays else sent.consumer
        why = fill("entry {} goes to consumer {}, not to {}", sent.entry, sent.consumer, owner)
        self.run.require("THR-78", owner == sent.consumer, why)
        if before != sent.consumer:
            self.movable.discard(entry.key)
        self.permits[sent.consumer] -= 1
        entry.delivered, entry.never = True, False
        self.owner[entry.key] = entry.holder = sent.consumer

    def may_come(self, number: int) -> bool:
        """Whether an entry is there and due, comes once, and in order if that is asked."""
        if not 0 <= number < len(self.entries):
            return False
        entry = self.entries[number]
        before = [one for one in self.entries[:number] if one.key == entry.key]
        free = entry.delayed or self.trial.out_of_order
        passes = any(not (free or one.delayed or one.delivered) for one in before)
        return not (entry.early or entry.delivered or passes)


@monitor(
    "throttling.keys",
    *("THR-43", "THR-77", "THR-78", "THR-79", "THR-80", "THR-81", "THR-82", "THR-102", "THR-103"),
)
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
            r"\w+\.commands: Join in the last third, half .*": (
                "a trial begins with them: without consumers nothing happens"
            )
        }
    ),
)

QUESTIONS: Final = (KEYS,)
