"""The reference's answer to `balancing.loop`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.history import History
from evenkeel.reference.edition import EDITIONS, Edition


def answer_loop(trial: BalancingTrial, edition: Edition) -> History:
    """The whole run, open choices made by the trial's seed."""
    hire = strategies.hiring(trial.balancer, edition)
    return loop.run(trial.scenario, hire, loop.seeded(trial.seed), edition)


def answer_some(tasks: Iterable[Sequence[Any]]) -> Iterator[tuple[int, History]]:
    """Runs with the numbers of their tasks, (number, trial, edition's name): what a worker does."""
    for number, trial, edition in tasks:
        yield number, answer_loop(trial, EDITIONS[edition])
