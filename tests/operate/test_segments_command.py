"""`evenkeel operate segments` as an operator runs it."""

from __future__ import annotations

import json
from functools import partial

from tests import command_line

run = partial(command_line.run, "operate", "segments")


def test_a_day_and_a_night_are_a_row_each() -> None:
    done = run("--stretch", "60:30000", "--stretch", "60:100", "--days", "2", "--format", "json")
    assert done.returncode == 0
    rows = json.loads(done.stdout)["rows"]
    assert [(row["day"], row["splits"], row["merges"], row["after"]) for row in rows] == [
        (1, 3, 0, 4),
        (1, 0, 3, 1),
        (2, 3, 0, 4),
        (2, 0, 3, 1),
    ]


def test_what_does_not_rest_is_named_and_a_setting_cures_it() -> None:
    stretch = ("--stretch", "20:11000", "--message-bytes", "1", "--fan-out", "0")
    hole = (*stretch, "--set", "scalableTopicMergeMsgRateInThreshold=6000")
    done = run(*hole)
    assert done.returncode == 1
    assert "SCA-39: " in done.stdout
    assert "  scalableTopicSplitMsgRateInThreshold=15000 (now 10000)" in done.stdout
    cured = run(*hole, "--set", "scalableTopicSplitMsgRateInThreshold=12000")
    assert cured.returncode == 0
    assert cured.stdout.splitlines()[-1].endswith("1 segments; it comes to rest")
    assert run(*hole, "--edition", "documented").returncode == 0


TWO = ("--stretch", "72:1500:2", "--format", "json")
"""Two consumers, and a little more than the floor for splits."""
FLOOR = "scalableTopicSplitVsRebucketMinMsgRateInThreshold"


def test_the_defaults_of_5_0_1_do_not_rest_and_each_change_that_is_named_cures_it() -> None:
    found = json.loads(run(*TWO).stdout)
    (row,) = found["rows"]
    assert (row["splits"], row["merges"], row["rebuckets"]) == (11, 10, 0)
    assert [one["clause"] for one in found["broken"]] == ["SCA-40", "SCA-43"]
    named = [(one["key"], one["value"], one["before"]) for one in found["changes"]]
    assert named == [
        ("scalableTopicMergeMsgRateInThreshold", 750, 1000),
        ("scalableTopicMinSegments", 2, 1),
        (FLOOR, 2000, 1000),
    ]
    for key, value, _ in named:
        assert run(*TWO, "--set", f"{key}={json.dumps(value)}").returncode == 0


def test_consumers_get_entry_buckets_where_there_is_too_little_traffic_for_a_split() -> None:
    asked = ("--stretch", "20:500:2", "--stretch", "20:500:5", "--format", "json")
    done = run(*asked)
    assert done.returncode == 0
    rows = json.loads(done.stdout)["rows"]
    shown = [(row["splits"], row["rebuckets"], row["after"], row["buckets"]) for row in rows]
    assert shown == [(0, 0, 1, 4), (0, 1, 1, 8)]
    fewer = ("--set", "scalableTopicEntryBucketBudget=1")
    (row, _) = json.loads(run(*asked, *fewer).stdout)["rows"]
    assert (row["rebuckets"], row["buckets"], row["last"]) == (1, 2, 0)


def test_5_0_0_and_checkpoint_consumers_have_no_use_for_entry_buckets() -> None:
    rows = json.loads(run(*TWO, "--edition", "pulsar_5_0").stdout)["rows"]
    assert [(row["buckets"], row["rebuckets"]) for row in rows] == [(2, 0)]
    alone = run("--stretch", "20:500:0:5")
    assert alone.returncode == 1
    assert "│       0:5 │" in alone.stdout
    assert "SCA-42: " in alone.stdout
    assert run("--stretch", "20:500:5").returncode == 0


def test_the_threshold_that_the_rates_reach_first_is_tried() -> None:
    large = ("--stretch", "40:1500:2", "--message-bytes", "6000", "--format", "json")
    keys = [one["key"] for one in json.loads(run(*large).stdout)["changes"]]
    assert "scalableTopicMergeBytesRateInThreshold" in keys
    assert "scalableTopicMergeMsgRateInThreshold" not in keys
