"""What the tests of the chapters share: trials, and which checks mutants are killed by."""

from __future__ import annotations

from typing import Any

from evenkeel.harness.seeded import Block
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.scoring.reached import answered
from evenkeel.mutation.scoring.score import BLOCK, Check, failures
from evenkeel.properties.catalogue import CLAUSES
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import Edition

SEED = 1


def checks_of(chapter: str) -> set[Check]:
    """Every check of the chapter's clauses."""
    return {(c.id, c.question) for c in CLAUSES if c.entry.chapter == chapter}


def observed(name: str, count: int, edition: Edition) -> list[tuple[Any, Observation]]:
    """The first trials of a question, each with what the reference observes."""
    blocks = (answered(Block(name, SEED, at, BLOCK), edition.name) for at in range(0, count, BLOCK))
    return [pair for one in blocks for pair in zip(one.trials, one.expected, strict=True)]


def strike(missing: set[Check], mutant: Mutant, start: int) -> None:
    """Take the checks off that a mutant violates in the blocks that begin here."""
    for question in sorted({question for _, question in missing}):
        for shown in failures(mutant, Block(question, SEED, start, BLOCK), missing):
            missing.discard(shown.check)
