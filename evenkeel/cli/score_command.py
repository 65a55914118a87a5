"""`evenkeel score`: mutants must be killed, equivalent mutants left in peace."""

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
from evenkeel.drivers.score import Score, mutants_of
from evenkeel.drivers.score import scores as scores_of


def score(
    chapter: ChapterOption = None,
    seed: SeedOption = 1,
    profile: ProfileOption = Profile.QUICK,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Run every mutant of the reference against the clauses of its chapter."""
    mutant = mutants_of(chapters_of(chapter))
    if not mutant:
        raise Unusable("There is no mutant.")
    with progress("score", len(mutant), "mutants") as advance:
        scores = scores_of(mutant, seed, AMOUNTS[profile].tried, lambda name: advance(name, 1))
    if format_ is Format.TEXT:
        print_scores(scores)
    status = 0 if all(s.as_it_should for s in scores) else 1
    raise typer.Exit(finish(format_, summary(scores), status, {"mutant": data_of(scores)}))


def print_scores(scores: list[Score]) -> None:
    """Defects with what killed them, then equivalent mutants."""
    table(
        "mutants",
        ["defect", "catalogue", "edition", "killed by", "#trials", "#ms"],
        [
            [
                s.mutant.name,
                s.mutant.defect,
                s.mutant.edition.name,
                s.clause or "SURVIVED",
                s.trials,
                round(s.milliseconds),
            ]
            for s in scores
            if not s.mutant.correct
        ],
    )
    table(
        "equivalent mutants",
        ["variant", "accused by", "#trials"],
        [[s.mutant.name, s.clause or "nobody", s.trials] for s in scores if s.mutant.correct],
    )


def summary(scores: list[Score]) -> str:
    """The one line."""
    defects = [s for s in scores if not s.mutant.correct]
    correct = [s for s in scores if s.mutant.correct]
    killed = sum(s.clause is not None for s in defects)
    accused = sum(s.clause is not None for s in correct)
    return (
        f"{killed} of {len(defects)} mutants killed, "
        f"{accused} of {len(correct)} equivalent mutants accused"
    )


def data_of(scores: list[Score]) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            "name": s.mutant.name,
            "chapter": s.mutant.chapter,
            "defect": s.mutant.defect,
            "correct": s.mutant.correct,
            "edition": s.mutant.edition.name,
            "clause": s.clause,
            "sentence": s.sentence,
            "trials": s.trials,
            "milliseconds": s.milliseconds,
        }
        for s in scores
    ]
