"""What snapshots let expect, compared with the round that came next."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evenkeel.operate.operating import advice, snapshot
from evenkeel.operate.operating.expected import Parts, moves_now
from evenkeel.operate.operating.predictions import (
    AskedRound,
    Prediction,
    compare_snapshot,
    predictions_in,
)
from evenkeel.operate.operating.snapshot import write as write_snapshot
from evenkeel.operate.recording.decisions import Match
from evenkeel.operate.recording.judge import DECIDING_MODULAR
from evenkeel.operate.recording.modular_decisions import predict_modular
from evenkeel.operate.recording.store import read_about, read_entries
from evenkeel.operate.simulate import rest
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0
from tests.operate.entries_made import RECORDED

MODULAR = RECORDED / "shedding-modular-4.0.8"
CLUSTERS = (
    *("averages-unsure-4.0.8", "lost-for-a-second-4.0.8", "restarted-leader-4.0.8"),
    *("session-event-lost-4.0.8", "shedding-modular-4.0.8", "shedding-modular-5.0.1"),
    *("everything-4.0.8", "hung-follower-4.0.8", "orderly-4.0.8", "sleepers-4.0.8"),
    *("shedding-4.0.8", "shedding-5.0.1"),
)
USED = ("cpu", "memory", "directMemory", "bandwidthIn", "bandwidthOut")
TRAFFIC = ("msgRateIn", "msgRateOut", "msgThroughputIn", "msgThroughputOut")
PULSAR_5_0_1 = EDITIONS["PULSAR_5_0_1"]
MOVE = frozenset({("a", "x", "b")})
NOTHING: frozenset[tuple[str, ...]] = frozenset()


def decision(parts: Parts) -> frozenset[tuple[str, ...]]:
    """Moves if there was a cause, and the load is high."""
    return MOVE if parts["hits"] > 2 and parts["loads"] > 50 else NOTHING


def ask_round(made: frozenset[tuple[str, ...]], **given: Any) -> AskedRound:
    return AskedRound(9, given or None, made)


@pytest.mark.parametrize(
    ("mine", "then", "match", "word"),
    [
        ((3, 90), ask_round(MOVE, hits=3, loads=80), Match.AGREED, ""),
        ((3, 90), ask_round(NOTHING, hits=1, loads=90), Match.EXPLAINED, "for how many rounds"),
        ((3, 40), ask_round(MOVE, hits=3, loads=90), Match.EXPLAINED, "of their loads by then"),
        ((1, 40), ask_round(MOVE, hits=3, loads=90), Match.EXPLAINED, " and what brokers"),
        ((3, 90), ask_round(NOTHING, hits=3, loads=90), Match.DIFFERS, "either"),
        ((3, 90), ask_round(NOTHING), Match.UNKNOWN, "not known"),
    ],
)
def test_the_smallest_difference_explains(
    mine: tuple[int, int], then: AskedRound, match: Match, word: str
) -> None:
    found = compare_snapshot(1, {"hits": mine[0], "loads": mine[1]}, then, decision)
    assert found.match is match
    assert word in found.why


def snapshots(folder: Path, usages: dict[str, float]) -> list[Prediction]:
    """One snapshot a second before the first round of a recorded cluster."""
    settings = read_about(MODULAR)["settings"]
    first = predict_modular(read_entries(MODULAR, DECIDING_MODULAR), settings, PULSAR_4_0)[0]
    bundle = first.made.partition(": ")[0]
    none = snapshot.Resource(0.0, 0.0)
    brokers = tuple(
        snapshot.SeenBroker(
            name, none, none, snapshot.Resource(used, 100.0), none, none, 100.0, 1e6, used / 100
        )
        for name, used in usages.items()
    )
    full = max(usages, key=lambda name: usages[name])
    seen = snapshot.Snapshot(
        snapshot.FORMAT,
        first.at - 1000,
        "test",
        "4.0.8",
        tuple(snapshot.SetTo(key, value) for key, value in settings.items()),
        brokers,
        tuple(
            snapshot.SeenBundle(name, full, 10.0, 10.0, 150_000.0, 150_000.0, ())
            for name in (bundle, "evenkeel/live/0xf0000000_0xffffffff")
        ),
    )
    write_snapshot(seen, folder / "1.json")
    return predictions_in(MODULAR, [folder / "1.json"], PULSAR_4_0)


def test_a_snapshot_is_held_against_the_round_that_came_next(tmp_path: Path) -> None:
    names = {entry.broker: 10.0 for entry in read_entries(MODULAR, ("load",)) if entry.broker}
    (even,) = snapshots(tmp_path, names)
    assert (even.match, even.predicted) == (Match.EXPLAINED, NOTHING)
    assert "reported by then" in even.why


@pytest.mark.parametrize("name", CLUSTERS)
def test_snapshots_of_recorded_clusters_move_what_their_leaders_moved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or it is said what leaders remember. And no advice moves first what is not due now."""
    monkeypatch.setattr(rest, "DAY", 0)
    edition = PULSAR_5_0_1 if name.endswith("5.0.1") else PULSAR_4_0
    about = read_about(RECORDED / name)
    strategy = Strategy.THRESHOLD if about["manager"] == "modular" else Strategy.TRANSFER
    reports: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    paths: list[Path] = []
    for entry in read_entries(RECORDED / name, ("load", "bundles")):
        kept = reports if entry.source == "load" else lists
        kept |= {entry.broker: entry.data} if entry.broker and entry.data else {}
        if kept is reports and len(reports) > 1:
            seen = see(reports, lists, entry.time, about.get("settings", {}))
            paths.append(tmp_path / f"{len(paths):03}.json")
            write_snapshot(seen, paths[-1])
            advised = advice.foresee(
                advice.scenario_of(seen, 12), advice.settings_of(seen), strategy, edition, ""
            )
            if not advice.doubt_model(seen, advised.run):
                due = {(bundle, source) for source, bundle, _ in moves_now(seen, strategy, edition)}
                first = (move.partition(" ->")[0].split(": ") for move in advised.first)
                assert {(bundle, source) for bundle, source in first} <= due
    found = Counter(one.match for one in predictions_in(RECORDED / name, paths, edition))
    assert found[Match.AGREED] > 3
    assert found.keys() <= {Match.AGREED, Match.EXPLAINED}


def see(
    reports: dict[str, Any], lists: dict[str, Any], at: int, settings: dict[str, str]
) -> snapshot.Snapshot:
    """What brokers last reported, with the bundles of their reports, or of their own lists."""
    brokers, bundles = [], {}
    for broker, data in reports.items():
        used: list[Any] = [snapshot.Resource(**data[key]) for key in USED]
        used += [data[f"{key}In"] + data[f"{key}Out"] for key in ("msgRate", "msgThroughput")]
        used.append(data.get("weightedMaxEMA"))
        brokers.append(snapshot.SeenBroker(broker, *used))
        listed = lists.get(broker, {}).get("topBundlesLoadData", ())
        of_list = {one["bundleName"]: one["stats"] for one in listed}
        for bundle, stats in ((data.get("lastStats") or {}) | of_list).items():
            rates: list[Any] = [stats[key] for key in TRAFFIC] + [("t",)]
            bundles[bundle] = snapshot.SeenBundle(bundle, broker, *rates)
    set_to = tuple(snapshot.SetTo(key, value) for key, value in settings.items())
    parts = (tuple(brokers), tuple(bundles.values()))
    return snapshot.Snapshot(snapshot.FORMAT, at, "recorded", "4.0.8", set_to, *parts)


def test_what_comes_long_after_is_no_next_round(tmp_path: Path) -> None:
    (path,) = [tmp_path / "1.json"]
    none = snapshot.Resource(0.0, 100.0)
    brokers = (snapshot.SeenBroker("a:1", none, none, none, none, none, 0.0, 0.0),)
    write_snapshot(snapshot.Snapshot(snapshot.FORMAT, 1, "test", "4.0.8", (), brokers, ()), path)
    assert predictions_in(MODULAR, [path], PULSAR_4_0) == []


def test_avg_shedder_is_not_predicted(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="AvgShedder"):
        predictions_in(RECORDED / "shedding-avg-4.0.8", [tmp_path / "x.json"], PULSAR_4_0)
