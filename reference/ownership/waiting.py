"""Those who wait at one broker for the end of an unload, split or lookup (OWN-61 to 64, OWN-68).

Requests about one bundle that wait at the same time form a group, which all get the same end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.channel.world import CLOSING_LIMIT, IN_FLIGHT_WAIT
from evenkeel_engine.frame.clauses import states


class Awaited(Enum):
    """What is asked for: all requests of a trial are of one kind."""

    UNLOAD = "unload"
    SPLIT = "split"
    LOOKUP = "lookup"


class Outcome(Enum):
    """How a request ends; of a lookup `done` is the owner, `failed` an error or no owner, `refused`
    that too many are under way.
    """

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


class Then(Enum):
    """What happens at the moment when a request is answered, before anything else.

    `again`: the same is asked again. `late`: if its time is over, what it
    waited for ends successfully just then, and the same is asked again; else nothing.
    """

    NOTHING = "nothing"
    AGAIN = "again"
    LATE = "late"


LIMITS: Final = {
    Awaited.UNLOAD: CLOSING_LIMIT,
    Awaited.SPLIT: CLOSING_LIMIT,
    Awaited.LOOKUP: IN_FLIGHT_WAIT,
}
"""How long a group waits, in ms."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request: the command that asked, or what was asked `again` when that one was answered.

    `unread`: of a lookup, the policies of its namespace cannot be read.
    """

    ask: int
    bundle: int
    then: Then
    again: bool = False
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The end of a request: that of the command `ask`, or the one that followed `again`."""

    ask: int
    again: bool
    end: Outcome


@dataclass(slots=True, eq=False)
class Group:
    """Requests about a bundle that wait until `due`; `end`: their end, once they have it."""

    bundle: int
    due: int
    requests: list[Request] = field(default_factory=list)
    end: Outcome | None = None


@dataclass(slots=True)
class Desk:
    """Where a broker keeps those who wait.

    `owned`: bundles whose record names an owner; a broker has read it once its channel has started.
    `under_way`: the group that a new request joins; `groups`: all that were not answered yet.
    `permits`: how many lookups may be under way.
    """

    kind: Awaited
    started: bool
    permits: int
    now: int = 0
    owned: set[int] = field(default_factory=set)
    under_way: dict[int, Group] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)


@states("OWN-68")
def stop_early(desk: Desk, request: Request) -> Outcome | None:
    """How a lookup ends before anyone looks for the owner; it keeps no permit then."""
    under_way = sum(len(group.requests) for group in desk.groups)
    if under_way >= desk.permits:
        return Outcome.REFUSED
    return Outcome.FAILED if request.unread else None


@states("OWN-61", "OWN-63", "OWN-64")
def ask(desk: Desk, request: Request, edition: Edition) -> None:
    """A request waits, unless a lookup can be answered; by edition it fails before the start."""
    if desk.kind is Awaited.LOOKUP:
        stopped = stop_early(desk, request)
        if stopped is not None:
            tell(desk, request, stopped, edition)
            return
        if not desk.started and edition.lookups_need_channel:
            tell(desk, request, Outcome.FAILED, edition)
            return
        if desk.started and request.bundle in desk.owned:
            tell(desk, request, Outcome.DONE, edition)
            return
    group = join(desk, request.bundle)
    if group.end is None:
        group.requests.append(request)
    else:
        tell(desk, request, group.end, edition)


@states("OWN-62", "OWN-64")
def join(desk: Desk, bundle: int) -> Group:
    """The group of this bundle, a new one if there is none."""
    group = desk.under_way.get(bundle)
    if group is None:
        group = Group(bundle, desk.now + LIMITS[desk.kind])
        desk.under_way[bundle] = group
        desk.groups.append(group)
    return group


@states("OWN-62", "OWN-64")
def end(desk: Desk, bundle: int, outcome: Outcome, edition: Edition) -> None:
    """What is under way about a bundle ends, as the broker learns; of a lookup its record changes.

    `failed` is, of a lookup, that the bundle has no owner.
    """
    if desk.kind is Awaited.LOOKUP:
        (desk.owned.add if outcome is Outcome.DONE else desk.owned.discard)(bundle)
        if not desk.started:
            return
    group = desk.under_way.get(bundle)
    if group is None:
        return
    if group.end is not None:
        del desk.under_way[bundle]
        return
    finish(desk, group, outcome, edition)


@states("OWN-61", "OWN-62", "OWN-64")
def finish(
    desk: Desk, group: Group, outcome: Outcome, edition: Edition, timed_out: bool = False
) -> None:
    """Forget a group and tell its requests, the last one first.

    By edition it is forgotten after that, so that who asks meanwhile gets the same; and what
    forgets it forgets a newer one, of lookups that timed out before anyone is answered.
    """
    looks_up = desk.kind is Awaited.LOOKUP
    newer = forgets_newer(desk.kind, edition)
    desk.groups.remove(group)
    group.end = outcome
    if looks_up or not edition.waits_tell_first:
        forget(desk, group, newer and timed_out)
    for request in reversed(group.requests):
        tell(desk, request, outcome, edition, timed_out)
    if newer and not (looks_up and timed_out):
        forget(desk, group, newer)


def forget(desk: Desk, group: Group, newer: bool = False) -> None:
    """New requests do not join this group any more; with `newer` neither the one in its place."""
    if newer or desk.under_way.get(group.bundle) is group:
        desk.under_way.pop(group.bundle, None)


@states("OWN-62", "OWN-64")
def forgets_newer(kind: Awaited, edition: Edition) -> bool:
    """Whether the end of a group also takes a newer one of the same bundle away."""
    return edition.lookups_forget_newer if kind is Awaited.LOOKUP else edition.waits_tell_first


@states("OWN-61", "OWN-64")
def tell(
    desk: Desk, request: Request, outcome: Outcome, edition: Edition, timed_out: bool = False
) -> None:
    """Tell a request its end; what is to happen then happens at once."""
    desk.answered.append(Answered(request.ask, request.again, outcome))
    late = request.then is Then.LATE and timed_out
    if late:
        end(desk, request.bundle, Outcome.DONE, edition)
    if late or request.then is Then.AGAIN:
        ask(desk, Request(request.ask, request.bundle, Then.NOTHING, again=True), edition)


@states("OWN-62", "OWN-64")
def pass_time(desk: Desk, millis: int, edition: Edition) -> None:
    """Time passes; a group whose time is over fails, a lookup only if no owner is known by now."""
    until = desk.now + millis
    while due := [group for group in desk.groups if group.due <= until]:
        group = min(due, key=lambda one: one.due)
        desk.now = group.due
        known = desk.kind is Awaited.LOOKUP and desk.started and group.bundle in desk.owned
        outcome = Outcome.DONE if known else Outcome.FAILED
        finish(desk, group, outcome, edition, timed_out=not known)
    desk.now = until


@states("OWN-62", "OWN-63")
def start(desk: Desk, edition: Edition) -> None:
    """The broker has read the records: lookups of what is owned are answered."""
    if desk.started:
        return
    desk.started = True
    for group in list(desk.groups):
        if group.bundle in desk.owned:
            finish(desk, group, Outcome.DONE, edition)
