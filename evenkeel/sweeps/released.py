"""Apache Pulsar's own classes answer as the edition that models them, or otherwise and within its
clauses, where the adapter is built.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from evenkeel.reference.edition import EDITIONS, LINES, Edition
from evenkeel.releases.adapter import ADAPTER, is_built, lines
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.seeded import Block, generate_requests
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.question import Question, judge_case
from evenkeel_engine.subjects.base import Observed, Reply, Skipped, offers
from evenkeel_engine.subjects.essence import same_observation
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan

EDITION_OF: Final = {line.release: EDITIONS[name] for name, line in LINES.items() if line.release}
"""By release the edition that models it."""
SAME, OTHERWISE, SKIPPED, ERRORED = "same", "otherwise", "skipped", "errored"


@dataclass(frozen=True, slots=True)
class ReleaseJob:
    """A number of trials of one question."""

    question: str
    seed: int
    trials: int


def left_out() -> str:
    """Why there is nothing to do, if so."""
    return "" if is_built() else "the adapter is not built (`make adapter` needs Maven)"


def groups(plan: SweepPlan) -> list[list[ReleaseJob]]:
    """A job for each question."""
    return [
        [ReleaseJob(name, plan.seed, plan.amounts.count_trials(question))]
        for name, question in QUESTIONS.items()
    ]


def work(job: ReleaseJob) -> JobOutcome:
    """Put the trials of a question to the default line, if it is one that the adapter answers.

    `clauses` judges what the reference answers to the same trials.
    """
    question, (release, *_) = QUESTIONS[job.question], lines()
    edition, counts = EDITION_OF[release], Counter[str]()
    failures, unknown = list[str](), list[str]()
    unfreeze(job.question)
    try:
        if not offers(open_release(release), job.question):
            return JobOutcome(question.chapter, 0)
        asked = generate_requests(Block(job.question, job.seed, 0, job.trials))
        for request, reply in open_release(release).replies(asked):
            word, why = compare_reply(question, request.trial, reply, edition)
            counts[word] += 1
            if why:
                place = f"{job.question}@{job.seed}:{request.key}"
                said = unknown if word == ERRORED else failures
                said.append(f"{release}: {place}: {word}: {why}")
    except SubjectUnusable as unusable:
        return JobOutcome(question.chapter, 0, unknown=(str(unusable),))
    return JobOutcome(question.chapter, counts.total(), (*failures,), (*unknown,), counts[SAME])


@cache
def open_release(release: str) -> ProcessSubject:
    """A release, for as long as this process runs. Raises `SubjectUnusable`."""
    return ProcessSubject([str(ADAPTER / "run"), "--pulsar", release])


def compare_reply(
    question: Question[Any, Any], trial: Any, reply: Reply, edition: Edition
) -> tuple[str, str]:
    """What a reply comes to, and why if that has to be decided. The reference's answer, but for
    the wording of refusals, needs no judge.
    """
    if not isinstance(reply, Observed):
        return (SKIPPED, "") if isinstance(reply, Skipped) else (ERRORED, reply.reason)
    observed = reply.observation
    if same_observation(observed, question.observe(trial, edition)):
        return SAME, ""
    case = Case(trial, observed, edition, question.observe)
    judgement = judge_case(clauses_for(question.name, edition), case)
    for verdict in judgement.failed:
        return "violated", f"{verdict.signature}: {verdict.sentence}"
    undecided = [one.clause for one in judgement.verdicts if one.status == "undecided"]
    return ("undecided", ", ".join(undecided)) if undecided else (OTHERWISE, "")


SWEEP: Final = Sweep(
    "Apache Pulsar",
    "trials",
    "Apache Pulsar obeys PULSAR_4_0 in {passed} trials, and answers {amount} as the reference",
    groups,
    work,
    left_out=left_out,
)
