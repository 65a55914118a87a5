"""`evenkeel certify`: who rests, who does not, who cannot be asked."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.command_line import run

SERVED = f"{shlex.quote(sys.executable)} -m evenkeel_engine.subjects.serve"


def test_the_reference_comes_to_rest_from_every_situation() -> None:
    done = run("certify", "--subject", "reference", "--quick", "--format", "json")
    assert done.returncode == 0, done.stderr
    [data] = json.loads(done.stdout)["subjects"].values()
    assert data["resting"] == data["situations"] == 398
    assert data["violated"] == {}


def test_who_moves_for_ever_is_found_with_the_smallest_situation(tmp_path: Path) -> None:
    subject = f"{SERVED} --mutant ping-pong"
    done = run("certify", "--subject", subject, "--quick", "--jobs", "1", "--format", "json")
    assert done.returncode == 1, done.stderr
    [data] = json.loads(done.stdout)["subjects"].values()
    smallest = data["smallest"]["does not come to rest"]
    assert len(smallest["trial"]["units"]) == 1
    path = tmp_path / "smallest.json"
    path.write_text(json.dumps({"question": "contract.rebalance", "trial": smallest["trial"]}))
    again = run("replay", str(path), "--subject", subject, cache=tmp_path)
    assert again.returncode == 1
    assert "CON-19" in again.stdout


@pytest.mark.parametrize(
    ("promises", "words"), [("{}", "promises no measure"), ("null", "without promises")]
)
def test_who_promises_nothing_is_refused(tmp_path: Path, promises: str, words: str) -> None:
    path = tmp_path / "adapter.py"
    path.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked['type'] == 'hello':\n"
        "        reply = {'type': 'hello', 'protocol': 1, 'name': 'idle', 'version': '1',\n"
        "                'language': 'python', 'questions': ['contract.rebalance'],\n"
        "                'options': []}\n"
        "    elif asked['type'] == 'trial':\n"
        "        reply = {'type': 'observation', 'id': asked['id'],\n"
        f"                'answer': {{'promises': json.loads('{promises}')}}}}\n"
        "    else:\n"
        "        reply = {'type': 'bye'}\n"
        "    print(json.dumps(reply), flush=True)\n"
    )
    done = run("certify", "--subject", f"{sys.executable} {path}", "--quick")
    assert done.returncode == 2
    assert words in done.stderr
