"""`evenkeel certify`: who rests, who does not, who cannot be asked."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from evenkeel.certify import adversary, command
from evenkeel.certify.situations import Scope
from evenkeel.models.contract.worst_loads import find_worst
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.measures import measure
from evenkeel.properties.contract.rebalance.trials import Replies
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.blocks import Part, run_check
from evenkeel_engine.subjects.base import Observed, reply_to
from evenkeel_engine.subjects.functions import FunctionSubject
from evenkeel_engine.subjects.local import ReferenceSubject
from examples.contract.cluster import Balancer
from examples.contract.right import RIGHT
from tests.command_line import run
from tests.contract.wrong_balancers import WRONG

FEW = Scope(1, (1, 2, 3), (2,), (3,), ())
SERVED = f"{shlex.quote(sys.executable)} -m evenkeel_engine.subjects.serve"


def test_the_reference_comes_to_rest_from_every_situation() -> None:
    done = run("certify", "--subject", "reference", "--quick", "--format", "json")
    assert done.returncode == 0, done.stderr
    [data] = json.loads(done.stdout)["subjects"].values()
    assert data["resting"] == data["situations"] == 406
    assert data["violated"] == {}
    assert "8 of the situations are histories" in data["notes"][1]


def test_who_moves_for_ever_is_found_with_the_smallest_situation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "QUICK", FEW)
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


def test_an_adversary_finds_twice_the_rounds_that_chance_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    balancer: type[Balancer] = RIGHT["Greedy"]
    rounds = []
    for one_in in (1, adversary.RANDOM):
        monkeypatch.setattr(adversary, "RANDOM", one_in)
        subject = FunctionSubject({"contract.rebalance": balancer})
        found = adversary.hunt(subject, 250, 1, lambda _: None)
        assert not found.part.worst
        rounds.append(found.worst[0][0].measured.rounds)
    assert rounds[1] >= 2 * rounds[0]


def test_what_an_adversary_finds_is_small_and_replays(tmp_path: Path) -> None:
    subject = f"{SERVED} --mutant ping-pong"
    words = ("certify", "--subject", subject, "--adversary", "20", "--format", "json")
    done = run(*words, cache=tmp_path)
    assert done.returncode == 1, done.stderr
    [data] = json.loads(done.stdout)["subjects"].values()
    assert len(data["smallest"]["CON-19"]["trial"]["units"]) == 1
    assert data["notes"][0].startswith("worst load found: ")
    [path] = tmp_path.rglob("certify-worst-load-*.json")
    assert run("replay", str(path), "--subject", subject, cache=tmp_path).returncode == 1


def test_a_solver_keeps_the_reference_moving_as_long_as_loads_can() -> None:
    subject = ReferenceSubject(DOCUMENTED)
    trial = find_worst(5, 4)
    assert trial is not None
    reply = reply_to(subject, REBALANCE, trial)
    assert isinstance(reply, Observed)
    assert isinstance(reply.observation, Replies)
    measured = measure(trial, reply.observation)
    assert measured is not None
    assert measured.moves >= 4
    assert find_worst(4, 3) is None, "no loads of four units do so"


def test_what_a_balancer_does_is_measured() -> None:
    subject = FunctionSubject({REBALANCE.name: WRONG["PingPong"]})
    parts = [Part(REBALANCE, 10), Part(REBALANCE, 10)]
    [text] = run_check(parts, 1, subject, DOCUMENTED, None, lambda *_: None).list_measured()
    found = re.match(r"measured: contract.rebalance: at rest in (\d+) of 20 trials, ", text)
    assert found is not None
    assert int(found[1]) < 20


@pytest.mark.parametrize(
    ("promises", "words"),
    [
        ("{}", "promises no measure"),
        ("null", "without promises"),
        ('{"waits": 4611686018427387904}', "waits: must be 0 to 1000"),
    ],
)
def test_who_promises_nothing_usable_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, promises: str, words: str
) -> None:
    monkeypatch.setattr(command, "QUICK", FEW)
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
    assert words in " ".join((done.stdout + done.stderr).split())
