"""Trials of a question, and what the reference observes."""

from __future__ import annotations

from typing import Any

from evenkeel.harness.seeded import Block
from evenkeel.mutation.scoring.reached import answered
from evenkeel.mutation.scoring.score import BLOCK
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import Edition

SEED = 1


def observed(name: str, count: int, edition: Edition) -> list[tuple[Any, Observation]]:
    """The first trials of a question, each with what the reference observes."""
    blocks = (answered(Block(name, SEED, at, BLOCK), edition.name) for at in range(0, count, BLOCK))
    return [pair for one in blocks for pair in zip(one.trials, one.expected, strict=True)]
