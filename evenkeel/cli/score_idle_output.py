"""What `evenkeel score` shows of idle and disobedient subjects."""

from __future__ import annotations

from typing import Final

from evenkeel import spec
from evenkeel.cli.output import progress, table
from evenkeel.mutation.scoring.scope import Scope
from evenkeel.mutation.scoring.score_faulty import Idle, idle_verdicts
from evenkeel.properties.catalogue import QUESTIONS

TRIALS: Final = 400
"""So many an idle subject gets at most: nearly all are noticed in the first."""


def idle_of(scope: Scope, seed: int) -> list[Idle]:
    """What became of the idle subjects of these questions, or else of these chapters."""
    chapters, editions = scope.chapters or spec.CHAPTERS, scope.edition_names()
    asked = [
        name
        for name, question in QUESTIONS.items()
        if (name in scope.questions if scope.questions else question.chapter in chapters)
    ]
    with progress("idle", len(editions) * len(asked), "questions") as advance:
        return idle_verdicts(asked, editions, seed, TRIALS, lambda name: advance(name, 1))


def all_known(stood: list[Idle]) -> bool:
    """Nobody survived without a reason."""
    return all(i.clause is not None or i.excuse is not None for i in stood)


def print_idle(stood: list[Idle]) -> None:
    """The idle subjects by the clause that objected; who survived, and why."""
    table(
        "idle subjects",
        ["question", "edition", "subject", "violated", "#trials"],
        [[i.question, i.edition, i.subject, i.clause or "SURVIVED", i.trials] for i in stood],
    )
    survived = [i for i in stood if i.clause is None]
    if survived:
        rows = [[i.question, i.edition, i.subject, i.excuse or "UNKNOWN"] for i in survived]
        table("survivors", ["question", "edition", "subject", "why"], rows)


def idle_summary(stood: list[Idle]) -> str:
    """The one line."""
    violated = sum(i.clause is not None for i in stood)
    return f"{violated} of {len(stood)} idle subjects violated"


def idle_data(stood: list[Idle]) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            "question": i.question,
            "edition": i.edition,
            "subject": i.subject,
            "clause": i.clause,
            "sentence": i.sentence,
            "trials": i.trials,
            "excuse": i.excuse if i.clause is None else None,
        }
        for i in stood
    ]
