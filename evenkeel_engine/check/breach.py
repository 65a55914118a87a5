"""Where a clause is broken, and by what: the step, what is right there, the settings that decide.

All of it is found by asking the judge about other histories: nothing of a judge is repeated here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import Enum
from itertools import chain, islice
from typing import Any, Final

from evenkeel_engine.check.nearest import find_other_answers
from evenkeel_engine.check.neighbours import WHOLE, find_neighbours
from evenkeel_engine.check.shrink import failed_verdict
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import list_breaches
from evenkeel_engine.kit.codec import BadData, Json, to_json, wire_name
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation, Verdict
from evenkeel_engine.kit.trial import INVALID
from evenkeel_engine.subjects.essence import observation_of
from evenkeel_engine.subjects.wire import observation_to_json

MOST: Final = 200
"""Other results of the step that are judged at most."""
SECONDS: Final = 2.0
"""How long other results, and then other settings, are tried."""
FAILED: Final = ({"do": "refused"}, {"do": "broke"}, *WHOLE)
"""Results that are not called right merely because no clause covers them."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One violation by one answer.

    `step`, counted from 1, is the last of the shortest beginning of the trial that breaks the
    clause; 0 where the trial has no steps. `trial` and `observation` are that beginning, or all.
    `right` is a result of the step to which no clause objects, with the subject's own results
    before it; None: none is known. `deciding`: the settings without whose values the judge would
    say something else, by their names on the wire; `idle`: those for which it would not. `facts`:
    what the judge had computed. `sentence`: what it says of this trial.
    """

    trial: Any
    observation: Observation
    step: int = 0
    right: Json = None
    deciding: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Judging:
    """A question's judge on an edition's clauses."""

    question: AnyQuestion
    edition: Edition

    def list_failed(self, trial: Any, observation: Observation) -> set[str]:
        """The signatures of all violations."""
        breaches = list_breaches(self.question, self.edition, trial, observation)
        return {verdict.signature for verdict in breaches}

    def find_verdict(self, trial: Any, observation: Observation, signature: str) -> Verdict | None:
        """The violation with this signature."""
        return failed_verdict(self.question, trial, observation, signature, self.edition)


def explain_breach(
    question: AnyQuestion, trial: Any, observed: Observation, signature: str, edition: Edition
) -> Breach:
    """What is known of the violation with this signature."""
    by = Judging(question, edition)
    if step := step_of(by, trial, observed, signature):
        trial, observed = question.take_steps(trial, observed, step)
    verdict = by.find_verdict(trial, observed, signature)
    if verdict is None:
        return Breach(trial, observed)
    tried = dict(settings_tried(by, trial, observed, verdict))
    deciding = tuple(name for name, decides in tried.items() if decides)
    idle = tuple(name for name, decides in tried.items() if not decides)
    right = right_there(by, trial, observed, step) if step else None
    facts, sentence = verdict.facts, verdict.sentence
    return Breach(trial, observed, step, right, deciding, idle, facts, sentence)


def count_steps(question: AnyQuestion, trial: Any, observed: Observation) -> int:
    """The number of steps of a trial that has a result for each; else 0."""
    answer: Any = observed
    if isinstance(answer, Refused | Broke) or not (question.cut or question.steps):
        return 0
    values = (getattr(answer, one.name) for one in fields(answer))
    sizes = [len(value) for value in values if isinstance(value, tuple)]
    if question.cut is not None:
        return max(sizes, default=0)
    steps = len(getattr(trial, question.steps))
    return steps if steps in sizes else 0


def step_of(by: Judging, trial: Any, observed: Observation, signature: str) -> int:
    """The step after which the clause is broken; 0: the trial has no steps, or they do not tell."""
    low, high = 0, count_steps(by.question, trial, observed)
    if not high or not is_broken(by, trial, observed, signature, high):
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        if is_broken(by, trial, observed, signature, middle):
            high = middle
        else:
            low = middle
    return high


def is_broken(by: Judging, trial: Any, observed: Any, signature: str, steps: int) -> bool:
    """Whether the first steps break the clause."""
    try:
        begun = by.question.take_steps(trial, observed, steps)
    except INVALID:  # so short it is no trial
        return False
    return by.find_verdict(*begun, signature) is not None


def right_there(by: Judging, trial: Any, observed: Any, step: int) -> Json:
    """A result of the last step, near the subject's, that is right after its own results before."""
    before = set[str]()
    if step > 1:
        with suppress(*INVALID):
            before = by.list_failed(*by.question.take_steps(trial, observed, step - 1))
    if (mine := results_of(observation_to_json(observed), step)) is None:
        return None
    until = time.monotonic() + SECONDS
    for result in islice(propose_results(by, trial, observed, step, mine[-1]), MOST):
        if time.monotonic() > until:
            return None
        with suppress(BadData):
            form = with_last(observation_to_json(observed), step, result)
            if before.issuperset(by.list_failed(trial, observation_of(by.question, form))):
                return result
    return None


def propose_results(
    by: Judging, trial: Any, observed: Any, step: int, mine: Json
) -> Iterator[Json]:
    """Other results of the last step, without failures."""
    expected = by.question.observe(trial, by.edition)
    answers = chain((expected,), find_other_answers(by.question, trial, observed, by.edition))
    known = (results_of(observation_to_json(one), step) for one in answers)
    last = (results[-1] for results in known if results)
    for found in chain(last, find_neighbours([mine], to_json(trial))):
        do = found.get("do") if isinstance(found, dict) else None
        if found != mine and found not in FAILED and do not in ("refused", "broke"):
            yield found


def results_of(form: Json, step: int) -> list[Json] | None:
    """The results of the steps in an observation's wire form; None where there are not as many."""
    answer = form.get("answer") if isinstance(form, dict) else None
    for items in answer.values() if isinstance(answer, dict) else ():
        if isinstance(items, list) and len(items) == step:
            return items
    return None


def with_last(form: Any, step: int, result: Json) -> Json:
    """An observation's wire form with another result of its last step."""
    answer = dict(form["answer"])
    for name, items in answer.items():
        if isinstance(items, list) and len(items) == step:
            answer[name] = [*items[:-1], result]
            break
    return {"answer": answer}


def settings_tried(
    by: Judging, trial: Any, observed: Observation, verdict: Verdict
) -> Iterator[tuple[str, bool]]:
    """Settings with other possible values, and whether the judge would say something else then."""
    until = time.monotonic() + SECONDS
    for name, variants in settings_of(trial):
        if time.monotonic() > until:
            return
        for one in variants:
            if by.find_verdict(one, observed, verdict.signature) != verdict:
                yield name, True
                break
            if time.monotonic() > until:  # it is not known
                return
        else:
            if variants:
                yield name, False


def settings_of(value: Any, prefix: str = "") -> Iterator[tuple[str, Sequence[Any]]]:
    """The single values in a record, by their dotted names; and the record with others instead."""
    for one in fields(value):
        item, name = getattr(value, one.name), f"{prefix}{wire_name(one)}"
        if is_dataclass(item) and not isinstance(item, type):
            for inner, variants in settings_of(item, f"{name}."):
                yield inner, tuple(with_field(value, one.name, variants))
        else:
            default = [] if one.default is MISSING or one.default == item else [one.default]
            yield name, tuple(with_field(value, one.name, other_values(item) + default))


def with_field(record: Any, name: str, values: Sequence[Any]) -> Iterator[Any]:
    """The record with each of these values in a field, where it is valid."""
    for value in values:
        with suppress(*INVALID):
            yield replace(record, **{name: value})


def other_values(value: Any) -> list[Any]:
    """Other values of the same type."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Enum):
        return [one for one in type(value) if one is not value][:3]
    if isinstance(value, int | float):  # the near ones, those that mean "none", and a far one
        half = value // 2 if isinstance(value, int) else value / 2
        far = 100 * value or type(value)(100_000)
        return [*dict.fromkeys((half, value + 1, value - 1, 2 * value, 0 * value, -1, 1, far))]
    return []
