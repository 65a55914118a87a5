"""The possible alignments of periods of a right period counter, given what was observed.

The documents do not say where periods begin. So a counter is followed for every beginning that can
make a difference. Only the order of period ends and of moments at which something can be seen (the
commands, and a subject's own looks) matters, so beginnings at these moments, and between them, are
all there are. Time is counted in half milliseconds, so that "between" is a number too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, TypeAlias

from evenkeel.properties.throttling.trial_parts import Advance
from evenkeel_engine.kit.observations import Refused

Begins: TypeAlias = int
"""A set of beginnings: bit `i` is number `i` of `PeriodAlignments.phases`."""


@dataclass(slots=True)
class PeriodAlignments:
    """All possibilities for one dimension with a limit of `rate` in `period` ms.

    `ends`: with which beginnings of periods so much may count as delivered: of many beginnings
    most agree in that. A beginning is the remainder, by the length of a period, of the moments at
    which periods end, in half milliseconds; `phases` are all of them, in order. `open` once nothing
    can be said until something is seen to be left.
    """

    rate: int
    period: int
    times: tuple[int, ...]
    ends: dict[int, Begins] = field(default_factory=dict)
    open: bool = False
    phases: list[int] = field(default_factory=list)
    now: int = 0

    def begin(self, now: int, taken: Iterable[int]) -> None:
        """Periods may begin anywhere from now on; so much may count as delivered."""
        later = (2 * time + step for time in self.times if time > now for step in (0, 1))
        self.phases = sorted({end % (2 * self.period) for end in (2 * now, *later)})
        self.now = now
        self.ends = dict.fromkeys((0, *taken), (1 << len(self.phases)) - 1)

    def advance(self, now: int) -> None:
        """Time has come to `now`."""
        advanced: dict[int, Begins] = {}
        ended = self._count_ends(now)
        self.now = now
        for taken, begins in self.ends.items():
            for periods, of in ended:
                if both := begins & of:
                    add(advanced, max(0, taken - periods * self.rate), both)
        self.ends = advanced

    def _count_ends(self, now: int) -> list[tuple[int, Begins]]:
        """How many periods end until then, and with which beginnings."""
        (before, first), (until, last) = self._at(self.now), self._at(now)
        whole = until - before
        if first <= last:
            return [(whole, ~(last & ~first)), (whole + 1, last & ~first)]
        return [(whole, ~(first & ~last)), (whole - 1, first & ~last)]

    def _at(self, now: int) -> tuple[int, Begins]:
        """How many whole periods lie before a moment, and with which beginnings one more ends in
        the rest.
        """
        whole, rest = divmod(2 * now, 2 * self.period)
        return whole, (1 << bisect_right(self.phases, rest)) - 1

    def deliver(self, amount: int) -> None:
        """Record a delivery."""
        if amount > 0:
            self.ends = {taken + amount: ends for taken, ends in self.ends.items()}

    def give_back(self, amount: int) -> None:
        """Record an amount that may no longer count as delivered."""
        self.open = self.open or len(self.ends) > 10 * MOST_ENDED
        for taken, ends in () if self.open else list(self.ends.items()):
            add(self.ends, max(0, taken - amount), ends)

    def possible(self) -> list[int]:
        """The amounts that may be left now, in order."""
        return sorted({max(0, self.rate - taken) for taken in self.ends})

    def __str__(self) -> str:
        """The limit, what may be left of it, and when the period may have ended last."""
        left = self.possible()
        words = f"{self.rate} in {self.period} ms"
        if self.open or not left:
            return f"{words}, how much is left is unknown"
        begins = 0
        for of in self.ends.values():
            begins |= of
        ends = sorted({self._last_end(1 << n) / 2 for n in bits(begins)})
        spread = f"{left[0]}" if len(left) == 1 else f"{left[0]} to {left[-1]}"
        when = ", ".join(f"{end:g}" for end in ends[:FEW]) + (", …" if ends[FEW:] else "")
        return f"{words}, {spread} left; a period may begin at {when} ms"

    def back(self, now: int) -> int:
        """The time in ms by which something is certainly left, if nothing more is delivered."""
        half = [
            self._last_end(begins) + 2 * self.period * (taken // self.rate - 1)
            for taken, begins in self.ends.items()
            if taken >= self.rate
        ]
        return max(now, -(-max(half, default=0) // 2))

    def _last_end(self, begins: Begins) -> int:
        """When, in half milliseconds, the present period has ended with all of these."""
        whole, over = self._at(self.now)
        if begins & over:
            begins, whole = begins & over, whole + 1
        return self.phases[begins.bit_length() - 1] + whole * 2 * self.period

    def see(self, left: int) -> bool:
        """Keep the alignments that leave this amount; return whether there are any."""
        kept = {t: ends for t, ends in self.ends.items() if max(0, self.rate - t) == left}
        if not kept:
            return False
        self.ends = kept
        return True

    def learn(self, left: int) -> None:
        """If something is left, so much counts, wherever periods begin."""
        if 0 < left <= self.rate:
            self.open, self.ends = False, {self.rate - left: (1 << len(self.phases)) - 1}

    def list_carried(self, rate: int, period: int) -> set[int]:
        """The amounts that may count once the limit is another: of shorter periods some may have
        ended in the running one. The change itself may end that, by the old or the new limit.
        Nothing can be said if they are too many.
        """
        ended = (self.period - 1) // period
        self.open = self.open or ended > MOST_ENDED or len(self.ends) > 10 * MOST_ENDED
        most = min(ended, MOST_ENDED)
        paid = {self.rate, *(n * rate for n in range(most + 2))}
        return {max(0, taken - amount) for taken in self.ends for amount in paid}


FEW: Final = 5
"""Beginnings of periods that a sentence names."""

MOST_ENDED: Final = 100
"""With more periods that may have ended, or ten times as many amounts, nothing can be said."""


def bits(begins: Begins) -> Iterator[int]:
    """The numbers of the beginnings."""
    return (number for number in range(begins.bit_length()) if begins >> number & 1)


def refuses_both(observed: object, precise: bool, by_entry: bool) -> bool:
    """Whether a subject refuses the two modes at once, which document 004 says exclude each other;
    it may.
    """
    return precise and by_entry and isinstance(observed, Refused)


def add(ends: dict[int, Begins], taken: int, more: Begins) -> None:
    """With so much delivered, periods may have these beginnings as well."""
    ends[taken] = ends[taken] | more if taken in ends else more


def times_of(commands: Iterable[object]) -> tuple[int, ...]:
    """The times of the commands in ms."""
    steps = (command.millis if isinstance(command, Advance) else 0 for command in commands)
    return tuple(sorted(set(accumulate(steps))))
