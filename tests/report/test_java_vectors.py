"""The Java runner of the exported cases passes on Pulsar's classes; what they say is true."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evenkeel.releases import adapter as pulsar
from evenkeel_engine.stored import case_other_answers, cases

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "adapters" / "evenkeel-vectors"


@pytest.mark.slow
def test_every_hundredth_exported_case_is_right_about_other_answers() -> None:
    exported = [case for case in cases.read_stored_cases() if case.others]
    assert len(exported) > 600
    for case in exported[::100]:
        assert list(case_other_answers.find_unsupported(case)) == [], case.id


@pytest.mark.slow
def test_it_passes_on_pulsars_classes() -> None:
    if shutil.which("mvn") is None or shutil.which("javac") is None:
        pytest.skip("no Maven or no JDK")
    if not pulsar.is_built():
        pytest.skip("Apache Pulsar's adapter is not built: make adapter")
    exported = MODULE / "target" / "exported" / "evenkeel-vectors"
    shutil.rmtree(exported, ignore_errors=True)
    words = [sys.executable, "-m", "evenkeel", "cases", "export", str(exported)]
    subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    words = ["mvn", "-q", "-B", "package", f"-Dpulsar.built={pulsar.folder()}"]
    done = subprocess.run(words, cwd=MODULE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    output = re.search(r"evenkeel-vectors: (\d+) right, (\d+) unsaid, (\d+) skipped", done.stdout)
    assert output is not None, done.stdout[-3000:]
    assert int(output[1]) > 300
    assert int(output[2]) + int(output[3]) < int(output[1]) / 20, output[0]
