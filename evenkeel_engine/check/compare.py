"""The same trials put to several subjects, and the smallest trial of each failure put to all.

Subjects are columns, in the order in which they are given: of releases, the oldest first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.check.blocks import Part, Progress, run_check
from evenkeel_engine.check.failure import describe_failure
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import list_breaches
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion, Verdict
from evenkeel_engine.subjects.base import Observed, Subject, offers, reply_to
from evenkeel_engine.subjects.process import ProcessSubject

SECONDS: Final = 5.0
"""In which smaller trials of one failure are looked for: it is the smallest of thousands."""
ATTEMPTS: Final = 20
"""How often a trial is put to a subject that may choose at random."""
OF_A_PROCESS: Final = 4
"""How many of these are put to one process, where a trial is a long run: the order of a set may
decide in it, which is another one in each process.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """What one subject answered: its tally over the questions that it offers."""

    name: str
    offers: frozenset[str]
    tally: Tally


@dataclass(frozen=True, slots=True)
class ComparedFailure:
    """A signature with one small trial, which was put to all subjects that offer its question.

    `shown` has a share of attempts for each column, 1 where every attempt shows the failure; None
    where the question is not offered. `failures` is the number of failing trials of each column.
    """

    signature: str
    clause: str
    sentence: str
    question: AnyQuestion
    trial: Any
    shown: tuple[float | None, ...]
    failures: tuple[int, ...] = field(default=())

    @property
    def on(self) -> tuple[int, ...]:
        """The places of the columns that show it."""
        return places_of(self.shown)

    @property
    def is_random(self) -> bool:
        """Whether a subject shows it in some attempts only, or none shows it again."""
        return not self.on or any(share is not None and 0 < share < 1 for share in self.shown)


def places_of(shown: Sequence[float | None]) -> tuple[int, ...]:
    """Where a failure is shown in some attempts at least."""
    return tuple(place for place, share in enumerate(shown) if share)


def span_of(shown: Sequence[float | None], columns: Sequence[str]) -> str:
    """Since and until when a failure is shown, in words, of releases in their order."""
    if not (on := places_of(shown)):
        return "not shown again"
    asked = [place for place, share in enumerate(shown) if share is not None]
    first, last = on[0], on[-1]
    words = [f"since {columns[first]}"] if first > asked[0] else []
    words += [f"until {columns[last]}"] if last < asked[-1] else []
    words = words or ["in all" if len(asked) == len(columns) else "in all that were asked"]
    absent = [columns[place] for place in asked if first < place < last and place not in on]
    return ", ".join(words) + (f", but for {', '.join(absent)}" if absent else "")


def columns_of(
    subjects: Sequence[Subject],
    parts: Sequence[Part],
    seed: int,
    edition: Edition,
    only: Collection[str] | None,
    progress: Progress,
    generator: Generator = Generator.OWN,
) -> list[Column]:
    """Put the parts that each subject offers to it, one subject after the other."""
    found = []
    for subject in subjects:
        own = [part for part in parts if offers(subject, part.question.name)]
        names = frozenset(part.question.name for part in own)
        tally = run_check(own, seed, subject, edition, only, progress, generator)
        found.append(Column(subject.name, names, tally))
    return found


def findings_of(
    columns: Sequence[Column],
    subjects: Sequence[Subject],
    edition: Edition,
    advance: Callable[[str, int], None],
) -> list[ComparedFailure]:
    """Each failure of any column, shrunk on the first that has it, and put to all.

    Columns that fail with the same signature, but not on that trial, have a finding of their own:
    two defects can break one clause in one way.
    """
    failing: dict[str, list[int]] = {}
    for place, column in enumerate(columns):
        for signature in column.tally.smallest:
            failing.setdefault(signature, []).append(place)
    found = []
    for signature in sorted(failing, key=spec.signature_order):
        left = failing[signature]
        counts = tuple(column.tally.failures[signature] for column in columns)
        while left:
            tally, subject = columns[left[0]].tally, subjects[left[0]]
            one = describe_failure(signature, tally, subject, edition, SECONDS)
            asked = one.question, one.trial
            shown = tuple(shown_on(each, *asked, signature, edition) for each in subjects)
            said = one.found.clause, one.sentence
            found.append(ComparedFailure(signature, *said, *asked, shown, counts))
            left = [place for place in left[1:] if place not in found[-1].on]
        advance(signature, 1)
    return found


def findings_on(
    subjects: Sequence[Subject], question: AnyQuestion, trial: Any, edition: Edition
) -> list[ComparedFailure]:
    """What any of the subjects violates on one trial."""
    sentences: dict[str, Verdict] = {}
    for subject in subjects:
        for _ in range(ATTEMPTS):
            for verdict in failed_on(subject, question, trial, edition):
                sentences.setdefault(verdict.signature, verdict)
    found = []
    for signature, verdict in sorted(sentences.items()):
        said = verdict.clause, verdict.sentence
        shown = tuple(shown_on(each, question, trial, signature, edition) for each in subjects)
        found.append(ComparedFailure(signature, *said, question, trial, shown))
    return found


def shown_on(
    subject: Subject, question: AnyQuestion, trial: Any, signature: str, edition: Edition
) -> float | None:
    """In which share of attempts the judge finds this failure; None if the subject is not asked."""
    if not offers(subject, question.name):
        return None
    shown, process = 0, subject if isinstance(subject, ProcessSubject) else None
    for attempt in range(ATTEMPTS):
        if process and question.simulates and attempt % OF_A_PROCESS == 0:
            process.renew()
        failed = failed_on(subject, question, trial, edition)
        shown += signature in {one.signature for one in failed}
    return shown / ATTEMPTS


def failed_on(
    subject: Subject, question: AnyQuestion, trial: Any, edition: Edition
) -> list[Verdict]:
    """The failed verdicts on a subject's answer to a trial; none if it does not answer."""
    reply = reply_to(subject, question, trial) if offers(subject, question.name) else None
    if not isinstance(reply, Observed):
        return []
    return list_breaches(question, edition, trial, reply.observation)
