"""`evenkeel vectors`: a minimal corpus, by which any language tests itself without Python."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Final

import typer

from evenkeel import __version__
from evenkeel.cli.options import (
    EditionName,
    Format,
    FormatOption,
    QuestionOption,
    SeedOption,
    StrictOption,
    Unusable,
    edition_named,
)
from evenkeel.cli.output import finish, line, progress
from evenkeel.cli.questions import questions_named
from evenkeel.harness import corpus, corpus_doubts
from evenkeel.harness.corpus import Vector
from evenkeel.harness.corpus_making import Job, options_of, smallest
from evenkeel.harness.subjects.base import Ask, Observed, Skipped
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.kit.codec import Json, from_json
from evenkeel.reference.edition import EDITIONS

app = typer.Typer(
    name="vectors",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)
SHOWN: Final = 20
FolderArgument = Annotated[Path, typer.Argument(help="The corpus's folder.")]


@app.callback()
def vectors() -> None:
    """Export a minimal corpus of trials with right answers."""


@app.command()
def export(
    folder: FolderArgument,
    question: QuestionOption = None,
    seed: SeedOption = 1,
    trials: Annotated[
        int, typer.Option("--trials", min=1, max=10**5, help="Of each question, to choose from.")
    ] = 300,
    witness: Annotated[
        str,
        typer.Option(
            "--witness",
            help="Another subject: what it answers, and no clause objects to, is right.",
        ),
    ] = "",
    processes: Annotated[int, typer.Option("--processes", min=1, max=64)] = 1,
    renew: Annotated[
        bool,
        typer.Option(
            "--renew", help="DIR is a corpus: make these questions anew, and leave the others."
        ),
    ] = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Write for every clause, decision and mutant the smallest trial, with the allowed answers."""
    names = questions_named(question) or list(QUESTIONS)
    kept = others(folder, names) if renew else []
    if not renew and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        told = "choose another, or give --renew if it is a corpus"
        raise Unusable(f"{folder} exists, and is no empty folder: {told}.")
    jobs = [Job(name, of, seed, trials, witness) for of in EDITIONS for name in names]
    found: dict[str, list[tuple[Vector, list[str], int]]] = {of: [] for of in EDITIONS}
    with (
        progress("vectors", len(jobs), "questions") as advance,
        ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool,
    ):
        running = {pool.submit(options_of, job): job for job in jobs}
        for done in as_completed(running):
            job = running[done]
            found[job.edition] += done.result()
            advance(f"{job.question} {job.edition}", 1)
    vectors = [v for of in EDITIONS for v in smallest(sorted(found[of], key=lambda it: it[0].id))]
    vectors += kept
    about: dict[str, Json] = {"evenkeel": __version__, "seed": seed, "trials": trials}
    size = corpus.write(folder, vectors, about)
    kinds = {kind: sum(v.kind == kind for v in vectors) for kind in corpus.UNNAMED}
    listed = ", ".join(f"{many:,} {kind}" for kind, many in kinds.items())
    words = f"{len(vectors):,} vectors ({listed}), {size:,} bytes, in {folder}"
    data: dict[str, Json] = {"vectors": len(vectors), **kinds, "bytes": size}
    raise typer.Exit(finish(format_, words, 0, data))


def others(folder: Path, names: list[str]) -> list[Vector]:
    """The vectors of a corpus that stay when these questions are made anew."""
    return [vector for vector in corpus.read(folder) if vector.question not in names]


@app.command()
def verify(
    folder: FolderArgument,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Also measure how many mutants the corpus notices.")
    ] = False,
    subject: Annotated[
        str,
        typer.Option("--subject", help="Hold a subject against the corpus, as any runner would."),
    ] = "",
    edition: Annotated[
        EditionName | None,
        typer.Option("--edition", parser=edition_named, help="Only the vectors of this edition."),
    ] = None,
    strict: StrictOption = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Tell whether a corpus is true: reference, clauses, ids; or whether a subject passes it."""
    vectors = [v for v in corpus.read(folder) if edition is None or v.edition == edition.value]
    if not vectors:
        raise Unusable(f"{folder} has no vectors of {edition}.")
    if subject:
        raise typer.Exit(held(vectors, subject, format_, strict))
    wrong = [f"{v.id}: {why}" for v in vectors for why in corpus_doubts.problems(v)]
    data: dict[str, Json] = {"vectors": len(vectors), "problems": list(wrong)}
    words = f"{len(vectors):,} vectors, {len(wrong)} problems"
    if mutants:
        missed, asked = unnoticed(vectors), sum(not m.conforming for m in MUTANTS)
        data["unnoticed"] = list(missed)
        words += f", {asked - len(missed)} of {asked} mutants noticed"
        wrong += [f"unnoticed: {name}" for name in missed]
    if format_ is Format.TEXT:
        for text in wrong[:SHOWN]:
            line(text)
    raise typer.Exit(finish(format_, words, 1 if wrong else 0, data))


def unnoticed(vectors: list[Vector]) -> list[str]:
    """The mutants that no vector of their edition notices; each is run."""
    named: dict[tuple[str, str], list[Vector]] = {}
    for vector in vectors:
        for name in vector.mutants:
            named.setdefault((vector.edition, name), []).append(vector)
    return [
        mutant.name
        for mutant in MUTANTS
        if not mutant.conforming
        and not any(
            corpus_doubts.notices(vector, mutant)
            for vector in named.get((mutant.edition.name, mutant.name), [])
        )
    ]


def held(vectors: list[Vector], subject: str, format_: Format, strict: bool) -> int:
    """Put the corpus to a subject; the exit status. To depart is wrong only if `strict`."""
    failed: list[str] = []
    sorts = ("right", "wrong", "departs", "unsaid", "not asked", "no answer")
    counts = dict.fromkeys(sorts, 0)
    for name in EDITIONS:
        those = [v for v in vectors if v.edition == name]
        opened = open_subject(subject, EDITIONS[name])
        try:
            asks = [
                Ask(at, QUESTIONS[v.question], from_json(QUESTIONS[v.question].trial_type, v.trial))
                for at, v in enumerate(those)
                if opened.questions is None or v.question in opened.questions
            ]
            counts["not asked"] += len(those) - len(asks)
            for ask, reply in opened.replies(asks):
                if not isinstance(reply, Observed):
                    counts["not asked" if isinstance(reply, Skipped) else "no answer"] += 1
                    continue
                vector = those[ask.key]
                said = vector.says(corpus.core(reply.observation))
                counts[said] += 1
                if said == "wrong" or (strict and said == "departs"):
                    failed.append(f"{said}: {vector.id} ({name}): {vector.note}")
        finally:
            opened.close()
    if format_ is Format.TEXT:
        for text in failed:
            line(text)
    words = f"{subject}: " + ", ".join(f"{many:,} {what}" for what, many in counts.items())
    data: dict[str, Json] = {**counts, "failed": list(failed)}
    status = 1 if failed else 2 if counts["no answer"] or not counts["right"] else 0
    return finish(format_, words, status, data)
