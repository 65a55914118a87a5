"""Record cases: put many trials to a subject, store the few that show most.

Stored are a cover (every clause, every branch of the reference and every mutant that shows, twice
if possible), a sample of the seed, and a few trials that leave a choice. A trial is taken to have
one answer if the subject gives it twice, the second time as a fresh process; the reference gives
it too; and no conforming variant gives another one to which no clause objects.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evenkeel_engine.check.limits import TooLong, limit_time
from evenkeel_engine.check.seeded import trial_seed
from evenkeel_engine.check.worker import Worker
from evenkeel_engine.content import EDITIONS, Edition
from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for, find_objections
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.draw import SeededDraw
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation, judge
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.mutation.code_swap import clear_caches
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.noting import note_statements, spots_of
from evenkeel_engine.mutation.sampled import SampledMutant, sample_mutants
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.case_other_answers import with_other_answers
from evenkeel_engine.stored.cases import Answer, CaseFile, StoredCase
from evenkeel_engine.stored.trial_selection import (
    Branches,
    TrialCover,
    choose_trials,
    find_distinguishing,
)
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request, Subject
from evenkeel_engine.subjects.essence import same_observation, take_core, take_essence
from evenkeel_engine.subjects.wire import observation_to_json

MOST: Final = 300
"""Cases of a question."""
SAMPLE, SAMPLE_BYTES = 40, 16_000
OPEN, OPEN_BYTES = 10, 12_000
"""Cases that are no part of the cover: of the sample, and of those that leave a choice."""
ROUNDS: Final = 5
"""Times that a trial is put to each of two processes of another subject, which chooses at random
where no variant shows that there is a choice: one of 500 choices between two passes for none.
"""
SAMPLED, ELSEWHERE = 2000, 300
"""Sampled mutants that are to be detected: of the question's chapter (as good as all), and of all
chapters, as a question may run more than its own.
"""
LARGE: Final = 40_000
"""Longer trials are left out: cases are read."""
FURTHER: Final = 10
"""Times that trials are generated at most, until each clause is exercised."""
ENOUGH, JUDGED, DEAR = 3, 20, 4
"""If fewer trials with one answer detect a handwritten mutant, this number of trials with a choice
are judged with it; these count as this many times their size.
"""
BRIEF: Final = (1.0, 0.7, 0.4)
"""Factors of the generator's probability that a list continues: every third trial each."""

Open = Callable[[], Subject]
StepProgress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The cases, who answered (`Answer.by`), how they were chosen, how many show each mutant."""

    cases: tuple[StoredCase, ...]
    by: str
    source: str
    mutants: dict[str, int]


class BriefDraw(SeededDraw):
    """Draws shorter lists than a generator requests."""

    __slots__ = ("_share",)

    def __init__(self, seed: int, share: float) -> None:
        super().__init__(seed)
        self._share = share

    def items(self, most: int, probability: float = 0.75, least: int = 0) -> Iterator[int]:
        """As inherited, with a lower probability."""
        return super().items(most, probability * self._share, least)


@dataclass(slots=True)
class Candidate:
    """A trial, and the subject's answer. `only`: it has no other. `clauses` are exercised by it."""

    trial: Any
    observation: Observation
    only: bool
    shown: TrialCover
    clauses: frozenset[str]
    essence: Json = field(repr=False)


class Pool:
    """The candidates of a question, and the mutants that they detect (`killed`, by index)."""

    def __init__(
        self,
        question: AnyQuestion,
        edition: Edition,
        subjects: tuple[Subject, Subject],
        mutants: Sequence[Mutant],
    ) -> None:
        self.question, self.edition = question, edition
        self.first, self.second = subjects
        self.variants = [m for m in mutants if m.conforming]
        self.mutants = [m for m in mutants if not m.conforming]
        self.clauses = clauses_for(question.name, edition)
        self.candidates: list[Candidate] = []
        self.branches = Branches()
        self.killed: dict[str, set[int]] = {}
        self._texts: set[str] = set()

    def fill(self, seed: int, count: int) -> None:
        """Put the stored trials, then `count` of a seed, and more for unexercised clauses."""
        stored = [case.decode_trial() for case in cases.read_cases(self.question.name)]
        self.add([*stored, *self._generate(seed, range(count))])
        for start in range(count, FURTHER * count, count):
            if not self.list_missing():
                break
            self.add(list(self._generate(seed, range(start, start + count))), only_new=True)
        if not self.candidates:
            raise UserError(f"{self.first.name} answers no trial of {self.question.name}.")

    def list_missing(self) -> set[str]:
        """The clauses that no candidate exercises."""
        met = {id_ for candidate in self.candidates for id_ in candidate.clauses}
        return {clause.id for clause in self.clauses} - met

    def _generate(self, seed: int, indices: range) -> Iterator[Any]:
        for index in indices:
            seeded = trial_seed(self.question.name, seed, index)
            yield self.question.generate(BriefDraw(seeded, BRIEF[index % len(BRIEF)]))

    def add(self, trials: Sequence[Any], only_new: bool = False) -> None:
        """Put these trials and add them; `only_new`: only those that exercise other clauses."""
        answered = [Request(at, self.question, trial) for at, trial in enumerate(trials)]
        replies = collect_replies(self.first, answered)
        again = collect_replies(self.second, answered[::-1])[::-1]
        start = len(self.candidates)
        for trial, reply, second in zip(trials, replies, again, strict=True):
            if isinstance(reply, Observed):
                seen = [one.observation for one in (reply, second) if isinstance(one, Observed)]
                same = len(seen) == 2 and same_observation(*seen)
                self._take(trial, drop_wording(reply.observation), same, only_new)
        self._watch(start)
        for variant in self.variants:
            self._spare(variant, self._find_reaching(variant, start, True))
        with Worker(self._find_telling, expendable=True, inherited=True) as worker:
            for number, mutant in enumerate(self.mutants):
                tried = self._find_reaching(mutant, start, True)
                sampled = isinstance(mutant, SampledMutant)
                open_ = [] if sampled else self._find_reaching(mutant, start, False)
                if tried or open_:
                    # One that never ends is detected by that, wherever the case is replayed.
                    with suppress(TooLong):
                        killers = worker.do((number, tried, open_[:JUDGED]))
                        self.killed.setdefault(mutant.name, set()).update(killers)

    def _take(self, trial: Any, observed: Observation, only: bool, new: bool) -> None:
        text = json.dumps(to_json(trial))
        if text in self._texts or len(text) > LARGE:
            return
        self._texts.add(text)
        verdicts = judge(self.question, self.clauses, trial, observed, self.edition)
        met = frozenset(v.clause for v in verdicts if v.status == "holds")
        if new and not met & self.list_missing():
            return
        core = take_core(observed)
        cover = TrialCover(0, len(text) + len(json.dumps(core)))
        self.candidates.append(Candidate(trial, observed, only, cover, met, core))

    def _watch(self, start: int) -> None:
        """The branches that the reference takes on candidates from `start` on; one on which it
        answers otherwise than the subject did has a choice.
        """
        with note_statements(self.branches.note):
            for number, one in enumerate(self.candidates[start:], start):
                clear_caches()  # what is stored of the trial before would not be run
                one.only = same_observation(one.observation, self.observe(one.trial)) and one.only
                one.shown.bits = self.branches.assign_noted(number)

    def _find_reaching(self, mutant: Mutant, start: int, only: bool) -> list[int]:
        """Candidates from `start` on that reach a mutant, with one answer or not, by size."""
        every = self.branches.reached.find_by(spots_of(mutant).statements)
        found = [i for i in every if i >= start and self.candidates[i].only is only]
        return sorted(found, key=lambda index: (self.candidates[index].shown.size, index))

    def _find_telling(self, job: tuple[int, list[int], list[int]]) -> set[int]:
        """Of these candidates those that detect a mutant; all by their number."""
        number, tried, open_ = job
        found = set(find_distinguishing(self.mutants[number], tried, self.is_changed))
        for index in open_ if len(found) < ENOUGH else ():
            trial = self.candidates[index].trial
            try:
                with self.mutants[number].apply(), limit_time():
                    observed = self.observe(trial)
            except (Exception, TooLong):  # a mutant may fail in any way; that is its answer
                found.add(index)
                continue
            if self.list_objections(trial, observed):
                found.add(index)
        return found

    def _spare(self, variant: Mutant, tried: Sequence[int]) -> None:
        """Whether a conforming variant gives another right answer: then there is a choice."""
        others: list[tuple[int, Observation]] = []
        with variant.apply():
            for index in tried:
                # Outside its chapter's questions it may fail, which means nothing.
                with suppress(Exception, TooLong), limit_time():
                    others.append((index, self.observe(self.candidates[index].trial)))
        for index, observed in others:
            one = self.candidates[index]
            if take_core(observed) != one.essence and not self.list_objections(one.trial, observed):
                one.only = False

    def observe(self, trial: Any) -> Observation:
        """What the reference, as it is now, observes."""
        return self.question.observe(trial, self.edition)

    def is_changed(self, index: int) -> bool:
        """Whether the reference, as it is now, answers otherwise than the subject did."""
        candidate = self.candidates[index]
        try:
            with limit_time():
                return bool(take_core(self.observe(candidate.trial)) != candidate.essence)
        except (Exception, TooLong):  # a mutant may fail in any way; that is its answer
            return True

    def list_objections(self, trial: Any, observation: Observation) -> list[str]:
        """Objections of the edition's clauses to an observation."""
        # Judges may remember what they computed for the last trial object: this one is new.
        return find_objections(self.question.name, self.edition, replace(trial), observation)


def collect_replies(subject: Subject, answered: Iterable[Request]) -> list[Reply]:
    """The replies, none of them that the subject failed as a process. Raises `UserError`."""
    replies: list[Reply] = []
    for request, reply in subject.replies(answered):
        if isinstance(reply, Errored):
            raise UserError(f"{subject.name} on {request.question.name}: {reply.reason}.")
        replies.append(reply)
    return replies


def drop_wording(observation: Observation) -> Observation:
    """Without the subject's own sentence, which may change from run to run."""
    if isinstance(observation, Refused | Broke):
        return replace(observation, detail="")
    return observation


def choose_cover(pool: Pool) -> dict[int, int]:
    """Trials that show every clause, branch and mutant, all but sampled mutants twice if possible;
    with what each adds.

    The lowest bits are the mutants, in the pool's order, then the clauses; the branches follow.
    """
    many = len(pool.mutants)
    numbers = {clause.id: many + at for at, clause in enumerate(pool.clauses)}
    above = many + len(numbers)
    shown = {}
    for index, c in enumerate(pool.candidates):
        bits = c.shown.bits << above if c.only else 0
        bits |= sum(1 << numbers[id_] for id_ in c.clauses)
        shown[index] = TrialCover(bits, c.shown.size * (1 if c.only else DEAR))
    sampled = 0
    for number, mutant in enumerate(pool.mutants):
        sampled |= 1 << number if isinstance(mutant, SampledMutant) else 0
        for index in pool.killed.get(mutant.name, set()):
            shown[index].bits |= 1 << number
    everything = (1 << above + len(pool.branches.numbers)) - 1
    once = choose_trials(shown, everything, MOST)
    others = {index: one for index, one in shown.items() if index not in once}
    return once | choose_trials(others, everything & ~sampled, MOST - len(once))


def choose_first(pool: Pool, only: bool, most: int, size: int) -> Iterator[int]:
    """The first candidates in the shorter quarter, up to a number and a length in total."""
    sizes = sorted(c.shown.size for c in pool.candidates if c.only is only)
    limit = max(sizes[len(sizes) // 4], 500) if sizes else 0
    for index, candidate in enumerate(pool.candidates):
        if candidate.only is only and candidate.shown.size <= limit and most and size > 0:
            most, size = most - 1, size - candidate.shown.size
            yield index


def choose_kept(pool: Pool) -> list[int]:
    """The cover, the sample and some that leave a choice, by their index in the pool. What a clause
    objects to is a divergence, to be explained before it is recorded. Raises `UserError`.
    """
    sample = choose_first(pool, True, SAMPLE, SAMPLE_BYTES)
    chosen = list(dict.fromkeys([*choose_cover(pool), *sample]))[:MOST]
    chosen += choose_first(pool, False, min(OPEN, MOST - len(chosen)), OPEN_BYTES)
    chosen = list(dict.fromkeys(chosen))
    for candidate in (pool.candidates[index] for index in chosen):
        if found := pool.list_objections(candidate.trial, candidate.observation):
            raise UserError(
                f"{pool.question.name}: a clause of {pool.edition.name} objects to what was "
                f"answered: {found[0]}; the trial: {json.dumps(to_json(candidate.trial))}"
            )
    return chosen


def make_recorded(
    question: AnyQuestion,
    open_subject: Open,
    edition: Edition,
    seed: int,
    count: int,
    mutants: Sequence[Mutant],
    progress: StepProgress = lambda _: None,
) -> Recorded:
    """The cases of a question, chosen from `count` trials and the stored. Raises `UserError`."""
    subjects = open_subject(), open_subject()
    by = subjects[0].name
    by = by.removeprefix("reference ") if by.removeprefix("reference ") in EDITIONS else by
    try:
        pool = Pool(question, edition, subjects, mutants)
        progress("puts trials and runs mutants")
        pool.fill(seed, count)
        progress("chooses")
        chosen = choose_kept(pool)
    finally:
        for subject in subjects:
            subject.close()
    progress("judges other answers")
    detected = {name: len(indices & set(chosen)) for name, indices in pool.killed.items()}
    source = f"{count:,} trials of seed {seed}, chosen for {len(pool.mutants):,} mutants"
    return Recorded(tuple(case_of(pool, index, by) for index in chosen), by, source, detected)


def case_of(pool: Pool, index: int, by: str) -> StoredCase:
    """A candidate as a case, with what is true of other answers."""
    one, own = pool.candidates[index], {mutant.name for mutant in MUTANTS}
    detected = (name for name, those in pool.killed.items() if index in those and name in own)
    trial = to_json(one.trial)
    case = StoredCase(
        id_of(pool.edition.name, pool.question.name, trial),
        pool.question.name,
        trial,
        kind="vector" if by in EDITIONS else "recorded",
        edition=pool.edition.name,
        clauses=tuple(sorted(one.clauses)),
        others="wrong" if one.only else "open",
        mutants=tuple(sorted(detected)),
        answers=(Answer(observation_to_json(one.observation), (by,), only=one.only),),
    )
    return with_other_answers(case)


def id_of(edition: str, question: str, trial: Json) -> str:
    """The id of a case without a name: the same for the same trial."""
    text = json.dumps(trial, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(f"{edition} {question} {text}".encode()).hexdigest()
    return f"{question}-{digest[:10]}"


def mutants_for(question: AnyQuestion, seed: int) -> tuple[Mutant, ...]:
    """The handwritten mutants, and sampled ones, each once."""
    own = sample_mutants(seed, SAMPLED, [question.chapter])
    elsewhere = [one for one in sample_mutants(seed, ELSEWHERE) if one.chapter != question.chapter]
    return (*MUTANTS, *own, *elsewhere)


def merge_recorded(file: CaseFile, recorded: Recorded, edition: Edition) -> CaseFile:
    """A file with recorded cases in place of those that the same subject answered before.

    Where a case of the same trial is stored already, its answers get the new answerer. What others
    were asked against that subject is not known of the new trials.
    """
    left: dict[str, StoredCase] = {}
    asked = cases.find_asked(file.notes)
    gone = {recorded.by, *(name for name, other in asked.items() if other == recorded.by)}
    for case in file.cases:
        if case.kind in ("recorded", "vector") and case.edition == edition.name:
            without = without_answerers(case, gone)
            if any(answer.by for answer in without.answers):
                left[case.id] = without
        else:
            left[case.id] = case
    for new in recorded.cases:
        old = left.get(new.id)
        left[new.id] = new if old is None else join_cases(old, new)
    kept = {name: note for name, note in file.notes.items() if name not in gone}
    notes = {**kept, recorded.by: {"source": recorded.source}}
    return CaseFile(file.question, notes, tuple(sorted(left.values(), key=cases.sort_key)))


def without_answerers(case: StoredCase, names: Set[str]) -> StoredCase:
    """A case with all its answers, but not that these gave them."""
    kept = (replace(a, by=tuple(b for b in a.by if b not in names)) for a in case.answers)
    return replace(case, answers=tuple(kept))


def join_cases(old: StoredCase, new: StoredCase) -> StoredCase:
    """Two cases of one trial as one: every answer once, by all that gave it."""
    found: list[Answer] = []
    for answer in (*old.answers, *new.answers):
        for at, one in enumerate(found):
            same = take_essence(one.observed) == take_essence(answer.observed)
            if same and one.verdict == answer.verdict:
                by = tuple(dict.fromkeys((*one.by, *answer.by)))
                found[at] = replace(one, by=by, only=one.only or answer.only)
                break
        else:
            found.append(answer)
    kind = "recorded" if "recorded" in (old.kind, new.kind) else new.kind
    return replace(new, kind=kind, title=old.title, notes=old.notes, answers=tuple(found))


def against_another(
    file: CaseFile, other: str, subjects: tuple[Subject, Subject], edition: Edition
) -> CaseFile:
    """A file with what a subject answers to the trials that another was recorded on. Raises
    `UserError`.

    Each trial is put several times to both processes, to the second one in reverse order: of one
    that is answered in two ways, or not at all, nothing is stored.
    """
    name, question = subjects[0].name, QUESTIONS[file.question]
    asked = [(at, case) for at, case in enumerate(file.cases) if was_recorded(case, other)]
    requests = [Request(at, question, case.decode_trial()) for at, case in asked]
    replies: list[list[Reply]] = []
    for _ in range(ROUNDS):
        replies.append([reply for _, reply in subjects[0].replies(requests)])
        replies.append([reply for _, reply in subjects[1].replies(requests[::-1])][::-1])
    found = list(file.cases)
    for (at, case), request, *given in zip(asked, requests, *replies, strict=True):
        answers = without_answerers(case, {name}).answers
        found[at] = replace(case, answers=tuple(a for a in answers if a.by or not a.only))
        seen = [reply.observation for reply in given if isinstance(reply, Observed)]
        if len(seen) == len(given) and all(same_observation(seen[0], one) for one in seen):
            answer = drop_wording(seen[0])
            found[at] = answered_by(name, found[at], other, request.trial, answer, edition)
    return replace(file, notes={**file.notes, name: {"against": other}}, cases=tuple(found))


def was_recorded(case: StoredCase, by: str) -> bool:
    """Whether an answer of this subject's was recorded."""
    return case.kind == "recorded" and any(by in answer.by for answer in case.answers)


def answered_by(
    name: str, case: StoredCase, other: str, trial: Any, observed: Observation, edition: Edition
) -> StoredCase:
    """A case with one more who answered; as it is where the other one had a choice and this one
    chose otherwise, or has a choice where the other one had none.
    """
    if found := find_objections(case.question, edition, trial, observed):
        raise UserError(f"{case.id}: {edition.name} objects to what {name} answered: {found[0]}")
    only = same_observation(QUESTIONS[case.question].observe(trial, edition), observed)
    for at, answer in enumerate(case.answers):
        if take_essence(answer.observed) == take_core(observed):
            more = replace(answer, by=(*answer.by, name)) if only or not answer.only else answer
            return replace(case, answers=(*case.answers[:at], more, *case.answers[at + 1 :]))
    if not next(answer for answer in case.answers if other in answer.by).only:
        return case
    verdict, sentence = cases.verdict_on(case, trial, observed)
    new = Answer(observation_to_json(observed), (name,), verdict, sentence, only)
    return replace(case, answers=(*case.answers, new))
