"""Judging recordings: what is written, and what took effect. No cluster is needed."""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.recording.effective import Effective, find_effective, judge_splits
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.extra import import_needed
from evenkeel.operate.recording.findings import Margins
from evenkeel.operate.recording.holders import judge_nodes
from evenkeel.operate.recording.judge import JudgedRecording, judge_recording
from evenkeel.operate.recording.loglines import read_on
from evenkeel.operate.recording.prober import choose_topics
from evenkeel.operate.recording.store import RecordingUnusable, Store, read_entries, write_part
from evenkeel.operate.recording.streams import follow_until_stopped
from evenkeel.properties.ownership.trace import Status
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from tests.operate.entries_made import (
    RECORDED,
    SECOND,
    TOPIC,
    A,
    B,
    entry,
    judge_changed,
    record,
    serving,
)

PARENT = "t/n/0x00000000_0x80000000"
LEFT, RIGHT = "t/n/0x00000000_0x40000000", "t/n/0x40000000_0x80000000"


def own(at: float, bundle: str, owner: str, version: int) -> Entry:
    return record(at, bundle, "Owned", version, dstBroker=owner)


# What took effect.


def test_a_record_that_lost_a_race_did_not_take_effect() -> None:
    found = find_effective(
        [
            record(1, LEFT, "Assigning", 1, dstBroker=A),
            record(2, LEFT, "Assigning", 1, dstBroker=B),
            own(3, LEFT, A, 2),
            own(4, LEFT, B, 2),
            record(5, LEFT, None),
        ],
        PULSAR_4_0,
    )
    assert [(row[2], row[3], row[5]) for row in found.bundles.rows[LEFT]] == [
        ("Assigning", A, 1),
        ("Owned", A, 2),
        ("Init", None, 2),
    ]
    assert found.passed == 2


def test_the_topics_order_counts_not_clocks() -> None:
    behind = own(1, LEFT, A, 2)._replace(clock=500)
    ahead = record(2, LEFT, "Assigning", 1, dstBroker=A)._replace(clock=900)
    found = find_effective([ahead, behind], PULSAR_4_0)
    assert [row[0] for row in found.bundles.rows[LEFT]] == [900, 900]
    late = own(1, LEFT, A, 1)._replace(clock=99 * SECOND)
    assert find_effective([late, own(2, RIGHT, A, 1)], PULSAR_4_0).last == 2 * SECOND


def split(*more: Entry, children: tuple[str, ...] = (LEFT, RIGHT)) -> Effective:
    names = {child.rpartition("/")[2]: None for child in children}
    splitting = record(
        2, PARENT, "Splitting", 3, sourceBroker=A, splitServiceUnitToDestBroker=names
    )
    return find_effective(
        [record(1, PARENT, "Assigning", 1, dstBroker=A), own(1, PARENT, A, 2), splitting, *more],
        PULSAR_4_0,
    )


def test_a_split_with_both_halves_owned_is_well() -> None:
    found = split(own(3, LEFT, A, 1), own(3, RIGHT, A, 1), own(999, RIGHT, A, 2))
    assert judge_splits(found, 100) == []


def test_a_half_without_an_owner_is_a_violation_after_the_documented_time() -> None:
    (one,) = judge_splits(split(own(3, LEFT, A, 1), own(999, LEFT, A, 2)), 100)
    assert (one.kind, one.clause) == ("half", "OWN-45")
    (early,) = judge_splits(split(own(3, LEFT, A, 1)), 100)
    assert (early.kind, early.clause) == ("half", None)


@pytest.mark.parametrize("children", [(LEFT,), (LEFT, "t/n/0x40000001_0x80000000"), (LEFT, PARENT)])
def test_children_that_do_not_tile_their_parent(children: tuple[str, ...]) -> None:
    assert "SPL-17" in {one.clause for one in judge_splits(split(children=children), 100)}


# Nodes of the modular manager.


def node(at: float, bundle: str, owner: str | None) -> Entry:
    data = None if owner is None else {"nativeUrl": owner, "session": 1}
    return entry(at, "node", data, subject=bundle)


def test_bundles_that_overlap_have_one_holder() -> None:
    well = [node(1, PARENT, A), node(2, LEFT, A), node(3, PARENT, None), node(99, RIGHT, B)]
    assert judge_nodes(well, 30).found == {}
    twice = [node(1, PARENT, A), node(2, LEFT, B), node(99, RIGHT, A)]
    (found,) = judge_nodes(twice, 30).found.values()
    assert found.clause == "OWN-21"
    assert judge_nodes([*twice[:2], node(20, PARENT, None), node(99, RIGHT, A)], 30).found == {}


# The store, and what is read from brokers.


def test_entries_come_back_from_many_threads_in_one_file(tmp_path: Path) -> None:
    store = Store(tmp_path, {"manager": "modular"})

    def add(number: int) -> None:
        for at in range(200):
            store.add("note", {"n": number, "at": at}, broker=A)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    found = list(read_entries(tmp_path))
    assert len(found) == store.count == 800
    assert [one.time for one in found] == sorted(one.time for one in found)
    assert {(one.data["n"], one.data["at"]) for one in found} == {
        (number, at) for number in range(4) for at in range(200)
    }
    assert [path.name for path in tmp_path.glob("*.parquet")] == ["events.parquet"]
    with pytest.raises(RecordingUnusable, match="holds a recording already"):
        Store(tmp_path, {})


IN_JSON = {"@timestamp": "2026-11-29T23:28:08.072Z", "logger_name": "x"}


def test_a_line_with_a_brokers_settings_which_may_be_secret_is_not_recorded(tmp_path: Path) -> None:
    shed = "[ThresholdShedder] Unloading bundle: x from broker y"
    secret = "brokerClientAuthenticationParameters=token:x, strategy=x.AvgShedder"
    lines = (
        f"messaging service is ready, configs=ServiceConfiguration({secret})",
        f"Messaging service is ready {{cluster=c1, configOverrides={{{secret}}}}}",
        json.dumps({"message": "Shedder", "mdc": {"configOverrides": f"{{{secret}}}"}, **IN_JSON}),
        shed,
    )
    (tmp_path / "broker-1.log").write_text("".join(f"{line}\n" for line in lines))
    store = Store(tmp_path, {})
    read_on(str(tmp_path / "broker-1.log"), 0, store)
    store.close()
    assert [(one.broker, one.data) for one in read_entries(tmp_path)] == [("broker-1", shed)]


def test_a_source_that_is_lost_is_followed_again(tmp_path: Path) -> None:
    stop, calls = threading.Event(), []

    class Soon(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            return self.is_set()

    stop = Soon()
    store = Store(tmp_path, {})

    def follow() -> None:
        calls.append(1)
        if len(calls) < 3:
            raise OSError("gone")
        stop.set()

    follow_until_stopped("channel", store, stop, follow)
    store.close()
    states = [one.data["state"] for one in read_entries(tmp_path, ("note",))]
    assert states == ["lost", "again", "lost", "again"]


def test_the_topics_looked_up_are_spread_and_stay_the_same() -> None:
    topics = {f"t{number:03}" for number in range(100)}
    assert choose_topics(topics, 4) == ["t000", "t025", "t050", "t075"]
    assert choose_topics({"b", "a"}, 4) == ["a", "b"]


def test_hours_are_judged_with_what_happens_at_their_end(tmp_path: Path) -> None:
    store, hours = [], 3
    for at in range(0, hours * 3600, 10):
        store.append(serving(at, A, at))
        store.append(entry(at + 1, "lookup", {TOPIC: A}, A))
    store += [serving(hours * 3600 - 60 + at, B, at) for at in range(0, 60, 5)]
    store += [serving(hours * 3600 - 58 + at, A, 9999 + at) for at in range(0, 60, 5)]
    for number, begin in enumerate(range(0, len(store), 500), 1):
        write_part(tmp_path / f"part-{number:06}.parquet", store[begin : begin + 500])
    (tmp_path / "RECORDING").write_text('{"manager": "extensible"}')
    judged = judge_recording(tmp_path, PULSAR_4_0, 1000, Margins())
    (double,) = [one for one in judged.found if one.kind == "double"]
    assert double.began >= (hours * 3600 - 60) * SECOND


# Recordings of real clusters.


@pytest.mark.parametrize("folder", sorted(RECORDED.iterdir()), ids=lambda path: str(path.name))
def test_recorded_clusters_are_judged_as_before(folder: Path) -> None:
    requested = json.loads((folder / "RECORDING").read_text())["expected"]
    judged = judge_recording(folder, PULSAR_4_0, 1000, Margins())
    assert judged.status is Status(requested["verdict"])
    assert sum(verdict.events for verdict in judged.verdicts) == requested["records"]
    assert sorted({one.kind for one in judged.found if one.violated}) == requested["violated"]
    assert sorted({one.kind for one in judged.found if one.known}) == requested["known"]
    assert Counter(one.match.value for one in judged.predicted) == requested.get("decisions", {})
    as_documented = judge_recording(folder, DOCUMENTED, 1000, Margins())
    seen = {one.kind for one in as_documented.found if one.violated}
    assert seen == {*requested["violated"], *requested["known"]}


def test_a_missing_extra_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pulsar", None)
    with pytest.raises(ClusterUnusable, match=r"pip install 'kazoo>=2\.10' 'pulsar-client>=3\.7'"):
        import_needed("pulsar")


def test_what_a_crash_leaves_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "part-3.new").write_bytes(b"PAR1 half a part")
    (tmp_path / "RECORDING").write_text('{"manager": "modular"}')
    write_part(tmp_path / "part-1.parquet", [entry(1, "leader", A)])
    judged = judge_recording(tmp_path, PULSAR_4_0, 1000, Margins())
    assert [one.kind for one in judged.found] == ["records"]
    assert judged.status is Status.UNKNOWN
    write_part(tmp_path / "part-2.parquet", [node(1, PARENT, A)])
    judged = judge_recording(tmp_path, PULSAR_4_0, 1000, Margins())
    assert (judged.nodes, judged.status) == (1, Status.EXPLAINED)


# A damaged time.


def judge_modular(folder: Path, change: Callable[[Entry], Entry]) -> JudgedRecording:
    """The recording of the modular manager with changed entries."""
    source = RECORDED / "shedding-modular-4.0.8"
    return judge_changed(source, folder, map(change, read_entries(source)))


@pytest.mark.parametrize("time", [2**63 - 1, 2**62, 0])
def test_a_time_far_from_the_others_makes_a_recording_unusable(tmp_path: Path, time: int) -> None:
    rest = iter([time])
    with pytest.raises(RecordingUnusable, match=r"time, \d+, is more than a week"):
        judge_modular(
            tmp_path,
            lambda one: one._replace(time=next(rest, one.time)) if one.source == "log" else one,
        )


@pytest.mark.parametrize("year", ["0009", "9999"])
def test_a_leaders_log_of_another_age_makes_a_recording_unusable(tmp_path: Path, year: str) -> None:
    def change(one: Entry) -> Entry:
        if one.source != "log" or "Acquired leadership" not in one.data:
            return one
        return one._replace(data=year + one.data[4:])

    if year == "9999":  # it leads from then on: no round is in the recording
        assert judge_modular(tmp_path, change).predicted == ()
    else:
        with pytest.raises(RecordingUnusable, match=r"became the leader at -\d+, which is"):
            judge_modular(tmp_path, change)
