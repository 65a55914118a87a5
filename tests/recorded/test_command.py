"""`evenkeel recorded` as a user meets it: exit status, last line, one sentence for bad input."""

import json
import subprocess
import sys
from pathlib import Path

from evenkeel.harness import recorded


def run(*words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "evenkeel", "recorded", *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_made_checked_and_contradicted(tmp_path: Path) -> None:
    """Recorded from the reference of one edition, and held against another's."""
    words = ["--question", "bundles.range", "--seed", "3", "--pool", "60", "--into", str(tmp_path)]
    done = run("make", "--subject", "reference:DOCUMENTED", "--edition", "DOCUMENTED", *words)
    assert done.returncode == 0, done.stderr
    assert "of 1 questions recorded" in done.stdout.splitlines()[-1]
    found = recorded.read(tmp_path / "bundles" / "range.jsonl")
    assert (found.header.edition, found.header.seed, found.header.pool) == ("DOCUMENTED", 3, 60)
    other = run("check", "--from", str(tmp_path), "--subject", "reference:PULSAR_4_0")
    assert other.returncode == 1, other.stderr
    assert "differs: bundles.range, line " in other.stdout
    same = run("check", "--from", str(tmp_path), "--format", "json")
    assert same.returncode == 0, same.stderr
    data = json.loads(same.stdout)
    assert (data["lines"], data["differs"], data["no_answer"]) == (found.header.lines, [], [])


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bundles" / "range.jsonl"
    path.parent.mkdir()
    path.write_text(recorded.path_of("bundles.range").read_text().replace("0x0", "0x1"))
    for words, sentence in (
        (["check", "--from", str(tmp_path)], f"{path}: has another digest"),
        (["check", "--from", str(tmp_path / "none")], "There are no recorded answers in "),
        (["check", "--question", "throttling.loop"], "There are no recorded answers of thr"),
        (["make", "--subject", "no-such-program"], "The subject no-such-program cannot be start"),
    ):
        done = run(*words)
        assert done.returncode == 2, done.stdout
        [line] = done.stderr.splitlines()
        assert line.startswith(f"evenkeel: {sentence}")
