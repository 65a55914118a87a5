"""Minimise a set of trials by coverage: branches of the reference, clauses, mutants killed.

Coverage is a bit set in an `int`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

from evenkeel_engine.content import reference
from evenkeel_engine.mutation.code_swap import function_of
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import SampledMutant
from evenkeel_engine.mutation.walk import number_statements

LINE: Final = 60
"""Characters that any line costs, however short its trial: a reader's time."""
KILLERS: Final = 40
"""Trials that kill a mutant are looked for up to this number, the smallest first."""
SAMPLED_KILLERS, SMALLEST, OTHERS = 8, 250, 250
"""The same for a sampled mutant; how many of the smallest trials and of the others are tried."""
Line: TypeAlias = tuple[CodeType, int]
"""A line of a function."""


@dataclass(slots=True)
class Numbers:
    """Things numbered in order of appearance."""

    of: dict[Hashable, int] = field(default_factory=dict)

    def number_bit(self, thing: Hashable) -> int:
        """The thing's bit."""
        return 1 << self.of.setdefault(thing, len(self.of))


@dataclass(slots=True)
class Branches:
    """Trace the reference: the branches (line to line) that it takes, and the functions it runs."""

    numbers: Numbers
    _ours: dict[CodeType, bool] = field(default_factory=dict)
    _bits: int = 0
    _ran: set[CodeType] = field(default_factory=set)
    _lines: set[Line] = field(default_factory=set)

    def trace_run(
        self, run: Callable[[], object]
    ) -> tuple[int, frozenset[CodeType], frozenset[Line]]:
        """The branches taken, and the functions and lines run, by a call."""
        self._bits, self._ran, self._lines = 0, set(), set()
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            run()
        finally:
            sys.settrace(before)
        return self._bits, frozenset(self._ran), frozenset(self._lines)

    def _enter(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code not in self._ours:
            self._ours[code] = code.co_filename.startswith(FOLDERS)
        if not self._ours[code]:
            return None
        self._ran.add(code)
        last = 0

        def follow(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
            nonlocal last
            if event == "line":
                self._bits |= self.numbers.number_bit((code, last, frame.f_lineno))
                last = frame.f_lineno
                self._lines.add((code, last))
            return follow

        return follow


FOLDERS: Final = tuple(f"{path}/" for path in reference.__path__)


def codes_of(mutant: Mutant) -> frozenset[CodeType]:
    """The codes of the functions that a mutant changes."""
    return frozenset(function_of(source).__code__ for source in mutant.sources)


def lines_of(mutant: Mutant) -> frozenset[Line]:
    """The lines of the statement that a sampled mutant changes, without those of its body."""
    if not isinstance(mutant, SampledMutant):
        return frozenset()
    [code] = codes_of(mutant)
    found = [body[index] for body, index, _ in number_statements(mutant.site.function.node)]
    node = found[mutant.site.statement]
    below = [inner.lineno for inner in ast.walk(node) if inner in found and inner is not node]
    end = max(node.lineno, min(below) - 1) if below else node.end_lineno or node.lineno
    return frozenset((code, line) for line in range(node.lineno, end + 1))


@dataclass(slots=True)
class TrialCover:
    """What one trial covers: bits, and the functions and lines of the reference that it runs."""

    bits: int
    ran: frozenset[CodeType]
    size: int
    lines: frozenset[Line] = frozenset()


def runs(shown: TrialCover, mutant: Mutant, lines: frozenset[Line] = frozenset()) -> bool:
    """Whether a trial runs the changed lines, if they are known, else the function."""
    if lines:
        return not lines.isdisjoint(shown.lines)
    return not codes_of(mutant).isdisjoint(shown.ran)


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
