"""Trials of a question, and what the reference observes."""

from __future__ import annotations

from typing import Any

from evenkeel.reference.edition import Edition
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.kit.question import Observation
from evenkeel_engine.mutation.scoring.reached import answer_block
from evenkeel_engine.mutation.scoring.score import BLOCK

SEED = 1


def observe_trials(name: str, count: int, edition: Edition) -> list[tuple[Any, Observation]]:
    """The first trials of a question, each with what the reference observes."""
    blocks = (
        answer_block(Block(name, SEED, at, BLOCK), edition.name) for at in range(0, count, BLOCK)
    )
    return [pair for one in blocks for pair in zip(one.trials, one.expected, strict=True)]
