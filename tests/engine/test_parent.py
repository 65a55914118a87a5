"""`check --subject -`: who started evenkeel answers on its standard input and output."""

import json
import subprocess
import sys
from typing import Any

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.local import ReferenceSubject
from evenkeel_engine.subjects.serve import make_response
from tests.processes import start

WORDS = ["check", "--subject", "-", "--question", "contract.rebalance", "--for", "2s"]


def drive(most: int, wrong: bool = False) -> tuple[int, list[Any], str]:
    """Answer this many lines, then close; the exit status, all lines, and standard error."""
    command = [sys.executable, "-m", "evenkeel", *WORDS, "--format", "json", "--no-last-failures"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        assert child.stdin
        assert child.stdout
        assert child.stderr
        lines: list[Any] = []
        for line in child.stdout:
            lines.append(json.loads(line))
            if "type" not in lines[-1] or len(lines) > most:
                break
            reply = make_response(ReferenceSubject(DOCUMENTED), line)
            if wrong and reply.get("answer", {}).get("promises"):
                reply["answer"]["promises"]["most_moves"] = 0
            child.stdin.write(wire.write_line(reply))
            child.stdin.flush()
        child.stdin.close()
        return child.wait(), lines, child.stderr.read().decode()


@pytest.mark.slow
def test_a_failure_comes_with_its_turns() -> None:
    status, lines, _ = drive(10**9, wrong=True)
    assert [line.get("type") for line in (lines[0], *lines[-2:])] == ["hello", "bye", None]
    assert status == lines[-1]["status"] == 1
    [failure] = [one for one in lines[-1]["failures"] if one["clause"] == "CON-14"]
    asked = [line["trial"] for line in lines if line.get("type") == "trial"]
    assert all(one["turn"] in asked for one in failure["turns"])
    assert any(len(one["answer"]["moves"]) > 0 for one in failure["turns"])
    assert [one["answer"] for one in failure["turns"]] == failure["observed"]["answer"]["replies"]


def test_the_end_of_standard_input_ends_it() -> None:
    status, lines, errors = drive(20)
    assert (status, len(lines)) == (2, 21)
    assert "closed its side before the check had ended." in errors


def test_it_needs_pipes_and_a_format_of_its_own() -> None:
    of_replay = ["replay", "bundles.topic@1:5", "--subject", "-"]
    for words in (WORDS, [*WORDS, "--format", "json"], of_replay):
        done = start(sys.executable, "-m", "evenkeel", *words, stdin=subprocess.DEVNULL)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
