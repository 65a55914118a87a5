"""`evenkeel score`: every mutant must be killed, no conforming variant flagged.

Beside the mutants kept by hand some are drawn by seed. With `--in-reference` a mutant sits in the
reference itself, so that whatever draws trials, answers and judges has it too. Subjects that do
nothing, refuse, break, or obey all commands but one must be noticed as well.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Final, NoReturn, TypeAlias

import typer

from evenkeel import spec
from evenkeel.cli.options import (
    ChapterOption,
    ClauseOption,
    EditionName,
    Format,
    FormatOption,
    ProfileOption,
    QuestionOption,
    SeedOption,
    Unusable,
    chapters_of,
    clauses_of,
    edition_named,
)
from evenkeel.cli.output import finish, progress
from evenkeel.cli.questions import questions_named
from evenkeel.cli.score_output import (
    all_known,
    idle_data,
    idle_summary,
    kept_data,
    kept_summary,
    print_idle,
    print_kept,
    print_noticed,
    sampled_data,
    sampled_summary,
)
from evenkeel.harness.profile import AMOUNTS, Amounts, Profile
from evenkeel.mutation.equivalents import survivors as known_survivors
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.sampled import drawn as draw
from evenkeel.mutation.scoring.scope import EVERYTHING, Scope
from evenkeel.mutation.scoring.score import scores as scores_of
from evenkeel.mutation.scoring.score_faulty import Idle, idle_verdicts
from evenkeel.mutation.scoring.score_sampled import Noticed, noticed
from evenkeel.properties.catalogue import QUESTIONS

DrawnOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--drawn", min=0, help="How many mutants are drawn by seed; else as the profile says."
    ),
]
OnlyDrawnOption: TypeAlias = Annotated[
    bool, typer.Option("--only-drawn", help="Leave out the mutants kept by hand.")
]
InReferenceOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--in-reference",
        help="Put each mutant into the reference itself: judges, generators, files and recorded "
        "answers see it too.",
    ),
]
StrictOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Fail also where a drawn mutant survives, or one in the reference that is not "
        "listed in survivors.toml.",
    ),
]
MutantEditionOption: TypeAlias = Annotated[
    list[EditionName] | None,
    typer.Option(
        "--edition",
        parser=edition_named,
        metavar="|".join(EditionName),
        help="Only mutants that are judged in this edition, and trials of it.",
    ),
]
IdleOption: TypeAlias = Annotated[
    bool, typer.Option("--idle", help="Only subjects that do nothing or disobey, no mutants.")
]


def score(
    chapter: ChapterOption = None,
    question: QuestionOption = None,
    clause: ClauseOption = None,
    edition: MutantEditionOption = None,
    seed: SeedOption = 1,
    profile: ProfileOption = Profile.QUICK,
    drawn: DrawnOption = None,
    only_drawn: OnlyDrawnOption = False,
    in_reference: InReferenceOption = False,
    strict: StrictOption = False,
    idle: IdleOption = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Run mutants of the reference against the clauses.

    Those written by hand, and some sampled by seed; and subjects that do nothing or disobey.

    With --question or --clause a mutant that survives is no failure: only what is named can kill
    it.
    """
    scope, amounts = scope_of(chapter, question, clause, edition), AMOUNTS[profile]
    if (idle and clause) or (in_reference and (scope.is_partial or scope.editions)):
        raise Unusable("--idle goes with no --clause, --in-reference with --chapter only.")
    if idle:
        finish_idle(scope, seed, format_)
    kept = [] if only_drawn else scope.mutants()
    by_seed = draw(seed, amounts.drawn if drawn is None else drawn, scope.mutated_chapters())
    if not kept and not by_seed:
        raise Unusable("There is no mutant.")
    if in_reference:
        mutants = [*(mutant for mutant in kept if not mutant.conforming), *by_seed]
        fates = notice(mutants, seed, amounts, in_reference=True)
        finish_in_reference(fates, strict, format_)
    with progress("score", len(kept), "mutants") as advance:
        scores = scores_of(kept, seed, amounts.tried, lambda name: advance(name, 1), scope)
    fates = notice(by_seed, seed, amounts, in_reference=False, scope=scope)
    stood = [] if only_drawn or clause else idle_of(scope, seed)
    if format_ is Format.TEXT:
        if kept:
            print_kept(scores)
        print_noticed(fates)
        if stood:
            print_idle(stood)
    wrong = [s for s in scores if not s.as_it_should and (s.clause or not scope.is_partial)]
    failed = wrong or not all_known(stood) or (strict and survivors(fates))
    lines = [kept_summary(scores)] if kept else []
    lines.append(sampled_summary(fates, in_reference=False))
    lines += [idle_summary(stood)] if stood else []
    whole = ", ".join(lines)
    data = {"mutant": kept_data(scores), "drawn": sampled_data(fates), "idle": idle_data(stood)}
    raise typer.Exit(finish(format_, whole, 1 if failed else 0, data))


def scope_of(
    chapters: list[str] | None,
    questions: list[str] | None,
    clauses: list[str] | None,
    editions: list[EditionName] | None,
) -> Scope:
    """What the options limit the score to. Raises `Unusable`."""
    return Scope(
        tuple(chapters_of(chapters)),
        tuple(questions_named(questions)),
        tuple(clauses_of(clauses)),
        tuple(edition.value for edition in editions or ()),
    )


TRIALS: Final = 400
"""So many an idle subject gets at most: nearly all are detected in the first."""


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


def finish_idle(scope: Scope, seed: int, format_: Format) -> NoReturn:
    """The idle subjects alone."""
    stood = idle_of(scope, seed)
    if format_ is Format.TEXT:
        print_idle(stood)
    status = 0 if all_known(stood) else 1
    raise typer.Exit(finish(format_, idle_summary(stood), status, {"idle": idle_data(stood)}))


def notice(
    mutants: Sequence[Mutant],
    seed: int,
    amounts: Amounts,
    in_reference: bool,
    scope: Scope = EVERYTHING,
) -> list[Noticed]:
    """What becomes of these mutants."""
    title = "in the reference" if in_reference else "drawn"
    with progress(title, len(mutants), "mutants") as advance:
        most = amounts.drawn_trials
        return noticed(mutants, seed, most, in_reference, lambda name: advance(name, 1), scope)


def finish_in_reference(fates: list[Noticed], strict: bool, format_: Format) -> NoReturn:
    """The score of mutants in the reference itself."""
    if format_ is Format.TEXT:
        print_noticed(fates)
    status = 1 if strict and survivors(fates, known=known_survivors()) else 0
    summary = sampled_summary(fates, in_reference=True)
    raise typer.Exit(finish(format_, summary, status, {"in_reference": sampled_data(fates)}))


def survivors(fates: list[Noticed], known: Collection[str] = ()) -> int:
    """How many nobody noticed, but for those of which that is known."""
    return sum(fate.fate.by is None and fate.mutant.name not in known for fate in fates)
