"""Detect state that leaks between trials.

A subject must give the same observation wherever in a run a trial comes (spec/wire.md, State). A
failure that does not reproduce in a new process is replayed with the trials before it, and the
shortest failing sequence that is found is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from evenkeel_engine.check.failure import violated_on
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.shrink import failure_of
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.base import Request, Subject

FRESH: Final = 3
"""Failures that are tried in a new process while none is suspect: starting one takes time."""
WIDEST: Final = 512
"""Trials before the failing one that are replayed at most."""

Opening = Callable[[], Subject]


@dataclass(frozen=True, slots=True)
class StateLeak:
    """Failures of a subject that occur only after other trials.

    `before`: trials of the same question and seed after which the first of them fails in a new
    process; None where none were found. Empty: it fails there alone, and not in the run's process.
    """

    signatures: tuple[str, ...]
    found: Found
    before: tuple[int, ...] | None

    @property
    def places(self) -> list[str]:
        """The trials to be replayed in one process, the one that fails last."""
        found = self.found
        return [*(replace(found, index=index).place for index in self.before or ()), found.place]


def find_leak(
    signatures: Sequence[str], tally: Tally, subject: Subject, again: Opening, edition: Edition
) -> StateLeak | None:
    """The failures caused by state that is kept between trials; None if there are none."""
    leaked = not_reproduced(signatures, tally, subject, again, edition)
    if not leaked:
        return None
    severity = Severity(edition.name)
    first = min(leaked, key=lambda one: (severity.departs(tally, one), tally.smallest[one]))
    found = tally.smallest[first]
    sequence = Sequences(first, found, again, edition).find_shortest()
    return StateLeak((first, *(one for one in leaked if one != first)), found, sequence)


def not_reproduced(
    signatures: Sequence[str], tally: Tally, subject: Subject, again: Opening, edition: Edition
) -> list[str]:
    """Failures that do not recur for the same subject or a new one; after one, all are suspect."""
    leaked = [
        one for one in signatures if one not in violated_on(tally.smallest[one], subject, edition)
    ]
    for place, signature in enumerate(signatures):
        if signature not in leaked and (leaked or place < FRESH):
            with closing(again()) as fresh:
                if signature not in violated_on(tally.smallest[signature], fresh, edition):
                    leaked.append(signature)
    return leaked


@dataclass(frozen=True, slots=True)
class Sequences:
    """Trials that are put to a new process in order, to see whether the last one fails."""

    signature: str
    found: Found
    again: Opening
    edition: Edition

    def fails_after(self, before: Sequence[int]) -> bool:
        """Whether the trial fails in a new process to which these were put first."""
        found, question = self.found, QUESTIONS[self.found.question]
        *first, last = (
            make_trial(question, found.seed, index, found.generator)
            for index in (*before, found.index)
        )
        with closing(self.again()) as subject:
            for _ in subject.replies(Request(0, question, trial) for trial in first):
                pass
            return failure_of(question, last, self.signature, subject, self.edition) is not None

    def find_shortest(self) -> tuple[int, ...] | None:
        """A short list of trials after which it fails, if possible one; None if none is found."""
        last = self.found.index
        if self.fails_after(()):
            return ()
        width = 1
        while not self.fails_after(range(max(last - width, 0), last)):
            if width >= min(WIDEST, last):
                return None
            width *= 2
        # The last start from which the following trials make it fail.
        start, holds = max(last - width, 0), max(last - width // 2, 0)
        while holds - start > 1:
            middle = (start + holds) // 2
            failed = self.fails_after(range(middle, last))
            start, holds = (middle, holds) if failed else (start, middle)
        alone = (start,)
        return alone if self.fails_after(alone) else tuple(range(start, last))
