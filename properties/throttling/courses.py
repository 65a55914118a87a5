"""Every way in which a right period counter can have come to what is seen of it.

The documents do not say where periods begin. So a counter is followed for every beginning that can
make a difference: only the order of period ends and commands matters, so beginnings at the moments
of commands, and between them, are all there are. Time is counted in half milliseconds, so that
"between" is a number too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from evenkeel.properties.throttling.commands import Advance


class Course(NamedTuple):
    """One possibility: what counts as delivered, and when the present period ends."""

    taken: int
    ends: int


@dataclass(slots=True)
class Courses:
    """All possibilities for one dimension with a limit of `rate` in `period` ms.

    `open` once nothing can be said until the next change.
    """

    rate: int
    period: int
    times: tuple[int, ...]
    courses: frozenset[Course] = frozenset()
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
        self.courses = frozenset(Course(t, e) for t in {0, *taken} for e in ends)

    def advance(self, now: int) -> None:
        """Time has come to `now`."""
        self.courses = frozenset(self._advanced(course, now) for course in self.courses)

    def _advanced(self, course: Course, now: int) -> Course:
        if course.ends > 2 * now:
            return course
        ended = (2 * now - course.ends) // (2 * self.period) + 1
        taken = max(0, course.taken - ended * self.rate)
        return Course(taken, course.ends + ended * 2 * self.period)

    def deliver(self, amount: int) -> None:
        """So much was delivered."""
        if amount > 0:
            self.courses = frozenset(Course(c.taken + amount, c.ends) for c in self.courses)

    def give_back(self, amount: int) -> None:
        """So much may not count as delivered any more."""
        self.courses |= {Course(max(0, c.taken - amount), c.ends) for c in self.courses}

    def possible(self) -> list[int]:
        """What may be left now."""
        return sorted({max(0, self.rate - course.taken) for course in self.courses})

    def back(self, now: int) -> int:
        """By when, in ms, something is left for sure, if nothing more is delivered."""
        half = [
            c.ends + 2 * self.period * (c.taken // self.rate - 1)
            for c in self.courses
            if c.taken >= self.rate
        ]
        return max(now, -(-max(half, default=0) // 2))

    def see(self, left: int) -> bool:
        """Keep the possibilities that leave this much; whether there is any."""
        kept = frozenset(c for c in self.courses if max(0, self.rate - c.taken) == left)
        if not kept:
            return False
        self.courses = kept
        return True

    def taken(self) -> set[int]:
        """What may count as delivered."""
        return {course.taken for course in self.courses}


def times_of(commands: Iterable[object]) -> tuple[int, ...]:
    """The moments, in ms, at which commands are given."""
    steps = (command.millis if isinstance(command, Advance) else 0 for command in commands)
    return tuple(sorted(set(accumulate(steps))))
