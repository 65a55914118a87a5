"""Check what a case claims of observations that it does not name.

That no other right answer is known does not prove that there is none. So others are judged:
neighbours of the known ones, answers of mutants, other answers of the case. `others` is `wrong`
only if a MUST clause objects to each of them, `departs` if some clause does; else it is `open`, and
the case names the answers with their verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evenkeel_engine.check.limits import TooLong, limit_time
from evenkeel_engine.check.neighbours import find_neighbours
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS, list_breaches
from evenkeel_engine.kit.codec import BadData, Json, to_json
from evenkeel_engine.kit.question import Observation, Verdict
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.stored.case_export import right_of, says
from evenkeel_engine.stored.cases import DEPARTS, Answer, StoredCase, is_should
from evenkeel_engine.subjects.essence import is_same_json, observation_of, take_core, take_essence

MOST: Final = 300
"""Neighbours of an answer that are judged at most, spread over all of them."""
RIGHT: Final = 4
LONG: Final = 400
"""Right answers that are named at most, and their greatest length, besides those given."""


class CaseJudge:
    """The judge of one case's trial. Raises `BadData`."""

    def __init__(self, case: StoredCase) -> None:
        self.question, self.edition = QUESTIONS[case.question], EDITIONS[case.edition]
        self.trial = case.decode_trial()

    def find_objection(self, observation: Observation) -> Verdict | None:
        """The strictest objection to an observation; None: no clause objects."""
        breaches = list_breaches(self.question, self.edition, self.trial, observation)
        return min(breaches, key=self.departs, default=None)

    def departs(self, objection: Verdict) -> bool:
        """Whether only practice objects; a judge that fails allows nothing."""
        return objection.status != "errored" and is_should(objection.clause, self.edition)

    def read(self, form: Json) -> Observation | None:
        """An observation of which only the essence is known; None if it is not an answer's form."""
        try:
            return observation_of(self.question, form)
        except BadData:
            return None

    def answer_of(self, mutant: Mutant) -> Observation | None:
        """The answer of a mutant; None if it fails."""
        try:
            with mutant.apply(), limit_time():
                return self.question.observe(self.trial, self.edition)
        except (Exception, TooLong):  # a mutant may fail in any way
            return None


@dataclass(slots=True)
class TriedAnswers:
    """Verdicts on observations not named as right; mutants with a wrong answer, or none."""

    allowed: list[Json] = field(default_factory=list)
    departing: bool = False
    wrong: dict[str, Answer] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)

    def allow(self, form: Json) -> None:
        """No clause objects to this observation."""
        if not is_among(form, self.allowed):
            self.allowed.append(form)

    @property
    def others(self) -> str:
        """The status of an observation that is not named."""
        return "open" if self.allowed else DEPARTS if self.departing else "wrong"


def with_other_answers(case: StoredCase) -> StoredCase:
    """The case with the verdict on other observations, as far as tried, and its mutants."""
    case_judge, tried, right = CaseJudge(case), TriedAnswers(), right_of(case)
    for name in sorted(BY_NAME.keys() & set(case.mutants)):  # some may have been removed since
        if (answer := case_judge.answer_of(BY_NAME[name])) is None:
            tried.failing.append(name)
        elif not is_among(form := take_core(answer), right):
            read = case_judge.read(form) or answer  # as it is stored
            if (objection := case_judge.find_objection(read)) is None:
                tried.allow(form)
            else:
                tried.departing |= case_judge.departs(objection)
                tried.wrong[name] = Answer(form, (), objection.clause, objection.sentence)
    for form, observation in find_near(right, case_judge, MOST) if case.others != "open" else ():
        if (objection := case_judge.find_objection(observation)) is None:
            tried.allow(form)
        else:
            tried.departing |= case_judge.departs(objection)
    kind = "open" if case.others == "open" else tried.others
    # Breaking is not called right merely because no clause covers it.
    short = [one for one in tried.allowed if len(json.dumps(one)) <= LONG and one != {"broke": {}}]
    more = [Answer(form) for form in short[: max(0, RIGHT - len(right))]]
    more += named_wrong(case, kind, tried.wrong)
    detected = sorted([*tried.wrong, *tried.failing])
    return replace(case, others=kind, answers=(*case.answers, *more), mutants=tuple(detected))


def named_wrong(case: StoredCase, kind: str, wrong: dict[str, Answer]) -> Iterator[Answer]:
    """The wrong answers that `others` does not cover, each once, without those already named."""
    known = [take_essence(answer.observed) for answer in case.answers]
    for _, answer in sorted(wrong.items()):
        is_error = not is_should(answer.verdict, EDITIONS[case.edition])
        is_named = kind == "open" or (kind == DEPARTS and is_error)
        if is_named and not is_among(answer.observed, known):
            known.append(answer.observed)
            yield answer


def is_among(form: Json, known: list[Json]) -> bool:
    """Whether an observation is one of these."""
    return any(is_same_json(form, one) for one in known)


def find_near(
    right: list[Json], case_judge: CaseJudge, most: int
) -> Iterator[tuple[Json, Observation]]:
    """Observations near the right ones, without these."""
    near = list(find_neighbours(right, to_json(case_judge.trial)))
    for form in near[:: max(1, -(-len(near) // most))]:
        observation = case_judge.read(form)
        if observation is not None and not is_among(again := take_core(observation), right):
            yield again, observation


def find_unsupported(case: StoredCase, most: int = 60) -> Iterator[str]:
    """An answer to which the judge objects less than the case claims. Raises `BadData`."""
    if case.others in ("", "open"):
        return
    case_judge = CaseJudge(case)
    for form, observation in find_near(right_of(case), case_judge, most):
        objection = case_judge.find_objection(observation)
        if objection is None or (case_judge.departs(objection) and case.others == "wrong"):
            what = "no clause" if objection is None else "no MUST clause"
            yield f"others: {case.others}, but {what} objects to {json.dumps(form)[:200]}"
            return


def detects(case: StoredCase, mutant: Mutant) -> bool:
    """Whether a case rejects the answer of a mutant in the reference, or calls it a departure."""
    answer = CaseJudge(case).answer_of(mutant)
    return answer is None or says(case, take_core(answer)) in ("wrong", "departs")
