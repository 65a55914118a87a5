"""Verdicts of every clause on the recorded answers of Apache Pulsar, without a JVM."""

from __future__ import annotations

from typing import Any

from evenkeel.cli.report import STATUSES, clauses_in
from evenkeel.harness.cases import compact, decoded, form_of, stored
from evenkeel.harness.tally import Found, Tally
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.question import judged
from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS


def reports() -> list[Any]:
    """One for each edition, as `evenkeel check --format json` has it."""
    return [report(edition) for edition in BASE_EDITIONS]


def report(edition: str) -> Any:
    """All recordings judged by one edition's clauses; of each failure the smallest trial's."""
    tally, by = Tally(), dict[str, None]()
    for place, case in enumerate(stored(["recorded"])):
        trial, (observation, *_) = decoded(case)
        by |= dict.fromkeys(case.answers[0].by)
        name, clauses = case.question, clauses_for(case.question, EDITIONS[edition])
        judgement = judged(QUESTIONS[name], clauses, trial, observation, EDITIONS[edition])
        tally.trials[name] += 1
        tally.add(judgement.verdicts)
        size = len(compact(form_of(case))) if judgement.failed else 0
        for one in judgement.failed:
            found = Found(size, place, name, 0, one.clause, one.kind, one.sentence)
            tally.found(one.signature, found)
    return {
        "subject": ", ".join(by),
        "edition": edition,
        "seed": None,
        "trials": dict(tally.trials),
        "clauses": {
            id_: {status: tally.verdicts[id_, status] for status in STATUSES}
            for id_ in clauses_in(tally)
        },
        "failures": [
            {"clause": one.clause, "question": one.question, "sentence": one.sentence}
            for one in tally.smallest.values()
        ],
    }
