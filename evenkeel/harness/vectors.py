"""Making and keeping counterexample files, so that nobody edits their JSON by hand.

`refreshed` works a file out again after a trial type, the reference or a judge's sentence changed.
What somebody else observed (Apache Pulsar, a document) is a fact and is never rewritten from the
reference: where the two part, that is a problem to be looked into.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

from evenkeel.harness import counterexample
from evenkeel.harness.counterexample import (
    BadCounterexample,
    Counterexample,
    Kind,
    observation_from_json,
    same_observation,
)
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.codec import Json, to_json, wire_name
from evenkeel.properties.kit.question import Observation, Question, judge
from evenkeel.reference.edition import EDITIONS, Edition

TOLD: Final = ("title", "bug", "effect", "source")
"""What a file must say in words."""


WORKED_OUT: Final = ("trial", "expected", "observed", "sentence")
"""Compared as texts, since 5 and 5.0 are equal. Replays, reports and the site show the sentence."""


class NoVector(ValueError):
    """A trial that shows nothing of a clause: one sentence."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a person says of a vector."""

    title: str
    kind: Kind | None
    bug: str
    effect: str
    source: str
    observed_by: str
    found: str


def judged(
    question: Question[Any, Any], clause: str, trial: Any, observed: Observation, edition: Edition
) -> tuple[str, tuple[str, ...]]:
    """What a clause says of an observation: `violated` with its sentences, or another status."""
    checks = clauses_for(question.name, edition, frozenset({clause}))
    verdicts = judge(question, checks, trial, observed, edition)
    broken = tuple(v.sentence for v in verdicts if v.status == "violated")
    if broken:
        return "violated", broken
    statuses = {v.status for v in verdicts}
    word = "errored" if "errored" in statuses else "holds" if "holds" in statuses else ""
    return word or ("unexercised" if statuses else "unchecked"), ()


def made(
    question: Question[Any, Any],
    clause: str,
    trial: Any,
    observed: Observation,
    edition: Edition,
    words: Words,
) -> Counterexample:
    """A vector of what was observed on a trial. Raises `NoVector`."""
    verdict, sentences = judged(question, clause, trial, observed, edition)
    if verdict not in ("violated", "holds"):
        raise NoVector(f"this trial of {question.name} shows nothing of {clause}: it is {verdict}")
    if verdict == "violated" and not words.bug:
        raise NoVector(f"{clause} is violated: say what kind of bug it is (--bug)")
    kind = words.kind or (Kind.EXAMPLE if verdict == "holds" else Kind.DIVERGENCE)
    if (kind is Kind.EXAMPLE) != (verdict == "holds"):
        raise NoVector(f"{clause} says {verdict} of what was observed, which is no {kind}")
    by = [
        name
        for name, other in EDITIONS.items()
        if same_observation(question.observe(trial, other), observed)
    ]
    return Counterexample(
        title=words.title,
        kind=kind,
        clause=clause,
        edition=edition.name,
        question=question.name,
        trial=to_json(trial),
        expected=observation_to_json(question.observe(trial, edition)),
        observed=observation_to_json(observed),
        observed_by=words.observed_by,
        verdict=verdict,
        sentence=sentences[0] if sentences else "",
        bug=words.bug or "none",
        effect=words.effect,
        source=words.source,
        reproduced_by=by[0] if by else None,
        found=words.found,
    )


# --------------------------------------------------------------------------------- refreshing


def refreshed(
    path: Path, vector: Counterexample, observed: Observation | None = None
) -> tuple[Counterexample, tuple[str, ...]]:
    """The vector worked out again, and what is wrong with it. Raises `BadCounterexample`.

    `observed`: what a subject observes on the trial now; None: what was observed stays.
    """
    question, edition = QUESTIONS[vector.question], EDITIONS[vector.edition]
    vector = replace(vector, observed=completed_answer(question, vector.observed))
    trial = trial_now(path, vector)
    if observed is None:
        observed = observed_in(path, vector)
    problems = []
    verdict, sentences = judged(question, vector.clause, trial, observed, edition)
    if verdict != vector.verdict:
        problems.append(f"{vector.clause} says {verdict} of what was observed")
    by = vector.reproduced_by
    if by is not None and not same_observation(question.observe(trial, EDITIONS[by]), observed):
        problems.append(f"the reference of {by} does not observe what {vector.observed_by} did")
    sentence = vector.sentence if vector.sentence in sentences else "".join(sentences[:1])
    fresh = replace(
        vector,
        trial=to_json(trial),
        expected=observation_to_json(question.observe(trial, edition)),
        observed=observation_to_json(observed),
        sentence=sentence,
    )
    return fresh, tuple(problems)


def trial_now(path: Path, vector: Counterexample) -> Any:
    """The trial, new fields with their defaults. Raises `BadCounterexample`."""
    form = completed(QUESTIONS[vector.question].trial_type, vector.trial)
    return counterexample.trial_of(path, replace(vector, trial=form))


def observed_in(path: Path, vector: Counterexample) -> Observation:
    """What the file says was observed. Raises `BadCounterexample`."""
    question = QUESTIONS[vector.question]
    return counterexample.decoded(
        path, "observed", lambda: observation_from_json(question, vector.observed)
    )


def completed_answer(question: Question[Any, Any], data: Json) -> Json:
    """An observation in its wire form, its answer completed."""
    if isinstance(data, dict) and "answer" in data:
        return {**data, "answer": completed(question.answer_type, data["answer"])}
    return data


def completed(kind: Any, data: Json) -> Json:
    """The JSON of a value with the fields that its type has got since, if they have defaults."""
    kind = getattr(kind, "__supertype__", kind)
    arguments = typing.get_args(kind)
    if isinstance(data, list) and typing.get_origin(kind) is tuple:
        return [completed(arguments[0], item) for item in data]
    if not isinstance(data, dict):
        return data
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return completed(member_for(arguments, data), data)
    if not (is_dataclass(kind) and isinstance(kind, type)):
        return data
    hints = typing.get_type_hints(kind)
    form = {**data}
    for field in fields(kind):
        name = wire_name(field)
        if name in data:
            form[name] = completed(hints[field.name], data[name])
        else:
            form.update(default_of(field, name))
    return form


def member_for(kinds: tuple[Any, ...], data: dict[str, Json]) -> Any:
    """The member of a union that the data are of: by `do`, else the only one without."""
    tagged = [kind for kind in kinds if getattr(kind, "DO", None) == data.get("do", 0)]
    plain = [kind for kind in kinds if kind is not type(None) and not hasattr(kind, "DO")]
    return [*tagged, *plain, None][0]


def default_of(field: Field[Any], name: str) -> dict[str, Json]:
    """The default of a field as JSON; nothing if it has none."""
    if field.default is not MISSING:
        return {name: to_json(field.default)}
    return {} if field.default_factory is MISSING else {name: to_json(field.default_factory())}


# ------------------------------------------------------------------------------------ linting


def lint(path: Path) -> Iterator[str]:
    """What is wrong with a file, each in a sentence; a file that cannot be read is one."""
    try:
        vector = counterexample.read(path)
        fresh, problems = refreshed(path, vector)
    except BadCounterexample as bad:
        yield str(bad).removeprefix(f"{path}: ")
        return
    yield from problems
    for name in WORKED_OUT:
        if json.dumps(getattr(fresh, name)) != json.dumps(getattr(vector, name)):
            yield f"{name}: is not what it would be now; `evenkeel vector refresh` rewrites it"
    if path.read_text("utf-8") != counterexample.text_of(vector):
        yield "is not formatted as files are; `evenkeel vector refresh` rewrites it"
    for name in TOLD:
        if not getattr(vector, name).strip():
            yield f"{name}: is empty"
    if (vector.kind is Kind.EXAMPLE) != (vector.verdict == "holds"):
        yield f"kind: {vector.kind} cannot have the verdict {vector.verdict}"
    chapter = QUESTIONS[vector.question].chapter
    if path.resolve().parent.name != chapter:
        yield f"question: {vector.question} belongs into a folder {chapter}"
