"""Is what a case says of observations that it does not name true?

That no other right answer is known is no proof that there is none. So the judge is asked about
many others: neighbours of the known ones, what mutants answer, what the case's other answers are.
`others` is `wrong` only if a binding clause objects to each of them, `departs` if some clause does;
else it is `open`, and the case names what the judge said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evenkeel import spec
from evenkeel.harness.case_export import right_of, same, says
from evenkeel.harness.cases import DEPARTS, Answer, Case, core, essence, is_should, observation_of
from evenkeel.harness.limits import TooLong, limited
from evenkeel.harness.neighbours import neighbours
from evenkeel.mutation.catalogue import BY_NAME
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import BadData, Json, to_json
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.reference.edition import EDITIONS

MOST: Final = 300
"""So many neighbours of an answer are judged at most, spread over all of them."""
RIGHT: Final = 4
LONG: Final = 400
"""So many right answers are named, and no longer ones but those that were given."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the judge says of an observation: the clause that binds most, its level, and why."""

    clause: str = ""
    level: str = ""
    why: str = ""

    @property
    def allowed(self) -> bool:
        """Whether no clause objects."""
        return not self.clause

    @property
    def departs(self) -> bool:
        """Whether only practice objects."""
        return self.level == spec.Level.SHOULD


class Court:
    """The judge of one case's trial. Raises `BadData`."""

    def __init__(self, case: Case) -> None:
        self.question, self.edition = QUESTIONS[case.question], EDITIONS[case.edition]
        self.clauses = clauses_for(case.question, self.edition)
        self.trial = case.decoded()

    def all_of(self, observation: Observation) -> Iterator[Said]:
        """What each clause has to say against an observation."""
        for verdict in judge(self.question, self.clauses, self.trial, observation, self.edition):
            if verdict.failed:
                level = spec.clause(verdict.clause).level_in(self.edition.name)
                if verdict.status == "errored":  # who fails to judge has not said that it may be
                    level = spec.Level.MUST
                yield Said(verdict.clause, level.value, verdict.sentence)

    def says(self, observation: Observation) -> Said:
        """What binds most of what is said against it."""
        return min(self.all_of(observation), key=lambda said: said.departs, default=Said())

    def read(self, form: Json) -> Observation | None:
        """An observation of which only the essence is known; None where it is no answer's form."""
        try:
            return observation_of(self.question, form)
        except BadData:
            return None

    def answer_of(self, mutant: Mutant) -> Observation | None:
        """What a mutant answers; None where it fails."""
        try:
            with mutant.applied(), limited():
                return self.question.observe(self.trial, self.edition)
        except (Exception, TooLong):  # a mutant may fail in any way
            return None


@dataclass(slots=True)
class Doubts:
    """What the judge said of observations that a case does not name as right.

    `wrong`: an answer for each mutant that answers so; `failing`: mutants that do not answer.
    """

    allowed: list[Json] = field(default_factory=list)
    departing: bool = False
    wrong: dict[str, Answer] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)

    def hear(self, said: Said, form: Json) -> None:
        """One observation's verdict."""
        if said.allowed and not any(same(form, one) for one in self.allowed):
            self.allowed.append(form)
        self.departing |= said.departs

    @property
    def others(self) -> str:
        """What may be said of an observation that is not named."""
        return "open" if self.allowed else DEPARTS if self.departing else "wrong"


def doubted(case: Case, most: int = MOST) -> Case:
    """The case with what is true of other observations, as far as was tried, and its mutants."""
    court, doubts, right = Court(case), Doubts(), right_of(case)
    for name in sorted(BY_NAME.keys() & set(case.mutants)):  # some may have been removed since
        answer = court.answer_of(BY_NAME[name])
        if answer is None:
            doubts.failing.append(name)
        elif not is_among(form := core(answer), right):
            said = court.says(answer)
            doubts.hear(said, form)
            if not said.allowed:
                doubts.wrong[name] = Answer(form, (), said.clause, said.why)
    if case.others != "open":
        for form, observation in others(right, court, most):
            doubts.hear(court.says(observation), form)
    kind = "open" if case.others == "open" else doubts.others
    # That no clause speaks of breaking is no reason to call it right.
    short = [one for one in doubts.allowed if len(json.dumps(one)) <= LONG and one != {"broke": {}}]
    more = [Answer(form) for form in short[: max(0, RIGHT - len(right))]]
    more += named_wrong(case, kind, doubts.wrong)
    detected = sorted([*doubts.wrong, *doubts.failing])
    return replace(case, others=kind, answers=(*case.answers, *more), mutants=tuple(detected))


def named_wrong(case: Case, kind: str, wrong: dict[str, Answer]) -> Iterator[Answer]:
    """The wrong answers that `others` does not speak of, each once, and none that is named."""
    known = [essence(answer.observed) for answer in case.answers]
    for _, answer in sorted(wrong.items()):
        binds = not is_should(answer.verdict, EDITIONS[case.edition])
        wanted = kind == "open" or (kind == DEPARTS and binds)
        if wanted and not is_among(answer.observed, known):
            known.append(answer.observed)
            yield answer


def is_among(form: Json, known: list[Json]) -> bool:
    """Whether an observation is one of these."""
    return any(same(form, one) for one in known)


def others(right: list[Json], court: Court, most: int) -> Iterator[tuple[Json, Observation]]:
    """Observations near the right ones that are none of them."""
    near = list(neighbours(right, to_json(court.trial)))
    for form in near[:: max(1, -(-len(near) // most))]:
        observation = court.read(form)
        if observation is not None and not is_among(again := core(observation), right):
            yield again, observation


# ----------------------------------------------------------------------------- verifying


def unproved(case: Case, most: int = 60) -> Iterator[str]:
    """An answer to which the judge objects less than the case says. Raises `BadData`."""
    if case.others in ("", "open"):
        return
    court = Court(case)
    for form, observation in others(right_of(case), court, most):
        said = court.says(observation)
        if said.allowed or (said.departs and case.others == "wrong"):
            what = "no clause" if said.allowed else "no binding clause"
            yield f"others: {case.others}, but {what} objects to {json.dumps(form)[:200]}"
            return


def detects(case: Case, mutant: Mutant) -> bool:
    """Whether a case says that a mutant in the reference answers wrongly, or departs."""
    answer = Court(case).answer_of(mutant)
    return answer is None or says(case, core(answer)) in ("wrong", "departs")
