"""Each benchmark runs in its smallest form. What it measures depends on the machine."""

import os
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALLEST = {
    "stages.py": ("--rounds", "1", "--seconds", "0.01", "bundles.hash_lookup"),
    "time_to_find.py": ("--seconds", "5", "--to", os.devnull, "--again", "no-membership-test"),
}
PRINTED = {
    "stages.py": ("sum of one trial of each", "median of the questions"),
    "time_to_find.py": ("evenkeel check --subject",),
}
pytestmark = pytest.mark.slow


def test_every_benchmark_is_run() -> None:
    assert {path.name for path in (ROOT / "benchmarks").glob("*.py")} == {*SMALLEST}


@pytest.mark.xdist_group("described cases")  # one of them reads all of these
@pytest.mark.parametrize("name", SMALLEST)
def test_it_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, *SMALLEST[name]])
    runpy.run_path(str(ROOT / "benchmarks" / name), run_name="__main__")
    printed = capsys.readouterr().out
    for text in PRINTED[name]:
        assert text in printed
