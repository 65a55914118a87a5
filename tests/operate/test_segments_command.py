"""`evenkeel operate segments` as an operator runs it."""

from __future__ import annotations

import json

import pytest

from tests import command_line
from tests.command_line import Done


def run(*arguments: str) -> Done:
    """The command."""
    return command_line.run("operate", "segments", *arguments)


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
    cured = run(*hole, "--set", "scalableTopicSplitMsgRateInThreshold=12000")
    assert cured.returncode == 0
    assert cured.stdout.splitlines()[-1].endswith("1 segments; it comes to rest")
    assert run(*hole, "--edition", "documented").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--stretch", "20"), "is not MINUTES:RATE"),
        (("--stretch", "20:x"), "is not MINUTES:RATE"),
        (("--stretch", "0:1"), "minutes: must be 1 to 2000"),
        (("--stretch", "5:1", "--set", "maxSegments=1"), "no setting of splits and merges"),
        (("--stretch", "5:1", "--set", "scalableTopicMaxSegments=x"), "is no number"),
        (("--stretch", "5:1", "--set", "scalableTopicMaxSegments=1.5"), "scalableTopicMaxSegments"),
        (("--stretch", "5:1", "--set", "scalableTopicMaxSegments=0"), "must be 1 to 65536"),
    ],
)
def test_what_makes_no_plan_is_one_sentence(arguments: tuple[str, ...], why: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert why in done.stderr
