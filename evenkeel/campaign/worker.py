"""What runs in a Spark worker: blocks of trials, and shrinking. Standard library only."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evenkeel.drivers.counterexample import observation_to_json
from evenkeel.drivers.seeded import Block, Failure, run_block
from evenkeel.drivers.shrink import shrink
from evenkeel.drivers.tally import Found, Tally
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.codec import Json, to_json
from evenkeel.reference.edition import EDITIONS
from evenkeel.subjects.choose import open_subject


@dataclass(frozen=True, slots=True)
class Order:
    """What every task of a campaign is told.

    `subject` is what a user writes after `--subject`, `edition` the name of the edition that is
    checked, `only` the clauses (none: all of the edition).
    """

    subject: str
    edition: str
    only: tuple[str, ...] = ()


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


def run_blocks(order: Order, blocks: Iterable[Block]) -> Iterator[Summary]:
    """Put blocks to one subject, one after the other. Raises `SubjectUnusable`."""
    edition = EDITIONS[order.edition]
    subject = open_subject(order.subject, edition)
    worker = f"{platform.node()}:{os.getpid()}"
    try:
        for block in blocks:
            failures: list[Failure] = []
            began = time.perf_counter()
            tally = run_block(block, subject, edition, order.only or None, failures)
            seconds = time.perf_counter() - began
            yield Summary(block, tally, tuple(map(_compact, failures)), seconds, worker)
    finally:
        subject.close()


def _compact(failure: Failure) -> FailedVerdict:
    verdict = failure.verdict
    return FailedVerdict(
        failure.index, verdict.clause, verdict.kind, verdict.status, verdict.signature
    )


def shrink_all(order: Order, smallest: Iterable[tuple[str, Found]]) -> Iterator[Finding]:
    """Shrink the smallest trial of each signature with one subject. Raises `SubjectUnusable`."""
    edition = EDITIONS[order.edition]
    subject = open_subject(order.subject, edition)
    try:
        for signature, found in smallest:
            question = QUESTIONS[found.question]
            shrunk = shrink(question, found.seed, found.index, signature, subject, edition)
            if shrunk is None:
                yield Finding(signature, found)
                continue
            same = [
                name
                for name, other in EDITIONS.items()
                if question.observe(shrunk.trial, other) == shrunk.observation
            ]
            yield Finding(
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
    finally:
        subject.close()
