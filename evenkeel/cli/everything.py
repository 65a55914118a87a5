"""`evenkeel check --everything`: a profile of all there is, and a table of the chapters."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

import typer

from evenkeel import spec
from evenkeel.cli.check_output import Display
from evenkeel.cli.options import Format
from evenkeel.cli.output import err, finish, line, progress, table
from evenkeel.cli.report import Report
from evenkeel.cli.score_command import notice
from evenkeel.cli.score_output import kept_summary, sampled_summary
from evenkeel.harness import case_upkeep, cases
from evenkeel.harness.campaign.plan import CampaignPlan
from evenkeel.harness.campaign.run import run_campaign
from evenkeel.harness.check import Part, run_check, run_reference
from evenkeel.harness.profile import AMOUNTS, Profile
from evenkeel.harness.subjects import pulsar
from evenkeel.harness.subjects.base import Subject
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.harness.subjects.process import SubjectUnusable
from evenkeel.harness.tally import Tally, asked_clauses, shortcomings
from evenkeel.models.catalogue import THEOREMS, graphs_of
from evenkeel.models.theorem import Status, prove
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.drawn import drawn
from evenkeel.mutation.scoring.score import scores
from evenkeel.properties.catalogue import CLAUSES, QUESTIONS
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0, Edition

ADAPTER: Final = pulsar.ADAPTER / "run"


@dataclass(slots=True)
class Whole:
    """What the steps found: how many of each chapter's things passed, and what did not."""

    seed: int
    profile: Profile
    trials: dict[str, int] = field(default_factory=dict)
    proved: dict[str, int] = field(default_factory=dict)
    explored: dict[str, int] = field(default_factory=dict)
    replayed: dict[str, int] = field(default_factory=dict)
    killed: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def passed(self, counts: dict[str, int], chapter: str, amount: int = 1) -> None:
        """Count something that went as it should."""
        counts[chapter] = counts.get(chapter, 0) + amount

    def step(self, text: str) -> None:
        """Note and print what a step found."""
        self.lines.append(text)
        err.print(text, markup=False)


def everything(seed: int, profile: Profile, format_: Format, adapter: Path | None) -> NoReturn:
    """Check, prove, explore, replay, score, and fuzz on Spark."""
    began, whole = time.monotonic(), Whole(seed, profile)
    steps: list[Callable[[Whole], None]] = [
        check_reference,
        prove_all,
        explore_all,
        lint_all,
        score_all,
        spark_campaign,
        lambda w: hold_pulsar(w, adapter or ADAPTER),
    ]
    for step in steps:
        step(whole)
    if format_ is Format.TEXT:
        print_chapters(whole)
    status = 1 if whole.failures else 2 if whole.unknown else 0
    word = {0: "all holds", 1: "VIOLATED", 2: "unknown"}[status]
    problems = "; ".join([*whole.failures, *whole.unknown])
    text = f"{word} in {len(spec.CHAPTERS)} chapters, {time.monotonic() - began:.0f} s"
    data = {"steps": whole.lines, "failures": whole.failures, "unknown": whole.unknown}
    raise typer.Exit(finish(format_, f"{text}: {problems}" if problems else text, status, data))


def check_subject(whole: Whole, subject: str, edition: Edition) -> None:
    """One subject against the clauses of one edition."""
    opened = open_subject(subject, edition)
    offered = opened.questions
    parts = [
        part for part in parts_of(whole.profile) if offered is None or part.question.name in offered
    ]
    try:
        with progress("check", sum(part.trials for part in parts), "trials") as advance:
            tally = run_check(parts, whole.seed, opened, edition, None, advance)
        note_check(whole, tally, opened, subject, edition)
    finally:
        opened.close()


def check_reference(whole: Whole) -> None:
    """The reference of every edition against the clauses of that edition, on all cores."""
    parts, editions = parts_of(whole.profile), list(EDITIONS.values())
    total = len(editions) * sum(part.trials for part in parts)
    with progress("check", total, "trials") as advance:
        tallies = run_reference(parts, whole.seed, editions, advance)
    for edition, tally in zip(editions, tallies, strict=True):
        note_check(whole, tally, open_subject("reference", edition), "reference", edition)


def parts_of(profile: Profile) -> list[Part]:
    """How many trials of each question a profile makes."""
    return [Part(question, AMOUNTS[profile].trials(question)) for question in QUESTIONS.values()]


def note_check(whole: Whole, tally: Tally, opened: Subject, subject: str, edition: Edition) -> None:
    """What came of a check of a subject, with its failures shrunk."""
    asked = asked_clauses(tally.trials, edition)
    text = f"{opened.name} against {edition.name}: {tally.outcome(asked)}"
    whole.step(text)
    if tally.violated:
        whole.failures.append(text)
        report = Report(opened.name, edition.name, 0, [], tally, True, list(tally.smallest))
        display = Display(subject, edition)
        display.failures(report, opened)
        display.rest(report)
    elif lacking := shortcomings(tally, asked, allow_unexercised=opened.questions is not None):
        whole.unknown.append(f"{text}: {'; '.join(lacking)}")
    for name, count in tally.trials.items():
        whole.passed(whole.trials, QUESTIONS[name].chapter, count)


def prove_all(whole: Whole) -> None:
    """Every theorem, with its non-vacuity and its mutant."""
    proofs = [prove(theorem) for theorem in THEOREMS]
    for proof in proofs:
        if proof.proved:
            whole.passed(whole.proved, proof.theorem.chapter)
        elif proof.status is Status.UNKNOWN:
            whole.unknown.append(f"{proof.theorem.name} is unknown")
        else:
            whole.failures.append(f"{proof.theorem.name} is {proof.status.value}")
    proved = sum(proof.proved for proof in proofs)
    whole.step(f"{proved} of {len(proofs)} theorems proved, each with its mutant refuted")


def explore_all(whole: Whole) -> None:
    """Every graph that fits into the profile, enumerated whole."""
    states = 0
    graphs = graphs_of(largest=AMOUNTS[whole.profile].states)
    for graph in graphs:
        result = graph.explore()
        states += result.states
        if result.as_it_should:
            whole.passed(whole.explored, graph.chapter)
        else:
            whole.failures.append(f"graph {graph.name} is not as it should be")
    whole.step(f"{len(graphs)} graphs with {states:,} states explored")


def lint_all(whole: Whole) -> None:
    """Every stored case."""
    for path in cases.case_files():
        problems = list(case_upkeep.lint(path))
        whole.failures += [f"{path.name}: {problem}" for problem in problems]
        if not problems:
            file = cases.read(path)
            chapter = QUESTIONS[file.question].chapter
            whole.replayed[chapter] = whole.replayed.get(chapter, 0) + len(file.cases)
    whole.step(f"{sum(whole.replayed.values()):,} cases are as stored")


def score_all(whole: Whole) -> None:
    """Every mutant kept by hand, and some drawn: of these, survivors are only counted."""
    mutants, most = MUTANTS, AMOUNTS[whole.profile].tried
    with progress("score", len(mutants), "mutants") as advance:
        done = scores(mutants, whole.seed, most, lambda name: advance(name, 1))
    for result in done:
        change = result.mutant
        if not result.as_it_should:
            fate = "flagged" if change.conforming else "survived"
            whole.failures.append(f"{change.name} {fate}")
        elif not change.conforming:
            whole.passed(whole.killed, change.chapter)
    whole.step(kept_summary(done))
    by_seed = drawn(whole.seed, AMOUNTS[whole.profile].drawn)
    fates = notice(by_seed, whole.seed, AMOUNTS[whole.profile], in_reference=False)
    whole.step(sampled_summary(fates, in_reference=False))


def spark_campaign(whole: Whole) -> None:
    """A small campaign on Spark, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="evenkeel-") as folder:
        plan = CampaignPlan(
            trials=AMOUNTS[whole.profile].campaign,
            seed=whole.seed,
            out=Path(folder) / "campaign",
            subject="reference",
            edition=DOCUMENTED.name,
            master="local[*]",
            strict=True,
            allow_unexercised=True,  # it is small; that all is exercised, the check has shown
        )
        result = run_campaign(plan, err)
    whole.step(result.summary)
    if result.status == 1:
        whole.failures.append(result.summary)
    elif result.status:
        whole.unknown.append(result.summary)


def hold_pulsar(whole: Whole, adapter: Path) -> None:
    """Apache Pulsar's own classes against the edition that models them, if they are built."""
    if not adapter.exists() or not pulsar.is_built(adapter.parent):
        whole.step("Apache Pulsar left out: its adapter is not built (`make adapter` needs Maven)")
        return
    try:
        check_subject(whole, str(adapter), PULSAR_4_0)
    except SubjectUnusable as unusable:
        whole.unknown.append(str(unusable))


def print_chapters(whole: Whole) -> None:
    """A row per chapter."""
    rows = []
    for chapter in spec.CHAPTERS:
        entries = [entry for entry in spec.entries().values() if entry.chapter == chapter]
        checks = sum(clause.entry.chapter == chapter for clause in CLAUSES)
        counts = (whole.trials, whole.proved, whole.explored, whole.replayed, whole.killed)
        rows.append([chapter, len(entries), checks, *(c.get(chapter, 0) for c in counts)])
    table(
        "chapters",
        [
            "chapter",
            "#clauses",
            "#checks",
            "#trials",
            "#theorems proved",
            "#graphs",
            "#cases",
            "#defects killed",
        ],
        rows,
    )
    line()
