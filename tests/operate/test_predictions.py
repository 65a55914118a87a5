"""What snapshots let expect, compared with the round that came next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evenkeel.operate.operating import snapshot
from evenkeel.operate.operating.expected import Parts
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
from evenkeel.reference.edition import PULSAR_4_0
from tests.operate.entries_made import RECORDED

MODULAR = RECORDED / "shedding-modular-4.0.8"
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


def test_what_comes_long_after_is_no_next_round(tmp_path: Path) -> None:
    (path,) = [tmp_path / "1.json"]
    none = snapshot.Resource(0.0, 100.0)
    brokers = (snapshot.SeenBroker("a:1", none, none, none, none, none, 0.0, 0.0),)
    write_snapshot(snapshot.Snapshot(snapshot.FORMAT, 1, "test", "4.0.8", (), brokers, ()), path)
    assert predictions_in(MODULAR, [path], PULSAR_4_0) == []


def test_avg_shedder_is_not_predicted(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="AvgShedder"):
        predictions_in(RECORDED / "shedding-avg-4.0.8", [tmp_path / "x.json"], PULSAR_4_0)
