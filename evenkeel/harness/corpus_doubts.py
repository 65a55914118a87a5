"""Is a vector true, and is what it does not name as wrong as its kind says?

That nobody happened to know another right answer is no proof that there is none. So the judge is
asked about many others: neighbours of the known ones, what mutants answer, what was recorded of
Apache Pulsar. A vector is `exact` only if a binding clause objects to each of them, `practice` if
some clause does; else it is `examples`, and names what the judge said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from evenkeel import spec
from evenkeel.harness import recorded
from evenkeel.harness.corpus import EXACT, EXAMPLES, PRACTICE, Vector, Wrong, core, same
from evenkeel.harness.corpus_neighbours import neighbours
from evenkeel.harness.limits import TooLong, limited
from evenkeel.harness.recorded import compact
from evenkeel.harness.subjects.wire import read_observation
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import BadData, Json, from_json, to_json
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.reference.edition import EDITIONS

MOST: Final = 300
"""So many neighbours of an answer are judged at most, spread over all of them."""
RIGHT: Final = 4
LONG: Final = 400
"""So many right answers are named, and no longer ones but the reference's."""
BY_NAME: Final = {mutant.name: mutant for mutant in MUTANTS}


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
    """The judge of one vector's trial."""

    def __init__(self, vector: Vector) -> None:
        self.question, self.edition = QUESTIONS[vector.question], EDITIONS[vector.edition]
        self.clauses = clauses_for(vector.question, self.edition)
        self.trial = from_json(self.question.trial_type, vector.trial)

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
            return read_observation(self.question, with_words(form))
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
    """What the judge said of observations that a vector does not name as right."""

    allowed: list[Json] = field(default_factory=list)
    departing: bool = False
    wrong: dict[str, Wrong] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)

    def hear(self, said: Said, form: Json) -> None:
        """One observation's verdict."""
        if said.allowed and not any(same(form, one) for one in self.allowed):
            self.allowed.append(form)
        self.departing |= said.departs

    @property
    def kind(self) -> str:
        """What may be said of an observation that is not named."""
        return EXAMPLES if self.allowed else PRACTICE if self.departing else EXACT


def doubted(vector: Vector, most: int = MOST) -> Vector:
    """The vector with the kind that is true, as far as was tried; and what that entails."""
    court, doubts = Court(vector), Doubts()
    for name in BY_NAME.keys() & set(vector.mutants):  # some may have gone since
        answer = court.answer_of(BY_NAME[name])
        if answer is None:
            doubts.failing.append(name)
        elif not is_right(vector, form := core(answer)):
            said = court.says(answer)
            doubts.hear(said, form)
            if not said.allowed:
                doubts.wrong[name] = Wrong(form, said.clause, said.level, said.why[:300])
    if vector.kind != EXAMPLES:
        for form, observation in others(vector, court, most):
            doubts.hear(court.says(observation), form)
    kind = EXAMPLES if vector.kind == EXAMPLES else doubts.kind
    right = [*vector.right]
    # That no clause speaks of breaking is no reason to call it right.
    short = [one for one in doubts.allowed if len(json.dumps(one)) <= LONG and one != {"broke": {}}]
    right += short[: max(0, RIGHT - len(right))]
    named = {name: doubts.wrong[name] for name in sorted(doubts.wrong)}
    if kind != EXAMPLES:  # what departs is told from what is wrong, of what somebody did
        told = {EXACT: "", PRACTICE: "SHOULD"}[kind]
        named = {name: wrong for name, wrong in named.items() if told and wrong.level != told}
    return replace(
        vector,
        kind=kind,
        right=tuple(right),
        wrong=distinct(named.values()),
        mutants=tuple(sorted([*doubts.wrong, *doubts.failing])),
    )


def distinct(wrong: Any) -> tuple[Wrong, ...]:
    """Each observation once."""
    found: list[Wrong] = []
    for one in wrong:
        if not any(same(one.observation, other.observation) for other in found):
            found.append(one)
    return tuple(found)


def is_right(vector: Vector, form: Json) -> bool:
    """Whether a vector names an observation as right."""
    return any(same(form, right) for right in vector.right)


def others(vector: Vector, court: Court, most: int) -> Iterator[tuple[Json, Observation]]:
    """Observations that a vector does not name as right: recorded ones, and neighbours."""
    known = recorded_of(vector.question).get(compact(vector.trial))
    if known is not None and not is_right(vector, form := core(known)):
        yield form, known
    near = list(neighbours(list(vector.right), vector.trial))
    for form in near[:: max(1, -(-len(near) // most))]:
        observation = court.read(form)
        if observation is not None and not is_right(vector, form := core(observation)):
            yield form, observation


@cache
def recorded_of(question: str) -> dict[str, Observation]:
    """What was recorded of a question, by the trial."""
    return {compact(to_json(line.trial)): line.observation for line in recorded.lines(question)}


# ----------------------------------------------------------------------------- verifying


def problems(vector: Vector, most: int = 60) -> Iterator[str]:
    """What does not go together in a vector with the reference and the clauses."""
    try:
        court = Court(vector)
    except BadData as bad:
        yield f"its trial is none: {bad}"
        return
    if vector.says(core(court.question.observe(court.trial, court.edition))) != "right":
        yield "the reference answers otherwise"
    for right in vector.right:
        observation = court.read(right)
        said = Said("no clause", why="it is no answer") if observation is None else None
        said = said or court.says(observation)
        if not said.allowed:
            yield f"a right answer is wrong: {said.clause}: {said.why}"
    for wrong in vector.wrong:
        observation = court.read(wrong.observation)
        heard = [] if observation is None else list(court.all_of(observation))
        if (wrong.clause, wrong.level) not in {(said.clause, said.level) for said in heard}:
            yield f"{wrong.clause} does not object to what is called wrong"
    yield from unproved(vector, court, most)
    for id_ in vector.clauses:
        spec.clause(id_)


def unproved(vector: Vector, court: Court, most: int) -> Iterator[str]:
    """An answer to which the judge objects less than the vector's kind does."""
    if vector.kind == EXAMPLES:
        return
    for form, observation in others(vector, court, most):
        said = court.says(observation)
        if said.allowed or (said.departs and vector.kind == EXACT):
            what = "no clause" if said.allowed else "no binding clause"
            yield f"it is called {vector.kind}, but {what} objects to {json.dumps(form)[:200]}"
            return


def with_words(data: Json, key: str = "") -> Json:
    """An essence in wire form again: with empty words where some have to stand."""
    if isinstance(data, list):
        return [with_words(item) for item in data]
    if key == "broke" and isinstance(data, bool):
        return "something" if data else None
    if not isinstance(data, dict):
        return data
    if not data and key in ("refused", "broke"):
        return {"reason": "", "detail": ""}
    if data in ({"do": "refused"}, {"do": "broke"}):  # of one command: these have a reason only
        return {**data, "reason": ""}
    return {name: with_words(value, name) for name, value in data.items()}


def notices(vector: Vector, mutant: Mutant) -> bool:
    """Whether a vector says that a mutant in the reference answers wrongly, or departs."""
    answer = Court(vector).answer_of(mutant)
    return answer is None or vector.says(core(answer)) in ("wrong", "departs")
