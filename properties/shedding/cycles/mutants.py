"""Mutants of the cycles around the extensible manager's strategy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import defect, equivalent, first, then
from evenkeel.reference.shedding import cycling
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome


def _one_is_enough(cycle: Cycle) -> Cycle:
    return replace(cycle, available=cycle.available and cycle.available + 1)


def _failed_are_done(decided: Iterable[Decided]) -> tuple[Decided, ...]:
    return tuple(
        replace(d, outcome=Outcome.DONE) if d.outcome is Outcome.FAILS else d for d in decided
    )


MUTANTS: Final = (
    defect(
        "cycles-of-a-sole-broker",
        cycling,
        "asks",
        first(0, _one_is_enough),
        "A broker alone unloads bundles, which come back to it.",
        "SH30",
    ),
    defect(
        "cycles-remember-failures",
        cycling,
        "noted",
        first(1, _failed_are_done),
        "A bundle whose unload failed stays for half an hour.",
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
