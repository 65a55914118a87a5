"""Trials of `balancing.loop`: a scenario, who balances it, and a seed for open choices.

The scenario and the settings are the reference's own plain data; what could not happen cannot be
constructed. The observation is a `History`: one moment for each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evenkeel.properties.trial import require
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.curves import Steady
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.scenario import Scenario
from evenkeel.reference.balancing.settings import BalancerSpec
from evenkeel.reference.edition import EDITIONS, Edition
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of

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


def answer_loop(trial: BalancingTrial, edition: Edition) -> History:
    """The whole run, open choices made by the trial's seed."""
    hire = strategies.hiring(trial.balancer, edition)
    return loop.run(trial.scenario, hire, loop.seeded(trial.seed), edition)


def answer_some(tasks: Iterable[Sequence[Any]]) -> Iterator[tuple[int, History]]:
    """Runs with the numbers of their tasks, (number, trial, edition's name): what a worker does."""
    for number, trial, edition in tasks:
        yield number, answer_loop(trial, EDITIONS[edition])


def balancing_labels(trial: BalancingTrial) -> Iterator[str]:
    """Who balances, and what happens meanwhile."""
    yield trial.balancer.strategy.value
    yield f"placed by {trial.balancer.placement.value}"
    for kind in {type(event) for event in trial.scenario.events}:
        yield kind.DO
    if not trial.scenario.events:
        yield "no events"
    if all(isinstance(bundle.curve, Steady) for bundle in trial.scenario.bundles):
        yield "constant load"
    if any(is_monitoring(namespace_of(bundle.name)) for bundle in trial.scenario.bundles):
        yield "monitoring bundles"
    if len({broker.messages for broker in trial.scenario.brokers}) > 1:
        yield "unequal brokers"
