"""The pool from which recorded answers are chosen: trials, what a subject answered, what they show.

A trial is good for the cover if it has one answer only: the subject gives it twice, the second
time as a fresh process; the reference gives it too; and no conforming variant gives another one to
which no clause objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from evenkeel.errors import UserError
from evenkeel.harness.covering import Branches, Numbers, Shown, lines_of, runs, telling
from evenkeel.harness.limits import TooLong, limited
from evenkeel.harness.recorded import OTHER, SAME, Line, agrees, line_of, objections, text_of
from evenkeel.harness.seeded import trial_seed
from evenkeel.harness.shrink import Choices
from evenkeel.harness.subjects.base import Ask, Errored, Observed, Reply, Subject
from evenkeel.harness.worker import Worker
from evenkeel.mutation.live import forget
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.kit.draw import CHANCES, RecordingDraw, SeededDraw
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.properties.kit.question import Observation, Question
from evenkeel.reference.edition import Edition

BRIEF: Final = (1.0, 0.7, 0.4)
"""How likely a list goes on, beside what the generator says: every third trial each."""


class CannotRecord(UserError):
    """No recording of this question can be made: one clear sentence."""


class BriefDraw(RecordingDraw):
    """Draws shorter lists than a generator asks for; the choices make the same trial elsewhere."""

    __slots__ = ("_share",)

    def __init__(self, seed: int, share: float) -> None:
        super().__init__(SeededDraw(seed))
        self._share = share

    def items(self, most: int, probability: float = 0.75, least: int = 0) -> Iterator[int]:
        """As inherited, with a lower probability."""
        yield from range(least)
        index = least
        while self._goes_on(probability) and index < most:
            yield index
            index += 1

    def _goes_on(self, probability: float) -> bool:
        lo, hi, value = 0, CHANCES - 1, self._inner.choice(0, CHANCES - 1)
        goes_on = value >= CHANCES * (1 - probability * self._share)
        self.record.append((lo, hi, value if goes_on else lo))
        return goes_on


@dataclass(slots=True)
class Candidate:
    """A trial, the choices that make it, and the subject's answer; `only`: it has no other."""

    choices: Choices
    line: Line
    text: str
    only: bool
    shown: Shown


class Pool:
    """The candidates of a question, and the mutants that they tell apart (`killed`, by index)."""

    def __init__(
        self,
        question: Question[Any, Any],
        edition: Edition,
        subjects: tuple[Subject, Subject],
        mutants: Sequence[Mutant],
    ) -> None:
        self.question, self.edition = question, edition
        self.first, self.second = subjects
        self.variants = [m for m in mutants if m.conforming]
        self.mutants = [m for m in mutants if not m.conforming]
        self.candidates: list[Candidate] = []
        self.branches = Numbers()
        self.killed: dict[str, set[int]] = {}
        self._watched = Branches(self.branches)
        self._texts: set[str] = set()

    def fill(self, seed: int, count: int) -> None:
        """Ask `count` trials of a seed."""
        drawn = []
        for index in range(count):
            share = BRIEF[index % len(BRIEF)]
            draw = BriefDraw(trial_seed(self.question.name, seed, index), share)
            drawn.append((self.question.generate(draw), draw.record))
        self.add(drawn)
        if not self.candidates:
            raise CannotRecord(f"{self.first.name} answers no trial of {self.question.name}.")

    def add(self, drawn: Sequence[tuple[Any, Choices]]) -> None:
        """Ask these trials, and see what they show."""
        asked = [Ask(at, self.question, trial) for at, (trial, _) in enumerate(drawn)]
        replies = answers(self.first, asked)
        again = answers(self.second, asked[::-1])[::-1]
        start = len(self.candidates)
        for (trial, choices), reply, second in zip(drawn, replies, again, strict=True):
            if isinstance(reply, Observed):
                line = line_of(trial, worded(reply.observation))
                same = isinstance(second, Observed) and agrees(line, second.observation)
                self._take(line, choices, same)
        for variant in self.variants:
            self._spare(variant, self._reaching(variant, start))
        with Worker(self._telling, expendable=True, inherited=True) as worker:
            for number, mutant in enumerate(self.mutants):
                if tried := self._reaching(mutant, start):
                    # One that never ends is noticed by that, wherever its line is replayed.
                    with suppress(TooLong):
                        told = worker.do((number, tried))
                        self.killed.setdefault(mutant.name, set()).update(told)

    def _telling(self, job: tuple[int, list[int]]) -> set[int]:
        """Of these candidates those that tell a mutant apart; both by their number."""
        number, tried = job
        return set(telling(self.mutants[number], tried, self.is_changed))

    def _take(self, line: Line, choices: Choices, only: bool) -> None:
        text = text_of(line)
        if text in self._texts:
            return
        self._texts.add(text)
        seen: list[Observation] = []
        forget()  # what is kept from the trial before would not be run
        bits, ran, lines = self._watched.of(lambda: seen.append(self.observe(line.trial)))
        same = agrees(line, seen[0])
        shown = Shown(bits, ran, len(text), lines)
        line = replace(line, open=SAME if same else OTHER)
        self.candidates.append(Candidate(choices, line, text, only and same, shown))

    def _reaching(self, mutant: Mutant, start: int) -> list[int]:
        """The candidates with one answer from `start` on that reach a mutant, smallest first."""
        lines = lines_of(mutant)
        found = [
            (c.shown.size, index)
            for index, c in enumerate(self.candidates[start:], start)
            if c.only and runs(c.shown, mutant, lines)
        ]
        return [index for _, index in sorted(found)]

    def _spare(self, variant: Mutant, tried: Sequence[int]) -> None:
        """Where a conforming variant answers otherwise, and rightly, there is a choice."""
        others: list[tuple[int, Observation]] = []
        with variant.applied():
            for index in tried:
                # It conforms where its chapter runs it; elsewhere it may fail, and says nothing.
                with suppress(Exception):
                    others.append((index, self.observe(self.candidates[index].line.trial)))
        for index, observed in others:
            line = self.candidates[index].line
            if not agrees(line, observed) and not self.objections(line.trial, observed):
                self.candidates[index].only = False

    # ------------------------------------------------------------------------ what others ask

    def observe(self, trial: Any) -> Observation:
        """What the reference, as it is now, observes."""
        return self.question.observe(trial, self.edition)

    def is_changed(self, index: int) -> bool:
        """Whether the reference, as it is now, answers otherwise than recorded."""
        return self.is_contradicted(self.candidates[index].line)

    def is_contradicted(self, line: Line) -> bool:
        """The same of any line."""
        try:
            with limited():
                return not agrees(line, self.observe(line.trial))
        except (Exception, TooLong):  # a mutant may fail in any way; that is its answer
            return True

    def branches_of(self, trial: Any) -> int:
        """The branches that the reference takes on a trial."""
        return self._watched.of(lambda: self.observe(trial))[0]

    def objections(self, trial: Any, observation: Observation) -> list[str]:
        """What the edition's clauses say against an observation."""
        # Judges may remember what they worked out for the last trial object: this one is new.
        return objections(self.question.name, self.edition, replace(trial), observation)

    def line_from(self, trial: Any) -> Line | None:
        """What the subject observes; None where it does not answer."""
        [reply] = answers(self.first, [Ask(0, self.question, trial)])
        return line_of(trial, worded(reply.observation)) if isinstance(reply, Observed) else None


def answers(subject: Subject, asked: Iterable[Ask]) -> list[Reply]:
    """The replies, none of them that the subject failed as a process. Raises `CannotRecord`."""
    replies: list[Reply] = []
    for ask, reply in subject.replies(asked):
        if isinstance(reply, Errored):
            raise CannotRecord(f"{subject.name} on {ask.question.name}: {reply.reason}.")
        replies.append(reply)
    return replies


def worded(observation: Observation) -> Observation:
    """Without the subject's own sentence, which may change from run to run."""
    if isinstance(observation, Refused | Broke):
        return replace(observation, detail="")
    return observation
