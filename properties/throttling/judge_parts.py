"""The possible alignments of periods of a right period counter, given what was observed.

The documents do not say where periods begin. So a counter is followed for every beginning that can
make a difference. Only the order of period ends and of moments at which something can be seen (the
commands, and a subject's own looks) matters, so beginnings at these moments, and between them, are
all there are. Time is counted in half milliseconds, so that "between" is a number too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from evenkeel.properties.throttling.trial_parts import Advance

Ends: TypeAlias = frozenset[int]
"""Moments at which a period may end."""


@dataclass(slots=True)
class PeriodAlignments:
    """All possibilities for one dimension with a limit of `rate` in `period` ms.

    `ends`: when the present period may end, by what may count as delivered by then: of many
    beginnings most agree in that. `open` once nothing can be said until the next change.
    """

    rate: int
    period: int
    times: tuple[int, ...]
    ends: dict[int, Ends] = field(default_factory=dict)
    open: bool = False

    def begin(self, now: int, taken: Iterable[int]) -> None:
        """Periods may begin anywhere from now on; so much may count as delivered."""
        span = 2 * self.period
        ends = {2 * now + span}
        for time in self.times:
            if time > now:
                offset = 2 * (time - now) % span
                ends.add(2 * now + (offset or span))
                ends.add(2 * now + offset + 1)
        self.ends = dict.fromkeys((0, *taken), frozenset(ends))

    def advance(self, now: int) -> None:
        """Time has come to `now`."""
        advanced: dict[int, Ends] = {}
        ended = {ends: self._ended(ends, now) for ends in set(self.ends.values())}
        for taken, ends in self.ends.items():
            for periods, later in ended[ends].items():
                add(advanced, max(0, taken - periods * self.rate), later)
        self.ends = advanced

    def _ended(self, ends: Ends, now: int) -> dict[int, Ends]:
        """By how many periods have ended: when the present one ends."""
        if min(ends) > 2 * now:
            return {0: ends}
        ended: dict[int, set[int]] = {}
        for end in ends:
            periods = (2 * now - end) // (2 * self.period) + 1
            ended.setdefault(periods, set()).add(end + periods * 2 * self.period)
        return {periods: frozenset(later) for periods, later in ended.items()}

    def deliver(self, amount: int) -> None:
        """Record a delivery."""
        if amount > 0:
            self.ends = {taken + amount: ends for taken, ends in self.ends.items()}

    def give_back(self, amount: int) -> None:
        """Record an amount that may no longer count as delivered."""
        for taken, ends in list(self.ends.items()):
            add(self.ends, max(0, taken - amount), ends)

    def set_rate(self, rate: int) -> None:
        """Set another rate; earlier deliveries may no longer count."""
        self.rate = rate
        add(self.ends, 0, frozenset[int]().union(*self.ends.values()))

    def possible(self) -> list[int]:
        """The amounts that may be left now, in order."""
        return sorted({max(0, self.rate - taken) for taken in self.ends})

    def back(self, now: int) -> int:
        """The time in ms by which something is certainly left, if nothing more is delivered."""
        half = [
            max(ends) + 2 * self.period * (taken // self.rate - 1)
            for taken, ends in self.ends.items()
            if taken >= self.rate
        ]
        return max(now, -(-max(half, default=0) // 2))

    def see(self, left: int) -> bool:
        """Keep the alignments that leave this amount; return whether there are any."""
        kept = {t: ends for t, ends in self.ends.items() if max(0, self.rate - t) == left}
        if not kept:
            return False
        self.ends = kept
        return True

    def taken(self) -> set[int]:
        """The amounts that may count as delivered."""
        return set(self.ends)


def add(ends: dict[int, Ends], taken: int, more: Ends) -> None:
    """With so much delivered, the present period may end at these times as well."""
    ends[taken] = ends[taken] | more if taken in ends else more


def times_of(commands: Iterable[object]) -> tuple[int, ...]:
    """The times of the commands in ms."""
    steps = (command.millis if isinstance(command, Advance) else 0 for command in commands)
    return tuple(sorted(set(accumulate(steps))))
