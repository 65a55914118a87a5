"""Rounds of the modular manager's leader, by its log.

It tells of the bundles that it unloads, and of those that it would, if another broker could be
chosen; of a round that sheds nothing it tells nothing. But rounds follow one another by the clock,
from the moment at which a broker became the leader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from evenkeel.operate.recording.leaderlog import time_of
from evenkeel.operate.recording.store import RecordingUnusable

APART: Final = 30_000
"""Milliseconds: lines that are further apart belong to two rounds; an interval is a minute."""
MOST_ROUNDS: Final = 100_000
"""Of one leader: two months of one a minute."""
_LEADS: Final = "Acquired leadership on /loadbalance/leader"
SHED: Final = re.compile(
    r"\[(\w+)\] (?:Unloading bundle: (?P<one>\S+) from broker (?P<of>\S+)"
    r"|No broker available to unload bundle (?P<none>\S+) from broker (?P<from>\S+)"
    r"|The destination broker (?P<same>\S+) is the same as the current owner broker for Bundle "
    r"(?P<kept>\S+))"
)
_BEGINS: Final = re.compile(r"loadbalance\.impl\.(Threshold|Uniform|Overload)\w*Shedder - ")
"""A strategy at work: a round that is under way."""


@dataclass(slots=True)
class LoggedModular:
    """One round: by the log, or by the clock if nothing was logged."""

    broker: str
    at: int
    until: int
    shed: dict[str, list[str]] = field(default_factory=dict)
    """By broker, in the order of choice."""
    unloaded: dict[str, int] = field(default_factory=dict)
    """Bundles that were unloaded, and when that was logged."""
    logged: bool = True
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A broker leads from here on."""

    broker: str
    at: int


def rounds_of(lines: Sequence[tuple[str, str]], interval: int, end: int) -> list[LoggedModular]:
    """The rounds of all leaders until `end`, those of which nothing is logged included."""
    logged: list[LoggedModular] = []
    for broker, line in lines:
        at = time_of(line)
        shed = SHED.search(line)
        if at is None or (shed is None and not _BEGINS.search(line)):
            continue
        last = logged[-1] if logged else None
        if last is None or last.broker != broker or at - last.until > APART:
            last = LoggedModular(broker, at, at)
            logged.append(last)
        last.until = at
        if shed is not None:
            take(last, shed, at)
    return fill_rounds(sorted(terms_of(lines), key=lambda one: one.at), logged, interval, end)


def terms_of(lines: Iterable[tuple[str, str]]) -> list[Term]:
    """When brokers became the leader."""
    return [
        Term(broker, at)
        for broker, line in lines
        if _LEADS in line and (at := time_of(line)) is not None
    ]


def take(one: LoggedModular, shed: re.Match[str], at: int) -> str:
    """A line of a round; the bundle that it is about."""
    bundle = (shed["one"] or shed["none"] or shed["kept"]).rstrip(".,")
    broker = (shed["of"] or shed["from"] or shed["same"]).rstrip(".,")
    one.strategy = shed[1]
    one.shed.setdefault(strip_scheme(broker), []).append(bundle)
    if shed["one"]:
        one.unloaded[bundle] = at
    return bundle


def strip_scheme(broker: str) -> str:
    """host:port of a broker, whose address may be written with http://."""
    return broker.partition("://")[2] or broker


def fill_rounds(
    terms: list[Term], logged: list[LoggedModular], interval: int, end: int
) -> list[LoggedModular]:
    """All rounds: each begins an interval after the end of the one before. Raises
    `RecordingUnusable` where a leader's log and the recording lie so far apart that a clock is
    damaged.
    """
    found: list[LoggedModular] = []
    for place, term in enumerate(terms):
        until = terms[place + 1].at if place + 1 < len(terms) else end
        rounds = (until - term.at) // interval
        if rounds > MOST_ROUNDS:
            raise RecordingUnusable(
                f"The log of {term.broker} cannot be used: it became the leader at {term.at}, "
                f"which is {rounds:,} rounds before {until}."
            )
        mine = [one for one in logged if one.broker == term.broker and term.at <= one.at <= until]
        due = term.at + interval
        while due <= until:
            reported = next((one for one in mine if abs(one.at - due) <= interval // 2), None)
            one = reported or LoggedModular(term.broker, due, due, logged=False)
            found.append(one)
            due = max(one.until, one.at) + interval
    return found
