"""RoundRobinBrokerSelector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.placement.judge_parts import (
    LUCK,
    breaks_or_not,
    choices_in,
    has_no_candidates,
    is_candidate,
    results_of,
)
from evenkeel.properties.placement.trial_parts import (
    BROKERS,
    EXACT,
    AskResult,
    Chosen,
    PlacementAnswer,
    require_names,
    require_times,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import round_robin
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class Turns:
    """Choose one of the candidates, different, in order of iteration, `times` times (1 to 1000)."""

    candidates: tuple[str, ...]
    times: int

    def __post_init__(self) -> None:
        require_names("candidates", self.candidates)
        require_times(self.times)


@dataclass(frozen=True, slots=True)
class RoundRobinTrial:
    """`placement.round_robin`: which brokers does a strategy choose in turn, request after request?

    It continues counting between requests. `counter`: the choices before the first, modulo 2^31.
    """

    counter: int
    asks: tuple[Turns, ...]

    def __post_init__(self) -> None:
        require(0 <= self.counter < EXACT, "counter", "must be 0 or more, below 2^31")


@seldom_repeated("asks")
def round_robin_trial(draw: Draw) -> RoundRobinTrial:
    """The same candidates for a while, then others, or the same in another order."""
    counter = draw.pick((2**31 - 1, 2**31 - 2, 7, 1)) if draw.chance(0.1) else 0
    asks: list[Turns] = []
    for _ in draw.items(8, 0.75, least=1):
        candidates = tuple(broker for broker in BROKERS[:5] if draw.chance(0.6))
        if draw.chance(0.3):
            candidates = candidates[::-1]
        again = asks and draw.chance(0.3)
        times = 120 if draw.chance(0.05) else draw.integer(1, 7)
        asks.append(Turns(asks[-1].candidates if again else candidates, times))
    return RoundRobinTrial(counter, tuple(asks))


def answer_round_robin(trial: RoundRobinTrial, edition: Edition) -> PlacementAnswer:
    """One result for each request."""
    turn = round_robin.Turn(trial.counter)
    results: list[AskResult] = []
    for ask in trial.asks:
        choices: list[str | None] = []
        for _ in range(ask.times):
            turn, chosen = round_robin.ask(turn, ask.candidates, edition)
            choices.append(chosen)
        results.append(Chosen(tuple(choices)))
    return PlacementAnswer(tuple(results))


def round_robin_labels(trial: RoundRobinTrial) -> Iterator[str]:
    """Whether the candidates change."""
    sets = {frozenset(ask.candidates) for ask in trial.asks}
    yield "candidates change" if len(sets) > 1 else "always the same candidates"
    if trial.counter > 2**30:
        yield "around the counter's end"


@decision("placement.round_robin", "PLC-1", "PLC-4", "PLC-18", "PLC-19", "PLC-56")
def judge_round_robin(run: Run, case: Case[RoundRobinTrial, PlacementAnswer]) -> None:
    asks, by_counter = case.trial.asks, case.edition.round_robin_by_counter
    results = results_of(run, case, len(asks), "PLC-19" if by_counter else "PLC-4")
    if by_counter:
        judge_counter(run, case.trial, results)
        return
    same: frozenset[str] = frozenset()
    recent: list[str] = []
    for ask, result in zip(asks, results, strict=False):
        if breaks_or_not(run, case.edition, result, False, ask):
            return
        if frozenset(ask.candidates) != same:  # the balancer's place in its turn is open then
            same, recent = frozenset(ask.candidates), []
        may_refuse = has_no_candidates(case.edition, ask.candidates)
        for chosen in choices_in(run, result, ask.times, ask, may_refuse):
            if is_candidate(run, chosen, same) and chosen is not None:
                turn(run, recent, chosen, len(same) - 1)
        if same and len(same) * (1 - 1 / len(same)) ** len(recent) <= LUCK:
            never = sorted(same.difference(recent))
            run.require(
                "PLC-56", not never, f"{never} not chosen in {len(recent)} choices", "never"
            )


def turn(run: Run, recent: list[str], chosen: str, others: int) -> None:
    """No broker is chosen again before each of this many others was."""
    last = recent[-others:] if others else []
    if last:
        run.require(
            "PLC-18", chosen not in last, lambda: f"{chosen} again after {', '.join(last)}", "again"
        )
    recent.append(chosen)


def judge_counter(run: Run, trial: RoundRobinTrial, results: tuple[AskResult, ...]) -> None:
    """4.0: the place is the counter's remainder, in a list that is renewed if it does not fit."""
    counter, order = trial.counter, tuple[str, ...]()
    for ask, result in zip(trial.asks, results, strict=False):
        right: list[str | None] = []
        for _ in range(ask.times):
            if not ask.candidates:
                right.append(None)
                continue
            order = renew_order(order, counter, ask)
            right.append(order[counter % len(order)])
            counter = (counter + 1) % EXACT
        as_counted(run, ask, result, right)


def as_counted(run: Run, ask: Turns, result: AskResult, right: list[str | None]) -> None:
    choices = choices_in(run, result, ask.times, ask)
    for chosen in choices:
        is_candidate(run, chosen, ask.candidates)
    same = list(choices) == right
    run.require(
        "PLC-19", same, lambda: f"{display(ask)}: must be {display(right)}, not {display(choices)}"
    )


def renew_order(order: tuple[str, ...], counter: int, ask: Turns) -> tuple[str, ...]:
    count = len(ask.candidates)
    fits = len(order) == count and order[counter % count] in ask.candidates
    return order if fits else ask.candidates


ROUND_ROBIN: Final = Question(
    "placement.round_robin",
    RoundRobinTrial,
    PlacementAnswer,
    round_robin_trial,
    answer_round_robin,
    round_robin_labels,
    parts="asks",
)

QUESTIONS: Final = (ROUND_ROBIN,)
