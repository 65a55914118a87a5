"""Where two subjects answer otherwise, whatever the clauses say: of two builds, what changed.

A clause changes side if one of two answers keeps it, and the other breaks it. Differences with
such a clause in common are taken to have one cause.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from evenkeel_engine.check.blocks import Part, Progress, blocks_of
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.seeded import Block, generate_requests
from evenkeel_engine.check.shrink import search_smaller
from evenkeel_engine.content import BASE_EDITIONS
from evenkeel_engine.kit.catalogue import list_breaches
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.subjects.base import Observed, Request, Subject, offers, reply_to
from evenkeel_engine.subjects.essence import same_observation
from evenkeel_engine.subjects.process import ProcessSubject

SECONDS: Final = 5.0
"""In which a smaller trial of a group is looked for."""
AGAIN: Final = 3
"""How often such a trial is put again: a subject that chooses at random differs from itself."""
PROCESSES: Final = 4
"""New processes to which the smallest trials are put so often: choices may hang on the process."""

Pair: TypeAlias = tuple[Subject, Subject]
Both: TypeAlias = tuple[Observation, Observation]


@dataclass(frozen=True, slots=True, order=True)
class ClauseSide:
    """A clause of an edition that only the subject `broken_by`, 0 or 1 of two, breaks."""

    clause: str
    edition: str
    broken_by: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A trial on which two subjects differ, both answers, and the clauses that change side."""

    question: AnyQuestion
    block: Block
    trial: Any
    answers: Both
    sides: frozenset[ClauseSide]

    @property
    def size(self) -> int:
        """The length of the trial."""
        return len(json.dumps(to_json(self.trial)))


@dataclass(slots=True)
class AnswerGroup:
    """Differences of one question that have one cause, as far as clauses tell: each has a clause
    that changes side with another of them, or none has any. `sides` counts trials.
    """

    question: str
    trials: int
    sides: Counter[ClauseSide]
    smallest: Difference

    def merge(self, other: AnswerGroup) -> AnswerGroup:
        """Both as one."""
        smallest = min(self.smallest, other.smallest, key=lambda one: one.size)
        trials, sides = self.trials + other.trials, self.sides + other.sides
        return AnswerGroup(self.question, trials, sides, smallest)


@dataclass(slots=True)
class Answers:
    """By question: trials, how many differ, how many of these by chance, and those unanswered."""

    trials: Counter[str] = field(default_factory=Counter)
    differing: Counter[str] = field(default_factory=Counter)
    by_chance: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    groups: list[AnswerGroup] = field(default_factory=list)

    def keep(self, one: Difference) -> None:
        """Count a difference in the group that has its cause, or in a new one."""
        new = AnswerGroup(one.question.name, 1, Counter(one.sides), one)
        others = []
        for group in self.groups:
            common = bool(group.sides.keys() & new.sides.keys())
            alike = common or not (group.sides or new.sides)
            if group.question == new.question and alike:
                new = group.merge(new)
            else:
                others.append(group)
        self.groups = [*others, new]


def part_offers(pair: Pair, parts: Sequence[Part]) -> tuple[list[Part], list[str]]:
    """The parts that both offer, and the questions that only one of them does."""
    offered = [[offers(one, part.question.name) for one in pair] for part in parts]
    asked = list(zip(parts, offered, strict=True))
    shared = [part for part, both in asked if all(both)]
    return shared, [part.question.name for part, both in asked if any(both) and not all(both)]


def compare_answers(
    pair: Pair, parts: Sequence[Part], seed: int, generator: Generator, progress: Progress
) -> Answers:
    """Put parts to both, and make the smallest trial of each group smaller."""
    found = Answers()
    for block in blocks_of(parts, seed, generator):
        unfreeze(block.question)
        for one in list_differences(pair, block, found):
            found.keep(one)
        progress(block.question, block.count)
    for group in found.groups:
        group.smallest = shrink(pair, group)
    for _ in range(PROCESSES if found.groups else 0):
        for subject in pair:
            if isinstance(subject, ProcessSubject):
                subject.renew()
        found.groups.reverse()  # the order of a hash set may hang on what was asked before
        for group in [one for one in found.groups if is_by_chance(pair, one.smallest)]:
            found.by_chance[group.question] += group.trials
            found.groups.remove(group)
    return found


def list_differences(pair: Pair, block: Block, found: Answers) -> Iterator[Difference]:
    """The differences of a block that are not by chance."""
    replies = [one.replies(generate_requests(block)) for one in pair]
    differing: list[tuple[Request, Both]] = []
    for (request, first), (_, second) in zip(*replies, strict=True):
        found.trials[block.question] += 1
        if not isinstance(first, Observed) or not isinstance(second, Observed):
            found.unanswered[block.question] += 1
        elif not same_observation(first.observation, second.observation):
            differing.append((request, (first.observation, second.observation)))
    found.differing[block.question] += len(differing)
    for request, answers in differing:
        at = replace(block, start=request.key, count=1)
        one = describe(request.question, at, request.trial, answers)
        if is_by_chance(pair, one):
            found.by_chance[block.question] += 1
        else:
            yield one


def describe(question: AnyQuestion, block: Block, trial: Any, answers: Both) -> Difference:
    """Two answers that differ, with the clauses of base editions that only one of them breaks."""
    sides = set[ClauseSide]()
    for edition in BASE_EDITIONS.values():
        broken = [
            {one.clause for one in list_breaches(question, edition, trial, answer)}
            for answer in answers
        ]
        changed = broken[0] ^ broken[1]
        sides |= {ClauseSide(clause, edition.name, int(clause in broken[1])) for clause in changed}
    return Difference(question, block, trial, answers, frozenset(sides))


def is_by_chance(pair: Pair, one: Difference) -> bool:
    """Whether a subject that is asked again answers otherwise, and no clause tells them apart."""
    sides, again = one.sides, [one.answers]
    for _ in range(AGAIN):
        if (found := differ_on(pair, one.question, one.block, one.trial)) is None:
            return True
        sides &= found.sides
        again.append(found.answers)
    varies = any(
        not same_observation(each[0], other) for each in zip(*again, strict=True) for other in each
    )
    return varies and not sides


def shrink(pair: Pair, group: AnswerGroup) -> Difference:
    """A smaller trial whose answers differ for the same cause."""
    one = group.smallest
    block, question = one.block, one.question

    def accepts(trial: Any) -> Difference | None:
        found = differ_on(pair, question, block, trial)
        same = found is not None and (found.sides & one.sides or found.sides == one.sides)
        return found if same else None

    place = block.seed, block.start, block.generator
    found = search_smaller(question, *place, accepts, SECONDS)
    return one if found is None else found[0].why


def differ_on(pair: Pair, question: AnyQuestion, block: Block, trial: Any) -> Difference | None:
    """How two subjects differ on a trial; None if they do not, or one has no answer."""
    first, second = (reply_to(subject, question, trial) for subject in pair)
    if not isinstance(first, Observed) or not isinstance(second, Observed):
        return None
    answers = first.observation, second.observation
    return None if same_observation(*answers) else describe(question, block, trial, answers)


def compare_on(pair: Pair, question: AnyQuestion, trial: Any) -> Answers:
    """Compare the answers to one trial."""
    found = Answers(trials=Counter((question.name,)))
    if (one := differ_on(pair, question, Block(question.name, 0, 0, 1), trial)) is not None:
        found.differing[question.name] += 1
        if is_by_chance(pair, one):
            found.by_chance[question.name] += 1
        else:
            found.keep(one)
    return found
