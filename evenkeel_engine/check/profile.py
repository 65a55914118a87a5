"""How much of everything a run does: quick for everyday, ci for a pipeline, nightly for long."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

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
    trials of a campaign; states of a graph that is explored; random values on which each rule of a
    theorem is compared with the reference.
    """

    decisions: int
    long_trials: int
    defects: int
    variants: int
    sampled: int
    sampled_trials: int
    campaign: int
    states: int
    cross_checks: int

    def count_trials(self, question: AnyQuestion) -> int:
        """How many trials of a question a check makes."""
        return self.long_trials if question.is_long else self.decisions

    def count_tried(self, mutant: Mutant) -> int:
        """The greatest number of trials of each question with a mutant."""
        return self.variants if mutant.conforming else self.defects


_TABLES: Final = tomllib.loads(Path(__file__).with_name("profiles.toml").read_text("utf-8"))
AMOUNTS: Final = {profile: Amounts(**_TABLES[profile]) for profile in Profile}
