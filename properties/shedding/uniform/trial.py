"""The trial of `shedding.uniform`, and how the reference answers it."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.properties.shedding.memory import answered
from evenkeel.properties.shedding.rounds import (
    RoundsTrial,
    SheddingAnswer,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import uniform
from evenkeel.reference.shedding.uniform import UniformRules


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformTrial(RoundsTrial):
    """`shedding.uniform`: which bundles does UniformLoadShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    """

    config: UniformRules


def answer_uniform(trial: UniformTrial, edition: Edition) -> SheddingAnswer:
    """What UniformLoadShedder sheds."""
    return answered(trial, lambda _, cluster: uniform.decide(cluster, trial.config, edition))
