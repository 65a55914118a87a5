"""The trial of `shedding.overload`, and how the reference answers it."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.properties.shedding.memory import answered
from evenkeel.properties.shedding.rounds import (
    RoundsTrial,
    SheddingAnswer,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import overload
from evenkeel.reference.shedding.overload import OverloadRules


@dataclass(frozen=True, slots=True, kw_only=True)
class OverloadTrial(RoundsTrial):
    """`shedding.overload`: which bundles does OverloadShedder shed, round after round?

    Rounds are in the order of time. `recently_unloaded` names each bundle once.
    """

    config: OverloadRules


def answer_overload(trial: OverloadTrial, edition: Edition) -> SheddingAnswer:
    """What OverloadShedder sheds."""
    return answered(trial, lambda _, cluster: overload.decide(cluster, trial.config, edition))
