"""Rounds of TransferShedder by the leader's log, compared with reports."""

from __future__ import annotations

import pytest

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.leaderlog import time_of
from evenkeel.operate.recording.shedding import judge_shedding

A, B, C = "127.0.0.1:49123", "127.0.0.1:40263", "127.0.0.1:55371"
STAMP = "2026-11-22T17:{minute:02}:08,977+0000 [pulsar-load-manager-1-1] INFO  x - "
LOADS = {A: 0.27093103735884533, B: 0.9997068023681641, C: 0.9997101593017578}


def log(minute: int, text: str) -> Entry:
    return Entry(0, 0, "log", "broker-3", None, None, STAMP.format(minute=minute) + text)


def round_of(
    minute: int, hits: int | None, std: str = "0.34", result: str = "[]", total: str = "2.27"
) -> list[Entry]:
    """As 4.0.8 writes it."""
    lines = [
        f"brokers' load stats:sum:{total}, sqSum:2.07, avg:0.76, std:{std}, totalBrokers:3, "
        f"brokersSortedByLoad:[{A}, {B}, {C}]"
    ]
    if hits is not None:
        lines.append(
            f"Can't continue the unload cycle. Shedding condition hit count:{hits} is less than "
            "or equal to the threshold:3."
        )
    lines.append(f"[TransferShedder] Unload decision result: {result}")
    return [log(minute, line) for line in lines]


def reports(loads: dict[str, float], at: int) -> list[Entry]:
    return [
        Entry(at, at, "load", broker, None, at, {"weightedMaxEMA": load})
        for broker, load in loads.items()
    ]


def minute(number: int) -> int:
    found = time_of(STAMP.format(minute=number))
    assert found is not None
    return found


def test_a_round_follows_from_the_reports() -> None:
    found = judge_shedding([*reports(LOADS, minute(14) - 3000), *round_of(14, 1)], {})
    assert (len(found.rounds), found.explained, found.found) == (1, 1, [])
    late = reports(dict.fromkeys(LOADS, 0.1), minute(14) - 2000)
    both = [*late, *reports(LOADS, minute(14) - 60_000), *round_of(14, 1)]
    assert judge_shedding(both, {}).explained == 1


@pytest.mark.parametrize(
    "known",
    [
        reports({**LOADS, A: 0.9}, minute(14) - 3000),
        reports({A: LOADS[A], B: LOADS[B]}, minute(14) - 3000),
        reports(LOADS, minute(14) + 5000),
    ],
)
def test_reports_that_do_not_explain_a_round_are_no_violation(known: list[Entry]) -> None:
    found = judge_shedding([*known, *round_of(14, 1)], {})
    assert (found.explained, found.found) == (0, [])


def test_hits_are_counted_from_round_to_round() -> None:
    well = [*round_of(14, 1), *round_of(15, 2), *round_of(16, 0, std="0.04"), *round_of(17, 1)]
    assert judge_shedding(well, {}).found == []
    (jump,) = judge_shedding([*round_of(14, 1), *round_of(15, 3)], {}).found
    assert jump.clause == "SHD-55"
    from_start = [*round_of(14, 2), *round_of(15, 0)]
    assert [one.clause for one in judge_shedding(from_start, {}).found] == ["SHD-55"]
    assert judge_shedding(from_start, {"loadBalancerBrokerLoadTargetStd": "0.4"}).found == []


def test_a_broker_that_started_counts_from_nothing() -> None:
    started = log(15, "Created namespace unload strategy:org.apache.x.TransferShedder")
    again = [*round_of(14, 3), started, *round_of(16, 1)]
    assert judge_shedding(again, {}).found == []
    (jump,) = judge_shedding([*round_of(14, 3), started, *round_of(16, 4)], {}).found
    assert "from 0 to 4" in jump.sentence


def test_nothing_moves_before_enough_rounds() -> None:
    moved = "[UnloadDecision(unload=Unload[sourceBroker=a])]"
    assert judge_shedding(round_of(14, None, result=moved), {}).found == []
    (early,) = judge_shedding(round_of(14, 2, result=moved), {}).found
    assert "moved after 2 rounds" in early.sentence
    after = [*round_of(14, None, result=moved), *round_of(15, 1)]
    assert judge_shedding(after, {}).found == []
