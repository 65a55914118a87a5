"""Campaigns on a cluster: a real standalone master, two workers, one of which is killed; and
under spark-submit.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest
from rich.console import Console

from evenkeel.operate.cluster.ports import free_ports
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.run import run_campaign
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.campaign.tables import read_rows
from tests.processes import comes, start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="a cluster needs an installed Java"),
]


def home() -> Path:
    found = find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def make_environment(scratch: Path) -> dict[str, str]:
    return {
        **os.environ,
        "SPARK_HOME": str(home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(scratch / "work"),
        "SPARK_LOCAL_DIRS": str(scratch / "local"),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_DAEMON_MEMORY": "256m",
        # Six JVMs of a few seconds each: compiling all that they run would take most of these.
        "JAVA_TOOL_OPTIONS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    }


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A master and two workers of one core each."""
    [port], deploy = free_ports(1), "org.apache.spark.deploy"
    url = f"spark://127.0.0.1:{port}"
    master = [f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port)]
    worker = [f"{deploy}.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g"]
    around = make_environment(tmp_path)
    with ExitStack() as stack:
        started: list[subprocess.Popen[bytes]] = []
        for number, words in enumerate((master, [*worker, url], [*worker, url])):
            log = stack.enter_context((tmp_path / f"daemon-{number}.log").open("wb"))
            command = [str(home() / "bin" / "spark-class"), *words, "--webui-port", "0"]
            process = subprocess.Popen(
                command, stdout=log, stderr=log, env=around, start_new_session=True
            )
            stack.callback(end, process)
            started.append(process)
        log_of_master = tmp_path / "daemon-0.log"
        both = "Registering worker"
        assert comes(lambda: log_of_master.read_text(errors="replace").count(both) >= 2, 120)
        yield url, started


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_worker_that_is_killed_changes_nothing(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], spark: Spark, tmp_path: Path
) -> None:
    url, daemons = cluster
    asked = ["--question", "bundles.hash_lookup", "--trials", "24000", "--seed", "3"]
    evenkeel = [sys.executable, "-m", "evenkeel", "campaign", *asked]
    out = tmp_path / "clustered"
    running = subprocess.Popen(
        [*evenkeel, "--subject", "reference:PULSAR_4_0", "--master", url, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=make_environment(tmp_path),
        text=True,
    )
    assert comes(lambda: any((out / "parts").glob("0*")) or running.poll() is not None, 180)
    os.killpg(daemons[2].pid, signal.SIGKILL)  # the worker's daemon, and its executor with it
    output, errors = running.communicate(timeout=300)
    assert running.returncode == 1, errors
    assert "in 24,000 trials" in output.splitlines()[-1]
    where, subject = tmp_path / "local-campaign", "reference:PULSAR_4_0"
    asked_for = ("bundles.hash_lookup",)
    local = CampaignPlan(24_000, 3, "DOCUMENTED", where, subject, questions=asked_for)
    assert run_campaign(local, Console(quiet=True), spark).status == 1
    for table in ("tally", "failures", "signatures", "labels", "answers"):
        assert read_rows(out, table) == read_rows(local.out, table), table


SUBMITTED = """
import sys
from evenkeel_engine.cli.main import main, status_of

assert status_of([*sys.argv[1:], "--master", "local[2]"]) == 2
main()
"""


def test_under_spark_submit(tmp_path: Path) -> None:
    script = tmp_path / "campaign.py"
    script.write_text(SUBMITTED)
    submit = [str(home() / "bin" / "spark-submit"), "--master", "local[1]", str(script), "campaign"]
    asked = ["--question", "bundles.range", "--trials", "400", "--out", str(tmp_path / "c")]
    done = start(*submit, *asked, env=make_environment(tmp_path))
    assert done.returncode == 0, done.stderr[-3000:]
    assert re.search(r"2 of 2 clauses hold in 400 trials", done.stdout.splitlines()[-1])
    output = done.stdout + done.stderr  # spark-submit puts both into one
    assert "Under spark-submit the master is spark-submit's" in output
    assert "Traceback" not in output
