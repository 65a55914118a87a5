"""Each benchmark runs in its smallest form. What it measures depends on the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALLEST = {
    "stages.py": ("--rounds", "1", "--seconds", "0.01", "bundles.hash_lookup"),
    "time_to_find.py": ("--seconds", "5", "--to", os.devnull, "--again", "lower-end-decides"),
}
PRINTED = {
    "stages.py": ("sum of one trial of each", "median of the questions"),
    "time_to_find.py": ("evenkeel check --subject",),
}
pytestmark = pytest.mark.slow


def test_every_benchmark_is_run() -> None:
    assert {path.name for path in (ROOT / "benchmarks").glob("*.py")} == {*SMALLEST}


@pytest.mark.parametrize("name", SMALLEST)
def test_it_runs(name: str) -> None:
    command = [sys.executable, f"benchmarks/{name}", *SMALLEST[name]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for text in PRINTED[name]:
        assert text in done.stdout
