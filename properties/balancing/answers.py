"""The reference's answer to `balancing.loop`."""

from __future__ import annotations

from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.history import History
from evenkeel.reference.edition import Edition


def answer_loop(trial: BalancingTrial, edition: Edition) -> History:
    """The whole run, open choices made by the trial's seed."""
    hire = strategies.hiring(trial.balancer, edition)
    return loop.run(trial.scenario, hire, loop.seeded(trial.seed), edition)
