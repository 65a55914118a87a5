"""Making recorded answers: ask a subject many trials, keep the few that tell most.

Kept are a cover (every branch of the reference that is reached; every mutant that shows, twice
where it can be), a sample of the seed, and a few trials that leave a choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from evenkeel.drivers.covering import Branches, Numbers, Shown, chosen, runs, telling
from evenkeel.drivers.in_reference import in_reference
from evenkeel.drivers.recorded import (
    OTHER,
    SAME,
    Header,
    Line,
    agrees,
    line_of,
    objections,
    text_of,
)
from evenkeel.drivers.relabel import relabelled
from evenkeel.drivers.seeded import trial_seed
from evenkeel.properties.catalogue import MUTANTS
from evenkeel.properties.draw import SeededDraw
from evenkeel.properties.mutant import Mutant
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.question import Observation, Question
from evenkeel.reference.edition import Edition
from evenkeel.subjects.base import Ask, Errored, Observed, Reply, Subject

MOST: Final = 300
"""Lines of a question."""
SAMPLE, OPEN = 40, 10
"""Lines that are no part of the cover: of the sample, and of those that leave a choice."""
SAMPLE_BYTES, OPEN_BYTES = 16_000, 12_000
LABELS: Final = 3
"""Other namings under which a trial that is kept is asked once more."""

Open = Callable[[], Subject]
Told = Callable[[str], None]


BRIEF: Final = (1.0, 0.7, 0.4)
"""How likely a list goes on, beside what the generator says: every third trial each."""


class BriefDraw(SeededDraw):
    """Draws shorter lists than a generator asks for."""

    __slots__ = ("_share",)

    def __init__(self, seed: int, share: float) -> None:
        super().__init__(seed)
        self._share = share

    def items(self, most: int, probability: float = 0.75, least: int = 0) -> Iterator[int]:
        """As inherited, with a lower probability."""
        return super().items(most, probability * self._share, least)


def pool_of(question: Question[Any, Any], seed: int, count: int) -> list[Ask]:
    """The trials that are asked."""
    found = []
    for index in range(count):
        draw = BriefDraw(trial_seed(question.name, seed, index), BRIEF[index % len(BRIEF)])
        found.append(Ask(index, question, question.generate(draw)))
    return found


class CannotRecord(Exception):
    """No recording of this question can be made: one clear sentence."""


@dataclass(slots=True)
class Candidate:
    """A trial of the pool with the subject's answer. `only`: no other answer is known to be right.
    """

    line: Line
    text: str
    only: bool
    shown: Shown


@dataclass(frozen=True, slots=True)
class Made:
    """A recording that was made, and what its lines tell apart."""

    header: Header
    texts: list[str]
    mutants: dict[str, int]


def make(
    question: Question[Any, Any],
    open_subject: Open,
    edition: Edition,
    seed: int,
    pool: int,
    mutants: Sequence[Mutant] = MUTANTS,
    told: Told = lambda _: None,
) -> Made:
    """The recording of a question. Raises `CannotRecord`."""
    maker = _Maker(question, edition, seed, mutants)
    told("asks")
    first = open_subject()
    try:
        maker.ask(first, open_subject, pool)
        told("watches the reference")
        maker.watch()
        told("runs mutants")
        maker.distinguish()
        told("chooses")
        kept = maker.keep(first)
    finally:
        first.close()
    name, _, version = first.name.partition(" ")
    opened = [c for c in kept if not c.only]
    header = Header(
        question.name, edition.name, name, version, seed, pool, len(kept), len(opened), ""
    )
    return Made(header, sorted(c.text for c in kept), maker.told_apart(kept))


class _Maker:
    """One question's making."""

    def __init__(
        self, question: Question[Any, Any], edition: Edition, seed: int, mutants: Sequence[Mutant]
    ) -> None:
        self.question, self.edition, self.seed = question, edition, seed
        self.mutants = mutants
        self.candidates: list[Candidate] = []
        self.branches, self.numbers = Numbers(), Numbers()
        self.killed: dict[str, set[int]] = {}

    # --------------------------------------------------------------------------- what is asked

    def ask(self, subject: Subject, open_subject: Open, pool: int) -> None:
        """Ask all trials, and once more of a fresh subject, the last one first."""
        trials = pool_of(self.question, self.seed, pool)
        replies = self.answers(subject, trials)
        other = open_subject()
        try:
            again = self.answers(other, trials[::-1])[::-1]
        finally:
            other.close()
        met = set[str]()
        for ask, reply, second in zip(trials, replies, again, strict=True):
            if not isinstance(reply, Observed):
                continue
            line = line_of(ask.trial, worded(reply.observation))
            text = text_of(line)
            if text in met:
                continue
            met.add(text)
            only = isinstance(second, Observed) and agrees(line, second.observation)
            shown = Shown(0, frozenset(), len(text))
            self.candidates.append(Candidate(line, text, only, shown))
        if not self.candidates:
            raise CannotRecord(f"{subject.name} answers no trial of {self.question.name}.")

    def answers(self, subject: Subject, trials: Iterable[Ask]) -> list[Reply]:
        """The replies; one that failed as a process is no answer that can be kept."""
        replies = [reply for _, reply in subject.replies(trials)]
        for reply in replies:
            if isinstance(reply, Errored):
                raise CannotRecord(f"{subject.name} on {self.question.name}: {reply.reason}.")
        return replies

    # --------------------------------------------------------------------------- what it shows

    def observe(self, trial: Any) -> Observation:
        return self.question.observe(trial, self.edition)

    def watch(self) -> None:
        """See what the reference runs; where it answers otherwise there is a choice."""
        watched = Branches(self.branches)
        for candidate in self.candidates:
            seen: list[Observation] = []
            trial = candidate.line.trial
            bits, ran = watched.of(lambda trial=trial, seen=seen: seen.append(self.observe(trial)))
            same = agrees(candidate.line, seen[0])
            candidate.only = candidate.only and same
            candidate.line = replace(candidate.line, open=SAME if same else OTHER)
            candidate.shown = Shown(bits, ran, candidate.shown.size)

    def distinguish(self) -> None:
        """Run every mutant on the trials that reach it, the equivalent ones first."""
        for mutant in sorted(self.mutants, key=lambda m: not m.correct):
            tried = [i for i, c in self.smallest() if runs(c.shown, mutant)]
            if mutant.correct:
                self.spare(mutant, tried)
            elif tried:
                self.killed[mutant.name] = set(telling(mutant, tried, self.is_changed))

    def smallest(self) -> list[tuple[int, Candidate]]:
        """The candidates with one answer and their indices, the smallest first."""
        found = [(i, c) for i, c in enumerate(self.candidates) if c.only]
        return sorted(found, key=lambda pair: pair[1].shown.size)

    def is_changed(self, index: int) -> bool:
        """Whether the reference, as it is now, answers otherwise than recorded."""
        line = self.candidates[index].line
        try:
            return not agrees(line, self.observe(line.trial))
        except Exception:  # a mutant may fail in any way; that is its answer
            return True

    def spare(self, variant: Mutant, tried: Sequence[int]) -> None:
        """Where an equivalent mutant answers otherwise, and rightly, there is a choice."""
        others: list[tuple[int, Observation]] = []
        with in_reference(variant):
            for index in tried:
                line = self.candidates[index].line
                observed = self.observe(line.trial)
                if not agrees(line, observed):
                    others.append((index, observed))
        for index, observed in others:
            trial = replace(self.candidates[index].line.trial)
            if not objections(self.question.name, self.edition, trial, observed):
                self.candidates[index].only = False

    # ---------------------------------------------------------------------------- what is kept

    def keep(self, subject: Subject) -> list[Candidate]:
        """The cover, the sample and the open ones, each asked once more under other names."""
        while True:
            indices = dict.fromkeys([*self.cover(), *self.sample()])
            kept = list(indices)[:MOST]
            open_ones = self.depending_on_names(subject, kept)
            if not open_ones:
                break
            for index in open_ones:
                self.candidates[index].only = False
        found = [self.candidates[i] for i in kept]
        for candidate in found:
            candidate.line = replace(candidate.line, open="")
        found += [c for c in self.opened(MOST - len(found))]
        for candidate in found:
            candidate.text = text_of(candidate.line)
            self.require_no_objection(candidate.line)
        return found

    def cover(self) -> Iterator[int]:
        """Every branch once, every mutant twice."""
        kills = Numbers()
        shown = {
            i: Shown(c.shown.bits, c.shown.ran, c.shown.size)
            for i, c in enumerate(self.candidates)
            if c.only
        }
        shift = len(self.branches.of)
        for name, indices in self.killed.items():
            for index in indices & set(shown):
                shown[index].bits |= kills.bit(name) << shift
        mutants = ((1 << len(kills.of)) - 1) << shift
        first = chosen(shown, mutants | ((1 << shift) - 1), MOST)
        yield from first
        for index in first:
            del shown[index]
        yield from chosen(shown, mutants, MOST)

    def sample(self) -> Iterator[int]:
        """The first trials of the seed that are not long, up to so many and so many bytes."""
        return self.first(lambda c: c.only, SAMPLE, SAMPLE_BYTES)

    def opened(self, most: int) -> list[Candidate]:
        """The first trials that leave a choice."""
        found = self.first(lambda c: not c.only, min(OPEN, most), OPEN_BYTES)
        return [self.candidates[i] for i in found]

    def first(
        self, wanted: Callable[[Candidate], bool], most: int, size: int
    ) -> Iterator[int]:
        sizes = sorted(c.shown.size for c in self.candidates if wanted(c))
        limit = max(sizes[len(sizes) // 4], 400) if sizes else 0
        for index, candidate in enumerate(self.candidates):
            if wanted(candidate) and candidate.shown.size <= limit and most and size > 0:
                most, size = most - 1, size - candidate.shown.size
                yield index

    def depending_on_names(self, subject: Subject, kept: Sequence[int]) -> list[int]:
        """The trials on which subject and reference part when brokers and bundles swap names."""
        rng = random.Random(self.seed)
        versions = [
            Ask(index, self.question, other)
            for index in kept
            for other in relabelled(self.question, self.candidates[index].line.trial, rng, LABELS)
        ]
        parted = set[int]()
        for ask, reply in subject.replies(versions):
            if isinstance(reply, Observed):
                line = line_of(ask.trial, reply.observation)
                if not agrees(line, self.observe(ask.trial)):
                    self.require_no_objection(line)
                    parted.add(ask.key)
        return sorted(parted)

    def require_no_objection(self, line: Line) -> None:
        """What a clause objects to is a divergence, to be explained before it is recorded."""
        trial = replace(line.trial)
        found = objections(self.question.name, self.edition, trial, line.observation)
        if found:
            raise CannotRecord(
                f"{self.question.name}: a clause of {self.edition.name} objects to what was "
                f"answered: {found[0]}; the trial: {text_of(line)}"
            )

    def told_apart(self, kept: Sequence[Candidate]) -> dict[str, int]:
        """How many of the lines tell each mutant apart that the question reaches."""
        texts = {c.text for c in kept}
        mine = {i for i, c in enumerate(self.candidates) if c.only and c.text in texts}
        return {name: len(indices & mine) for name, indices in self.killed.items()}


def worded(observation: Observation) -> Observation:
    """Without the subject's own sentence, which may change from run to run."""
    if isinstance(observation, Refused | Broke):
        return replace(observation, detail="")
    return observation
