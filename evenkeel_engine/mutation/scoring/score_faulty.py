"""Idle and disobedient subjects: each must be violated by some clause."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Final

from evenkeel_engine.check.pool import results
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case, Clause
from evenkeel_engine.kit.question import Observation, Verdict, verdict_of
from evenkeel_engine.mutation.faulty_subjects import LATE, LATE_ROUNDS, IdleSubject, subjects_of


@dataclass(frozen=True, slots=True)
class Idle:
    """Whether one subject was detected: the clause that objected first (None: none did), its
    sentence, and the number of trials.
    """

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
class Job:
    """A question, an edition, and at most how many trials each subject answers."""

    question: str
    edition: str
    seed: int
    most: int


MORE_FOR_LATE: Final = 5
"""Factor of the trials for a subject that only long ones show."""
FEWER_FOR_KNOWN: Final = 4
"""Divisor of the trials for one that is known to survive: no trial ends them."""
STEP_BETWEEN: Final = (
    "A step that a broker makes between two moments of rest. When it makes it is its own affair: "
    "the clauses demand what holds at every moment, and what holds at rest."
)
SELDOM_LATE: Final = "Seldom in long trials: the number of the profile ci detects it."
FEW_ROUNDS: Final = "Trials have fewer rounds."
NO_ROUNDS: Final = "One value for each key or bundle of the request; these are no rounds."
NEEDED: Final = "What follows is possible after it alone, so that no trial is left without it."
SURVIVORS: Final[dict[tuple[str, str], str]] = {
    **{
        ("ownership.channel", f"ignores {step}"): STEP_BETWEEN
        for step in ("Finish", "Read", "Notice", "Clean", "Monitor")
    },
    ("ownership.channel", "ignores Compact"): "Compaction must change nothing that can be seen.",
    (
        "ownership.channel",
        "ignores Elect",
    ): "The leader shows only in which broker writes overrides.",
    **{
        ("ownership.locks", f"ignores {step}"): STEP_BETWEEN
        for step in ("Answer", "Fail", "Notify", "Closed", "Retry")
    },
    ("ownership.locks", "ignores Disconnect"): "Settling connects every broker again.",
    ("ownership.locks", "ignores Elect"): "After settling all brokers agree on a leader.",
    ("splitting.life", "ignores Reload"): "Reading the stored data again changes nothing.",
    ("scaling.layout", f"ignores Read after {LATE} commands"): (
        "Its answer is the layout after the command before, which is right."
    ),
    ("scaling.assignment", "ignores TakeOver"): "Another controller must change nothing (SCA-60).",
    ("scaling.assignment", "ignores LoseConnection"): (
        "A lost connection must change nothing (SCA-59)."
    ),
    ("scaling.assignment", "ignores Split"): NEEDED,
    ("scaling.assignment", f"ignores Merge after {LATE} commands"): NEEDED,
    ("load.leader", "ignores Write"): "What is written is what is known already.",
    ("placement.avg_shedder", "ignores Update"): (
        "A plan is for its bundle, whatever that carries; 4.0, whose plan goes by statistics, is "
        "judged by PLC-21."
    ),
    **{
        (question, f"ignores {command} after {LATE} commands"): SELDOM_LATE
        for question, command in (
            ("placement.least_resource_usage_modular", "Active"),
            ("throttling.quota", "Publish"),
        )
    },
    ("throttling.policy", f"ignores Subscribe after {LATE} commands"): (
        "What has a consumer already is limited as before."
    ),
    ("splitting.unloading", f"does nothing after {LATE_ROUNDS} rounds"): NO_ROUNDS,
    ("shedding.cycles", f"does nothing after {LATE_ROUNDS} rounds"): FEW_ROUNDS,
    ("throttling.counter", "ignores Close"): (
        "The documents do not cover a counter that is no longer used; 4.0 is judged by THR-23."
    ),
}
"""By question and subject: why no clause objects."""


def reason_to_survive(question: str, subject: str) -> str | None:
    """Why no clause objects, if that is right. What may be ignored may be ignored later."""
    whole = subject.partition(" after ")[0]
    return SURVIVORS.get((question, subject)) or SURVIVORS.get((question, whole))


def idle_verdicts(
    questions: Collection[str],
    editions: Collection[str],
    seed: int,
    most: int,
    progress: Callable[[str], None],
) -> list[Idle]:
    """What became of each idle subject of these questions in these editions."""
    jobs = [
        Job(name, edition, seed, most)
        for name in questions
        for edition in editions
        if clauses_for(name, EDITIONS[edition])
    ]
    done = results(faulty_score, [[job] for job in jobs], lambda job: progress(job.question))
    return [idle for of_job in done for idle in of_job]


def faulty_score(job: Job) -> list[Idle]:
    """All idle subjects of one question in one edition."""
    return judged(list(subjects_of(QUESTIONS[job.question])), job)


def judged(subjects: Sequence[IdleSubject], job: Job) -> list[Idle]:
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
            case = Case(trial, observed, edition, partial(answered, expected))
            if observed != expected and (verdict := objection(clauses, case)) is not None:
                found[name] = Idle(
                    job.question,
                    job.edition,
                    name,
                    verdict.clause,
                    verdict.sentence,
                    index + 1,
                )
    return [
        found.get(name) or Idle(job.question, job.edition, name, None, "", tried)
        for name, tried in most.items()
    ]


def trials_for(subject: IdleSubject, job: Job) -> int:
    """How many trials a subject gets, at most."""
    most = job.most * (MORE_FOR_LATE if subject.late else 1)
    return most // FEWER_FOR_KNOWN if reason_to_survive(job.question, subject.name) else most


def answered(expected: Observation, *_: object) -> Observation:
    """The known answers of the reference, without computing them again."""
    return expected


def objection(clauses: Sequence[Clause], case: Case[Any, Any]) -> Verdict | None:
    """The verdict of the first clause that a case violates, if one does."""
    verdicts = (verdict_of(clause, case) for clause in clauses)
    return next((one for one in verdicts if one.status == "violated"), None)
