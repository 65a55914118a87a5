"""What the judges of strategies have in common: are there as many results as asks, is what was
chosen a candidate?
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.placement.asks import AskResult, AsksAnswer, ChoicesAnswer, Chosen, Done
from evenkeel.properties.plain import plain
from evenkeel.reference.edition import Edition


def breaking(edition: Edition) -> str:
    """The clause that says where a placement breaks."""
    return "PLC-5" if edition.unreported_candidates_break else "PLC-4"


def results_of(
    run: Run, case: Case[Any, AsksAnswer], count: int, clause: str
) -> tuple[AskResult, ...]:
    """One result for each command; none if the observation has not so many."""
    if not answers(run, case, clause) or not isinstance(case.observation, AsksAnswer):
        return ()
    results = case.observation.results
    run.require(
        "PLC-1", len(results) == count, lambda: f"{len(results)} results for {count}", "shape"
    )
    return results if len(results) == count else ()


def choices_observed(
    run: Run, case: Case[Any, ChoicesAnswer], times: int, clause: str
) -> tuple[str | None, ...]:
    """So many choices; none if the observation has not so many."""
    if not answers(run, case, clause) or not isinstance(case.observation, ChoicesAnswer):
        return ()
    choices = case.observation.choices
    run.require(
        "PLC-1", len(choices) == times, lambda: f"{len(choices)} choices of {times}", "shape"
    )
    return choices if len(choices) == times else ()


def choices_in(
    run: Run, result: AskResult, times: int, what: object, may_refuse: bool = False
) -> tuple[str | None, ...]:
    """The choices, if there are so many. Without candidates an ask may also be refused."""
    if may_refuse and isinstance(result, CommandRefused):
        run.require("PLC-1", True)
        return ()
    fits = isinstance(result, Chosen) and len(result.choices) == times
    run.require("PLC-1", fits, lambda: f"{plain(what)}: {plain(result)}", "shape")
    return result.choices if isinstance(result, Chosen) and fits else ()


def is_done(run: Run, result: AskResult, command: object) -> None:
    """What a command that only does something answers."""
    run.require(
        "PLC-1", isinstance(result, Done), lambda: f"{plain(command)}: {plain(result)}", "shape"
    )


def has_nobody(edition: Edition, candidates: Collection[str]) -> bool:
    """PLC-1: whether an ask may be refused, because there is nobody to choose; not in 4.0."""
    return not candidates and not edition.unreported_candidates_break


def is_candidate(run: Run, chosen: str | None, candidates: Collection[str]) -> bool:
    """A choice is a candidate; nobody only if there is none."""
    right = chosen in candidates if chosen is not None else not candidates
    run.require(
        "PLC-1", right, lambda: f"{chosen or 'nobody'} chosen of {plain(candidates)}", "stranger"
    )
    return right


def breaks_or_not(run: Run, edition: Edition, result: AskResult, must: bool, what: object) -> bool:
    """Whether a result is, or had to be, a failure; it must be one exactly if it had to be."""
    broke = isinstance(result, CommandBroke)
    run.require(
        breaking(edition),
        broke == must,
        lambda: f"{plain(what)}: must {'break' if must else 'not break'}; {plain(result)}",
        "broke" if broke else "answered",
    )
    return broke or must
