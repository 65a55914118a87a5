"""Mutants of the cycles around the extensible manager's strategy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, equivalent, first, then
from evenkeel.reference.shedding import cycling
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome, Unloads


def _as_if_leading(cycle: Cycle) -> Cycle:
    return replace(cycle, leads=True)


def _one_is_enough(cycle: Cycle) -> Cycle:
    return replace(cycle, available=cycle.available and cycle.available + 1)


def _half_switched_off(cycle: Cycle) -> Cycle:
    return replace(cycle, shedding_enabled=True)


def _all_remembered(original: Function) -> Function:
    return lambda unloads, cycle, grace_minutes: unloads


def _failed_are_done(decided: Iterable[Decided]) -> tuple[Decided, ...]:
    return tuple(
        replace(d, outcome=Outcome.DONE) if d.outcome is Outcome.FAILS else d for d in decided
    )


def _takers_cool_down(original: Function) -> Function:
    def noted(unloads: Unloads, decided: Iterable[Decided], now: int) -> Any:
        moved = [*decided]
        done = original(unloads, moved, now)
        takers = {d.destination: now for d in moved if d.destination is not None}
        return replace(done, brokers={**done.brokers, **takers})

    return noted


def _first_time_stays(original: Function) -> Function:
    def noted(unloads: Unloads, decided: Iterable[Decided], now: int) -> Any:
        done = original(unloads, decided, now)
        return replace(done, brokers={**done.brokers, **unloads.brokers})

    return noted


MUTANTS: Final = (
    defect(
        "cycles-of-every-broker",
        cycling,
        "asks",
        first(0, _as_if_leading),
        "Every broker sheds, each from its own point of view.",
    ),
    defect(
        "cycles-of-a-sole-broker",
        cycling,
        "asks",
        first(0, _one_is_enough),
        "A broker alone unloads bundles, which come back to it.",
        "SH30",
    ),
    defect(
        "cycles-not-switched-off",
        cycling,
        "asks",
        first(0, _half_switched_off),
        "Shedding cannot be switched off by its own switch.",
    ),
    defect(
        "cycles-remember-for-ever",
        cycling,
        "told",
        _all_remembered,
        "A bundle is moved once, and never again.",
    ),
    defect(
        "cycles-remember-failures",
        cycling,
        "noted",
        first(1, _failed_are_done),
        "A bundle whose unload failed stays for half an hour.",
    ),
    defect(
        "cycles-takers-cool-down",
        cycling,
        "noted",
        _takers_cool_down,
        "A broker that was given a bundle stops the whole cluster as well.",
    ),
    defect(
        "cycles-first-unload-counts",
        cycling,
        "noted",
        _first_time_stays,
        "A broker's cool-down is over while its reports are still from before its last move.",
    ),
    defect(
        "cycles-skips-are-unloads",
        cycling,
        "executed",
        lambda _: tuple,
        "What was decided not to be moved is moved.",
    ),
    equivalent(
        "cycles-unload-in-another-order",
        cycling,
        "executed",
        then(lambda done: tuple(reversed(done))),
        "Decisions, a set, are carried out in another order.",
    ),
)
