"""What the recorded answers of Apache Pulsar say of every clause: no JVM is needed for it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from evenkeel.drivers import recorded
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.clause import Outcome
from evenkeel.properties.question import judge
from evenkeel.reference.edition import EDITIONS


def reports() -> list[Any]:
    """One for each edition, as `evenkeel check --format json` has it."""
    return [report(edition) for edition in EDITIONS]


def report(edition: str) -> Any:
    """All recordings judged by one edition's clauses; of each failure the smallest trial's."""
    clauses: dict[str, Counter[str]] = {}
    failures: dict[str, tuple[int, Any]] = {}
    trials = {name: len(recorded.lines(name)) for name in recorded.questions()}
    for name in trials:
        asked = clauses_for(name, EDITIONS[edition])
        for line in recorded.lines(name):
            said = judge(QUESTIONS[name], asked, line.trial, line.observation, EDITIONS[edition])
            size = len(recorded.text_of(line))
            for one in said:
                clauses.setdefault(one.clause, Counter())[one.status] += 1
                if one.status in ("violated", "errored"):
                    found = {"clause": one.clause, "question": name, "sentence": one.sentence}
                    known = failures.get(one.signature)
                    if known is None or size < known[0]:
                        failures[one.signature] = (size, found)
    header = recorded.recording(next(iter(trials))).header
    return {
        "subject": f"{header.subject} {header.version}",
        "edition": edition,
        "seed": None,
        "trials": trials,
        "clauses": {id_: with_all(clauses[id_]) for id_ in clauses},
        "failures": [found for _, found in failures.values()],
    }


def with_all(counts: Counter[str]) -> dict[str, int]:
    """The counts with those that are 0."""
    names = (*(outcome.value for outcome in Outcome), "violated", "errored")
    return {name: counts[name] for name in names}
