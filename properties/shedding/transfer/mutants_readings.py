"""Mutants of TransferShedder: what the documents leave open, and what they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import Function, equivalent
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding import transfer_load as load
from evenkeel.reference.shedding.transfer_load import Spread
from evenkeel.reference.shedding.transfer_pair import Pair, exchange
from evenkeel.reference.shedding.transfer_view import (
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)


def told_as_overloaded(reason: Any) -> Any:
    """Underloaded brokers are told as overloaded ones."""
    return TransferReason.OVERLOADED if reason is TransferReason.UNDERLOADED else reason


def _by_what_flows_now(original: Function) -> Function:
    def is_underloaded(report: TransferReport, *arguments: Any) -> Any:
        return original(replace(report, throughput_average=report.throughput), *arguments)

    return is_underloaded


def _missing_before_all(original: Function) -> Function:
    def measure(view: TransferView, *arguments: Any) -> Any:
        missing = set(view.registered or ()) - {report.broker for report in view.reports}
        answer = original(view, *arguments)
        excused = isinstance(answer, TransferReason)
        return TransferReason.NO_LOAD_DATA if excused and missing else answer

    return measure


def _registered_only(original: Function) -> Function:
    def by_load(view: TransferView, *arguments: Any) -> Any:
        order = original(view, *arguments)
        known = [report for report in order if report.broker in (view.registered or ())]
        return known or order

    return by_load


def _cause_among_all(original: Function) -> Function:
    """Pairs are dealt with while any broker is out of line, by what the loads will be."""

    def move(
        spread: Spread,
        order: list[TransferReport],
        view: TransferView,
        rules: TransferRules,
        edition: Edition,
    ) -> tuple[tuple[TransferMove, ...], TransferReason]:
        left, loads = list(order), {report.broker: report for report in order}
        moves: tuple[TransferMove, ...] = ()
        pairs = 0
        while pairs < rules.max_pairs and len(left) > 1:
            ranked = sorted(loads.values(), key=lambda report: report.load)
            reason = load.cause(spread, ranked[0], ranked[-1], rules, edition)
            if reason is None:
                break
            pair = Pair(left.pop(), left[0], reason)
            marked = exchange(pair, view, rules, edition) if len(pair.giver.top or ()) > 1 else None
            if marked is None or not marked.going > 0:
                continue
            moved = transfer.load_moved(marked, pair)
            moves += marked.moves
            spread = load.after(spread, pair.giver.load, pair.taker.load, moved)
            less = replace(pair.giver, load=max(0.0, pair.giver.load - moved))
            more = replace(pair.taker, load=pair.taker.load + moved)
            loads |= {less.broker: less, more.broker: more}
            left, pairs = left[1:], pairs + 1
        return moves, TransferReason.HIT_COUNT

    return move


READINGS: Final[tuple[Mutant, ...]] = (
    equivalent(
        "transfer-idle-by-what-flows-now",
        load,
        "is_underloaded",
        _by_what_flows_now,
        "A broker is idle if nothing flows now, whatever the average.",
    ),
    equivalent(
        "transfer-missing-told-before-all",
        transfer,
        "measure",
        _missing_before_all,
        "Where a registered broker has not reported, that is told, whatever else is wrong.",
    ),
    equivalent(
        "transfer-registered-brokers-only",
        transfer,
        "by_load",
        _registered_only,
        "Brokers that are not registered do not give either.",
    ),
    equivalent(
        "transfer-cause-among-all",
        transfer,
        "move",
        _cause_among_all,
        "A further pair is dealt with while any broker is out of line.",
    ),
)
