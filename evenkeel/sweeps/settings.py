"""A subject that uses the default of one setting in place of the trial's value is detected.

Else no trial shows that the setting is read at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from evenkeel.reference.edition import BASE_EDITIONS, EDITIONS, Edition
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.content import PROMISED
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.exempt import ALL
from evenkeel_engine.kit.question import Question, judge
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome

Path = tuple[str, ...]
TRIALS: Final = 1500
MORE_TRIALS: Final = 6000
"""Of a run over hours: it has the settings of many components, and most are at their defaults."""
SEED: Final = 31


def settings(record: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """The settings in a trial: where, their default, their value."""
    for one in fields(record):
        value = getattr(record, one.name)
        if "unit" in one.metadata:
            yield (*path, one.name), one.default, value
        elif is_dataclass(value):
            yield from settings(value, (*path, one.name))


def put(record: Any, path: Path, value: Any) -> Any:
    """The record with another value there."""
    first, *rest = path
    inner = put(getattr(record, first), tuple(rest), value) if rest else value
    return replace(record, **{first: inner})


def must_detect(question: str, name: str, edition: Edition) -> bool:
    """Whether a subject that does not read this setting must be detected."""
    exempt = QUESTIONS[question].exempt
    if name in exempt.unread:
        return False
    return edition is not PROMISED or not {name, ALL} & exempt.unjudged.keys()


def find_detected(question: Question[Any, Any], edition: Edition, required: set[Path]) -> set[Path]:
    """Which of these settings is shown by some trial to be read."""
    clauses = clauses_for(question.name, edition)
    found: set[Path] = set()
    for index in range(MORE_TRIALS if question.simulates else TRIALS):
        if found == required:
            break
        trial = make_trial(question, SEED, index)
        right: Any = None
        for path, default, value in settings(trial):
            if path not in required - found or value == default:
                continue
            try:
                other = put(trial, path, default)
            except BadTrial:
                continue  # it does not go with the other settings
            right = right or question.observe(trial, edition)
            wrong = question.observe(other, edition)
            if wrong != right and any(
                one.status == "violated" for one in judge(question, clauses, trial, wrong, edition)
            ):
                found.add(path)
    return found


Job = tuple[str, str]
"""A question and an edition."""


def groups(_: SweepPlan) -> list[list[Job]]:
    """A job for each question that has settings, in each edition that has clauses about it."""
    return [
        [(name, edition)]
        for edition, one in BASE_EDITIONS.items()
        for name in WITH_SETTINGS
        if clauses_for(name, one)
    ]


def work(job: Job) -> JobOutcome:
    """The settings of a question, and the exemptions of some."""
    name, edition = job
    question = QUESTIONS[name]
    paths = {path for path, _, _ in settings(make_trial(question, SEED, 0))}
    required = {path for path in paths if must_detect(name, path[-1], EDITIONS[edition])}
    missing = required - find_detected(question, EDITIONS[edition], required)
    failures = [
        f"{name} in {edition}: no trial shows that {'.'.join(path)} is read"
        for path in sorted(missing)
    ]
    return make_outcome(question.chapter, *failures, passed=len(required))


WITH_SETTINGS: Final = [
    name for name, question in QUESTIONS.items() if any(settings(make_trial(question, SEED, 0)))
]

SWEEP: Final = Sweep(
    "settings",
    "settings",
    "each of {passed} settings makes a difference that some clause detects",
    groups,
    work,
)
