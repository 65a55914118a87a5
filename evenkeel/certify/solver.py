"""The solver as an adversary of the reference, whose rules it knows."""

from __future__ import annotations

from typing import Final

from evenkeel.certify.part import Part, Worst, count
from evenkeel.certify.report import save
from evenkeel.models.contract.worst_loads import find_worst
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel_engine.subjects.base import Observed, Request, reply_to
from evenkeel_engine.subjects.local import ReferenceSubject

UNITS: Final = 6


def ask_solver(subject: ReferenceSubject, part: Part) -> tuple[str, ...]:
    """Put the loads that the solver chose, each for one move more; what came of the last ones."""
    notes: tuple[str, ...] = ()
    moves = 1
    while (trial := find_worst(UNITS, moves)) is not None:
        place, moves = part.total.situations, moves + 1
        reply = reply_to(subject, REBALANCE, trial)
        assert isinstance(reply, Observed), reply
        measured = count(part, Request(place, REBALANCE, trial), reply.observation)
        assert measured is not None
        loads = ", ".join(str(unit.load) for unit in trial.units)
        notes = (
            f"worst load of {UNITS} units that a solver found: {loads}; "
            f"{measured.rounds} rounds, {measured.moves} moves",
            f"again: evenkeel replay {save(Worst(place, 'solved load', '', trial))}",
        )
    return notes
