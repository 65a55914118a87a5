"""Which consumer of a shared segment gets which entry, by entry buckets (SCA-96 to SCA-101)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from evenkeel.properties.scaling.routing import bucket_at, draw_cuts, hash_of
from evenkeel.properties.scaling.trial_parts import HASHES
from evenkeel.properties.throttling.keys import KeysAnswer, KeysResult, Leave, Looked
from evenkeel.properties.throttling.trial_parts import Done, describe_failure
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import sharing as reference
from evenkeel.reference.scaling.routing import bucket_hash
from evenkeel.reference.throttling import keys
from evenkeel.reference.throttling.keys import Sent
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.judge import monitor, pair_results
from evenkeel_engine.kit.observations import CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Index, Tagged, Within, require, require_within

Hash = Annotated[int, Within(0, HASHES - 1)]


@dataclass(frozen=True, slots=True)
class Subscribe(Tagged):
    """One more consumer comes, and declares the segment's buckets if `starts` is null. Otherwise
    they begin at these hashes: each ends before the next one begins, the last at 65535. If it is
    refused, it has no number.
    """

    starts: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Stamped(Tagged):
    """An entry is published; its stamp reaches from the lesser of these hashes to the greater."""

    one: Hash
    other: Hash


@dataclass(frozen=True, slots=True)
class Unstamped(Tagged):
    """An entry of one message is published, without a stamp; the key is this number in decimal."""

    key: Annotated[int, Within(0, 999)]


@dataclass(frozen=True, slots=True)
class AcknowledgeOne(Tagged):
    """Who has the entry acknowledges it; if no consumer has it, nothing happens."""

    entry: Index


@dataclass(frozen=True, slots=True)
class Look(Tagged):
    """All that can go is delivered; nothing is between two looks."""


SharingCommand = Subscribe | Stamped | Look | AcknowledgeOne | Unstamped | Leave


@dataclass(frozen=True, slots=True)
class SharingTrial:
    """`scaling.sharing`: which consumer of a segment that is shared gets which entry?

    The segment's buckets begin at `starts`, ascending from 0. It was shared before, so its broker
    knows them. Consumers have permits for all that there is. The number of a consumer or an entry
    is taken modulo the number of those that there have been. Of a consumer that is gone, or before
    the first one, nothing happens. No command but `subscribe` is refused.
    """

    starts: tuple[int, ...]
    commands: tuple[SharingCommand, ...]

    def __post_init__(self) -> None:
        require([*self.starts] == sorted({0, *self.starts}), "starts", "must ascend from 0")
        for one in (self, *self.commands):
            starts = (isinstance(one, SharingTrial | Subscribe) and one.starts) or ()
            require(all(0 <= at < HASHES for at in starts), "starts", "must be within 0 to 65535")
            require_within(one)


@seldom_repeated("commands")
def sharing_trial(draw: Draw) -> SharingTrial:
    """Consumers come and go while entries are published, delivered and acknowledged; stamps are at
    the ends of buckets, and some reach over several.
    """
    lows = [hash_of(str(key)) % HASHES for key in range(5)]
    few, many = draw_cuts(draw, lows), tuple(range(8192, HASHES, 8192))
    starts = (0, *((1,) if draw.chance(0.03) else many if draw.chance(0.2) else few))
    points = (*starts, HASHES - 1, *(first - 1 for first in starts[1:]), *lows)
    cuts = (0, *draw_cuts(draw, lows))
    inner = (*starts[:1], *(first - 1 for first in starts[1:2]), *starts[2:])
    join, wrong = Subscribe(None), (starts, starts[1:], starts[:-1], starts[::-1], cuts, inner)
    each, commands = [Stamped(first, first) for first in starts], list[SharingCommand]([join])
    for _ in draw.items(40, 0.94):
        one, most = draw.pick(points), sum(isinstance(one, Stamped) for one in commands)
        sorts: tuple[tuple[SharingCommand, ...], ...] = (
            (Look(),),
            (Stamped(one, draw.pick((one, one, one, *points))),),
            (Unstamped(draw.integer(0, 9)),),
            (AcknowledgeOne(draw.integer(0, most)),),
            (join,),
            (*map(AcknowledgeOne, range(2 * most)), *each, Look()),
            (Leave(draw.integer(0, 4)),),
            (*each, Look(), join, *each, Look(), join, *each, Look()),
            (*each, Look(), join, Leave(draw.integer(0, 4)), *each, Look()),
            (Subscribe(draw.pick(wrong)),),
        )
        commands += draw.pick(sorts[: draw.pick((10, 5))])
    return SharingTrial(starts, (*commands, Look()))


def answer_sharing(trial: SharingTrial, edition: Edition) -> KeysAnswer:
    starts, results = trial.starts, list[KeysResult]()
    shared = reference.begin(starts)
    for command in trial.commands:
        result: KeysResult = Done()
        match command:
            case Subscribe(declared):
                try:
                    shared = reference.join(shared, starts, declared, edition)
                except Refusal as refusal:
                    result = describe_failure(refusal)
            case Leave(number) if (consumer := number % max(1, len(shared.permits))) in shared.here:
                shared = keys.leave(shared, consumer)
            case Stamped(one, other):
                shared = reference.publish(shared, starts, one, other)
            case Unstamped(key):
                shared = reference.publish(shared, starts, bucket_hash(str(key)))
            case AcknowledgeOne(entry):
                shared = reference.acknowledge(shared, entry % max(1, shared.published))
            case Look():
                shared, sent = reference.look(shared)
                result = Looked(sent)
        results.append(result)
    return KeysAnswer(tuple(results))


@dataclass(slots=True)
class SharingMonitor:
    """The members, and what became of the entries, by commands and answers alone.

    `reach`: from which bucket to which the stamp of each entry reaches; `held`: who has those that
    are in flight; `done`: those that were acknowledged. `owners`: of each set of members that there
    was, whose a bucket was when that was seen last, and after how many changes of the members.
    """

    run: MonitorRun
    starts: tuple[int, ...]
    unusable: bool
    came: int = 0
    changes: int = 0
    members: tuple[int, ...] = ()
    reach: list[range] = field(default_factory=list)
    held: dict[int, int] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    owners: dict[tuple[int, ...], dict[int, tuple[int, int]]] = field(default_factory=dict)

    def follow(self, command: SharingCommand, result: KeysResult) -> bool:
        """Judge the result of a command; whether it is one of the kind that is asked for."""
        match command:
            case Subscribe(declared):
                return self.join(declared, result)
            case Look() if isinstance(result, Looked):
                self.looked(result.sent)
                return True
            case Leave(consumer):
                consumer %= max(1, self.came)
                self.changes += consumer in self.members
                self.members = tuple(one for one in self.members if one != consumer)
                self.held = {entry: one for entry, one in self.held.items() if one != consumer}
            case Stamped(one, other):
                self.publish(one, other)
            case Unstamped(key):
                self.publish(hash_of(str(key)) % HASHES)
            case AcknowledgeOne(entry) if self.held.pop(entry % max(1, len(self.reach)), -1) >= 0:
                self.done.add(entry % len(self.reach))
        right = isinstance(result, Done) and not isinstance(command, Look)
        if not right:
            self.run.require("SCA-101", False, fill("{}: {}", command, result), "failed")
        return right

    def join(self, declared: tuple[int, ...] | None, result: KeysResult) -> bool:
        """Judge whether a consumer is accepted."""
        stale = self.unusable or declared not in (None, self.starts)
        right = isinstance(result, CommandRefused if stale else Done)
        why = fill("who declares {} of {}: {}", declared, self.starts, result)
        self.run.require("SCA-99", right, why)
        if not stale:
            self.members += (self.came,)
            self.came, self.changes = self.came + 1, self.changes + 1
        return right

    def publish(self, *hashes: int) -> None:
        buckets = [bucket_at(self.starts[1:], one) for one in hashes]
        self.reach.append(range(min(buckets), max(buckets) + 1))

    def near(self, entry: int) -> list[int]:
        """The others that are not acknowledged and may have messages of the same bucket."""
        own, numbered = self.reach[entry], enumerate(self.reach)
        near = [n for n, one in numbered if one.start < own.stop and own.start < one.stop]
        return [number for number in near if number not in self.done and number != entry]

    def looked(self, sent: tuple[Sent, ...]) -> None:
        """Judge what is delivered, and what is left."""
        owners = self.owners.setdefault(self.members, {})
        for one in sent:
            self.send(one.entry, one.consumer, owners)
        if len(owners) == len(self.starts) and 1 < len(self.members) <= len(owners):
            counts = [sum(who == one for who, _ in owners.values()) for one in self.members]
            why = fill("of {} buckets the members {} have {}", len(owners), self.members, counts)
            self.run.require("SCA-97", max(counts) - min(counts) < 2, why)
        waits = set(range(len(self.reach))) - self.held.keys() - self.done
        left = [number for number in sorted(waits) if not self.may_wait(number, owners)]
        if self.members and (left or sent):
            self.run.require("SCA-101", not left, fill("entries {} could go, and do not", left))

    def may_wait(self, entry: int, owners: dict[int, tuple[int, int]]) -> bool:
        """Whether something of its bucket may be in flight at another than the owner. Around those
        that straddle anything may wait for anything before it.
        """
        owner, _ = owners.get(self.reach[entry].start, (None, 0))
        for other in self.near(entry):
            straddles = len(self.reach[entry]) > 1 or len(self.reach[other]) > 1
            if other in self.held:
                if straddles or self.held[other] != owner:
                    return True
            elif straddles and other < entry:
                return True
        return False

    def send(self, entry: int, consumer: int, owners: dict[int, tuple[int, int]]) -> None:
        """Judge one delivery."""
        known = 0 <= entry < len(self.reach) and consumer in self.members
        fits = known and entry not in self.held and entry not in self.done
        why = fill("entry {} goes to consumer {}, again or as there is none", entry, consumer)
        self.run.require("SCA-101", fits, why)
        if not fits:
            return
        self.held[entry] = consumer
        of_all = [owners.get(bucket, (-1, -1)) for bucket in self.reach[entry]]
        if len(of_all) > 1:
            if all(seen == self.changes for _, seen in of_all):
                why = fill("entry {} goes to consumer {}, of {}", entry, consumer, of_all)
                self.run.require("SCA-96", consumer in {who for who, _ in of_all}, why)
            return
        for other in self.near(entry):
            right = self.held[other] == consumer if other in self.held else other > entry
            why = fill("entry {} goes to consumer {} before entry {}", entry, consumer, other)
            self.run.require("SCA-100", right or len(self.reach[other]) > 1, why)
        owner, seen = owners.get(self.reach[entry].start, (None, 0))
        if owner is not None:
            why = fill("entry {} goes to consumer {}, not to {}", entry, consumer, owner)
            self.run.require("SCA-96" if seen == self.changes else "SCA-98", owner == consumer, why)
        owners[self.reach[entry].start] = consumer, self.changes


@monitor("scaling.sharing", *(f"SCA-{number}" for number in range(96, 102)))
def judge_sharing(run: MonitorRun, case: Case[SharingTrial, KeysAnswer]) -> None:
    unusable = case.edition.first_bucket_of_two and case.trial.starts[1:2] == (1,)
    world = SharingMonitor(run, case.trial.starts, unusable)
    for command, result in pair_results(run, "SCA-101", case, "the broker"):
        if not world.follow(command, result):
            return


SHARING: Final = Question(
    "scaling.sharing", SharingTrial, KeysAnswer, sharing_trial, answer_sharing, commands="commands"
)

QUESTIONS: Final = (SHARING,)
