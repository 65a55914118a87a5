"""How much of everything a run does: quick for everyday, ci for a pipeline, nightly for long."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loads longer than the commands that only name a profile
    from evenkeel_engine.kit.question import AnyQuestion
    from evenkeel_engine.mutation.mutant import Mutant


class Profile(StrEnum):
    """The three sizes of a run."""

    QUICK = "quick"
    CI = "ci"
    NIGHTLY = "nightly"


@dataclass(frozen=True, slots=True)
class Amounts:
    """Trials per question of single decisions and of long trials, of a check; trials per
    question until a mutant counts as survived, and until a conforming variant counts as
    not flagged; how many mutants are sampled, and with how many trials per question each;
    trials of a campaign; states of a graph that is explored.
    """

    decisions: int
    long_trials: int
    defects: int
    variants: int
    sampled: int
    sampled_trials: int
    campaign: int
    states: int

    def count_trials(self, question: AnyQuestion) -> int:
        """How many trials of a question a check makes."""
        return self.long_trials if question.is_long else self.decisions

    def count_tried(self, mutant: Mutant) -> int:
        """The greatest number of trials of each question with a mutant."""
        return self.variants if mutant.conforming else self.defects


AMOUNTS = {
    Profile.QUICK: Amounts(
        decisions=2_000,
        long_trials=500,
        defects=2_000,
        variants=500,
        sampled=100,
        sampled_trials=300,
        campaign=20_000,
        states=10_000,
    ),
    Profile.CI: Amounts(
        decisions=20_000,
        long_trials=5_000,
        defects=10_000,
        variants=10_000,
        sampled=300,
        sampled_trials=1_000,
        campaign=200_000,
        states=200_000,
    ),
    Profile.NIGHTLY: Amounts(
        decisions=500_000,
        long_trials=100_000,
        defects=50_000,
        variants=50_000,
        sampled=1_000,
        sampled_trials=3_000,
        campaign=5_000_000,
        states=2_000_000,
    ),
}
