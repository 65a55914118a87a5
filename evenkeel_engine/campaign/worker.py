"""What runs in a Spark worker: blocks of trials, and shrinking. Standard library only."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.seeded import Block, FailedTrial, run_block
from evenkeel_engine.check.shrink import shrink
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.content import BASE_EDITIONS, EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.question import Observation
from evenkeel_engine.subjects.base import Request, Subject
from evenkeel_engine.subjects.choose import hold_subject, is_reference, let_go
from evenkeel_engine.subjects.essence import same_observation
from evenkeel_engine.subjects.session import Limits
from evenkeel_engine.subjects.strays import adopt_orphans
from evenkeel_engine.subjects.wire import observation_to_json

PIECE: Final = 4
"""Trials that are put first, to measure their time."""
GROWTH: Final = 8
PIECE_SECONDS: Final = 0.5
"""How long a piece should take: a task ends between two."""
STORED: Final = 20
"""Answers of a block that are stored: with an objection, or unlike the reference's."""

Environment = tuple[tuple[str, str | None], ...]
"""Variables with their values; None is unset."""


@dataclass(frozen=True, slots=True)
class Order:
    """The parameters of every task of a campaign.

    `subject` is what a user writes after `--subject`, `edition` the name of the edition that is
    checked, `only` the clauses (none: all of the edition), `environment` what differs in the
    subject's environment from the worker's. A task ends after `seconds`
    (None: when all is done). `keep_all` stores every answer, else the relevant ones.
    """

    subject: str
    edition: str
    only: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    environment: Environment = ()
    seconds: float | None = None
    keep_all: bool = False


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that can be judged again: trial and observation as JSON text."""

    index: int
    trial: str
    observation: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a block, or its beginning, came to, in `seconds`; `worker` is the host and process.
    The sentences of `failures` are left out: there may be many.
    """

    block: Block
    tally: Tally
    failures: tuple[FailedTrial, ...]
    seconds: float
    worker: str
    stored: tuple[StoredAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """The smallest trial that was found for a signature, shrunk.

    `trial` is null if the failure did not recur. `reproduced_by` names an
    edition whose reference observes the same.
    """

    signature: str
    found: Found
    attempts: int = 0
    trial: Json = None
    expected: Json = None
    observed: Json = None
    status: str = ""
    sentence: str = ""
    reproduced_by: str | None = None


def set_environment(variables: Iterable[tuple[str, str | None]]) -> None:
    """Give this process these environment variables."""
    for name, value in variables:
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def subject_of(order: Order) -> Subject:
    """The subject of an order, in whose environment the worker stays for later processes."""
    set_environment(order.environment)
    if not is_reference(order.subject):
        adopt_orphans()
    return hold_subject(order.subject, order.edition, order.limits)


def close_subject(_: Iterable[object] = ()) -> Iterator[None]:
    """Let go of the subject that the worker holds."""
    let_go()
    return iter(())


def run_blocks(
    order: Order, done: Callable[[int], None], tasks: Iterable[Sequence[Block]]
) -> Iterator[Summary]:
    """Put the blocks of a task to one subject, in order; `done` is called with each block's trials.
    Raises `SubjectUnusable`.

    When the time is over, the current block is returned as far as it was done.
    """
    unfreeze()
    subject = subject_of(order)
    end = time.monotonic() + order.seconds if order.seconds is not None else None
    for block in chain.from_iterable(tasks):
        if (summary := run_block_of(order, subject, block, end)) is not None:
            done(summary.block.count)
            yield summary


def run_block_of(order: Order, subject: Subject, block: Block, end: float | None) -> Summary | None:
    """The summary of a block, in pieces that are short against the time left; None without any."""
    edition, only = EDITIONS[order.edition], order.only or None
    tally, failures, stored = Tally(), list[FailedTrial](), list[StoredAnswer]()
    began, done, most = time.monotonic(), 0, PIECE

    def store(request: Request, observation: Observation, worthwhile: bool) -> None:
        if order.keep_all or (worthwhile and len(stored) < STORED):
            trial, seen = to_json(request.trial), observation_to_json(observation)
            stored.append(StoredAnswer(request.key, json.dumps(trial), json.dumps(seen)))

    while done < block.count and (end is None or time.monotonic() < end):
        count = block.count - done if end is None else min(most, block.count - done)
        piece = replace(block, start=block.start + done, count=count)
        tally.merge(run_block(piece, subject, edition, only, failures, store))
        done += count
        took = max(time.monotonic() - began, 1e-6)
        most = max(1, min(most * GROWTH, int(done / took * PIECE_SECONDS)))
    if done == 0:
        return None
    through = replace(block, count=done)
    worker = f"{platform.node()}:{os.getpid()}"
    brief = (replace(f, verdict=replace(f.verdict, sentence="", facts=())) for f in failures)
    return Summary(through, tally, tuple(brief), time.monotonic() - began, worker, tuple(stored))


def shrink_all(order: Order, tasks: Iterable[Sequence[tuple[str, Found]]]) -> Iterator[Finding]:
    """Shrink the smallest trial of each signature with one subject. Raises `SubjectUnusable`."""
    subject = subject_of(order)
    for signature, found in chain.from_iterable(tasks):
        yield _shrink_one(order, signature, found, subject)


def _shrink_one(order: Order, signature: str, found: Found, subject: Subject) -> Finding:
    question, edition = QUESTIONS[found.question], EDITIONS[order.edition]
    shrunk = shrink(
        question, found.seed, found.index, signature, subject, edition, generator=found.generator
    )
    if shrunk is None:
        return Finding(signature, found)
    same = [
        name
        for name, other in BASE_EDITIONS.items()
        if same_observation(question.observe(shrunk.trial, other), shrunk.observation)
    ]
    return Finding(
        signature,
        found,
        shrunk.attempts,
        to_json(shrunk.trial),
        observation_to_json(question.observe(shrunk.trial, edition)),
        observation_to_json(shrunk.observation),
        shrunk.verdict.status,
        shrunk.verdict.sentence,
        same[0] if same else None,
    )
