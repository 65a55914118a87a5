"""TransferShedder on the inputs of Pulsar's own tests and on worked examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.load.usage import Resource, percent_usage
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer import (
    LastUnload,
    Pair,
    TopBundle,
    TransferDecision,
    TransferLabel,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
    after,
    by_load,
    decide,
    exchange,
    load_moved,
    measure,
)

MB = 1e6
NOW = 10_000_000
AT_ONCE = TransferRules(hit_threshold=0, debug=True)


def bundle(name: str, mbytes: float) -> TopBundle:
    """A bundle with traffic in only."""
    return TopBundle(BundleName(f"my-tenant/my-namespace{name}"), mbytes * MB, 0.0)


def broker(number: int, percent: float, letter: str, *mbytes: float) -> TransferReport:
    """A broker as in Pulsar's TransferShedderTest: one byte more traffic than its bundles."""
    top = tuple(bundle(f"{letter}{place}", size) for place, size in enumerate(mbytes, 1))
    throughput = sum(item.throughput for item in top) + 1
    load = percent_usage(Resource(percent, 100.0)) / 100
    name = BrokerId(f"broker{number}:8080")
    return TransferReport(name, load, throughput, 0.0, throughput, NOW, top)


def view(*reports: TransferReport) -> TransferView:
    """A round in which all of these are registered."""
    return TransferView(NOW, tuple(report.broker for report in reports), reports)


def five(*loads: float) -> TransferView:
    """The five brokers of most tests."""
    lists = ((1, 2), (1, 3), (2, 4), (2, 6), (2, 7))
    return view(*(broker(i + 1, loads[i], "ABCDE"[i], *lists[i]) for i in range(len(lists))))


def moved(decision: TransferDecision) -> set[tuple[str, str, str, str]]:
    """Bundle, from, to, reason, in short."""
    return {
        (
            move.bundle.removeprefix("my-tenant/my-namespace"),
            move.source[6],
            (move.destination or "broker-")[6],
            move.reason.value,
        )
        for move in decision.moves
    }


def once(
    seen: TransferView, rules: TransferRules = AT_ONCE, edition: Edition = PULSAR_4_0
) -> TransferDecision:
    """The first round's decision."""
    return decide(0, seen, rules, edition)[1]


def test_the_most_loaded_give_to_the_least_loaded() -> None:
    decision = once(five(2, 4, 6, 80, 90))
    assert moved(decision) == {("E1", "5", "1", "Overloaded"), ("D1", "4", "2", "Overloaded")}
    assert decision.average == pytest.approx(0.364, abs=1e-12)
    assert decision.deviation == pytest.approx(0.3982762860126121, abs=1e-12)


def test_bundles_within_their_grace_period_stay() -> None:
    seen = five(2, 4, 6, 80, 90)
    names = tuple(item.bundle for report in seen.reports[3:] for item in report.top or ())
    decision = once(replace(seen, recent_bundles=names))
    assert moved(decision) == {("C1", "3", "1", "Overloaded")}


def test_the_round_ends_when_the_target_is_met() -> None:
    assert moved(once(five(2, 4, 6, 55, 65))) == {("E1", "5", "1", "Overloaded")}


def test_an_underloaded_broker_gets_load_although_the_target_is_met() -> None:
    assert moved(once(five(2, 3, 6, 55, 65))) == {
        ("E1", "5", "1", "Overloaded"),
        ("D1", "4", "2", "Underloaded"),
    }


def test_bundles_come_back_for_a_large_one() -> None:
    seen = view(broker(1, 10, "A", 1, 2, 3, 4, 5), broker(2, 1000, "B", 100, 180, 220, 250, 250))
    decision = once(seen)
    assert {name for name, *_ in moved(decision)} == {"B1", "B2", "B3", "A1", "A2", "A3", "A4"}


def predicted(seen: TransferView, rules: TransferRules) -> float:
    """The expected deviation after the first pair's moves."""
    spread = measure(seen, rules, PULSAR_4_0)
    assert not isinstance(spread, TransferReason)
    order = by_load(seen, rules, PULSAR_4_0)
    pair = Pair(order[-1], order[0], TransferReason.OVERLOADED)
    marked = exchange(pair, seen, rules, PULSAR_4_0)
    return after(spread, pair.giver.load, pair.taker.load, load_moved(marked, pair)).deviation


def test_the_predicted_effect_of_a_swap() -> None:
    seen = view(broker(1, 10, "A", 1, 2, 3, 4, 5), broker(2, 1000, "B", 100, 180, 220, 250, 250))
    assert predicted(seen, AT_ONCE) == pytest.approx(0.050000004900021836, rel=1e-9)
    quiet = replace(AT_ONCE, debug=False)
    assert predicted(seen, quiet) == pytest.approx(0.04999999500002989, rel=1e-9)
    even = view(broker(1, 48, "A", 2.4, 2.4), broker(2, 100, "B", 5, 5))
    assert predicted(even, AT_ONCE) == pytest.approx(2.5809568279517847e-08, rel=1e-3)


def test_nothing_fits() -> None:
    seen = view(broker(1, 50, "A", 0.000001, 500), broker(2, 100, "B", 500, 500))
    decision = once(seen, replace(AT_ONCE, target_std=0.20))
    assert (decision.label, decision.reason) == (TransferLabel.SKIP, TransferReason.NO_BUNDLES)


def test_loads_that_are_close_enough() -> None:
    seen = view(broker(1, 10, "A", 1, 2), broker(2, 20, "B", 1, 3), broker(3, 30, "C", 2, 4))
    decision = once(seen)
    assert (decision.label, decision.reason) == (TransferLabel.SKIP, TransferReason.HIT_COUNT)
    assert decision.average == 0.2000000063578288
    assert decision.deviation == pytest.approx(0.08164966587949089, rel=1e-12)


def test_the_fourth_round_in_a_row_acts() -> None:
    seen, hits, counts = five(2, 4, 6, 80, 90), 0, []
    for _ in range(8):
        hits, decision = decide(hits, seen, TransferRules(), PULSAR_4_0)
        counts.append(len(decision.moves))
    assert counts == [0, 0, 0, 2, 0, 0, 0, 2]


def test_rounds_without_data() -> None:
    seen = five(2, 4, 6, 80, 90)
    old = replace(seen, now=NOW + 1_800_001)
    assert once(old).reason is TransferReason.OUTDATED_DATA
    assert once(replace(old, now=NOW + 1_800_000)).label is TransferLabel.SUCCESS
    assert once(replace(seen, reports=())).reason is TransferReason.NO_BROKERS
    assert once(replace(seen, reports=seen.reports[1:])).reason is TransferReason.NO_LOAD_DATA
    just_now = LastUnload(seen.reports[4].broker, NOW)
    assert once(replace(seen, recent_brokers=(just_now,))).reason is TransferReason.COOL_DOWN
    past = LastUnload(seen.reports[4].broker, NOW - 180_000)
    assert once(replace(seen, recent_brokers=(past,))).label is TransferLabel.SUCCESS
    assert once(replace(seen, registered=None)).label is TransferLabel.FAILURE


def test_ninety_nine_idle_brokers() -> None:
    idle = [broker(i, 1, f"I{i}-", 0.3, 0.7) for i in range(1, 100)]
    decision = once(view(*idle, broker(100, 100, "X", 30, 70)))
    assert {(move.bundle[-2:], move.reason) for move in decision.moves} == {
        ("X1", TransferReason.UNDERLOADED)
    }


def test_debug_mode_changes_what_is_moved_in_4_0() -> None:
    low, high = broker(1, 35, "l", 5, 30), broker(2, 90, "h", 30, 30, 30)
    quiet, loud = replace(AT_ONCE, debug=False), AT_ONCE
    by_mode = {rules.debug: len(once(view(low, high), rules).moves) for rules in (quiet, loud)}
    assert by_mode == {False: 2, True: 4}
    documented = {rules.debug: once(view(low, high), rules, DOCUMENTED) for rules in (quiet, loud)}
    assert documented[False] == documented[True]


def test_three_equal_loads_have_no_deviation_in_4_0() -> None:
    seen = view(*(broker(i, 10, "ABC"[i - 1], 1, 2) for i in (1, 2, 3)))
    assert once(seen).deviation is None
    assert once(seen, edition=DOCUMENTED).deviation == 0.0
