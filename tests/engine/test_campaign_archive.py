"""The zip for the workers: the same bytes every time, and enough for a bare Python."""

import sys
from pathlib import Path

import pytest

from evenkeel_engine.campaign.archive import archive_bytes, compute_digest
from tests.processes import start

pytestmark = pytest.mark.slow

WORK = """
import sys
sys.path.append(sys.argv[1])
import evenkeel
from evenkeel_engine.campaign.worker import Order, run_blocks, shrink_all
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally
assert evenkeel.__file__.startswith(sys.argv[1]), evenkeel.__file__
order = Order("reference:PULSAR_4_0", "DOCUMENTED")
block = Block("bundles.hash_lookup", 1, 0, 200)
[summary] = run_blocks(order, lambda summary: None, [[block]])
findings = list(shrink_all(order, [list(summary.tally.smallest.items())]))
print(summary.tally.trials["bundles.hash_lookup"], findings[0].trial)
outside = sorted(
    {m.partition(".")[0] for m in sys.modules} - set(sys.stdlib_module_names)
    - {"evenkeel", "evenkeel_engine", "__main__"}
)
print(outside)
"""


def test_the_same_sources_give_the_same_bytes() -> None:
    first, second = archive_bytes(), archive_bytes()
    assert first == second
    assert len(compute_digest(first)) == 64


def test_a_worker_needs_python_and_the_zip_alone(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "workers.zip"
    path.parent.mkdir()
    path.write_bytes(archive_bytes())
    ran = start(sys.executable, "-I", "-S", "-c", WORK, str(path), cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    did, outside = ran.stdout.splitlines()
    assert did == "200 {'boundaries': [0, 4294967295], 'hash': 4294967295}"
    assert outside == "[]"
