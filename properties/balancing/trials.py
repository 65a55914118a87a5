"""Trials of `balancing.loop`: a scenario, who balances it, and a seed for open choices.

The scenario and the settings are the reference's own plain data; what could not happen cannot be
constructed. The observation is a `History`: one moment for each step.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.properties.trial import require
from evenkeel.reference.balancing.scenario import Scenario
from evenkeel.reference.balancing.settings import BalancerSpec

MOST_STEPS = 100_000
"""A trial is judged as a whole, so it has an end."""


@dataclass(frozen=True, slots=True)
class BalancingTrial:
    """What happens to a cluster, and who balances it.

    The seed is for subjects that make open choices by a generator; every allowed choice is right.
    """

    scenario: Scenario
    balancer: BalancerSpec
    seed: int = 0

    def __post_init__(self) -> None:
        steps = self.scenario.timing.steps
        require(steps <= MOST_STEPS, "scenario.timing.steps", f"must be {MOST_STEPS} at most")
        require(self.seed >= 0, "seed", "must be 0 or more")
