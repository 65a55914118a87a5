"""Of the right answers to a trial that are known, the one that is nearest to a subject's.

Known are the reference's, those of conforming variants (a reference that decides otherwise where
the specification leaves the choice), and the subject's own with one of its lists in order, where
no clause objects to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from evenkeel_engine.check.limits import TooLong, limit_time
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import find_objections
from evenkeel_engine.kit.codec import BadData, Json, from_json, to_json
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.subjects.essence import take_essence
from evenkeel_engine.subjects.wire import observation_to_json


def list_leaves(value: Json, place: str = "") -> Iterator[tuple[str, Json]]:
    """Every place in an answer, with its value; lists are counted from 1."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from list_leaves(item, f"{place}.{name}" if place else name)
    elif isinstance(value, list) and value:
        for number, item in enumerate(value, 1):
            yield from list_leaves(item, f"{place}[{number}]")
    else:
        yield place, value


def find_differing(subject: Json, reference: Json) -> list[str]:
    """The places where two answers differ; how a refusal is worded does not count."""
    one, other = (dict(list_leaves(take_essence(form))) for form in (subject, reference))
    return [p for p in {**one, **other} if p not in one or p not in other or one[p] != other[p]]


def find_nearest(
    question: AnyQuestion,
    trial: Any,
    observed: Observation,
    expected: Observation,
    edition: Edition,
) -> Observation:
    """The right answer that differs in the fewest places; of equals the first: `expected`."""
    mine = observation_to_json(observed)
    best, fewest = expected, len(find_differing(mine, observation_to_json(expected)))
    for other in find_other_answers(question, trial, observed, edition):
        distance = len(find_differing(mine, observation_to_json(other)))
        # What answers wrongly here is no variant of a right subject on this trial.
        if distance < fewest and not find_objections(question.name, edition, trial, other):
            best, fewest = other, distance
    return best


def find_other_answers(
    question: AnyQuestion, trial: Any, observed: Observation, edition: Edition
) -> Iterator[Observation]:
    """Answers that may be right, too."""
    from evenkeel_engine.mutation.catalogue import CONFORMING  # noqa: PLC0415 - reads all mutants

    if not isinstance(observed, Refused | Broke):
        for form in sorted_once(to_json(observed)):
            with suppress(BadData):
                yield from_json(question.answer_type, form)
    for variant in CONFORMING:
        if variant.edition is edition and variant.chapter == question.chapter:
            found = None
            # It conforms for questions of its chapter; elsewhere it may fail, which means nothing.
            with suppress(Exception, TooLong), limit_time(), variant.apply():
                found = question.observe(trial, edition)
            if found is not None:
                yield found


def sorted_once(form: Json) -> Iterator[Json]:
    """Copies, each with one of the lists of plain values sorted."""
    if isinstance(form, dict):
        for name, value in form.items():
            yield from ({**form, name: one} for one in sorted_once(value))
    elif isinstance(form, list):
        with suppress(TypeError):  # objects have no order
            if (ascending := sorted(form)) != form:
                yield ascending
        for place, value in enumerate(form):
            yield from ([*form[:place], one, *form[place + 1 :]] for one in sorted_once(value))
