"""A subject that answers well, except for the given behaviour; written to the given place."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from evenkeel.properties.bundles.ranges import RANGE, RangeTrial
from evenkeel_engine.kit.observations import Refused
from evenkeel_engine.subjects.base import Observed, Reply, Request
from evenkeel_engine.subjects.process import ProcessSubject
from evenkeel_engine.subjects.session import Limits

SUBJECT = """
import json, os, signal, sys, time

HELLO = dict(type="hello", protocol=1, name="odd", version="1", language="python",
             questions=["bundles.range"], options=["colour"])

def say(message):
    print(message if isinstance(message, str) else json.dumps(message), flush=True)

def observe(id_, text):
    return dict(type="observation", id=id_, refused=dict(reason="no", detail=text))

def begin():
    say(HELLO)

def answer(id_, text):
    say(observe(id_, text))

def end():
    say(dict(type="bye"))

{behaviour}

sys.stdin.readline()
begin()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        end()
        break
    answer(message["id"], message["trial"]["text"])
"""

QUICK = Limits(hello_seconds=30, trial_seconds=30, bye_seconds=10, restarts=3)
SHORT = 0.3
"""Seconds; a time limit for those who are to miss it."""


def script(folder: Path, behaviour: str) -> list[str]:
    """The command that runs a subject with this change of `begin`, `answer` or `end`."""
    path = folder / "subject.py"
    path.write_text(SUBJECT.replace("{behaviour}", textwrap.dedent(behaviour)))
    return [sys.executable, "-S", str(path)]


def odd(folder: Path, behaviour: str, limits: Limits = QUICK) -> ProcessSubject:
    """That subject, running."""
    return ProcessSubject(script(folder, behaviour), limits=limits)


def requests(*texts: str) -> list[Request]:
    """Trials of `bundles.range` with these texts."""
    return [Request(key, RANGE, RangeTrial(text)) for key, text in enumerate(texts)]


def well(text: str) -> Observed:
    """The subject's good reply to the trial with this text."""
    return Observed(Refused("no", text))


def replies(subject: ProcessSubject, trials: Iterable[Request]) -> list[Reply]:
    """All replies, after which the subject is closed; the requests come back in their order."""
    given = list(trials)
    try:
        pairs = list(subject.replies(given))
    finally:
        subject.close()
    assert [request for request, _ in pairs] == given
    return [reply for _, reply in pairs]
