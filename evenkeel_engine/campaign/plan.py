"""What a campaign does, and how it is cut: shares of questions, blocks, tasks, waves.

Blocks follow from the plan alone. How blocks are dealt to tasks, and tasks to waves (one Spark
job each), follows from how fast they turn out to be, and changes no result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from itertools import zip_longest
from pathlib import Path
from typing import Final

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.worker import Summary
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Found
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import questions_of
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.subjects.choose import is_reference
from evenkeel_engine.subjects.process import name_program
from evenkeel_engine.subjects.session import Limits

DECISIONS_PER_BLOCK: Final = 2_000
LONG_TRIALS_PER_BLOCK: Final = 500
FIRST_BLOCK: Final = 40
"""The first block of a question is small: it is measured, and its results are on disk at once."""
DECISION_WEIGHT: Final = 4
"""Factor of the trials of a question of single decisions over one of long trials."""

WAVE_SECONDS: Final = 4.0
"""Seconds of the first wave, after which its results are on disk. Later waves take a hundredth of
the time so far: a stopped campaign loses a hundredth at most, and long ones have few parts.
"""
LONGEST_WAVE: Final = 60.0
SURPLUS: Final = 1.5
"""Factor of the work that fits into a task; what does not fit goes into the next wave."""


@dataclass(frozen=True, slots=True)
class More:
    """An extension of a finished campaign: trials of these questions (none named: all)."""

    trials: int
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What the user requested.

    `trials` is the number over all questions; `chapters`, `questions` and `clauses` are all,
    where none are named; `subject` is as after `--subject`. `keep_answers` stores all
    answers, so that all can be judged again; else those that differ. `more` is what extended it.
    With `again` a campaign that is in the folder is replaced.
    """

    trials: int
    seed: int
    edition: str
    out: Path
    subject: str = "reference"
    master: str = "local[*]"
    chapters: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    hello_timeout: float = 60.0
    trial_timeout: float = 30.0
    allow_unexercised: bool = False
    strict: bool = False
    keep_answers: bool = False
    more: tuple[More, ...] = ()
    again: bool = False
    generator: Generator = Generator.OWN

    @property
    def limits(self) -> Limits:
        """How long the subject may take."""
        return Limits(self.hello_timeout, self.trial_timeout)

    @property
    def in_process(self) -> bool:
        """Whether the subject is the reference, in the worker itself."""
        return is_reference(self.subject)

    def replay(self, found: Found) -> str:
        """The command that makes a trial again, for files: of the subject's its program alone."""
        return found.replay_command(self.edition, name_program(self.subject))


def check_plan(plan: CampaignPlan) -> list[AnyQuestion]:
    """The questions of a plan. Raises `CampaignUnusable` where the plan makes no sense."""
    if plan.edition not in EDITIONS:
        raise CampaignUnusable(
            f"There is no edition {plan.edition}; the editions are {', '.join(EDITIONS)}."
        )
    edition = EDITIONS[plan.edition]
    questions = questions_of(plan.chapters, plan.clauses, edition, plan.questions)
    if added := {name for more in plan.more for name in more.questions}:
        known = {*added, *(question.name for question in questions)}
        questions = questions_of((), plan.clauses, edition, known)
    if not questions:
        raise CampaignUnusable(
            f"No check is left: {', '.join([*plan.chapters, *plan.questions, *plan.clauses])} has "
            f"none in {plan.edition}."
        )
    if plan.trials < len(questions):
        raise CampaignUnusable(
            f"{plan.trials} trials are too few for {len(questions)} questions; request one each "
            f"at least."
        )
    return questions


def compute_shares(questions: Sequence[AnyQuestion], trials: int) -> dict[str, int]:
    """How many of all trials each question gets: at least one, and `trials` in all."""
    weights = [1 if question.is_long else DECISION_WEIGHT for question in questions]
    spare, total = trials - len(questions), sum(weights)
    given = [1 + spare * weight // total for weight in weights]
    for index in range(trials - sum(given)):
        given[index] += 1
    return {question.name: count for question, count in zip(questions, given, strict=True)}


def compute_stages(plan: CampaignPlan, questions: Sequence[AnyQuestion]) -> list[dict[str, int]]:
    """How many trials each question gets: in the campaign itself, then in each extension."""
    named = {question.name: question for question in questions}
    added = {name for more in plan.more for name in more.questions}
    before = questions_of(plan.chapters, plan.clauses, EDITIONS[plan.edition], plan.questions)
    own = [q for q in questions if q.name not in added or q in before]
    return [
        compute_shares(own, plan.trials),
        *(
            compute_shares([named[n] for n in more.questions if n in named] or own, more.trials)
            for more in plan.more
        ),
    ]


def blocks_of(plan: CampaignPlan, questions: Sequence[AnyQuestion]) -> list[Block]:
    """All blocks, the first of each question first: a campaign that is stopped has met all."""
    blocks: list[Block] = []
    begin: dict[str, int] = {}
    for counts in compute_stages(plan, questions):
        columns = [
            _make_column(plan, question, begin.get(question.name, 0), counts[question.name])
            for question in questions
            if counts.get(question.name)
        ]
        blocks += [block for row in zip_longest(*columns) for block in row if block is not None]
        begin |= {name: begin.get(name, 0) + count for name, count in counts.items()}
    return blocks


def _make_column(plan: CampaignPlan, question: AnyQuestion, begin: int, count: int) -> list[Block]:
    size = LONG_TRIALS_PER_BLOCK if question.is_long else DECISIONS_PER_BLOCK
    starts = [0, *range(min(FIRST_BLOCK, count), count, size)] if count > FIRST_BLOCK else [0]
    return [
        Block(question.name, plan.seed, begin + start, end - start, plan.generator)
        for start, end in zip(starts, [*starts[1:], count], strict=True)
    ]


class Pace:
    """How long a trial of each question takes, in seconds, as last measured."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def learn(self, summaries: Iterable[Summary]) -> None:
        """Take the times of blocks that are done."""
        times: dict[str, float] = {}
        trials: dict[str, int] = {}
        for summary in summaries:
            name = summary.block.question
            times[name] = times.get(name, 0.0) + summary.seconds
            trials[name] = trials.get(name, 0) + summary.block.count
        self._seconds.update({name: times[name] / trials[name] for name in times})

    def knows(self, block: Block) -> bool:
        """Whether the block's question has been measured."""
        return block.question in self._seconds

    def seconds(self, block: Block) -> float:
        """How long the block should take; 0 where its question has not been measured."""
        return block.count * self._seconds.get(block.question, 0.0)


def next_wave(pending: deque[Block], pace: Pace, cores: int, seconds: float) -> list[list[Block]]:
    """Take the next blocks for all cores; until all are measured, one block of each question."""
    enough, work = cores * seconds * SURPLUS, 0.0
    wave: list[Block] = []
    first: set[str] = set()
    while pending and work < enough:
        block = pending[0]
        if not pace.knows(block):
            if block.question in first:
                break
            first.add(block.question)
        wave.append(pending.popleft())
        work += pace.seconds(block)
    return deal(wave, cores, pace)


def deal(blocks: Collection[Block], tasks: int, pace: Pace) -> list[list[Block]]:
    """Distribute blocks to at most `tasks` tasks, the longest first, to the least loaded task."""
    tasks = min(tasks, len(blocks))
    hands: list[list[Block]] = [[] for _ in range(tasks)]
    heap = [(0.0, 0, number) for number in range(tasks)]
    heapify(heap)
    for block in sorted(blocks, key=pace.seconds, reverse=True):
        load, held, number = heap[0]
        hands[number].append(block)
        heapreplace(heap, (load + pace.seconds(block), held + 1, number))
    return hands
