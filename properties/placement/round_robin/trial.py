"""`placement.round_robin`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.placement.asks import (
    EXACT,
    AskResult,
    AsksAnswer,
    Chosen,
    require_names,
    require_times,
)
from evenkeel.properties.trial import require
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import round_robin


@dataclass(frozen=True, slots=True)
class Turns:
    """Choose one of the candidates, which are different, so often (1 to 1000)."""

    candidates: tuple[str, ...]
    times: int

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)
        require_times(self.times)


@dataclass(frozen=True, slots=True)
class RoundRobinTrial:
    """`placement.round_robin`: a placer that chooses in turn is asked for brokers, one after the
    other; it goes on counting from ask to ask.

    `counter`: asks that were answered before, modulo 2^31.
    """

    counter: int
    asks: tuple[Turns, ...]

    def __post_init__(self) -> None:
        require(0 <= self.counter < EXACT, "counter", "must be 0 or more, below 2^31")


def answer_round_robin(trial: RoundRobinTrial, edition: Edition) -> AsksAnswer:
    """One result for each ask."""
    turn = round_robin.Turn(trial.counter)
    results: list[AskResult] = []
    for ask in trial.asks:
        choices: list[str | None] = []
        for _ in range(ask.times):
            turn, chosen = round_robin.ask(turn, ask.candidates, edition)
            choices.append(chosen)
        results.append(Chosen(tuple(choices)))
    return AsksAnswer(tuple(results))


def round_robin_labels(trial: RoundRobinTrial) -> Iterator[str]:
    """Whether the candidates change."""
    sets = {frozenset(ask.candidates) for ask in trial.asks}
    yield "candidates change" if len(sets) > 1 else "always the same candidates"
    if trial.counter > 2**30:
        yield "around the counter's end"
