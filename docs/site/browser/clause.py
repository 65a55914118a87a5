"""Any trial, put to the reference of both editions and to their judges."""

from __future__ import annotations

from typing import Any

from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import BadData, from_json
from evenkeel_engine.kit.question import Question, judge
from evenkeel_engine.subjects.wire import observation_to_json, read_observation


def answer(request: Any) -> Any:
    """`question` and `trial`, and an `observation` to be judged, if any. The answer has by edition
    what the reference observes, and the verdicts of each judge on each observation.
    """
    question = QUESTIONS[request["question"]]
    try:
        trial = from_json(question.trial_type, request["trial"])
        own = {"yours": request["observation"]} if request.get("observation") else {}
        seen = {name: question.observe(trial, edition) for name, edition in BASE_EDITIONS.items()}
        given = {name: read_observation(question, data) for name, data in own.items()}
    except BadData as bad:
        raise ValueError(str(bad)) from bad
    return {
        "observed": {name: observation_to_json(found) for name, found in seen.items()},
        "verdicts": {
            name: {edition: verdicts(question, trial, found, edition) for edition in BASE_EDITIONS}
            for name, found in {**seen, **given}.items()
        },
    }


def verdicts(question: Question[Any, Any], trial: Any, observed: Any, edition: str) -> Any:
    """The verdict of each clause of an edition on an observation, without unexercised ones."""
    found = EDITIONS[edition]
    judgement = judge(question, clauses_for(question.name, found), trial, observed, found)
    return {
        verdict.clause: [verdict.status, verdict.sentence]
        for verdict in judgement
        if verdict.status != "unexercised"
    }
