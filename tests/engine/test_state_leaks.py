"""State that a subject keeps between trials is reported first, with trials that reproduce it."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.blocks import Part, run_check
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.state_leaks import StateLeak, find_leak
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.base import Observed, Request, Subject
from evenkeel_engine.subjects.local import ReferenceSubject
from tests.command_line import run

NAME = "throttling.bucket"
SERVED = """
import os, sys
from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.subjects.base import Observed
from evenkeel_engine.subjects.local import ReferenceSubject
from evenkeel_engine.subjects.serve import serve
from evenkeel_engine.kit.catalogue import QUESTIONS

class Stale(ReferenceSubject):
    questions = None
    last = None

    def __init__(self, edition):
        super().__init__(edition)
        self.questions = frozenset(["throttling.bucket"])

    def replies(self, asks):
        for ask in asks:
            trial, self.last = ask.trial, ask.trial
            yield ask, Observed(ask.question.observe(self.seen(trial), DOCUMENTED))

    def seen(self, trial):
        from dataclasses import replace
        before, self.previous = getattr(self, "previous", trial), trial
        return replace(trial, rate=before.rate)

def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

serve(Stale(DOCUMENTED), sys.stdin.buffer, write)
"""


@pytest.fixture
def stale(tmp_path: Path) -> str:
    """A subject that takes the rate of the trial before."""
    path = tmp_path / "stale.py"
    path.write_text(SERVED)
    return shlex.join([sys.executable, str(path)])


def test_leak_is_reported_first_and_its_command_reproduces_it(stale: str) -> None:
    done = run("check", "--subject", stale, "--question", NAME, "--no-last-failures")
    assert done.returncode == 1, done.stdout
    assert "State leaks between trials" in done.stdout
    assert "put again, the trial did not fail so" not in done.stdout
    assert done.stdout.index("State leaks") < done.stdout.find("smallest trial found") or (
        "smallest trial found" not in done.stdout
    )
    again = re.search(r"again: evenkeel (replay .*)", done.stdout)
    assert again is not None, done.stdout
    words = shlex.split(again[1])
    places = [word for word in words if "@" in word]
    assert len(places) == 2
    assert run(*words).returncode == 1
    alone = run("replay", places[1], "--subject", stale, "--strict")
    assert alone.returncode == 0, alone.stdout


class Counting(ReferenceSubject):
    """Answers the fifth trial and all later ones as if it were the first."""

    def __init__(self) -> None:
        super().__init__(DOCUMENTED)
        self.first: Any = None
        self.asked = 0

    def replies(self, asks: Any) -> Any:
        for ask in asks:
            self.first = self.first or ask.trial
            self.asked += 1
            trial = self.first if self.asked > 4 else ask.trial
            yield ask, Observed(ask.question.observe(trial, self.edition))


def leak_of(subject: Subject, again: Any) -> StateLeak | None:
    tally = run_check([Part(QUESTIONS[NAME], 60)], 1, subject, DOCUMENTED, None, lambda *_: None)
    assert tally.failures
    return find_leak(list(tally.failures), tally, subject, again, DOCUMENTED)


def test_a_longer_sequence_is_found() -> None:
    found = leak_of(Counting(), Counting)
    assert found is not None
    assert found.before is not None
    subject = Counting()
    for place in found.places:
        index = int(place.rpartition(":")[2])
        trial = make_trial(QUESTIONS[NAME], 1, index)
        [(_, reply)] = subject.replies([Request(index, QUESTIONS[NAME], trial)])
    assert isinstance(reply, Observed)
    assert reply.observation != QUESTIONS[NAME].observe(trial, DOCUMENTED)


class Broken(ReferenceSubject):
    """Wrong in every process alike."""

    def replies(self, asks: Any) -> Any:
        for ask in asks:
            trial = ask.trial
            wrong = type(trial)(**{**fields_of(trial), "rate": trial.rate + 1})
            yield ask, Observed(ask.question.observe(wrong, self.edition))


def fields_of(trial: Any) -> dict[str, Any]:
    return {name: getattr(trial, name) for name in trial.__dataclass_fields__}


def test_reproducible_failure_is_no_leak() -> None:
    assert leak_of(Broken(DOCUMENTED), lambda: Broken(DOCUMENTED)) is None
