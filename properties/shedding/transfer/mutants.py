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
from evenkeel.reference.shedding.transfer_load import Spread
from evenkeel.reference.shedding.transfer_view import (
    TransferLabel,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)


def _older_or_as_old(original: Function) -> Function:
    def is_stale(report: Any, now: int, rules: TransferRules) -> Any:
        return original(report, now + 1, rules)

    return is_stale


def _exactly_cools(original: Function) -> Function:
    def is_cooling(report: Any, unloads: Any, rules: TransferRules) -> Any:
        return original(replace(report, updated_at=report.updated_at - 1), unloads, rules)

    return is_cooling


def _only_who_reported(view: TransferView) -> TransferView:
    if view.registered is None:
        return view
    known = {report.broker for report in view.reports}
    return replace(view, registered=tuple(b for b in view.registered if b in known))


def _of_a_sample(original: Function) -> Function:
    def spread_of(loads: list[float], edition: Any) -> Spread:
        spread: Spread = original(loads, edition)
        factor = (len(loads) / max(1, len(loads) - 1)) ** 0.5
        return replace(spread, deviation=spread.deviation * factor)

    return spread_of


def _at_once(original: Function) -> Function:
    return lambda hits, reason: 0 if reason is None else 99


def _never_back_to_zero(original: Function) -> Function:
    return lambda hits, reason: hits + (reason is not None)


def _one_round_early(rules: TransferRules) -> TransferRules:
    return replace(rules, hit_threshold=rules.hit_threshold - 1)


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


def _no_brokers_for_no_data(answer: Any) -> Any:
    return TransferReason.NO_BROKERS if answer is TransferReason.NO_LOAD_DATA else answer


def _failure_goes_on(original: Function) -> Function:
    def decide(hits: int, view: TransferView, *arguments: Any) -> Any:
        if view.registered is None:
            view = replace(view, registered=tuple(report.broker for report in view.reports))
        return original(hits, view, *arguments)

    return decide


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


def _skipped_when_idle(answer: Any) -> Any:
    hits, decision = answer
    if decision.moves:
        return hits, decision
    return hits, replace(decision, label=TransferLabel.SUCCESS, reason=None)


ROUNDS: Final[tuple[Mutant, ...]] = (
    defect(
        "transfer-stale-reports-count",
        load,
        "is_stale",
        always(False),
        "A broker that died an hour ago still shapes the average and is sent bundles.",
    ),
    defect(
        "transfer-stale-a-moment-early",
        load,
        "is_stale",
        _older_or_as_old,
        "A report of exactly its time to live is thrown away.",
    ),
    defect(
        "transfer-no-cool-down",
        load,
        "is_cooling",
        always(False),
        "Bundles are moved on reports from before the last move.",
    ),
    defect(
        "transfer-cools-a-moment-longer",
        load,
        "is_cooling",
        _exactly_cools,
        "A report made exactly the delay after the last unload stops the cluster.",
    ),
    defect(
        "transfer-missing-reports-ignored",
        transfer,
        "measure",
        first(0, _only_who_reported),
        "Load is moved although nobody knows how loaded some brokers are.",
    ),
    defect(
        "transfer-registry-failure-ignored",
        transfer,
        "decide",
        _failure_goes_on,
        "Bundles are moved to brokers that nobody knows to be alive.",
    ),
    defect(
        "transfer-deviation-of-a-sample",
        load,
        "spread_of",
        _of_a_sample,
        "The deviation is that of a sample: small clusters look less balanced than they are.",
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
        "transfer-acts-at-once",
        transfer,
        "counted",
        _at_once,
        "The first spike moves bundles.",
    ),
    defect(
        "transfer-hits-add-up",
        transfer,
        "counted",
        _never_back_to_zero,
        "Single spikes hours apart add up to a reason to move bundles.",
    ),
    defect(
        "transfer-one-round-early",
        transfer,
        "decide",
        first(2, _one_round_early),
        "The count has only to be reached, not to be exceeded.",
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
        "transfer-idle-by-share",
        load,
        "is_underloaded",
        switched(transfer_idle_by_share=True),
        "A broker with little traffic counts as underloaded, one without any in an idle cluster "
        "does not.",
    ),
    defect(
        "transfer-overloaded-or",
        load,
        "is_overloaded",
        _either_is_enough,
        "A cluster that is evenly loaded above the threshold never comes to rest.",
        "SH21",
    ),
    defect(
        "transfer-underloaded-by-whole-target",
        load,
        "underloaded_share",
        lambda _: lambda rules: rules.target_std,
        "Half as much imbalance as documented makes a broker underloaded.",
    ),
    defect(
        "transfer-pairs-without-end",
        transfer,
        "move",
        first(3, lambda rules: replace(rules, max_pairs=99)),
        "One round moves bundles of half the cluster.",
    ),
    defect(
        "transfer-no-prediction",
        transfer,
        "after",
        lambda _: lambda spread, *loads: spread,
        "Pairs are dealt with although the first one was enough.",
    ),
    defect(
        "transfer-wrong-excuse",
        transfer,
        "measure",
        then(_no_brokers_for_no_data),
        "A missing report is told as an empty cluster.",
    ),
    defect(
        "transfer-nothing-is-success",
        transfer,
        "decide",
        then(_skipped_when_idle),
        "Rounds without moves are counted as successes.",
    ),
    defect(
        "transfer-always-overloaded",
        transfer,
        "cause",
        then(mutants_readings.told_as_overloaded),
        "Nobody learns that a broker was underloaded.",
        edition=PULSAR_4_0,
    ),
    defect(
        "transfer-lists-missing-is-no-bundles",
        transfer,
        "skipped_for",
        always(TransferReason.NO_BUNDLES),
        "A broker that has not reported its bundles is told as one that has too few.",
        edition=PULSAR_4_0,
    ),
    defect(
        "documented-stale-brokers",
        transfer,
        "by_load",
        switched(transfer_stale_brokers_paired=False),
        "Stale brokers stay out altogether, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "documented-idle",
        load,
        "is_underloaded",
        switched(transfer_idle_by_share=False),
        "Only a broker without any traffic is idle, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "transfer-data-interrupt-the-row",
        transfer,
        "decide",
        _data_interrupt,
        "A round without data begins the count anew, unlike 4.0.",
        edition=PULSAR_4_0,
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
