"""The known violations of the ownership channel, each by its shortest schedule.

A search goes breadth first through every schedule of a scope, so that what it finds is shortest
there. Where 4.0 breaks a promise by design, the search runs the reference of 4.0; where a rule
guards a promise, it runs 4.0 with that rule taken out by a mutant.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.models.ownership.channel.graphs import LATE, LONG, PARENT, at_each, mutant, once
from evenkeel.models.ownership.channel.worlds import Offer, Scope, Situation
from evenkeel.properties.ownership.channel.trials import (
    Assign,
    Bundle,
    ChannelCommand,
    ChannelTrial,
    Crash,
    Elapse,
    Finish,
    LoseSession,
    Monitor,
    Read,
    RegainSession,
    Settle,
    ShutDown,
    Split,
    Unload,
)
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.ownership.records import Storage


@dataclass(frozen=True, slots=True)
class Known:
    """A known violation, the case of its name: which clause, and where to look for it.

    `without`: the mutant by which the guarding rule is taken out, empty if 4.0 violates
    the clause as it is. `begins`: what has happened before.
    """

    name: str
    clause: str
    storage: Storage
    brokers: int
    offers: tuple[Offer, ...]
    settles: bool
    without: str
    begins: tuple[ChannelCommand, ...] = ()

    def scope(self) -> Scope:
        """Every schedule from no record at all, or from where it begins."""
        return Scope(
            self.name,
            self.storage,
            self.brokers,
            self.begins,
            self.offers,
            settles=self.settles,
            early=True,
            only_flaws=self.clause + ":",
        )

    def edition(self) -> Edition:
        """The edition of the search; with a mutant it has a name of its own."""
        name = f"{PULSAR_4_0.name} with {self.without}" if self.without else PULSAR_4_0.name
        return replace(PULSAR_4_0, name=name)

    @contextmanager
    def reference(self) -> Iterator[None]:
        """Within this block the reference has the mutant, if any."""
        if not self.without:
            yield
            return
        change = mutant(self.without)
        with change.apply():
            yield


@dataclass(frozen=True, slots=True)
class FoundSchedule:
    """The trial of a shortest schedule, what is wrong, and how many states were seen until then."""

    trial: ChannelTrial
    sentence: str
    states: int


def search(known: Known) -> FoundSchedule | None:
    """A shortest schedule to the violation in its scope, or None if there is none."""
    scope, edition = known.scope(), known.edition()
    with known.reference():
        parents: dict[Situation, tuple[Situation, str] | None]
        parents = dict.fromkeys(scope.initial(edition))
        waiting = deque(parents)
        while waiting:
            situation = waiting.popleft()
            if situation.flaw:
                ends = (Settle(),) if situation.flaw.endswith("(quiescent)") else ()
                trial = scope.trial(schedule_to(parents, situation), *ends)
                return FoundSchedule(trial, situation.flaw, len(parents))
            for label, after in scope.moves(situation, edition):
                if after not in parents:
                    parents[after] = (situation, label)
                    waiting.append(after)
    return None


def schedule_to(
    parents: dict[Situation, tuple[Situation, str] | None], situation: Situation
) -> tuple[str, ...]:
    """The moves that led to a situation."""
    labels = []
    parent = parents[situation]
    while parent is not None:
        labels.append(parent[1])
        parent = parents[parent[0]]
    return tuple(reversed(labels))


GIVEN: Final = once(Assign(0, PARENT, 1))
"""Broker 0, which leads, assigns the parent to broker 1."""


def of_4_0(
    name: str,
    clause: str,
    storage: Storage,
    offers: tuple[Offer, ...],
    settles: bool = False,
    without: str = "",
) -> Known:
    """Two brokers and no record."""
    return Known(name, clause, storage, 2, offers, settles, without)


REMOVALS: Final = (
    GIVEN,
    once(Unload(0, PARENT, None), Unload(1, PARENT, None)),
    once(LONG),
    once(Assign(1, PARENT, 1), Assign(1, PARENT, 0)),
    once(Monitor(0)),
)

REMOVED: Final[tuple[ChannelCommand, ...]] = (
    Assign(0, PARENT, 1),
    *(Read(0), Read(1), Read(0), Read(1)),
    Unload(0, PARENT, None),
    *(Read(0), Read(1)),
    Finish(1, Bundle.PARENT, False),
    *(Read(0), Read(1)),
    Elapse(3_601_000),
    Monitor(0),
)
"""The parent was owned by broker 1, unloaded, long free, and its record is removed."""

LEFT_DIVIDING: Final[tuple[ChannelCommand, ...]] = (
    Assign(0, PARENT, 0),
    *(Read(0), Read(1)) * 3,
    Split(0),
    *(Read(0), Read(1)),
    LoseSession(1),
    ShutDown(0),
    RegainSession(1),
    *(Read(1),) * 3,
    Assign(1, PARENT, 1),
)
"""Broker 0, which leads, splits its parent. While the other broker is away, broker 0 leaves; the
other comes back and is given the parent.
"""

KNOWN: Final = (
    of_4_0(
        "removal-erases-a-newer-owner",
        "OWN-6",
        Storage.NODES,
        REMOVALS,
    ),
    of_4_0(
        "removal-leaves-a-server-behind",
        "OWN-13",
        Storage.TOPIC,
        (
            GIVEN,
            once(Unload(1, PARENT, None)),
            once(LONG),
            once(Assign(1, PARENT, 1)),
            once(Monitor(0)),
        ),
        settles=True,
    ),
    of_4_0(
        "parent-comes-back",
        "OWN-14",
        Storage.TOPIC,
        (GIVEN, once(Split(0)), once(Unload(0, PARENT, 0))),
        settles=True,
    ),
    of_4_0(
        "parent-assigned-beside-its-halves",
        "OWN-7",
        Storage.NODES,
        (GIVEN, once(Split(0)), once(Assign(0, PARENT, 0))),
    ),
    of_4_0(
        "living-source-overtaken",
        "OWN-7",
        Storage.TOPIC,
        (GIVEN, once(Unload(0, PARENT, 0)), once(LATE), once(Monitor(0))),
    ),
    of_4_0(
        "unregistered-broker-serves",
        "OWN-8",
        Storage.TOPIC,
        (GIVEN, at_each(LoseSession)),
    ),
    of_4_0(
        "unregistered-broker-serves-beside-the-next",
        "OWN-7",
        Storage.TOPIC,
        (GIVEN, once(LoseSession(1))),
    ),
    of_4_0(
        "equal-version-overrides",
        "OWN-7",
        Storage.TOPIC,
        (GIVEN, once(LATE), once(Monitor(0))),
        without="equal-version-overrides",
    ),
    of_4_0(
        "healthy-broker-cleaned-up",
        "OWN-17",
        Storage.TOPIC,
        (GIVEN, at_each(LoseSession), at_each(RegainSession)),
        without="no-health-check",
    ),
    Known(
        "gap-after-a-removal",
        "OWN-7",
        Storage.TOPIC,
        2,
        (once(Assign(0, PARENT, 0)), once(Assign(1, PARENT, 1))),
        False,
        "",
        begins=REMOVED,
    ),
    Known(
        "freed-while-it-is-split",
        "OWN-14",
        Storage.NODES,
        2,
        (once(Crash(0)),),
        True,
        "",
        begins=LEFT_DIVIDING,
    ),
)
