"""Making a corpus: of many trials the few, small ones that show as much.

What a trial shows: clauses that it exercises, decisions of the reference (from which line to
which it goes), mutants that it notices. A trial is taken to have one right answer if no equivalent
mutant, and no witness (another subject, such as Apache Pulsar), gives another to which no clause
objects. Those that are chosen are doubted (`corpus_doubts`), and chosen anew if that changes any.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel import spec
from evenkeel.harness import counterexample, recorded
from evenkeel.harness.corpus import EXACT, EXAMPLES, Vector, Wrong, core, id_of, same
from evenkeel.harness.corpus_doubts import Court, doubted
from evenkeel.harness.covering import Branches, Numbers, Shown, chosen, codes_of
from evenkeel.harness.limits import TooLong, limited
from evenkeel.harness.recorded import objections
from evenkeel.harness.recording_pool import BRIEF, BriefDraw
from evenkeel.harness.seeded import make_trial, trial_seed
from evenkeel.harness.subjects.base import Ask, Observed
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import BadData, Json, from_json, to_json
from evenkeel.properties.kit.question import Question, judge
from evenkeel.reference.edition import EDITIONS, Edition

ENOUGH: Final = 3
"""So many trials that notice a mutant are looked for; the smallest come first."""
LARGE: Final = 40_000
"""Longer trials are left out: a corpus is read."""
MOST: Final = 100_000
SMALL, SPACED = 20, 40
"""So many of the smallest trials with a choice are judged with a mutant, and of the others."""
ROUNDS: Final = 12
"""So often the trials are chosen anew at most, after doubts changed what they show."""
DEAR: Final = 4
"""So many times its size a trial costs of which only examples are known."""
FURTHER: Final = 10
"""So many times the trials are drawn at most, until each clause is exercised."""


@dataclass(frozen=True, slots=True)
class Job:
    """A question in an edition; `witness` is empty or as after --subject."""

    question: str
    edition: str
    seed: int
    trials: int
    witness: str


@dataclass(slots=True)
class Option:
    """A trial that may be taken, and what it shows."""

    trial: Any
    form: Json
    size: int
    right: list[Json]
    ran: frozenset[Any]
    marks: set[str]
    clauses: tuple[str, ...]
    told: tuple[str, str] = ("", "")
    wrong: dict[str, Wrong] = field(default_factory=dict)
    mutants: list[str] = field(default_factory=list)
    doubted: Vector | None = None

    @property
    def kind(self) -> str:
        """Until it is doubted: whether nobody knows another right answer."""
        if self.doubted is not None:
            return self.doubted.kind
        return EXACT if len(self.right) == 1 else EXAMPLES


class Making:
    """The options of one job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.question: Question[Any, Any] = QUESTIONS[job.question]
        self.edition: Edition = EDITIONS[job.edition]
        self._clauses = clauses_for(job.question, self.edition)
        self._numbers = Numbers()
        self._watched = Branches(self._numbers)
        self._names: list[str] = []
        self.options: list[Option] = []

    def run(self) -> list[tuple[Vector, list[str], int]]:
        """Vectors that show all that can be shown here, with what each shows, and its size."""
        seen = set[str]()
        for trial, told in self._trials():
            form = to_json(trial)
            text = json.dumps(form)
            if text not in seen and len(text) <= LARGE:
                seen.add(text)
                self._take(trial, form, len(text), told)
        self._reach_all(seen)
        self.options.sort(key=lambda option: option.size)
        self._hear_witness()
        for mutant in MUTANTS:
            if mutant.conforming:
                self._spare(mutant)
        for mutant in MUTANTS:
            if not mutant.conforming:
                self._try(mutant)
        return [self._made(option) for option in self._true_cover()]

    def _true_cover(self) -> list[Option]:
        """A cover of options that were doubted; for a mutant that this lost, others are tried."""
        for _ in range(ROUNDS):
            cover = self._cover()
            if all(option.doubted for option in cover):
                break
            before = {name for option in self.options for name in option.mutants}
            for option in cover:
                self._doubt(option)
            after = {name for option in self.options for name in option.mutants}
            for mutant in MUTANTS:
                if mutant.name in before - after:
                    self._try(mutant, judged=True)
        cover = self._cover()
        for option in cover:
            self._doubt(option)
        return cover

    def _doubt(self, option: Option) -> None:
        """Put it to the judge what else might be answered; once."""
        if option.doubted is None:
            option.doubted = doubted(self._vector(option))
            option.mutants = list(option.doubted.mutants)

    def _trials(self) -> Iterator[tuple[Any, tuple[str, str]]]:
        """Those that somebody found worth keeping, then so many of a seed."""
        for _, one in files_of(self.job.question):
            with suppress(BadData):
                yield from_json(self.question.trial_type, one.trial), (one.title, one.effect)
        for line in recorded.lines(self.job.question):
            yield line.trial, ("", "")
        for index in range(self.job.trials):
            share = BRIEF[index % len(BRIEF)]
            draw = BriefDraw(trial_seed(self.job.question, self.job.seed, index), share)
            yield self.question.generate(draw), ("", "")

    def _reach_all(self, seen: set[str]) -> None:
        """Draw on for clauses that no trial has exercised: some are reached once in hundreds."""
        reached = {id_ for option in self.options for id_ in option.clauses}
        missing = [clause for clause in self._clauses if clause.id not in reached]
        for index in range(self.job.trials, FURTHER * self.job.trials):
            if not missing:
                return
            trial = make_trial(self.question, self.job.seed, index)
            observed = self.question.observe(trial, self.edition)
            verdicts = judge(self.question, missing, trial, observed, self.edition)
            if not any(verdict.status == "holds" for verdict in verdicts):
                continue
            form = to_json(trial)
            text = json.dumps(form)
            if text not in seen and len(text) <= LARGE:
                seen.add(text)
                self._take(trial, form, len(text), ("", ""))
                reached = {id_ for option in self.options for id_ in option.clauses}
                missing = [clause for clause in missing if clause.id not in reached]

    def _take(self, trial: Any, form: Json, size: int, told: tuple[str, str]) -> None:
        seen: list[Any] = []
        bits, ran, _ = self._watched.of(
            lambda: seen.append(self.question.observe(trial, self.edition))
        )
        verdicts = judge(self.question, self._clauses, trial, seen[0], self.edition)
        if any(v.status in ("violated", "errored", "undecided") for v in verdicts):
            return
        clauses = tuple(sorted({v.clause for v in verdicts if v.status == "holds"}))
        marks = {f"clause {id_} {self.job.question}" for id_ in clauses} | self._branches(bits)
        self.options.append(Option(trial, form, size, [core(seen[0])], ran, marks, clauses, told))

    def _branches(self, bits: int) -> set[str]:
        """Names of branches that are the same in another process."""
        taken: list[Any] = list(self._numbers.of)[len(self._names) :]
        for code, last, line in taken:
            self._names.append(f"branch {code.co_filename}:{code.co_name}:{last}-{line}")
        return {name for at, name in enumerate(self._names) if bits >> at & 1}

    def _hear_witness(self) -> None:
        """What another subject answers, and no clause objects to, is right as well."""
        if not self.job.witness:
            return
        subject = open_subject(self.job.witness, self.edition)
        try:
            asks = [Ask(at, self.question, o.trial) for at, o in enumerate(self.options)]
            for ask, reply in subject.replies(asks):
                if isinstance(reply, Observed):
                    self._allow(self.options[ask.key], reply.observation)
        finally:
            subject.close()

    def _allow(self, option: Option, observation: Any) -> None:
        found = core(observation)
        if any(same(found, right) for right in option.right):
            return
        if not objections(
            self.job.question, self.edition, from_json_again(self, option), observation
        ):
            option.right.append(found)

    def _reaching(self, mutant: Mutant) -> list[Option]:
        codes = codes_of(mutant)
        return [o for o in self.options if not codes.isdisjoint(o.ran)]

    def _spare(self, variant: Mutant) -> None:
        """Where a conforming variant answers otherwise, and rightly, there is a choice."""
        others: list[tuple[Option, Any]] = []
        reaching = self._reaching(variant)
        with variant.applied():
            for option in reaching:
                # It conforms where its chapter runs it; elsewhere it may fail, and says nothing.
                with suppress(Exception, TooLong), limited():
                    others.append((option, self.question.observe(option.trial, self.edition)))
        for option, observation in others:
            self._allow(option, observation)

    def _try(self, mutant: Mutant, judged: bool = False) -> None:
        """Which of the smallest options notice a mutant; by the judge alone, if it shall be
        `judged`, since most that were taken to have one right answer may have others.
        """
        left, opened = ENOUGH, list[tuple[Option, Any]]()
        reaching = self._reaching(mutant)
        with mutant.applied():
            for option in reaching:
                if not left:
                    break
                observation, found = self._observe(option)
                if found is None or not any(same(found, right) for right in option.right):
                    sole = option.kind != EXAMPLES and option.doubted is None
                    if found is None or (sole and not judged):
                        left -= 1
                        option.mutants.append(mutant.name)
                    else:
                        opened.append((option, observation))
        for option, observation in some(opened) if left else ():
            if self._object(option, observation, mutant):
                left -= 1
            if not left:
                return

    def _observe(self, option: Option) -> tuple[Any, Json]:
        """What the reference, as it is now, observes; None if it fails."""
        try:
            with limited():
                observation = self.question.observe(option.trial, self.edition)
                return observation, core(observation)
        except (Exception, TooLong):  # a mutant may fail in any way
            return None, None

    def _object(self, option: Option, observation: Any, mutant: Mutant) -> bool:
        """A wrong example, if a clause objects; whether one does."""
        said = Court(self._vector(option)).says(observation)
        if said.allowed:
            return False
        option.wrong[mutant.name] = Wrong(
            core(observation), said.clause, said.level, said.why[:300]
        )
        option.mutants.append(mutant.name)
        option.doubted = None
        return True

    def _cover(self) -> list[Option]:
        """The smallest options that together show all."""
        numbers, shown = Numbers(), dict[int, Shown]()
        for at, option in enumerate(self.options):
            bits = 0
            for mark in marks_of(option):
                bits |= numbers.bit(mark)
            dear = DEAR if option.kind == EXAMPLES else 1  # it says nothing of most answers
            shown[at] = Shown(bits, frozenset(), option.size * dear)
        return [self.options[at] for at in chosen(shown, (1 << len(numbers.of)) - 1, MOST)]

    def _made(self, option: Option) -> tuple[Vector, list[str], int]:
        assert option.doubted is not None
        return option.doubted, sorted(marks_of(option)), option.size

    def _vector(self, option: Option) -> Vector:
        stories = [m.description for m in MUTANTS if m.name in option.mutants]
        title, effect = option.told
        named = [spec.clause(id_).title for id_ in option.clauses[:3]]
        more = f"; {len(option.clauses) - 3} more clauses" if len(option.clauses) > 3 else ""
        return Vector(
            id=id_of(self.job.edition, self.job.question, option.form),
            edition=self.job.edition,
            question=self.job.question,
            kind=option.kind,
            trial=option.form,
            right=tuple(option.right),
            wrong=tuple(option.wrong[name] for name in sorted(option.wrong)),
            clauses=option.clauses,
            mutants=tuple(sorted(option.mutants)),
            note=title or "; ".join(named) + more,
            effect=effect or next(iter(stories), ""),
        )


def some(opened: list[tuple[Option, Any]]) -> list[tuple[Option, Any]]:
    """The smallest of trials with a choice, and some of the larger ones: judging takes long."""
    rest = opened[SMALL:]
    return [*opened[:SMALL], *rest[:: max(1, len(rest) // SPACED)]]


def from_json_again(making: Making, option: Option) -> Any:
    """The trial as a new object: judges may remember what they worked out for the last one."""
    return from_json(making.question.trial_type, option.form)


def marks_of(option: Option) -> set[str]:
    """All that an option shows."""
    return option.marks | {f"mutant {name}" for name in option.mutants}


def files_of(question: str) -> Iterator[tuple[str, counterexample.Counterexample]]:
    """The counterexample files of a question that come with evenkeel."""
    for name, one in counterexample.shipped():
        if one.question == question:
            yield name, one


def options_of(job: Job) -> list[tuple[Vector, list[str], int]]:
    """The options of a job, for a process of its own."""
    return Making(job).run()


def smallest(found: list[tuple[Vector, list[str], int]]) -> list[Vector]:
    """The vectors of one edition that together show what all show."""
    numbers, shown = Numbers(), dict[int, Shown]()
    for at, (_, marks, size) in enumerate(found):
        bits = 0
        for mark in marks:
            bits |= numbers.bit(mark)
        shown[at] = Shown(bits, frozenset(), size)
    return [found[at][0] for at in sorted(chosen(shown, (1 << len(numbers.of)) - 1, MOST))]
