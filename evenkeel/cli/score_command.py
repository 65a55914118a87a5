"""`evenkeel score`: planted defects must be killed, correct variants left in peace."""

from __future__ import annotations

import typer

from evenkeel.cli.options import (
    ChapterOption,
    Format,
    FormatOption,
    ProfileOption,
    SeedOption,
    Unusable,
    chapters_of,
)
from evenkeel.cli.output import finish, progress, table
from evenkeel.drivers.profile import AMOUNTS, Profile
from evenkeel.drivers.score import Score, planted_of
from evenkeel.drivers.score import scores as scores_of


def score(
    chapter: ChapterOption = None,
    seed: SeedOption = 1,
    profile: ProfileOption = Profile.QUICK,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Run every planted change of the reference against the clauses of its chapter."""
    planted = planted_of(chapters_of(chapter))
    if not planted:
        raise Unusable("No defect is planted there.")
    with progress("score", len(planted), "planted changes") as advance:
        scores = scores_of(planted, seed, AMOUNTS[profile].tried, lambda name: advance(name, 1))
    if format_ is Format.TEXT:
        print_scores(scores)
    status = 0 if all(s.as_it_should for s in scores) else 1
    raise typer.Exit(finish(format_, summary(scores), status, {"planted": data_of(scores)}))


def print_scores(scores: list[Score]) -> None:
    """Defects with what killed them, then correct variants."""
    table(
        "planted defects",
        ["defect", "catalogue", "edition", "killed by", "#trials", "#ms"],
        [
            [
                s.planted.name,
                s.planted.defect,
                s.planted.edition.name,
                s.clause or "SURVIVED",
                s.trials,
                round(s.milliseconds),
            ]
            for s in scores
            if not s.planted.correct
        ],
    )
    table(
        "correct variants",
        ["variant", "accused by", "#trials"],
        [[s.planted.name, s.clause or "nobody", s.trials] for s in scores if s.planted.correct],
    )


def summary(scores: list[Score]) -> str:
    """The one line."""
    defects = [s for s in scores if not s.planted.correct]
    correct = [s for s in scores if s.planted.correct]
    killed = sum(s.clause is not None for s in defects)
    accused = sum(s.clause is not None for s in correct)
    return (
        f"{killed} of {len(defects)} planted defects killed, "
        f"{accused} of {len(correct)} correct variants accused"
    )


def data_of(scores: list[Score]) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            "name": s.planted.name,
            "chapter": s.planted.chapter,
            "defect": s.planted.defect,
            "correct": s.planted.correct,
            "edition": s.planted.edition.name,
            "clause": s.clause,
            "sentence": s.sentence,
            "trials": s.trials,
            "milliseconds": s.milliseconds,
        }
        for s in scores
    ]
