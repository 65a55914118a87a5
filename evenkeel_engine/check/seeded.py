"""The seeded driver: trial number `index` of a seed, for any block of indices, in a plain loop.

A block's result depends on its question, seed, indices and edition alone, so a run may be cut
into blocks in any way, and any single trial can be generated again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from evenkeel_engine.check.divergences import describe_difference
from evenkeel_engine.check.fast_dataclasses import skip_checks
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.draw import Draw, Generator, SeededDraw
from evenkeel_engine.kit.independent import independent_generator
from evenkeel_engine.kit.question import AnyQuestion, Observation, Verdict, judge_case
from evenkeel_engine.kit.varied import seldom_varied
from evenkeel_engine.subjects.base import Errored, Observed, Request, Subject
from evenkeel_engine.subjects.local import ReferenceSubject


@dataclass(frozen=True, slots=True)
class Block:
    """Trials `start` to `start + count - 1` of a question and a seed."""

    question: str
    seed: int
    start: int
    count: int
    generator: Generator = Generator.OWN


@dataclass(frozen=True, slots=True)
class FailedTrial:
    """One failed verdict: which trial, and the judge's sentence."""

    index: int
    verdict: Verdict


def generator_of(
    question: AnyQuestion, generator: Generator = Generator.OWN, checked: bool = True
) -> Callable[[Draw], Any]:
    """What makes the trials; `checked`: with the checks of what need not be tried."""
    if generator is Generator.INDEPENDENT:  # draws until the checks let it pass
        return seldom_varied(independent_generator(question.name))
    return seldom_varied(question.generate if checked else skip_checks(question.generate))


def trial_seed(question: str, seed: int, index: int, generator: Generator = Generator.OWN) -> int:
    """The number from which trial `index` of a seed is made, another one for each generator."""
    if generator is Generator.INDEPENDENT:
        seed += 1 << 31
    return (((seed << 32) | zlib.crc32(question.encode())) << 40) | index


def make_trial(
    question: AnyQuestion, seed: int, index: int, generator: Generator = Generator.OWN
) -> Any:
    """Trial number `index` of a seed."""
    draw = SeededDraw(trial_seed(question.name, seed, index, generator))
    return generator_of(question, generator)(draw)


def generate_requests(block: Block) -> Iterator[Request]:
    """The block's trials, generated when they are taken."""
    question = QUESTIONS[block.question]
    draw, generate = SeededDraw(0), generator_of(question, block.generator, checked=False)
    first = trial_seed(question.name, block.seed, 0, block.generator)
    for index in range(block.start, block.start + block.count):
        draw.reseed(first | index)
        yield Request(index, question, generate(draw))


Keep = Callable[[Request, Observation, bool], None]
"""Called with a trial, what was observed, and whether it is worth keeping: a clause objects, or
the reference observes something else.
"""


def run_block(
    block: Block,
    subject: Subject,
    edition: Edition,
    only: Collection[str] | None = None,
    failures: list[FailedTrial] | None = None,
    keep: Keep | None = None,
) -> Tally:
    """Put a block to a subject and judge it; failed verdicts go into `failures`, too."""
    question = QUESTIONS[block.question]
    clauses = clauses_for(block.question, edition, frozenset(only) if only else None)
    itself = isinstance(subject, ReferenceSubject) and subject.edition is edition
    compared = question.talk is None and not itself
    tally = Tally()
    for request, reply in subject.replies(generate_requests(block)):
        trial = request.trial
        tally.trials[question.name] += 1
        tally.commands[question.name] += question.count_commands(trial)
        tally.labels.update((question.name, label) for label in question.labels(trial))
        if not isinstance(reply, Observed):
            counts = tally.errored if isinstance(reply, Errored) else tally.skipped
            tally.count_unanswered(counts, question.name, reply.reason)
            continue
        case = Case(trial, reply.observation, edition, question.observe)
        judgement = judge_case(clauses, case)
        tally.measure(question, trial, reply.observation)
        tally.add(judgement.verdicts)
        for verdict in judgement.failed:
            tally.count_failure(verdict.signature, as_found(block, request, verdict))
            if failures is not None:
                failures.append(FailedTrial(request.key, verdict))
        kind = ""
        if compared and not judgement.failed:
            kind = describe_difference(case.expected, case.observation)
            if kind:
                tally.count_difference(as_found(block, request, Verdict("", "differs", "", kind)))
        if keep is not None:
            keep(request, case.observation, bool(judgement.failed or kind))
    return tally


def as_found(block: Block, request: Request, verdict: Verdict) -> Found:
    """A failed verdict with the place of its trial."""
    return Found(
        size=len(json.dumps(to_json(request.trial))),
        index=request.key,
        question=block.question,
        seed=block.seed,
        clause=verdict.clause,
        kind=verdict.kind,
        sentence=verdict.sentence,
        generator=block.generator,
    )
