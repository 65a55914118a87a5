"""What a run adds up to; tallies of parts merge into the tally of the whole, in any order."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, TypeVar

from evenkeel_engine import spec
from evenkeel_engine.content import EFFECTS, PROGRAM, Edition
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion, Sum, Verdict
from evenkeel_engine.text import count_noun

MOST_REASONS: Final = 1000
"""Different reasons for having no answer that are counted separately."""

OTHERS: Final = "other reasons"
STATUSES: Final = ("holds", "unexercised", "declined", "undecided", "violated", "errored")
"""Of verdicts, in the order of tables."""
MOST_PATTERNS: Final = 10_000
"""Different patterns of sentences that are counted separately."""
NUMBERS: Final = re.compile(r"\b(0x[0-9a-f]+|[0-9][0-9.,]*)( (0x[0-9a-f]+|[0-9][0-9.,]*))*")
"""Numbers in a sentence, a list of them as one."""


def place_of_trial(question: str, seed: int, index: int, generator: str) -> str:
    """`question@seed:index`; `question@independent:seed:index` of the other generator."""
    other = "" if generator == Generator.OWN else f"{generator}:"
    return f"{question}@{other}{seed}:{index}"


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """The smallest failing trial of one signature: `size` is the length of its JSON text.

    Ordered by size, then by index, so that the smallest of several is the same one however the
    run was divided.
    """

    size: int
    index: int
    question: str
    seed: int
    clause: str
    kind: str
    sentence: str
    generator: Generator = Generator.OWN

    @property
    def place(self) -> str:
        """How `evenkeel replay` calls the trial."""
        return place_of_trial(self.question, self.seed, self.index, self.generator)

    def replay_command(self, edition: str, subject: str) -> str:
        """The one command that makes the trial again and judges the subject's answer."""
        words = [*PROGRAM.split(), "replay", self.place, "--edition", edition]
        return shlex.join(words if subject == "reference" else [*words, "--subject", subject])


K = TypeVar("K")
ADDED: Final = ("verdicts", "labels", "trials", "commands", "failures", "failing", "differing")
"""The counts of a tally that simply add up."""


def keep_smaller(known: dict[K, Found], key: K, found: Found) -> None:
    """The smaller of the known and the found one."""
    before = known.get(key)
    if before is None or found < before:
        known[key] = found


@dataclass(slots=True)
class Tally:
    """Counts of a run.

    `verdicts[clause, status]`, `labels[question, label]`, `trials[question]`,
    `commands[question]` (over all its trials; a single decision counts as one),
    `skipped[question, reason]`, `errored[question, reason]` (the subject failed as a process),
    `failures[signature]` and the smallest of each in `smallest`; `failing[signature, question,
    pattern]`, the failures by their sentence without its numbers, and all of them under the
    pattern "" (for baselines: campaigns do not store it); `differing[question, kind]`, the
    answers that are not the reference's though no clause objects, and the smallest of each in
    `least`; `measured[question]`, its own numbers (campaigns do not store these either).
    """

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    trials: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    errored: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, Found] = field(default_factory=dict)
    failing: Counter[tuple[str, str, str]] = field(default_factory=Counter, compare=False)
    differing: Counter[tuple[str, str]] = field(default_factory=Counter)
    least: dict[tuple[str, str], Found] = field(default_factory=dict)
    measured: dict[str, Sum] = field(default_factory=dict, compare=False)

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Count the verdicts of a trial."""
        for verdict in verdicts:
            self.verdicts[verdict.clause, verdict.status] += 1

    def count_failure(self, signature: str, found: Found) -> None:
        """Count a failure, and keep it if it is the smallest of its signature."""
        self.failures[signature] += 1
        self.failing[signature, found.question, ""] += 1
        key = (signature, found.question, NUMBERS.sub("#", found.sentence))
        if key in self.failing or len(self.failing) < MOST_PATTERNS:
            self.failing[key] += 1
        keep_smaller(self.smallest, signature, found)

    def count_difference(self, found: Found) -> None:
        """Count an answer that is not the reference's, though no clause objects."""
        key = (found.question, found.kind)
        self.differing[key] += 1
        keep_smaller(self.least, key, found)

    def count_unanswered(
        self, counts: Counter[tuple[str, str]], question: str, reason: str, count: int = 1
    ) -> None:
        """Count trials in `skipped` or `errored` under a reason; beyond many reasons, together."""
        key = (question, reason)
        counts[key if key in counts or len(counts) < MOST_REASONS else (question, OTHERS)] += count

    def measure(self, question: AnyQuestion, trial: object, observation: object) -> None:
        """Add a trial to its question's own numbers, if that has any."""
        if question.measure is None or not isinstance(observation, question.answer_type):
            return
        self._add_measured(question.name, question.measure(trial, observation))

    def _add_measured(self, question: str, numbers: Sum) -> None:
        if question in self.measured:
            self.measured[question].merge(numbers)
        else:
            self.measured[question] = deepcopy(numbers)

    def list_measured(self) -> list[str]:
        """The questions' own numbers in words."""
        texts = ((name, numbers.tell()) for name, numbers in sorted(self.measured.items()))
        return [f"measured: {name}: {text}" for name, text in texts if text]

    def merge(self, other: Tally) -> None:
        """Add another part of the same run."""
        for name in ADDED:
            getattr(self, name).update(getattr(other, name))
        for counts, others in ((self.skipped, other.skipped), (self.errored, other.errored)):
            for (question, reason), count in others.items():
                self.count_unanswered(counts, question, reason, count)
        for signature, found in other.smallest.items():
            keep_smaller(self.smallest, signature, found)
        for key, found in other.least.items():
            keep_smaller(self.least, key, found)
        for name, numbers in other.measured.items():
            self._add_measured(name, numbers)

    def conclude_verdict(self, clause: str) -> str:
        """The verdict of all trials on a clause; unexercised if none could show a violation."""
        statuses = ("violated", "errored", "holds", "undecided", "declined")
        return next((status for status in statuses if self.verdicts[clause, status]), "unexercised")

    def conclude_outcome(self, clauses: Collection[str], departures: Collection[str] = ()) -> str:
        """A summary: how many clauses hold, failures, departures, and trials without a verdict."""
        verdicts = Counter(self.conclude_verdict(clause) for clause in clauses)
        parts = [f"{verdicts['holds']} of {len(clauses)} clauses hold"]
        if not self.verdicts:
            trials = sum(self.trials.values())
            why = ", because the subject answers none of it" if trials else ""
            parts = [f"nothing was checked{why}"]
        elif untried := verdicts["unexercised"]:
            parts.append(f"{untried} {'was' if untried == 1 else 'were'} not exercised")
        if declined := verdicts["declined"]:
            parts.append(f"{declined} {'is' if declined == 1 else 'are'} not promised")
        if errors := len(self.failures) - len(departures):
            parts.append(count_noun(errors, "failure"))
        if departures:
            count = count_noun(len(departures), "departure")
            parts.append(f"{count} (SHOULD only: no error without --strict)")
        effects = Counter(spec.find_clause(self.smallest[one].clause).effect for one in departures)
        for effect in EFFECTS:
            if grave := effects[effect]:
                parts.append(f"{grave} of them with the effect {effect}")
        if undecided := sum(n for (_, s), n in self.verdicts.items() if s == "undecided"):
            parts.append(f"{undecided:,} verdicts undecided")
        for counts, what in ((self.errored, "without an answer"), (self.skipped, "skipped")):
            if amount := sum(counts.values()):
                parts.append(f"{amount:,} {what}")
        return f"{', '.join(parts)} in {sum(self.trials.values()):,} trials"

    @property
    def violated(self) -> bool:
        """Whether any clause was violated, or any check failed."""
        return bool(self.failures)

    @property
    def answered(self) -> int:
        """How many trials the subject answered."""
        return self.trials.total() - self.unanswered.total()

    @property
    def unanswered(self) -> Counter[str]:
        """How many trials of each question were skipped, or failed on."""
        return sum_questions(self.skipped) + sum_questions(self.errored)


def sum_questions(counts: Counter[tuple[str, str]]) -> Counter[str]:
    """The counts of each question, whatever the reason."""
    found = Counter[str]()
    for (question, _), count in counts.items():
        found[question] += count
    return found


def asked_clauses(
    questions: Iterable[str], edition: Edition, only: Collection[str] = ()
) -> list[str]:
    """The clauses of a run in the specification's order: those named, or all on these questions."""
    on = (clauses_for(question, edition, frozenset(only) or None) for question in questions)
    clauses_of_run = {clause.id for clauses in on for clause in clauses} | set(only)
    return sorted(clauses_of_run, key=spec.signature_order)


def coverage_gaps(
    tally: Tally, clauses_of_run: Collection[str], allow_unexercised: bool
) -> list[str]:
    """Why a run without a violation does not show that all holds; one sentence each."""
    found = []
    if tally.answered <= 0:
        found.append("the subject answered nothing")
    without = sum_questions(tally.errored)
    found += [f"{n:,} trials of {name} have no answer" for name, n in sorted(without.items())]
    untried = [
        id_ for id_ in clauses_of_run if tally.conclude_verdict(id_) in ("unexercised", "undecided")
    ]
    if untried and not allow_unexercised:
        accepted = "--allow-unexercised accepts that"
        found.append(f"no trial could show a breach of {', '.join(untried)} ({accepted})")
    return found
