"""The commands of `ownership.locks`; a list of them is one interleaving.

`broker` and `bundle` may be any number from 0 on: they are taken modulo the number of brokers or
bundles. A lookup or an unload is identified by the place of its command in the list, from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.locks import lookup, owning, store
from evenkeel.reference.ownership.locks import protocol as locks
from evenkeel.reference.ownership.locks.state import (
    Broker,
    Bundle,
    BundleState,
    Ended,
    Outcome,
    Request,
    Sort,
    World,
    new_world,
)
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.observations import CommandBroke
from evenkeel_engine.kit.trial import Index, Tagged, require

LARGEST = 2**31


def require_index(place: str, value: int) -> None:
    """Indices are taken modulo the number of brokers or bundles."""
    require(0 <= value < LARGEST, place, "must be 0 or more, below 2^31")


@dataclass(frozen=True, slots=True)
class OfBroker(Tagged):
    """The common part of commands about one broker."""

    broker: Index


@dataclass(frozen=True, slots=True)
class OfBundle(OfBroker):
    """The common part of commands about one bundle at one broker."""

    bundle: Index


@dataclass(frozen=True, slots=True)
class Lookup(OfBundle):
    """A client asks a broker for a bundle's owner. `authoritative`: it is decided that this broker
    is to take the bundle if no broker has it, without asking the leader. `preferred`: the broker
    that the load manager picks, if it is asked and that broker is available.

    A broker that has crashed answers FAILED at once.
    """

    authoritative: bool
    read_only: bool
    preferred: Index


@dataclass(frozen=True, slots=True)
class Answer(OfBundle):
    """The store carries out the broker's oldest operation on the bundle's node and answers.

    The operation fails if the broker is not connected.
    """


@dataclass(frozen=True, slots=True)
class Fail(OfBundle):
    """The broker's oldest operation on the bundle's node fails without a connection.

    `done`: the store carried it out anyway, if the broker is connected.
    """

    done: bool


@dataclass(frozen=True, slots=True)
class Notify(OfBundle):
    """The broker is notified of the oldest change of the bundle's node that it does not know."""


@dataclass(frozen=True, slots=True)
class Unload(OfBundle):
    """An operator asks a broker to unload a bundle. One that does not serve it answers REFUSED at
    once; one that has crashed may also answer FAILED.
    """


class Closing(Enum):
    """How the closing of a bundle's topics ended."""

    CLOSED = "closed"
    TIMED_OUT = "timed out"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Closed(OfBundle):
    """The topics of the broker's oldest unload of the bundle are closed, or not in time."""

    how: Closing


@dataclass(frozen=True, slots=True)
class Retry(OfBroker):
    """The broker retries the oldest re-validation that failed without a connection."""


@dataclass(frozen=True, slots=True)
class Disconnect(OfBroker):
    """The broker's connection to the store breaks. Notifications under way are lost."""


@dataclass(frozen=True, slots=True)
class Expire(OfBroker):
    """The broker's session ends, and its nodes are deleted; the broker is notified at once, and is
    not connected until it reconnects. After a crash and a restart it is the session of the crashed
    process, of several the oldest.
    """


@dataclass(frozen=True, slots=True)
class Reconnect(OfBroker):
    """The broker is connected again, in a new session if the old one has ended."""


@dataclass(frozen=True, slots=True)
class Crash(OfBroker):
    """The process ends, with all requests from and to it. Its session stays for now."""


@dataclass(frozen=True, slots=True)
class Restart(OfBroker):
    """A new process replaces a crashed broker, in a new session."""


@dataclass(frozen=True, slots=True)
class Stop(OfBroker):
    """The broker begins to stop: it is no longer registered, and unloads what it serves."""


@dataclass(frozen=True, slots=True)
class Elect(OfBroker):
    """The broker knows `leader` as the leader from now on, be it registered or not; null: it knows
    none. A broker that knows no registered leader may decide itself (OWN-53), or fail (OWN-52).
    """

    leader: Index | None


@dataclass(frozen=True, slots=True)
class Settle(Tagged):
    """The sessions of crashed processes end, and the other brokers are connected. The first that
    runs and is not stopping leads, and all know it, even if another one led before. All pending
    work is carried out, in turns, until there is none.
    """


@dataclass(frozen=True, slots=True)
class Find(OfBundle):
    """After settling, a client looks a bundle up, first at this broker, until it is served.

    It follows redirects with their flag, and asks an owner that does not serve the bundle again; at
    most 8 lookups. It gives up after an answer that names no broker, such as FAILED, and at a
    broker that has crashed, which it does not ask.
    """

    preferred: Index


@dataclass(frozen=True, slots=True)
class Views(Tagged):
    """After settling, every running broker is asked for a bundle's owner, read-only."""

    bundle: Index


LocksCommand = (
    Lookup
    | Answer
    | Fail
    | Notify
    | Unload
    | Closed
    | Retry
    | Disconnect
    | Expire
    | Reconnect
    | Crash
    | Restart
    | Stop
    | Elect
    | Settle
    | Find
    | Views
)


@dataclass(frozen=True, slots=True)
class NamedBundle:
    """A bundle: an ordinary one, whose `broker` means nothing, or one named after a broker."""

    sort: Sort
    broker: int

    def __post_init__(self) -> None:
        require_index("broker", self.broker)


@dataclass(frozen=True, slots=True)
class LocksTrial:
    """`leader`: the broker that all know as the leader at first; null: none. It stays
    so if that broker crashes or loses its session, until `elect`, `settle`, `find` or `views`; a
    broker that has started again knows none.

    A broker or a bundle beyond the last, also as `leader` or in `bundles`, is taken modulo their
    number, so that with 3 brokers 4 is broker 1.
    """

    brokers: int
    bundles: tuple[NamedBundle, ...]
    leader: int | None
    commands: tuple[LocksCommand, ...]

    def __post_init__(self) -> None:
        require(1 <= self.brokers <= 5, "brokers", "must be from 1 to 5")
        require(1 <= len(self.bundles) <= 5, "bundles", "must be from 1 to 5")
        require_index("leader", self.leader or 0)


# --------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a lookup or an unload. `number`: of the command, or of the asked broker, from
    0.

    `broker` and `authoritative`: of an owner or redirect; else null and false.
    """

    number: int
    outcome: Outcome
    broker: int | None
    authoritative: bool


@dataclass(frozen=True, slots=True)
class LocksStep(Tagged):
    """The observation after a command. One that can do nothing changes nothing; it is not refused.

    `ended`: the lookups and unloads that it ended, by number. `asked`: the lookups of `find` or
    `views`, each with the number of the broker that it asked. `standings`: each broker's own state
    of each bundle, all NONE if it does not run. `holders`: the broker whose node each bundle has,
    or null.
    """

    DO: ClassVar[str] = "step"
    ended: tuple[Reply, ...]
    asked: tuple[Reply, ...]
    standings: tuple[tuple[BundleState, ...], ...]
    holders: tuple[int | None, ...]

    def idle(self, before: LocksStep | None) -> LocksStep:
        """All is as it was before; at first no broker serves or holds anything."""
        if before is not None:
            return replace(before, ended=(), asked=())
        rows = tuple(tuple(BundleState.NONE for _ in row) for row in self.standings)
        return LocksStep((), (), rows, tuple(None for _ in self.holders))

    def renumber(self, numbers: Sequence[int]) -> LocksStep:
        """With these numbers of lookups and unloads."""
        ended = tuple(replace(end, number=numbers[end.number]) for end in self.ended)
        return replace(self, ended=ended)


LocksResult = LocksStep | CommandBroke


@dataclass(frozen=True, slots=True)
class LocksAnswer:
    """The observation after each command."""

    results: tuple[LocksResult, ...]


# ---------------------------------------------------------------------- the reference's answer

Asked = list[tuple[int, Ended]]

SORTS: Final = (
    (Unload, "unloads"),
    (Expire, "a session ends"),
    (Disconnect, "a connection breaks"),
    (Crash, "a process crashes"),
    (Restart, "a process starts again"),
    (Stop, "a broker stops"),
    (Find, "a client searches"),
    (Views, "views are compared"),
)

MOST: Final = 12
Commands = tuple[LocksCommand, ...]


def draw_bundle(draw: Draw) -> NamedBundle:
    if not draw.chance(0.15):
        return NamedBundle(Sort.PLAIN, 0)
    return NamedBundle(draw.pick((Sort.HEARTBEAT, Sort.MONITOR)), draw.integer(0, 2))


def draw_lookup(draw: Draw, broker: int, bundle: int) -> Lookup:
    return Lookup(
        broker, bundle, draw.chance(0.45), draw.chance(0.15), draw.pick((broker, 0, 1, 2))
    )


def answers(draw: Draw, broker: int, bundle: int, most: int) -> Commands:
    steps: list[LocksCommand] = []
    for _ in draw.items(most, 0.9):
        if draw.chance(0.08):
            steps.append(Fail(broker, bundle, draw.chance(0.5)))
        else:
            steps.append(Answer(broker, bundle))
    return tuple(steps)


def answering(draw: Draw, broker: int, bundle: int) -> Commands:
    return answers(draw, broker, bundle, 3)


def taking(draw: Draw, broker: int, bundle: int) -> Commands:
    return (Lookup(broker, bundle, True, False, broker), *answers(draw, broker, bundle, 4))


def asking(draw: Draw, broker: int, bundle: int) -> Commands:
    return (draw_lookup(draw, broker, bundle), *answers(draw, broker, bundle, 3))


def unloading(draw: Draw, broker: int, bundle: int) -> Commands:
    steps: Commands = (Unload(broker, bundle),)
    if draw.chance(0.7):
        steps = (*steps, Closed(broker, bundle, draw.pick(tuple(Closing))))
        steps = (*steps, *answers(draw, broker, bundle, 2))
    return steps


def closing(draw: Draw, broker: int, bundle: int) -> Commands:
    return (Closed(broker, bundle, draw.pick(tuple(Closing))), *answers(draw, broker, bundle, 1))


def notifying(draw: Draw, broker: int, bundle: int) -> Commands:
    notified = tuple(Notify(broker, bundle) for _ in draw.items(3, 0.6, least=1))
    return (*notified, *answers(draw, broker, bundle, 2))


def losing(draw: Draw, broker: int, bundle: int) -> Commands:
    steps: Commands = (Expire(broker),)
    if draw.chance(0.5):
        steps = (*steps, *taking(draw, broker + 1, bundle))
    if draw.chance(0.7):
        steps = (*steps, Reconnect(broker), *answers(draw, broker, bundle, 3))
    return steps


def breaking(draw: Draw, broker: int, bundle: int) -> Commands:
    steps: Commands = (Disconnect(broker), *answers(draw, broker, bundle, 2))
    if draw.chance(0.5):
        steps = (*steps, Retry(broker), *answers(draw, broker, bundle, 1))
    if draw.chance(0.7):
        steps = (*steps, Reconnect(broker), *answers(draw, broker, bundle, 2))
    return steps


def crashing(draw: Draw, broker: int, bundle: int) -> Commands:
    steps: Commands = (Crash(broker),)
    if draw.chance(0.4):
        steps = (*steps, Expire(broker))
    if draw.chance(0.6):
        steps = (*steps, Restart(broker))
    return steps


def taking_again(draw: Draw, broker: int, bundle: int) -> Commands:
    lost = (Lookup(broker, bundle, True, False, broker), Answer(broker, bundle))
    return (*lost, Fail(broker, bundle, True), *taking(draw, broker, bundle))


def overtaking(draw: Draw, broker: int, bundle: int) -> Commands:
    closed = Closed(broker, bundle, draw.pick(tuple(Closing)))
    steps: list[LocksCommand] = [Unload(broker, bundle)]
    early = draw.chance(0.5)
    steps += [closed] if early else []
    steps.append(Expire(broker))
    if draw.chance(0.5):
        steps += [Reconnect(broker), *taking(draw, broker, bundle)]
    else:
        steps += [*taking(draw, broker + 1, bundle), Reconnect(broker)]
        steps += answers(draw, broker, bundle, 2)
    return (*steps, *(() if early else (closed,)), *answers(draw, broker, bundle, 2))


def losing_and_retaking(draw: Draw, broker: int, bundle: int) -> Commands:
    steps = [*taking(draw, broker, bundle), Expire(broker), *taking(draw, broker + 1, bundle)]
    steps += [Reconnect(broker), *answers(draw, broker, bundle, 1)]
    steps += [Crash(broker + 1), Expire(broker + 1), *(Notify(broker, bundle) for _ in range(4))]
    steps += taking(draw, broker, bundle)
    closed = Closed(broker, bundle, draw.pick(tuple(Closing)))
    return (*steps, closed, *answers(draw, broker, bundle, 3))


def take(broker: int, bundle: int) -> Commands:
    """The broker takes the bundle, if it can, after reading what it must."""
    asked = Lookup(broker, bundle, True, False, broker)
    return (asked, *(Answer(broker, bundle) for _ in range(3)))


def flagging(draw: Draw, broker: int, bundle: int) -> Commands:
    """A re-validation fails without a connection, and is repeated once there is one again."""
    steps: Commands = (*take(broker, bundle), Expire(broker), Reconnect(broker))
    steps = (*steps, Disconnect(broker), Answer(broker, bundle))
    back: Commands = (Reconnect(broker),)
    if draw.chance(0.3):
        back = (Retry(broker), Answer(broker, bundle), *back)
    elif draw.chance(0.3):
        back = (*back, Unload(broker, bundle), *closing(draw, broker, bundle))
    return (*steps, *back, Answer(broker, bundle), Answer(broker, bundle))


def unloading_again(draw: Draw, broker: int, bundle: int) -> Commands:
    """What was lost while it was unloaded is taken again, and unloaded before that unload ends."""
    steps = (*take(broker, bundle), Unload(broker, bundle), Expire(broker), Reconnect(broker))
    steps = (*steps, *answers(draw, broker, bundle, 2), *take(broker, bundle))
    steps = (*steps, Unload(broker, bundle))
    for _ in draw.items(2, 0.9, least=1):
        steps = (*steps, Closed(broker, bundle, draw.pick(tuple(Closing))))
        steps = (*steps, *answers(draw, broker, bundle, 2))
    return steps


def stopping(draw: Draw, broker: int, bundle: int) -> Commands:
    """A broker that stops is asked for what it unloads, before or after the unload has ended."""
    closed: Commands = (Closed(broker, bundle, Closing.CLOSED), Answer(broker, bundle))
    asked: Commands = (Lookup(broker, bundle, True, False, broker),)
    both = (*closed, *asked) if draw.chance(0.6) else (*asked, *closed)
    return (*take(broker, bundle), Stop(broker), *both, *answers(draw, broker, bundle, 3))


def missing_the_leader(draw: Draw, broker: int, bundle: int) -> Commands:
    """A broker is asked to whom the leader is another one that has left."""
    left = Stop(broker + 1) if draw.chance(0.5) else Expire(broker + 1)
    asked = Lookup(broker, bundle, False, False, broker + 2)
    return (Elect(broker, broker + 1), left, asked, *answers(draw, broker, bundle, 3))


def outrunning(draw: Draw, broker: int, bundle: int) -> Commands:
    """Another broker takes the bundle before a lock's node can be created again."""
    steps = (*take(broker, bundle), Expire(broker), Reconnect(broker))
    steps = (*steps, Answer(broker, bundle), *take(broker + 1, bundle))
    return (*steps, Answer(broker, bundle), *answers(draw, broker, bundle, 2))


def validating_twice(draw: Draw, broker: int, bundle: int) -> Commands:
    """A validation under way, one of an earlier node, and a session event that waits."""
    steps = (*take(broker, bundle), Unload(broker, bundle))
    steps = (*steps, Closed(broker, bundle, Closing.CLOSED), Answer(broker, bundle))
    steps = (*steps, *take(broker, bundle), *(Notify(broker, bundle) for _ in range(3)))
    steps = (*steps, Expire(broker))
    if draw.chance(0.7):
        steps = (*steps, *take(broker + 1, bundle))
    steps = (*steps, Reconnect(broker), *(Answer(broker, bundle) for _ in range(4)))
    if draw.chance(0.5):
        steps = (*steps, Crash(broker + 1), Expire(broker + 1), *take(broker, bundle))
        steps = (*steps, Expire(broker), Reconnect(broker))
    return (*steps, *answers(draw, broker, bundle, 3))


def events_in_a_row(draw: Draw, broker: int, bundle: int) -> Commands:
    """Session events that wait while locks are still being validated."""
    steps: Commands = (*take(broker, bundle), Expire(broker), Reconnect(broker))
    for _ in draw.items(2, 0.7, least=1):
        lost = Disconnect if draw.chance(0.6) else Expire
        steps = (*steps, lost(broker), Reconnect(broker))
    steps = (*steps, *(Answer(broker, bundle) for _ in range(2)), Expire(broker))
    return (*steps, Reconnect(broker), *(Answer(broker, bundle) for _ in range(4)))


def failing_release(draw: Draw, broker: int, bundle: int) -> Commands:
    """The store does not carry a release out, or does so without reporting it."""
    steps: Commands = (*take(broker, bundle), Unload(broker, bundle))
    steps = (*steps, Closed(broker, bundle, draw.pick(tuple(Closing))))
    steps = (*steps, Fail(broker, bundle, draw.chance(0.5)))
    if draw.chance(0.4):
        steps = (*steps, draw_lookup(draw, broker, bundle))
    if draw.chance(0.3):
        steps = (*steps, Fail(broker, bundle, draw.chance(0.5)))
    steps = (*steps, *answers(draw, broker, bundle, 2))
    return (*steps, *(take(broker + 1, bundle) if draw.chance(0.4) else ()))


def lookups_twice(draw: Draw, broker: int, bundle: int) -> Commands:
    first = (Lookup(broker, bundle, True, False, broker), *answers(draw, broker, bundle, 1))
    second = Lookup(broker, bundle, False, draw.chance(0.2), broker)
    return (*first, second, *answers(draw, broker, bundle, 2))


def reading_next_to(draw: Draw, broker: int, bundle: int) -> Commands:
    authoritative = draw.chance(0.5)
    reading = Lookup(broker, bundle, authoritative, True, broker)
    taking_too = Lookup(broker, bundle, authoritative, False, broker)
    return (reading, taking_too, *answers(draw, broker, bundle, 3))


def single(draw: Draw, broker: int, bundle: int) -> Commands:
    sort = draw.integer(0, 8)
    if sort < 2:
        return (Elect(broker, draw.pick((broker, broker + 1, max(broker - 1, 0), None))),)
    if sort < 4:
        return (Retry(broker),)
    if sort == 4:
        return (Stop(broker),)
    if sort == 5:
        return (Disconnect(broker),)
    if sort == 6:
        return (Reconnect(broker),)
    return (Answer(broker, bundle),)


def ending(draw: Draw, broker: int, bundle: int) -> Commands:
    sort = draw.integer(0, 3)
    if sort == 0:
        return (Settle(),)
    if sort == 1:
        return (Views(bundle),)
    return (Find(broker, bundle, draw.integer(0, 2)),)


SCENARIOS: Final[tuple[Callable[[Draw, int, int], Commands], ...]] = (
    taking,
    asking,
    asking,
    unloading,
    unloading,
    closing,
    notifying,
    notifying,
    losing,
    losing,
    breaking,
    crashing,
    taking_again,
    overtaking,
    losing_and_retaking,
    lookups_twice,
    reading_next_to,
    flagging,
    unloading_again,
    stopping,
    missing_the_leader,
    outrunning,
    validating_twice,
    events_in_a_row,
    failing_release,
    single,
    single,
    answering,
    ending,
)


def with_many(draw: Draw) -> LocksTrial:
    """More brokers and bundles, each with commands of its own."""
    brokers = draw.pick((4, 5))
    bundles = tuple(draw_bundle(draw) for _ in range(3))
    leader = draw.integer(0, brokers - 1)
    commands: list[LocksCommand] = []
    for _ in draw.items(MOST, 0.95):
        broker, bundle = draw.integer(0, brokers - 1), draw.integer(0, 2)
        commands += draw.pick(SCENARIOS)(draw, broker, bundle)
    commands += ending(draw, draw.integer(0, brokers - 1), draw.integer(0, 2))
    return LocksTrial(brokers, bundles, leader, tuple(commands))


def led_trial(draw: Draw) -> LocksTrial:
    """A broker that another leads is asked for what it lost with its session and the other had
    since, or for a bundle that is named after a broker which is not there.
    """
    absent = draw.chance(0.5)
    bundle = NamedBundle(Sort.MONITOR, 2) if absent else NamedBundle(Sort.PLAIN, 0)
    commands: Commands = (Expire(2),)
    if not absent:
        given_up = (Unload(1, 0), Closed(1, 0, Closing.CLOSED), Answer(1, 0))
        commands = (*take(0, 0), Expire(0), *take(1, 0), Reconnect(0), *given_up)
    asked = Lookup(0, 0, False, False, draw.integer(0, 2))
    commands = (*commands, asked, *answers(draw, 0, 0, 4), *ending(draw, 0, 0))
    return LocksTrial(3, (bundle,), 1, commands)


def restarted_trial(draw: Draw) -> LocksTrial:
    """A broker crashes and starts again; its old session ends after it took another bundle."""
    bundles = (NamedBundle(Sort.PLAIN, 0), NamedBundle(Sort.PLAIN, 0))
    commands: Commands = (*take(0, 0), Crash(0), Restart(0), *take(0, 1), Expire(0))
    commands = (*commands, *answers(draw, 0, 1, 2), *ending(draw, draw.integer(0, 1), 0))
    return LocksTrial(2, bundles, 1, commands)


def unloading_what_is_lost(draw: Draw) -> tuple[Commands, Commands]:
    """Broker 0 loses to broker 1 what it unloads, can take it again, then its topics close."""
    lost = (*take(0, 0), Unload(0, 0), Expire(0), *take(1, 0), Reconnect(0), Answer(0, 0))
    given_up = (Unload(1, 0), Closed(1, 0, Closing.CLOSED), Answer(1, 0), Notify(0, 0))
    return (*lost, *given_up), (Closed(0, 0, draw.pick(tuple(Closing))),)


def failing_together_trial(draw: Draw) -> LocksTrial:
    """Different lookups wait for one read; then an acquisition fails, or an old unload ends."""
    brokers = draw.pick((2, 2, 3))
    bundles = [NamedBundle(draw.pick((Sort.PLAIN, Sort.PLAIN, Sort.HEARTBEAT)), 0)]
    bundles += [NamedBundle(Sort.PLAIN, 0)] if draw.chance(0.3) else []
    before: Commands = ()
    closed: Commands = ()
    if draw.chance(0.3):
        before, closed = unloading_what_is_lost(draw)
    elif draw.chance(0.3):
        before = (*take(0, 0), Crash(0), Restart(0))
    elif draw.chance(0.3):
        before = draw.pick(SCENARIOS)(draw, draw.integer(0, brokers - 1), 0)
    first = draw.chance(0.5)
    several = ((first, False), (not first, False), (draw.chance(0.5), True))
    asked = [Lookup(0, 0, *flags, draw.pick((0, 0, 1))) for flags in several]
    done = draw.chance(0.5)
    failing: Commands = (Expire(0), Answer(0, 0)) if draw.chance(0.3) else (Fail(0, 0, done),)
    failing = failing if draw.chance(0.8) else ()
    commands = (*before, *asked, Answer(0, 0), *closed, *failing, *answers(draw, 0, 0, 4))
    leader = draw.pick((None, None, 0, 1))
    return LocksTrial(brokers, tuple(bundles), leader, (*commands, *ending(draw, 0, 0)))


@seldom_repeated("commands")
def locks_trial(draw: Draw) -> LocksTrial:
    brokers = 2 if not draw.chance(0.3) else draw.pick((3, 1))
    bundles = tuple(draw_bundle(draw) for _ in draw.items(2, 0.25, least=1))
    leader = draw.pick((0, 1, None))
    commands: list[LocksCommand] = []
    for _ in draw.items(MOST, 0.92):
        broker, bundle = draw.integer(0, brokers - 1), draw.integer(0, len(bundles) - 1)
        commands += draw.pick(SCENARIOS)(draw, broker, bundle)
    if draw.chance(0.6):
        commands += ending(draw, draw.integer(0, brokers - 1), 0)
    if draw.chance(0.05):  # decided last, so that all other trials stay as they are
        return with_many(draw)
    if draw.chance(0.02):
        return led_trial(draw)
    if draw.chance(0.01):
        return restarted_trial(draw)
    if draw.chance(0.05):
        return failing_together_trial(draw)
    return LocksTrial(brokers, bundles, leader, tuple(commands))


def answer_locks(trial: LocksTrial, edition: Edition) -> LocksAnswer:
    """The observation after each command."""
    bundles = [Bundle(bundle.sort, bundle.broker % trial.brokers) for bundle in trial.bundles]
    leader = None if trial.leader is None else trial.leader % trial.brokers
    world = new_world(trial.brokers, bundles, leader)
    return LocksAnswer(
        tuple(
            observe_world(world, carry_out(world, number, command, edition))
            for number, command in enumerate(trial.commands)
        )
    )


def asked_elsewhere(trial: LocksTrial) -> LocksTrial:
    """Every client asks the next broker."""
    return replace(
        trial,
        commands=tuple(
            replace(one, broker=(one.broker + 1) % trial.brokers)
            if isinstance(one, Lookup)
            else one
            for one in trial.commands
        ),
    )


def carry_out(world: World, number: int, command: LocksCommand, edition: Edition) -> Asked:
    """Carry out one command; return the lookups that it made itself."""
    match command:
        case Settle():
            locks.settle(world, edition)
        case Views():
            return locks.views(world, command.bundle % len(world.bundles), edition)
        case _:
            broker = world.brokers[command.broker % len(world.brokers)]
            if isinstance(command, OfBundle):
                return of_bundle(world, broker, number, command, edition)
            of_broker(world, broker, command, edition)
    return []


def of_broker(world: World, broker: Broker, command: OfBroker, edition: Edition) -> None:
    """Carry out a command about one broker."""
    match command:
        case Retry():
            locks.retry(broker)
        case Disconnect():
            store.disconnect(broker)
        case Expire():
            locks.expire(world, broker, edition)
        case Reconnect():
            locks.reconnect(world, broker)
        case Crash():
            locks.crash(world, broker)
        case Restart():
            locks.restart(world, broker)
        case Stop():
            locks.stop(world, broker)
        case Elect(_, leader):
            broker.leader = None if leader is None else leader % len(world.brokers)


def of_bundle(
    world: World, broker: Broker, number: int, command: OfBundle, edition: Edition
) -> Asked:
    """Carry out a command about one bundle at one broker."""
    bundle = command.bundle % len(world.bundles)
    match command:
        case Lookup(_, _, authoritative, read_only, preferred):
            preferred %= len(world.brokers)
            request = Request(bundle, authoritative, read_only, preferred)
            if broker.running:
                lookup.look_up(world, broker, number, request, edition)
            else:
                world.ended.append(Ended(number, Outcome.FAILED))
        case Answer():
            locks.answer(world, broker, bundle, edition)
        case Fail(_, _, done):
            locks.fail(world, broker, bundle, done, edition)
        case Notify():
            locks.notify(broker, bundle)
        case Unload():
            owning.unload(world, broker, bundle, number)
        case Closed(_, _, how):
            locks.close(world, broker, bundle, how is not Closing.TIMED_OUT, edition)
        case Find(_, _, preferred):
            preferred %= len(world.brokers)
            return locks.find(world, broker.number, bundle, preferred, edition)
    return []


def observe_world(world: World, asked: Asked) -> LocksStep:
    """The observation of the world, with what has ended since the last one."""
    ended, world.ended = sorted(world.ended, key=lambda entry: entry.number), []
    bundles = range(len(world.bundles))
    holders = {bundle: node.holder for bundle, node in world.nodes.items()}
    return LocksStep(
        tuple(reply(entry.number, entry) for entry in ended),
        tuple(reply(number, entry) for number, entry in asked),
        tuple(tuple(map(broker.standing, bundles)) for broker in world.brokers),
        tuple(map(holders.get, bundles)),
    )


def reply(number: int, ended: Ended) -> Reply:
    """The result of a lookup or an unload."""
    return Reply(number, ended.outcome, ended.broker, ended.authoritative)


def locks_labels(trial: LocksTrial) -> Iterator[str]:
    """The events in a trial."""
    yield f"{trial.brokers} brokers"
    kinds = {type(command) for command in trial.commands}
    for kind, label in SORTS:
        if kind in kinds:
            yield label
    if any(bundle.sort is not Sort.PLAIN for bundle in trial.bundles):
        yield "named after a broker"
    if any(isinstance(c, Closed) and c.how is Closing.TIMED_OUT for c in trial.commands):
        yield "closing times out"
    if any(isinstance(c, Lookup) and c.read_only for c in trial.commands):
        yield "read-only"
