"""Clocks apart, lost records and damaged files: what a recording cannot tell is unknown."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from evenkeel.operate.recording.effective import find_effective, judge_unowned
from evenkeel.operate.recording.store import ABOUT, RecordingUnusable, read_entries, write_part
from evenkeel.properties.ownership.trace import Status
from evenkeel.reference.edition import PULSAR_4_0
from tests.command_line import run
from tests.operate.entries_made import RECORDED, A, B, entry, judge_changed, record

SHEDDING = RECORDED / "shedding-4.0.8"
BUNDLE = "t/n/0x00000000_0x40000000"


@pytest.mark.parametrize("behind", [-100, 0, 50, 5000])
def test_a_recorder_whose_clock_is_behind_flags_no_leader(tmp_path: Path, behind: int) -> None:
    shifted = (
        one._replace(time=one.time - behind, began=one.began - behind)
        for one in read_entries(SHEDDING)
    )
    found = judge_changed(SHEDDING, tmp_path, shifted)
    assert found.status is (Status.UNKNOWN if behind > 0 else Status.EXPLAINED)
    if behind > 0:
        assert any("ms ahead of the recorder's" in one.sentence for one in found.found)


def test_one_lost_record_flags_no_leader(tmp_path: Path) -> None:
    every = list(read_entries(SHEDDING))
    records = [place for place, one in enumerate(every) if one.source == "channel"]
    found = {}
    for place in records[42::16]:
        left = every[:place] + every[place + 1 :]
        found[place] = judge_changed(SHEDDING, tmp_path / str(place), left)
    assert {one.status for one in found.values()} <= {Status.UNKNOWN, Status.EXPLAINED}
    sentences = {one.sentence for each in found.values() for one in each.found}
    assert any("a record of evenkeel/live/" in one and "was lost" in one for one in sentences)


LIFE = (
    record(1, BUNDLE, "Assigning", 1, dstBroker=A),
    record(2, BUNDLE, "Owned", 2, dstBroker=A),
    record(3, BUNDLE, "Releasing", 3, dstBroker=B, sourceBroker=A),
    record(4, BUNDLE, "Assigning", 4, dstBroker=B, sourceBroker=A),
    record(5, BUNDLE, "Owned", 5, dstBroker=B, sourceBroker=A),
)


@pytest.mark.parametrize(("until", "state"), [(1, "Assigning"), (3, "Releasing"), (4, "Assigning")])
def test_a_record_in_flight_for_too_long_is_reported(until: int, state: str) -> None:
    found = find_effective(LIFE[:until], PULSAR_4_0)
    assert judge_unowned(found, (until + 150) * 1000, 150) == []
    (one,) = judge_unowned(found, (until + 151) * 1000, 150)
    assert (one.kind, one.subject, one.clause) == ("flight", BUNDLE, None)
    assert one.sentence == f"its record was {state} for 151 s"


def test_a_bundle_that_was_without_an_owner_is_reported_though_it_has_one_later() -> None:
    free = (
        record(6, BUNDLE, "Releasing", 6, sourceBroker=B),
        record(7, BUNDLE, "Free", 7, sourceBroker=B),
    )
    late = (
        record(300, BUNDLE, "Assigning", 8, dstBroker=A),
        record(301, BUNDLE, "Owned", 9, dstBroker=A),
    )
    (one,) = judge_unowned(find_effective([*LIFE, *free, *late], PULSAR_4_0), 302_000, 150)
    assert (one.kind, one.sentence) == ("free", "it had no owner: its record was Free for 293 s")
    assert judge_unowned(find_effective(LIFE, PULSAR_4_0), 10**9, 150) == []  # what is owned


def test_damage_is_an_error_and_no_entry(tmp_path: Path) -> None:
    """One byte within a page, which Parquet alone would decode to other values."""
    every = [entry(n, "lookup", {"persistent://t/n/x": A}, broker=A) for n in range(500)]
    path = tmp_path / "part-000001.parquet"
    write_part(path, every)
    shutil.copy(SHEDDING / ABOUT, tmp_path)
    whole, refused = path.read_bytes(), 0
    for place in range(8, len(whole) // 2, 7):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        path.write_bytes(damaged)
        try:
            assert [one[:6] for one in read_entries(tmp_path)] == [one[:6] for one in every]
        except RecordingUnusable:
            refused += 1
    assert refused > 20
    path.write_bytes(whole[:60] + bytes([whole[60] ^ 0x10]) + whole[61:])
    done = run("operate", "trace", str(tmp_path))
    assert (done.returncode, "cannot be read" in done.stderr) == (2, True)


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "{", '{"settings": {"x": 1}}', None])
def test_files_that_are_none_are_one_sentence(tmp_path: Path, text: str | None) -> None:
    """None: a pipe, on which a reader would wait."""
    for name, words in (
        (ABOUT, ("trace", str(tmp_path))),
        ("schedule.json", ("live", "--replay", str(tmp_path / "schedule.json"))),
    ):
        if text is None:
            os.mkfifo(tmp_path / name)
        else:
            (tmp_path / name).write_text(text)
        done = run("operate", *words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_a_part_that_is_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "part-000001.parquet")
    with pytest.raises(RecordingUnusable, match="is no regular file"):
        list(read_entries(tmp_path))


@pytest.mark.parametrize(
    ("source", "data", "sentence"),
    [
        ("log", 7, "data of source 'log': Expected `str`, got `int`"),
        ("note", 7, "data of source 'note': Expected `object`, got `int`"),
        ("limit", {"topic": [0, 0, 1]}, "missing required field `subscriptions`"),
        ("serving", {"t": [1, 1, 8]}, "Expected `array` of length 4, got 3 - at `$[...]`"),
        ("load", {"cpu": {"usage": {}}}, "got `object` - at `$.cpu.usage`"),
        ("bundles", {"topBundlesLoadData": [[]]}, "at `$.topBundlesLoadData[0]`"),
    ],
)
def test_data_of_another_type_are_one_sentence(
    tmp_path: Path, source: str, data: object, sentence: str
) -> None:
    shutil.copy(SHEDDING / ABOUT, tmp_path)
    write_part(tmp_path / "part-000001.parquet", [entry(1, source, data, broker=A, subject="t")])
    done = run("operate", "trace", str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert sentence in done.stderr


def test_two_owners_are_named_in_the_last_line_of_a_release() -> None:
    folder = str(RECORDED / "served-beyond-session-4.0.8")
    done = run("operate", "trace", folder, "--edition", "PULSAR_4_0")
    assert "known of the edition (two owners of 1)" in done.stdout.splitlines()[-1]
    assert run("operate", "trace", folder, "--edition", "DOCUMENTED").returncode == 1
