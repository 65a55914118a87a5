"""PLC-18 and PLC-19: turns, as they should be and as 4.0's counter has them."""

from __future__ import annotations

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.placement.asks import EXACT, AskResult, AsksAnswer
from evenkeel.properties.placement.following import (
    breaks_or_not,
    choices_in,
    has_nobody,
    is_candidate,
    results_of,
)
from evenkeel.properties.placement.round_robin.trial import RoundRobinTrial, Turns
from evenkeel.properties.plain import plain


@decision("placement.round_robin", "PLC-1", "PLC-4", "PLC-18", "PLC-19")
def round_robin(run: Run, case: Case[RoundRobinTrial, AsksAnswer]) -> None:
    asks, by_counter = case.trial.asks, case.edition.round_robin_by_counter
    clause = "PLC-19" if by_counter else "PLC-4"
    results = results_of(run, case, len(asks), clause)
    if by_counter:
        counted(run, case.trial, results)
        return
    same: frozenset[str] = frozenset()
    recent: list[str] = []
    for ask, result in zip(asks, results, strict=False):
        if breaks_or_not(run, case.edition, result, False, ask):
            return
        if frozenset(ask.candidates) != same:  # where in its turn a balancer is then is open
            same, recent = frozenset(ask.candidates), []
        may_refuse = has_nobody(case.edition, ask.candidates)
        for chosen in choices_in(run, result, ask.times, ask, may_refuse):
            if is_candidate(run, chosen, same) and chosen is not None:
                turn(run, recent, chosen, len(same) - 1)


def turn(run: Run, recent: list[str], chosen: str, others: int) -> None:
    """Nobody is chosen again before each of so many others was."""
    last = recent[-others:] if others else []
    if last:
        run.require(
            "PLC-18", chosen not in last, lambda: f"{chosen} again after {', '.join(last)}", "again"
        )
    recent.append(chosen)


def counted(run: Run, trial: RoundRobinTrial, results: tuple[AskResult, ...]) -> None:
    """4.0: the place is the counter's remainder, in a list that is renewed where it does not
    fit.
    """
    counter, order = trial.counter, tuple[str, ...]()
    for ask, result in zip(trial.asks, results, strict=False):
        right: list[str | None] = []
        for _ in range(ask.times):
            if not ask.candidates:
                right.append(None)
                continue
            order = renewed(order, counter, ask)
            right.append(order[counter % len(order)])
            counter = (counter + 1) % EXACT
        as_counted(run, ask, result, right)


def as_counted(run: Run, ask: Turns, result: AskResult, right: list[str | None]) -> None:
    choices = choices_in(run, result, ask.times, ask)
    for chosen in choices:
        is_candidate(run, chosen, ask.candidates)
    same = list(choices) == right
    run.require(
        "PLC-19", same, lambda: f"{plain(ask)}: must be {plain(right)}, not {plain(choices)}"
    )


def renewed(order: tuple[str, ...], counter: int, ask: Turns) -> tuple[str, ...]:
    count = len(ask.candidates)
    fits = len(order) == count and order[counter % count] in ask.candidates
    return order if fits else ask.candidates
