"""Mutants of TransferShedder: what it does round by round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    first,
    switched,
    then,
)
from evenkeel.properties.shedding.transfer import mutants_pair, mutants_readings
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding import transfer_load as load
from evenkeel.reference.shedding.transfer_view import (
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)


def _goes_on_counting(original: Function) -> Function:
    def decide(hits: int, *arguments: Any) -> Any:
        after, decision = original(hits, *arguments)
        return (hits + 1 if decision.moves else after), decision

    return decide


def _twice_the_least(original: Function) -> Function:
    def by_load(*arguments: Any) -> Any:
        order = original(*arguments)
        return [order[0], *order]

    return by_load


def _either_is_enough(original: Function) -> Function:
    def is_overloaded(report: TransferReport, average: float, rules: TransferRules) -> bool:
        return (
            report.load > rules.overloaded_percentage / 100.0
            or report.load > average + rules.target_std
        )

    return is_overloaded


def _data_interrupt(original: Function) -> Function:
    def decide(hits: int, *arguments: Any) -> Any:
        after, decision = original(hits, *arguments)
        return (0 if decision.average is None else after), decision

    return decide


def _missing_first(original: Function) -> Function:
    def measure(view: TransferView, *arguments: Any) -> Any:
        answer = original(view, *arguments)
        known = {report.broker for report in view.reports}
        missing = set(view.registered or ()) - known
        if answer is TransferReason.COOL_DOWN and missing:
            return TransferReason.NO_LOAD_DATA
        return answer

    return measure


def _moves_listed_backwards(answer: Any) -> Any:
    hits, decision = answer
    return hits, replace(decision, moves=decision.moves[::-1])


def _listed_backwards(view: TransferView) -> TransferView:
    return replace(view, reports=view.reports[::-1])


ROUNDS: Final[tuple[Mutant, ...]] = (
    defect(
        "transfer-no-cool-down",
        load,
        "is_cooling",
        always(False),
        "Bundles are moved on reports from before the last move.",
    ),
    defect(
        "transfer-deviation-not-a-number",
        load,
        "spread_of",
        switched(transfer_deviation_breaks=True),
        "Three equal loads have no standard deviation, and the metric shows NaN.",
        "F-TS9",
    ),
    defect(
        "transfer-count-not-begun-anew",
        transfer,
        "decide",
        _goes_on_counting,
        "After the first moves every round moves bundles.",
    ),
    defect(
        "transfer-stale-brokers-paired",
        transfer,
        "by_load",
        switched(transfer_stale_brokers_paired=True),
        "Brokers whose reports are too old for the average still give and take.",
        "F-TS3",
    ),
    defect(
        "transfer-from-least-to-most",
        transfer,
        "by_load",
        then(lambda order: order[::-1]),
        "The least loaded broker gives to the most loaded one.",
        "SH30",
    ),
    defect(
        "transfer-taker-twice",
        transfer,
        "by_load",
        _twice_the_least,
        "The least loaded broker takes from two brokers at once.",
    ),
    defect(
        "transfer-overloaded-or",
        load,
        "is_overloaded",
        _either_is_enough,
        "A cluster that is evenly loaded above the threshold never comes to rest.",
        "SH21",
    ),
    equivalent(
        "transfer-reports-listed-backwards",
        transfer,
        "decide",
        first(1, _listed_backwards),
        "The store lists the reports in another order.",
    ),
    equivalent(
        "transfer-reports-listed-backwards-4.0",
        transfer,
        "decide",
        first(1, _listed_backwards),
        "The store lists the reports in another order.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "transfer-moves-listed-backwards",
        transfer,
        "decide",
        then(_moves_listed_backwards),
        "Moves come in another order.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "transfer-gaps-interrupt-the-row",
        transfer,
        "decide",
        _data_interrupt,
        "A round without data begins the count anew.",
    ),
    equivalent(
        "transfer-missing-told-first",
        transfer,
        "measure",
        _missing_first,
        "Where a broker cools down and another has not reported, the latter is told.",
    ),
    equivalent(
        "transfer-one-pair-a-round",
        transfer,
        "move",
        first(3, lambda rules: replace(rules, max_pairs=min(1, rules.max_pairs))),
        "Only one pair is dealt with in a round.",
    ),
)

MUTANTS: Final[tuple[Mutant, ...]] = (*ROUNDS, *mutants_pair.PAIRS, *mutants_readings.READINGS)
