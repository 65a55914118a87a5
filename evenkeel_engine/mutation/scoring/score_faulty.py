"""Idle and disobedient subjects: each must be violated by some clause."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from evenkeel_engine.check.pool import run_jobs
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.question import judge_case
from evenkeel_engine.mutation.faulty_subjects import IdleSubject, subjects_of


@dataclass(frozen=True, slots=True)
class Idle:
    """The first clause that objected to a subject (None: none did), after `trials` trials."""

    question: str
    edition: str
    subject: str
    clause: str | None
    sentence: str
    trials: int

    @property
    def allowed(self) -> str | None:
        """Why no clause objects, if that is known to be right."""
        return reason_to_survive(self.question, self.subject)


@dataclass(frozen=True, slots=True)
class FaultyJob:
    """A question, an edition, and at most how many trials each subject answers."""

    question: str
    edition: str
    seed: int
    most: int


MORE_FOR_LATE: Final = 5
"""Factor of the trials for a subject that only long ones show."""
FEWER_FOR_KNOWN: Final = 4
"""Divisor of the trials for one that is known to survive: no trial ends them."""


def reason_to_survive(question: str, subject: str) -> str | None:
    """Why no clause objects, if that is right. What may be ignored may be ignored later."""
    whole = subject.partition(" after ")[0]
    known = QUESTIONS[question].exempt.subjects
    return known.get(subject) or known.get(whole)


def idle_verdicts(
    questions: Collection[str],
    editions: Collection[str],
    seed: int,
    most: int,
    progress: Callable[[str], None],
) -> list[Idle]:
    """What became of each idle subject of these questions in these editions."""
    jobs = [
        FaultyJob(name, edition, seed, most)
        for name in questions
        for edition in editions
        if clauses_for(name, EDITIONS[edition])
    ]
    done = run_jobs(faulty_score, [[job] for job in jobs], lambda job: progress(job.question))
    return [idle for of_job in done for idle in of_job]


def faulty_score(job: FaultyJob) -> list[Idle]:
    """All idle subjects of one question in one edition."""
    return judge_subjects(list(subjects_of(QUESTIONS[job.question])), job)


def judge_subjects(subjects: Sequence[IdleSubject], job: FaultyJob) -> list[Idle]:
    """Put the same trials to all subjects, to each until a clause is violated.

    A trial is generated, and answered by the reference, once for all of them; not if it cannot show
    what they do. `late` subjects get more than `job.most` trials, known survivors fewer.
    """
    question, edition = QUESTIONS[job.question], EDITIONS[job.edition]
    clauses = clauses_for(job.question, edition)
    left = {subject.name: subject for subject in subjects}
    most = {name: trials_for(subject, job) for name, subject in left.items()}
    found: dict[str, Idle] = {}
    for index in count():
        left = {name: s for name, s in left.items() if name not in found and index < most[name]}
        if not left:
            break
        trial = make_trial(question, job.seed, index)
        shown = {name: s for name, s in left.items() if s.may_show(trial)}
        expected = question.observe(trial, edition) if shown else None
        for name, subject in shown.items():
            observed = subject.answer(question, trial, expected, edition)
            case = Case(trial, observed, edition, lambda *_, known=expected: known)
            for verdict in judge_case(clauses, case).failed if observed != expected else ():
                if verdict.status == "violated":
                    words = verdict.clause, verdict.sentence
                    found[name] = Idle(job.question, job.edition, name, *words, index + 1)
                    break
    return [
        found.get(name) or Idle(job.question, job.edition, name, None, "", tried)
        for name, tried in most.items()
    ]


def trials_for(subject: IdleSubject, job: FaultyJob) -> int:
    """How many trials a subject gets, at most."""
    most = job.most * (MORE_FOR_LATE if subject.late else 1)
    return most // FEWER_FOR_KNOWN if reason_to_survive(job.question, subject.name) else most
