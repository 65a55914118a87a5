"""The trial of `shedding.threshold`, and how the reference answers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.shedding.memory import answered
from evenkeel.properties.shedding.rounds import (
    RoundsTrial,
    SheddingAnswer,
    labels_of_rounds,
)
from evenkeel.properties.trial import require, require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerId, Cluster, Decision
from evenkeel.reference.shedding.threshold import ThresholdRules


@dataclass(frozen=True, slots=True)
class Membership:
    """Before this round (0 is the first) it becomes known that exactly these brokers are there."""

    round: int
    active: tuple[str, ...]

    def __post_init__(self) -> None:
        require(0 <= self.round < 2**31, "round", "must be 0 or more, below 2^31")
        require_different("active", self.active)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdTrial(RoundsTrial):
    """`shedding.threshold`: which bundles does ThresholdShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    LOWER_BOUNDARY_THRESHOLD_MARGIN is 0.5.
    """

    config: ThresholdRules
    memberships: tuple[Membership, ...] = ()

    def __post_init__(self) -> None:
        RoundsTrial.__post_init__(self)
        rounds = [membership.round for membership in self.memberships]
        require(rounds == sorted(set(rounds)), "memberships", "must be in the order of rounds")

    def active(self, place: int) -> tuple[str, ...] | None:
        """The brokers that are said to be there before this round; None if nothing is said."""
        return next((m.active for m in self.memberships if m.round == place), None)


def answer_threshold(trial: ThresholdTrial, edition: Edition) -> SheddingAnswer:
    """What ThresholdShedder sheds."""
    rules, history = trial.config, threshold.NO_HISTORY

    def decide(place: int, cluster: Cluster) -> Decision:
        nonlocal history
        active = trial.active(place)
        if active is not None:
            history = threshold.departed(history, set(map(BrokerId, active)))
        history, decision = threshold.shed(history, cluster, rules, edition)
        return decision

    return answered(trial, decide)


def threshold_labels(trial: ThresholdTrial) -> Iterator[str]:
    """What the rounds contain."""
    yield from labels_of_rounds(trial)
    if trial.config.lower_boundary:
        yield "lower boundary"
    if trial.memberships:
        yield "brokers come or go"
