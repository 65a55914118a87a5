"""What runs in a Spark worker: blocks of trials, and shrinking. Standard library only."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from evenkeel.drivers.counterexample import same_observation
from evenkeel.drivers.seeded import Block, Failure, run_block
from evenkeel.drivers.shrink import shrink
from evenkeel.drivers.tally import Found, Tally
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.codec import Json, to_json
from evenkeel.reference.edition import EDITIONS
from evenkeel.subjects.base import Subject
from evenkeel.subjects.choose import open_subject
from evenkeel.subjects.session import Limits
from evenkeel.subjects.wire import observation_to_json

Environment = tuple[tuple[str, str | None], ...]
"""Variables with their values; None is unset."""


@dataclass(frozen=True, slots=True)
class Order:
    """What every task of a campaign is told.

    `subject` is what a user writes after `--subject`, `edition` the name of the edition that is
    checked, `only` the clauses (none: all of the edition), `environment` what differs in the
    subject's environment from the worker's.
    """

    subject: str
    edition: str
    only: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    environment: Environment = ()


@dataclass(frozen=True, slots=True)
class FailedVerdict:
    """One failed verdict: which trial, and what failed."""

    index: int
    clause: str
    kind: str
    status: str
    signature: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What one block came to. `seconds` is the time it took, `worker` the host and process."""

    block: Block
    tally: Tally
    failures: tuple[FailedVerdict, ...]
    seconds: float
    worker: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The smallest trial that was found for a signature, shrunk.

    `trial` is null where the trial did not fail in this way again. `reproduced_by` names an
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


@dataclass(frozen=True, slots=True)
class Meter:
    """Two Spark accumulators, by which the driver sees how far the workers are."""

    blocks: Any
    trials: Any

    def __call__(self, summary: Summary) -> None:
        """Count a block."""
        self.blocks.add(1)
        self.trials.add(summary.block.count)


def set_environment(variables: Iterable[tuple[str, str | None]]) -> None:
    """Give this process these environment variables."""
    for name, value in variables:
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextmanager
def opened_subject(order: Order) -> Iterator[Subject]:
    """The subject of an order, in the environment that it should have; closed in the end."""
    before = tuple((name, os.environ.get(name)) for name, _ in order.environment)
    set_environment(order.environment)
    try:
        with closing(open_subject(order.subject, EDITIONS[order.edition], order.limits)) as subject:
            yield subject
    finally:
        set_environment(before)


def run_blocks(
    order: Order, done: Callable[[Summary], None], tasks: Iterable[Sequence[Block]]
) -> Iterator[Summary]:
    """Put the blocks of a task to one subject, one after the other. Raises `SubjectUnusable`."""
    worker = f"{platform.node()}:{os.getpid()}"
    with opened_subject(order) as subject:
        for block in chain.from_iterable(tasks):
            failures: list[Failure] = []
            began = time.perf_counter()
            tally = run_block(block, subject, EDITIONS[order.edition], order.only or None, failures)
            seconds = time.perf_counter() - began
            summary = Summary(block, tally, tuple(map(_compact, failures)), seconds, worker)
            done(summary)
            yield summary


def _compact(failure: Failure) -> FailedVerdict:
    verdict = failure.verdict
    return FailedVerdict(
        failure.index, verdict.clause, verdict.kind, verdict.status, verdict.signature
    )


def shrink_all(order: Order, tasks: Iterable[Sequence[tuple[str, Found]]]) -> Iterator[Finding]:
    """Shrink the smallest trial of each signature with one subject. Raises `SubjectUnusable`."""
    with opened_subject(order) as subject:
        for signature, found in chain.from_iterable(tasks):
            yield _shrink_one(order, signature, found, subject)


def _shrink_one(order: Order, signature: str, found: Found, subject: Subject) -> Finding:
    question, edition = QUESTIONS[found.question], EDITIONS[order.edition]
    shrunk = shrink(question, found.seed, found.index, signature, subject, edition)
    if shrunk is None:
        return Finding(signature, found)
    same = [
        name
        for name, other in EDITIONS.items()
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
