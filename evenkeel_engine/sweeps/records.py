"""Trials are valid, nothing that answers or judges changes a record, and trials and answers are the
same when they are read from their JSON again.

The one sweep whose records are frozen, as they are written; in the others they are not
(`evenkeel_engine/check/fast_dataclasses.py`).
"""

from __future__ import annotations

from typing import Final

from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.content import BASE_EDITIONS, EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.codec import from_json, to_json
from evenkeel_engine.kit.question import judge_case
from evenkeel_engine.sweeps.sweep import JobOutcome, QuestionJob, Sweep, make_outcome

TRIALS: Final = 100


def check_records(job: QuestionJob) -> JobOutcome:
    """Trials of a question, answered and judged."""
    found = [sentence for index in range(job.trials) for sentence in find_wrong(job, index)]
    return make_outcome(QUESTIONS[job.question].chapter, *found, passed=job.trials)


def find_wrong(job: QuestionJob, index: int) -> list[str]:
    """What fails of one trial's records: making, answering, judging, or reading it again."""
    question, edition, found = QUESTIONS[job.question], EDITIONS[job.edition], []
    place = f"{job.question}@{job.seed}:{index}"
    try:
        trial = make_trial(question, job.seed, index)
        answer = question.observe(trial, edition)
    except Exception as error:  # a record was changed, a trial could not exist: that is looked for
        return [f"{place} in {job.edition}: {error!r}"]
    case = Case(trial, answer, edition, question.observe)
    for verdict in judge_case(clauses_for(job.question, edition), case).failed:
        found.append(f"{place} in {job.edition}: {verdict.clause}: {verdict.sentence}")
    if from_json(question.trial_type, to_json(trial)) != trial:
        found.append(f"{place} is another trial when it is read from JSON")
    if isinstance(answer, question.answer_type):
        again = from_json(question.answer_type, to_json(answer))
        if again != answer:
            found.append(f"{place}: the answer of {job.edition} is another one from JSON")
    return found


SWEEP: Final = Sweep(
    "records",
    "records",
    "{passed} trials with their answers stay as they are, also when read from JSON again",
    lambda plan: [
        [QuestionJob(name, edition, plan.seed, TRIALS)]
        for edition in BASE_EDITIONS
        for name in QUESTIONS
    ],
    check_records,
    frozen=True,
)
