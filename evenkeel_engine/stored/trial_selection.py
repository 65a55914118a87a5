"""Minimise a set of trials by coverage: branches of the reference, clauses, mutants killed.

Coverage is a bit set in an `int`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.noting import Coverage, Statement, noting_copies
from evenkeel_engine.mutation.sampled import SampledMutant

LINE: Final = 60
"""Characters that any line costs, however short its trial: a reader's time."""
KILLERS: Final = 40
"""Trials that kill a mutant are looked for up to this number, the smallest first."""
SAMPLED_KILLERS, SMALLEST, OTHERS = 8, 250, 250
"""The same for a sampled mutant; how many of the smallest trials and of the others are tried."""


class Branches:
    """The branches that trials take in the reference: from one statement of a function to the next
    that is run, numbered as they are met; and which statements a trial runs (`reached`).
    """

    def __init__(self) -> None:
        self.numbers: dict[tuple[Statement | None, Statement], int] = {}
        self.reached = Coverage()
        self._starts = sorted(noting_copies().first.values())
        self._last: dict[int, Statement] = {}
        self._bits = 0

    def note(self, statement: Statement) -> None:
        """A statement is run."""
        function = bisect_right(self._starts, statement) - 1
        begins = statement == self._starts[function]
        branch = None if begins else self._last.get(function), statement
        self._last[function] = statement
        self._bits |= 1 << self.numbers.setdefault(branch, len(self.numbers))
        self.reached.note(statement)

    def assign_noted(self, number: int) -> int:
        """All that was noted since was of the trial with this number; its branches, as bits."""
        self.reached.assign_noted(number)
        bits, self._bits = self._bits, 0
        self._last.clear()
        return bits


@dataclass(slots=True)
class TrialCover:
    """What one trial covers, as bits, and its length."""

    bits: int
    size: int


def find_distinguishing(
    mutant: Mutant, tried: Sequence[int], differs: Callable[[int], bool]
) -> Iterator[int]:
    """The first of these trials that a mutant answers otherwise; for sampled ones few are tried."""
    most = KILLERS
    if isinstance(mutant, SampledMutant):
        most, rest = SAMPLED_KILLERS, tried[SMALLEST:]
        tried = [*tried[:SMALLEST], *rest[:: max(1, len(rest) // OTHERS)]]
    with mutant.apply():
        for index in tried:
            if not most:
                return
            if differs(index):
                most -= 1
                yield index


def choose_trials(shown: dict[int, TrialCover], required: int, most: int) -> dict[int, int]:
    """At most `most` trials that together cover all of `required` that any trial covers.

    Each with the bits that it is the first to cover. Greedy: next comes the trial that covers
    most new bits for its size.
    """
    left, taken = required, dict[int, int]()
    while len(taken) < most:
        shown = {index: one for index, one in shown.items() if one.bits & left}
        if not shown:
            break
        worth = {at: (one.bits & left).bit_count() / (one.size + LINE) for at, one in shown.items()}
        best = max(shown, key=lambda at: (worth[at], -at))
        taken[best] = shown[best].bits & left
        left &= ~shown[best].bits
    return taken
