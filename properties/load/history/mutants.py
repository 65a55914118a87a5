"""Mutants of smoothed scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import history as histories
from evenkeel.reference.load.history import Histories, Keeper, Seen


def _from_zero(original: Function) -> Function:
    return lambda history, latest, weight: original(history or 0.0, latest, weight)


def _swapped(history: float | None, latest: float, weight: float) -> float:
    return latest if history is None else history * (1 - weight) + weight * latest


def _piled_up(history: float | None, latest: float, weight: float) -> float:
    return latest if history is None else history * weight + latest


def _all_kept(history: Histories, active: Iterable[str]) -> Histories:
    del active
    return history


def _idle_in_shedding(original: Function) -> Function:
    return lambda keeper, seen: original(Keeper.LEAST_RESOURCE_USAGE, seen)


def _others_move_too(original: Function) -> Function:
    def looked(
        keeper: Keeper, before: Histories, brokers: tuple[Seen, ...], weight: float
    ) -> dict[str, float]:
        seen = {each.broker for each in brokers}
        after: dict[str, float] = original(keeper, before, brokers, weight)
        return {
            broker: score if broker in seen else score * weight for broker, score in after.items()
        }

    return looked


def _backwards(original: Function) -> Function:
    return lambda history, brokers: original(history, brokers[::-1])


MUTANTS: Final = (
    defect(
        "history-begins-at-zero",
        histories,
        "smoothed",
        _from_zero,
        "After a change of leader nothing is shed for twenty rounds.",
        "SH7",
    ),
    defect(
        "weights-of-history-swapped",
        histories,
        "smoothed",
        lambda _: _swapped,
        "One short peak is enough to shed.",
    ),
    defect(
        "history-piles-up",
        histories,
        "smoothed",
        lambda _: _piled_up,
        "Every broker's score grows to ten times its usage.",
    ),
    defect(
        "departed-brokers-kept",
        histories,
        "without_departed",
        lambda _: _all_kept,
        "A broker that was restarted gets no bundles for many rounds.",
        "SH25",
    ),
    defect(
        "idle-brokers-keep-history",
        histories,
        "starts_afresh",
        always(False),
        "A broker that was restarted quickly gets no bundles for many rounds.",
        "SH25",
    ),
    defect(
        "idle-brokers-forgotten-in-shedding",
        histories,
        "starts_afresh",
        _idle_in_shedding,
        "A broker is shed from by its usage at one moment.",
        edition=PULSAR_4_0,
    ),
    defect(
        "absent-brokers-fade",
        histories,
        "looked",
        _others_move_too,
        "Brokers that were no candidates look emptier each time.",
    ),
    defect(
        "mean-is-zero",
        histories,
        "mean",
        always(0.0),
        "Nothing is ever shed: an average of 0 means that nothing is known.",
        "SH4",
    ),
    equivalent(
        "mean-added-up-backwards",
        histories,
        "mean",
        _backwards,
        "The brokers are gone through in another order.",
    ),
)
