"""Mutants of smoothed scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.load import history as histories
from evenkeel.reference.load.history import Histories, Seen


def _from_zero(original: Function) -> Function:
    return lambda history, latest, weight: original(history or 0.0, latest, weight)


def _all_kept(history: Histories, active: Iterable[str]) -> Histories:
    del active
    return history


def _backwards(original: Function) -> Function:
    return lambda history, brokers: original(history, brokers[::-1])


def _only_of_the_last_look(original: Function) -> Function:
    def looked(keeper: Any, histories: Histories, brokers: Collection[Seen], weight: float) -> Any:
        after = original(keeper, histories, brokers, weight)
        return {seen.broker: after[seen.broker] for seen in brokers}

    return looked


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
        "mean-is-zero",
        histories,
        "mean",
        always(0.0),
        "Nothing is ever shed: an average of 0 means that nothing is known.",
        "SH4",
    ),
    defect(
        "history-only-of-the-last-look-in-4.0",
        histories,
        "looked",
        _only_of_the_last_look,
        "A broker whose report is missing once is judged by one measurement.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "history-only-of-the-last-look",
        histories,
        "looked",
        _only_of_the_last_look,
        "A broker that misses a look has no score of the previous round.",
    ),
    equivalent(
        "mean-added-up-backwards",
        histories,
        "mean",
        _backwards,
        "The brokers are gone through in another order.",
    ),
)
