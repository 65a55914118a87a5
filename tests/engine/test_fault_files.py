"""Content of files, and full disks: real processes under the real commands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from evenkeel_engine.campaign.run import run_campaign
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.stored import cases
from tests.command_line import Done, run
from tests.engine.test_faults import adapter, plan_campaign
from tests.operate.trace_logs import LOGS, SCHEMA

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EVIL = "\x1b[2J\n1 of 1 clauses hold\u202e"
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\u202e]")


def is_harmless(done: Done) -> bool:
    """Nothing moves the cursor, and no line is forged."""
    output = done.stdout + done.stderr
    return not CONTROLS.search(output) and not re.search(r"^1 of 1 clauses", output, re.MULTILINE)


def test_words_in_a_file_forge_no_line_and_move_no_cursor(tmp_path: Path) -> None:
    """A case's words, a log's names, and what the files are called (A7)."""
    case = cases.read_cases("ownership.conflict")[0]
    evil = replace(case, title=case.title + EVIL, notes={"effect": EVIL, "source": EVIL})
    path = tmp_path / f"evil{EVIL}.json"
    cases.store_text(path, cases.text_of_one(evil))
    done = run("replay", str(path))
    assert done.returncode == 0, done.stderr
    assert r"\x1b[2J\n1 of 1 clauses hold\u202e" in done.stdout
    assert is_harmless(done)

    missing = run("replay", str(tmp_path / EVIL))
    assert missing.returncode == 2
    assert is_harmless(missing)

    log = tmp_path / "log.jsonl"
    broker = json.dumps("b1" + EVIL)
    log.write_text((LOGS / "double_owner.jsonl").read_text().replace('"b1"', broker))
    traced = run("operate", "trace", str(log))
    assert traced.returncode == 1
    assert r"b1\x1b[2J\n1 of 1 clauses hold\u202e" in traced.stdout
    assert is_harmless(traced)


def test_a_parquet_log_of_no_utf_8_is_one_sentence(tmp_path: Path) -> None:
    """A column that says it is text, and is not (A5)."""
    row = json.loads((LOGS / "good_topic.jsonl").read_text().splitlines()[0])
    table = pa.Table.from_pylist([row], schema=SCHEMA)
    bad = pa.array([b"b\xff\xfe"], pa.binary())
    as_text = pa.StringArray.from_buffers(1, *bad.buffers()[1:])
    log = tmp_path / "log.parquet"
    at = SCHEMA.get_field_index("broker")
    pq.write_table(table.set_column(at, SCHEMA.field("broker"), as_text), log)
    done = run("operate", "trace", str(log))
    assert done.returncode == 2
    assert done.stderr.startswith(f"evenkeel: {log}")
    assert len(done.stderr.splitlines()) == 1


def test_months_in_one_command_are_refused_at_once(tmp_path: Path) -> None:
    """Four months, the most that a page allows; a step for each period would take long (A10)."""
    trial = cases.read_cases("throttling.quota")[0].trial
    trial = {**trial, "commands": [{"do": "advance", "millis": 10**10}, *trial["commands"]]}
    path = tmp_path / "long.json"
    path.write_text(json.dumps({"question": "throttling.quota", "trial": trial}))
    assert run("replay", str(path), "--edition", "DOCUMENTED").returncode == 0


def test_setting_of_two_lines_is_reported_in_one() -> None:
    scenario = sorted((ROOT / "evenkeel" / "operate" / "simulate" / "scenarios").glob("*.toml"))[0]
    done = run("operate", "simulate", str(scenario), "--set", "a\nb=3")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_times_to_wait_are_options(tmp_path: Path) -> None:
    """A slow start and a slow answer, within the times that were given, and beyond them (A11)."""
    slow = adapter(tmp_path, "time.sleep(1); say(type='skipped', id=id_, reason='slow')")
    asked = ["check", "--subject", slow, "--question", "bundles.range", "--for", "1s"]
    done = run(*asked, "--trial-timeout", "0.3")
    assert done.returncode == 2
    assert "did not answer within 0.3 s" in done.stdout + done.stderr
    path = tmp_path / "adapter.py"
    path.write_text(f"import time; time.sleep(1)\n{path.read_text()}")
    done = run(*asked, "--hello-timeout", "0.3")
    assert done.returncode == 2
    assert "did not send its hello within 0.3 s" in done.stderr


def mount_disk(folder: Path, size: str) -> bool:
    """A disk of this size is there; it takes privileges."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if shutil.which("mount") is None:
        return False
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def tables(folder: Path) -> dict[str, bytes]:
    """What a campaign found, without what a clock says."""
    names = ("tally", "failures", "labels", "signatures", "unanswered")
    return {name: (folder / f"{name}.parquet").read_bytes() for name in names}


def test_a_full_disk_loses_nothing(spark: Spark, tmp_path: Path) -> None:
    """Part of the results fits; with room again the campaign continues to the same end."""
    disk, quiet = tmp_path / "disk", Console(quiet=True)
    if not mount_disk(disk, "48k"):
        pytest.skip("this process may not mount a disk")
    try:
        asked = plan_campaign(disk / "c", "reference", 20_000)
        full = run_campaign(asked, quiet, spark)
        assert full.status == 2
        assert "The campaign ended early: " in full.summary
        assert "No space left on device" in full.summary
        subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
        again = run_campaign(asked, quiet, spark)
        assert again.status == 0, again.summary
        alone = run_campaign(replace(asked, out=tmp_path / "alone"), quiet, spark)
        assert alone.status == 0, alone.summary
        assert tables(disk / "c") == tables(tmp_path / "alone")
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def test_a_finished_campaign_in_a_read_only_folder_is_shown(spark: Spark, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    if not mount_disk(disk, "1m"):
        pytest.skip("this process may not mount a disk")
    try:
        asked = replace(plan_campaign(disk, "reference", 200), allow_unexercised=True)
        first = run_campaign(asked, Console(quiet=True), spark)
        assert first.status == 0, first.summary
        (disk / ".lock").unlink()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        questions = [word for name in asked.questions for word in ("--question", name)]
        command = ["campaign", "--trials", "200", *questions, "--out", str(disk)]
        again = run(*command)
        assert (again.returncode, again.stdout.splitlines()[-1]) == (0, first.summary)
        assert run(*command, "--again").returncode == 2
    finally:
        subprocess.run(["umount", str(disk)], check=False)
