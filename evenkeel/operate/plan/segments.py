"""The segments of a scalable topic over days, from an operator's settings and load."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.question import judge
from evenkeel.properties.scaling.loop import OVER_HOURS, Acted, LoopAnswer, LoopTrial
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.scaling.layout import HASHES
from evenkeel.reference.scaling.loop import Load, Phase
from evenkeel.reference.scaling.settings import ReportRules, ScaleRules

LOOP: Final = "scaling.loop"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a day: minutes, msg/s over the whole topic, consumers of one subscription."""

    minutes: int
    rate: float
    consumers: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """What happens in a stretch: segments at its beginning, at most, at its end; splits, merges;
    in which of its minutes the last one was (None: nothing happened).
    """

    day: int
    stretch: Stretch
    before: int
    most: int
    after: int
    splits: int
    merges: int
    last: int | None


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan: its rows, what a topic breaks of what PIP-483 promises, each with a sentence, and
    how many segments it has from which minute on.
    """

    rows: tuple[Row, ...]
    broken: tuple[tuple[str, str], ...]
    counts: tuple[tuple[int, int], ...]

    @property
    def splits(self) -> int:
        """The splits of all days."""
        return sum(row.splits for row in self.rows)

    @property
    def merges(self) -> int:
        """The merges of all days."""
        return sum(row.merges for row in self.rows)


@dataclass(frozen=True, slots=True)
class Days:
    """What an operator asks: the parts of a day, how many days, the segments at first."""

    stretches: tuple[Stretch, ...]
    days: int
    segments: int
    message_bytes: int
    fan_out: int
    rules: ScaleRules

    def trial(self) -> LoopTrial:
        """The same as a trial: load that is spread evenly."""
        phases = tuple(
            Phase(one.minutes, (Load(0, HASHES - 1, one.rate),), (one.consumers,))
            for one in self.stretches
        )
        size, copies = self.message_bytes, self.fan_out
        return LoopTrial(
            self.rules,
            ReportRules(),
            self.segments,
            phases * self.days,
            size,
            copies,
            10_000,
            (),
        )


def plan(asked: Days, edition: Edition) -> Planned:
    """What an edition does over these days."""
    trial, question = asked.trial(), QUESTIONS[LOOP]
    answer = question.answer(trial, edition)
    clauses = clauses_for(LOOP, DOCUMENTED, frozenset(OVER_HOURS))
    verdicts = judge(question, clauses, trial, answer, DOCUMENTED)
    broken = tuple((one.clause, one.sentence) for one in verdicts if one.failed)
    return Planned(tuple(rows(asked, answer)), broken, tuple(counts(asked, answer)))


def rows(asked: Days, answer: LoopAnswer) -> Iterator[Row]:
    """A row for each part of each day."""
    begin, count = 0, asked.segments
    for day in range(1, asked.days + 1):
        for stretch in asked.stretches:
            end = begin + stretch.minutes
            acted = [one for one in answer.actions if begin <= one.minute < end]
            counts = [count]
            for one in acted:
                counts.append(counts[-1] + change_of(one))
            splits = sum(one.split is not None for one in acted)
            last = acted[-1].minute - begin if acted else None
            merges = sum(bool(one.merge) for one in acted)
            yield Row(day, stretch, count, max(counts), counts[-1], splits, merges, last)
            begin, count = end, counts[-1]


def change_of(action: Acted) -> int:
    """By how many an action changes the number of segments."""
    return -1 if action.merge else int(action.split is not None)


def counts(asked: Days, answer: LoopAnswer) -> Iterator[tuple[int, int]]:
    """The minutes in which something was done, and how many segments there are then."""
    count = asked.segments
    yield 0, count
    for one in answer.actions:
        count += change_of(one)
        yield one.minute, count
