"""The reference and the starter as processes: their answers, and bad input."""

import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, EDITIONS
from evenkeel_engine.check.seeded import Block, generate_requests, run_block
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.base import Skipped
from evenkeel_engine.subjects.local import ReferenceSubject
from evenkeel_engine.subjects.process import ProcessSubject
from evenkeel_engine.subjects.serve import make_response

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SERVE = [sys.executable, "-m", "evenkeel_engine.subjects.serve"]
STARTER = [sys.executable, str(ROOT / "adapters" / "python" / "starter.py")]
REFERENCE = ReferenceSubject(DOCUMENTED)


@pytest.mark.parametrize("edition", BASE_EDITIONS)
def test_the_wire_changes_nothing(edition: str) -> None:
    """A few trials of each question; the sweep `records` reads many from their JSON."""
    served = ProcessSubject([*SERVE, "--edition", edition], validate=True)
    local = ReferenceSubject(EDITIONS[edition])
    assert served.name.startswith(local.name)
    for name in QUESTIONS:
        trials = list(generate_requests(Block(name, 7, 0, 4)))
        assert list(served.replies(trials)) == list(local.replies(trials))
    served.close()
    assert served.restarts == 0


@pytest.mark.parametrize(
    ("line", "answer"), json.loads(Path(__file__).with_name("malformed.json").read_text("utf-8"))
)
def test_malformed_messages_get_an_error(line: str, answer: dict[str, Any]) -> None:
    reply = make_response(REFERENCE, line.encode())
    assert reply["type"] == "error"
    assert reply["definite"] is True
    assert {key: reply[key] for key in answer} == answer


@pytest.mark.parametrize("question", ["bundles.fly", 5, None, ["bundles.topic"]])
def test_unknown_questions_are_skipped(question: Any) -> None:
    line = wire.write_line({"type": "trial", "id": 4, "question": question, "trial": {}})
    assert make_response(REFERENCE, line)["type"] == "skipped"


def test_a_failing_reference_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReferenceSubject, "replies", lambda *_: 1 // 0)
    line = b'{"type":"trial","id":4,"question":"bundles.range","trial":{"text":""}}'
    reply = make_response(REFERENCE, line)
    assert reply["reason"] == "ZeroDivisionError: integer division or modulo by zero"


@pytest.mark.parametrize("command", [SERVE, STARTER])
@pytest.mark.parametrize("bye", [b'{"type":"bye"}\n', b'{"type":"bye"}', b""])
def test_the_whole_conversation(command: list[str], bye: bytes) -> None:
    lines = [
        b'{"type":"hello","protocol":1,"options":{}}',
        b"nonsense",
        b'{"type":"trial","id":1,"question":"bundles.topic","trial":{"text":"\xc3\xbc"}}',
        b'{"type":"trial","id":2,"question":"bundles.fly","trial":{}}',
    ]
    talk = b"\n".join([*lines, bye])
    done = subprocess.run(command, input=talk, capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")

    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert [message["type"] for message in messages[:4]] == [
        "hello",
        "error",
        "observation",
        "skipped",
    ]
    assert messages[2]["answer"]["hash"] == zlib.crc32("persistent://public/default/ü".encode())
    assert messages[4:] == ([{"type": "bye"}] if bye else [])


def test_the_starter_answers_rightly() -> None:
    assert len(Path(STARTER[1]).read_text().splitlines()) < 80
    starter = ProcessSubject(STARTER, validate=True)
    for name in ("bundles.hash_lookup", "bundles.topic"):
        tally = run_block(Block(name, 1, 0, 400), starter, DOCUMENTED)
        assert not tally.failures
        assert tally.answered == 400
    [(_, reply)] = starter.replies(generate_requests(Block("bundles.range", 1, 0, 1)))
    starter.close()
    assert reply == Skipped("not supported")
