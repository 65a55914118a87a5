"""Checking a subject: blocks of every question, one after the other, in this process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evenkeel.drivers.seeded import Block, run_block
from evenkeel.drivers.shrink import Shrunk, shrink
from evenkeel.drivers.tally import Found, Tally
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.question import Question
from evenkeel.reference.edition import Edition
from evenkeel.subjects.base import Subject

BLOCK: Final = 500

Progress = Callable[[str, int], None]
"""Called with a question's name and how many more of its trials are done."""


@dataclass(frozen=True, slots=True)
class Part:
    """So many trials of one question."""

    question: Question[Any, Any]
    trials: int


def run_check(
    parts: Sequence[Part],
    seed: int,
    subject: Subject,
    edition: Edition,
    only: Collection[str] | None,
    progress: Progress,
) -> Tally:
    """Put all parts to the subject and judge them."""
    total = Tally()
    for part in parts:
        for start in range(0, part.trials, BLOCK):
            block = Block(part.question.name, seed, start, min(BLOCK, part.trials - start))
            total.merge(run_block(block, subject, edition, only))
            progress(part.question.name, block.count)
    return total


def shrink_found(found: Found, signature: str, subject: Subject, edition: Edition) -> Shrunk | None:
    """Shrink the smallest trial that was found for a signature."""
    question = QUESTIONS[found.question]
    return shrink(question, found.seed, found.index, signature, subject, edition)
