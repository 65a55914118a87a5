"""Trials and answers of `splitting.apply`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.bundles.division import require_boundaries
from evenkeel.properties.observations import Span
from evenkeel.properties.splitting.spans import is_bundle, spans
from evenkeel.properties.trial import require, require_longs
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import applying


@dataclass(frozen=True, slots=True)
class ApplyTrial:
    """`splitting.apply`: cut the bundle `target` of these boundaries at these positions.

    The target may be missing from the boundaries and the positions may be illegal; both are
    then to be refused. At least one position is given.
    """

    boundaries: tuple[int, ...]
    target: HashRange
    positions: tuple[int, ...]

    def __post_init__(self) -> None:
        require_boundaries(self.boundaries)
        require(len(self.positions) > 0, "positions", "must not be empty")
        require_longs("positions", self.positions)


@dataclass(frozen=True, slots=True)
class ApplyAnswer:
    """All boundaries after the split, and the target's children in ascending order."""

    boundaries: tuple[int, ...]
    children: tuple[Span, ...]


def answer_apply(trial: ApplyTrial, edition: Edition) -> ApplyAnswer:
    """The boundaries and children after the split."""
    after = applying.apply_positions(trial.boundaries, trial.target, trial.positions, edition)
    return ApplyAnswer(after, spans(applying.children(trial.target, trial.positions)))


def apply_labels(trial: ApplyTrial) -> Iterator[str]:
    """What is wrong, or how many cuts."""
    if not is_bundle(trial.boundaries, trial.target):
        yield "no such bundle"
    if not all(trial.target.lower < p < trial.target.upper for p in trial.positions):
        yield "position outside"
    if len(set(trial.positions)) < len(trial.positions):
        yield "repeated position"
    yield "one position" if len(trial.positions) == 1 else "several positions"
