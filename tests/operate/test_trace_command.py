"""`evenkeel operate trace` as an operator runs it, on the logs in `logs/`."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel.operate.cli import trace_command
from evenkeel.operate.trace.rows import BadLog
from evenkeel.operate.trace.spark import WORTHWHILE
from tests import command_line
from tests.command_line import Done
from tests.operate.trace_logs import LOGS, PARENT, SCHEMA, logs, write_parquet

GOOD = LOGS / "good_topic.jsonl"


def run(file: Path, *arguments: str) -> Done:
    """The command."""
    return command_line.run("operate", "trace", str(file), *arguments)


def as_json(file: Path, *arguments: str) -> dict[str, Any]:
    """What the command tells programs."""
    found: dict[str, Any] = json.loads(run(file, "--format", "json", *arguments).stdout)
    return found


def without_file(found: dict[str, Any]) -> dict[str, Any]:
    """The same without the file's name, and rows counted as lines."""
    text = json.dumps({**found, "file": ""}).replace('"row":', '"line":')
    renamed: dict[str, Any] = json.loads(text)
    return renamed


def test_the_logs_are_what_the_reference_makes() -> None:
    assert {path.name: path.read_text() for path in LOGS.glob("*.jsonl")} == logs()


@pytest.mark.parametrize(
    ("name", "storage", "events"),
    [
        ("good_topic", "SystemTopic", 82),
        ("good_nodes", "MetadataStore", 58),
        ("unordered", "MetadataStore", 78),
    ],
)
def test_good_logs_are_explained(name: str, storage: str, events: int) -> None:
    done = run(LOGS / f"{name}.jsonl", "--storage", storage)
    assert done.returncode == 0, done.stdout
    sentence = f"explained: 4 of 4 bundles explained by DOCUMENTED, {events} events"
    assert done.stdout.splitlines() == [sentence]


def test_a_double_owner_is_reported() -> None:
    done = run(LOGS / "double_owner.jsonl")
    assert done.returncode == 1
    assert f"{PARENT}: violated after 1 of 20 events" in done.stdout
    assert "two brokers own the bundle by version 2: b2 as b2 saw it, b1 as b0 saw it" in (
        done.stdout
    )
    assert f"  {LOGS / 'double_owner.jsonl'}, line 8: double ownership: " in done.stdout
    assert done.stdout.index("double ownership") < done.stdout.index("step: Assigning 1")
    assert "OWN-7 (MUST), One broker serves a hash: At any time" in done.stdout
    assert "│ > │    9 │ 1000009 │ b2     │ Owned" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("violated: 3 of 4 bundles explained")
    in_4_0 = as_json(LOGS / "double_owner.jsonl", "--edition", "PULSAR_4_0")
    reported = run(LOGS / "double_owner.jsonl", "--edition", "PULSAR_4_0").stdout
    assert "OWN-4 (DOES), " in reported
    assert "(MUST)" not in reported
    bundle = next(b for b in in_4_0["bundles"] if b["bundle"] == PARENT)
    assert [f["clause"] for f in bundle["findings"]] == ["OWN-4", "OWN-2"]
    assert [f["line"] for f in bundle["findings"]] == [9, 8]
    assert [event["line"] for event in bundle["around"]] == [3, 9, 2, 8, 1]


def test_parent_and_child_at_once() -> None:
    file = LOGS / "parent_and_child.jsonl"
    assert run(file).returncode == 1
    [bundle] = [b for b in as_json(file)["bundles"] if b["verdict"] == "violated"]
    assert (bundle["bundle"], bundle["explained"], bundle["events"]) == (PARENT, 21, 22)
    assert bundle["findings"][0]["clause"] == "OWN-7"
    assert "whose hashes overlap" in bundle["findings"][0]["sentence"]
    assert run(file, "--edition", "PULSAR_4_0").returncode == 0


def test_a_truncated_log_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    file = tmp_path / "cut.jsonl"
    file.write_text((LOGS / "double_owner.jsonl").read_text()[:-20])
    assert run(file).returncode == 1
    file = LOGS / "truncated.jsonl"
    done = run(file)
    assert done.returncode == 2
    last = done.stdout.splitlines()[-1]
    assert last.startswith("unknown: 4 of 4 bundles explained by DOCUMENTED, 81 events; ")
    assert f"{file}, line 82: the file ends within it" in last


def test_a_gap_is_unknown() -> None:
    done = run(LOGS / "gap.jsonl")
    assert done.returncode == 2
    assert (
        "line 51: gap: version 2 is missing between Owned 1 (owner b1) and Assigning 3"
        in done.stdout
    )
    assert done.stdout.splitlines()[-1].endswith(
        "3 of 4 bundles explained by DOCUMENTED, 1 unknown, 78 events"
    )


LINE = {"time": 1, "broker": "b0", "bundle": "b", "state": "Owned", "owner": "b0", "version": 1}


ROWS = json.loads(Path(__file__).with_name("no_events.json").read_text("utf-8"))


@pytest.mark.parametrize(("change", "reason"), ROWS)
def test_rows_that_are_no_events(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(json.dumps(LINE) + "\n\n" + json.dumps({**LINE, **change}) + "\n")
    done = run(file)
    assert done.returncode == 2
    assert done.stderr.startswith(f"evenkeel: {file}, line 3: {reason}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", " is empty."),
        (b"\n\n", " holds no events."),
        (
            b'{"time": 1',
            ", line 1: it is no JSON, since it ends too early, after 10 characters (the",
        ),
        (b"[1]\n", ", line 1: it is no JSON object."),
        (b'{"time": 1}\n', ", line 1: there is no broker."),
        (b'{"a": "\xff"}\n', ", line 1: it is no UTF-8 at its byte 8."),
        (b"[" * 100_000 + b"\n", ", line 1: it is no JSON"),
        (b"PAR1 and no more", " cannot be read as Parquet: "),
        (b'{"a": 1}, {"a": 2}\n{"a": [{}\n{}]}\n', ", line 1: it is no JSON at its column 9"),
        (b'{"a": "}\n"}\n', ", line 1: it is no JSON, since it ends too early, after 8 ch"),
        (b'[{"a": 1}\n{"a": 2}]\n', ", line 1: it is no JSON, since it ends too early, after 9 ch"),
        (None, " cannot be read: No such file or directory."),
        ((LOGS / "damaged.jsonl").read_bytes(), ", line 21: it is no JSON, since it ends"),
    ],
)
def test_files_that_are_no_logs(tmp_path: Path, content: bytes | None, reason: str) -> None:
    file = tmp_path / "log"
    if content is not None:
        file.write_bytes(content)
    done = run(file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"evenkeel: {file}{reason}")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["double_owner", "gap"])
def test_parquet_says_the_same(tmp_path: Path, name: str) -> None:
    file = tmp_path / "log.parquet"
    write_parquet((LOGS / f"{name}.jsonl").read_text(), file, rows=30)
    assert without_file(as_json(file)) == without_file(as_json(LOGS / f"{name}.jsonl"))


@pytest.mark.parametrize(
    ("column", "kind", "reason"),
    [
        ("time", pa.string(), "column time must hold integers, not string."),
        ("version", pa.float64(), "column version must hold integers, not double."),
        ("broker", pa.int64(), "column broker must hold strings, not int64."),
        ("force", pa.string(), "column force must hold booleans, not string."),
    ],
)
def test_parquet_with_wrong_types(tmp_path: Path, column: str, kind: Any, reason: str) -> None:
    file = tmp_path / "log.parquet"
    schema = SCHEMA.set(SCHEMA.get_field_index(column), pa.field(column, kind))
    pq.write_table(schema.empty_table(), file)
    done = run(file)
    assert (done.returncode, done.stderr) == (2, f"evenkeel: {file}: {reason}\n")


def test_parquet_that_is_cut_or_lacks_something(tmp_path: Path) -> None:
    file = tmp_path / "log.parquet"
    write_parquet(GOOD.read_text(), file)
    file.write_bytes(file.read_bytes()[:-100])
    assert run(file).stderr.startswith(f"evenkeel: {file} cannot be read as Parquet: ")
    pq.write_table(pa.table({"time": [1]}), file)
    assert run(file).stderr == f"evenkeel: {file} has no column broker.\n"
    pq.write_table(SCHEMA.empty_table(), file)
    assert run(file).stderr == f"evenkeel: {file} holds no events.\n"
    row = {**LINE, "owner": None, "source": None, "force": None}
    pq.write_table(pa.Table.from_pylist([LINE, row], schema=SCHEMA), file)
    assert run(file).stderr.startswith(f"evenkeel: {file}, row 2: a record in state Owned names")


def test_a_small_log_does_not_wait_for_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def start_spark(*arguments: object) -> None:
        raise BadLog("Spark was started")

    monkeypatch.setattr(trace_command, "open_spark", start_spark)
    assert run(GOOD, "--spark", "local[2]").stdout == run(GOOD).stdout
    done = run(GOOD, "--spark", "nowhere")
    assert done.returncode == 2
    assert "There is no master 'nowhere'" in done.stderr
    monkeypatch.setitem(WORTHWHILE, "bytes", GOOD.stat().st_size)
    assert "Spark was started" in run(GOOD, "--spark", "local[2]").stderr
