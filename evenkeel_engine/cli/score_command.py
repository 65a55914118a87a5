"""`evenkeel score`: every mutant must be killed, no conforming variant flagged.

Besides the handwritten mutants some are sampled by seed. With `--in-reference` a mutant is in the
reference itself, so that generator, subject and judge have it. Subjects that do nothing, refuse,
break, or drop one sort of command must be detected as well.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Final, NoReturn

import typer

from evenkeel_engine import spec
from evenkeel_engine.check.profile import AMOUNTS, Amounts, Profile
from evenkeel_engine.cli import options
from evenkeel_engine.cli.options import Format, Unusable
from evenkeel_engine.cli.output import finish, show_progress
from evenkeel_engine.cli.questions import questions_named
from evenkeel_engine.cli.score_output import (
    all_known,
    handwritten_data,
    handwritten_summary,
    idle_data,
    idle_summary,
    print_idle,
    print_kept,
    print_sampled,
    sampled_data,
    sampled_summary,
)
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.equivalents import read_survivors as known_survivors
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import sample_mutants
from evenkeel_engine.mutation.scoring.scope import EVERYTHING, ScoreScope
from evenkeel_engine.mutation.scoring.score import compute_scores
from evenkeel_engine.mutation.scoring.score_faulty import Idle, idle_verdicts
from evenkeel_engine.mutation.scoring.score_sampled import SampledScore, detect_mutants


def score(
    chapter: options.ChapterOption = None,
    question: options.QuestionOption = None,
    clause: options.ClauseOption = None,
    edition: Annotated[
        list[str] | None,
        options.edition_option("Only mutants that are judged in this edition, and trials of it."),
    ] = None,
    seed: options.SeedOption = 1,
    profile: options.ProfileOption = Profile.QUICK,
    sample_size: Annotated[
        int | None,
        typer.Option(
            "--drawn", min=0, help="How many mutants are sampled by seed; else as in the profile."
        ),
    ] = None,
    only_sampled: Annotated[
        bool, typer.Option("--only-drawn", help="Leave out the handwritten mutants.")
    ] = False,
    in_reference: Annotated[
        bool,
        typer.Option(
            "--in-reference",
            help="Put each mutant into the reference itself: judges, generators, files and "
            "recorded answers see it too.",
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Fail also if a sampled mutant survives, or one in the reference that is not "
            "listed in survivors.toml.",
        ),
    ] = False,
    idle: Annotated[
        bool, typer.Option("--idle", help="Only subjects that do nothing or disobey, no mutants.")
    ] = False,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Run mutants of the reference against the clauses.

    Those written by hand, and some sampled by seed; and subjects that do nothing or disobey.

    With --question or --clause a mutant that survives is no failure: only what is named can kill
    it. Mutants of functions that the questions never run are left out.
    """
    scope, amounts = scope_of(chapter, question, clause, edition), AMOUNTS[profile]
    if (idle and clause) or (in_reference and (scope.is_partial or scope.editions)):
        raise Unusable("--idle goes with no --clause, --in-reference with --chapter only.")
    if idle:
        finish_idle(scope, seed, format_)
    handwritten = [] if only_sampled else scope.list_mutants()
    size = amounts.sampled if sample_size is None else sample_size
    by_seed = sample_mutants(seed, size, scope.mutated_chapters())
    if not handwritten and not by_seed:
        raise Unusable("No mutant is selected.")
    if in_reference:
        mutants = [*(mutant for mutant in handwritten if not mutant.conforming), *by_seed]
        outcomes = detect(mutants, seed, amounts, in_reference=True)
        finish_in_reference(outcomes, strict, format_)
    with show_progress("score", len(handwritten), "mutants") as advance:
        scores = compute_scores(
            handwritten, seed, amounts.count_tried, lambda name: advance(name, 1), scope
        )
    if scope.is_partial:
        scores = [one for one in scores if one.reached]
    outcomes = detect(by_seed, seed, amounts, in_reference=False, scope=scope)
    stood = [] if only_sampled or clause else idle_of(scope, seed)
    if format_ is Format.TEXT:
        if handwritten:
            print_kept(scores)
        print_sampled(outcomes)
        if stood:
            print_idle(stood)
    wrong = [s for s in scores if not s.as_expected and (s.clause or not scope.is_partial)]
    failed = wrong or not all_known(stood) or (strict and count_survivors(outcomes))
    lines = [handwritten_summary(scores)] if handwritten else []
    lines.append(sampled_summary(outcomes, in_reference=False))
    lines += [idle_summary(stood)] if stood else []
    whole = ", ".join(lines)
    data = {
        "mutant": handwritten_data(scores),
        "drawn": sampled_data(outcomes),
        "idle": idle_data(stood),
    }
    raise typer.Exit(finish(format_, whole, 1 if failed else 0, data))


def scope_of(
    chapters: list[str] | None,
    questions: list[str] | None,
    clauses: list[str] | None,
    editions: list[str] | None,
) -> ScoreScope:
    """What the options limit the score to. Raises `Unusable`."""
    return ScoreScope(
        tuple(options.chapters_of(chapters)),
        tuple(questions_named(questions)),
        tuple(options.clauses_of(clauses)),
        tuple(editions or ()),
    )


TRIALS: Final = 400
"""Trials for a faulty subject at most: nearly all are detected in the first."""


def idle_of(scope: ScoreScope, seed: int) -> list[Idle]:
    """What became of the idle subjects of these questions, or else of these chapters."""
    chapters, editions = scope.chapters or spec.CHAPTERS, scope.edition_names()
    names = [
        name
        for name, question in QUESTIONS.items()
        if (name in scope.questions if scope.questions else question.chapter in chapters)
    ]
    with show_progress("idle", len(editions) * len(names), "questions") as advance:
        return idle_verdicts(names, editions, seed, TRIALS, lambda name: advance(name, 1))


def finish_idle(scope: ScoreScope, seed: int, format_: Format) -> NoReturn:
    """The idle subjects alone."""
    stood = idle_of(scope, seed)
    if format_ is Format.TEXT:
        print_idle(stood)
    status = 0 if all_known(stood) else 1
    raise typer.Exit(finish(format_, idle_summary(stood), status, {"idle": idle_data(stood)}))


def detect(
    mutants: Sequence[Mutant],
    seed: int,
    amounts: Amounts,
    in_reference: bool,
    scope: ScoreScope = EVERYTHING,
) -> list[SampledScore]:
    """What becomes of these mutants."""
    title = "in the reference" if in_reference else "sampled"
    with show_progress(title, len(mutants), "mutants") as advance:
        most = amounts.sampled_trials
        return detect_mutants(
            mutants, seed, most, in_reference, lambda name: advance(name, 1), scope
        )


def finish_in_reference(outcomes: list[SampledScore], strict: bool, format_: Format) -> NoReturn:
    """The score of mutants in the reference itself."""
    if format_ is Format.TEXT:
        print_sampled(outcomes)
    status = 1 if strict and count_survivors(outcomes, known=known_survivors()) else 0
    summary = sampled_summary(outcomes, in_reference=True)
    raise typer.Exit(finish(format_, summary, status, {"in_reference": sampled_data(outcomes)}))


def count_survivors(outcomes: list[SampledScore], known: Collection[str] = ()) -> int:
    """The number of mutants that survived, without known survivors."""
    return sum(
        outcome.outcome.by is None and outcome.mutant.name not in known for outcome in outcomes
    )
