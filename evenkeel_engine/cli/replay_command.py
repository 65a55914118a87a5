"""`evenkeel replay`: stored cases, files with cases, or single trials, to be judged."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import typer

from evenkeel_engine import spec
from evenkeel_engine.check.failure import failure_on, find_violations
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.shrink import Shrunk
from evenkeel_engine.check.tally import Found
from evenkeel_engine.cli import options
from evenkeel_engine.cli.failure_report import (
    GIVEN,
    answer_lines,
    format_comparison,
    narrate,
    trial_lines,
)
from evenkeel_engine.cli.options import Format, Unusable
from evenkeel_engine.cli.output import finish, print_line, print_lines, print_prose, show_progress
from evenkeel_engine.cli.places import NAMED, PLACE, cases_at, trial_at
from evenkeel_engine.cli.render import Paper, indent_lines, render
from evenkeel_engine.content import EDITIONS, PROMISED, Edition
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.question import AnyQuestion, Verdict, judge
from evenkeel_engine.stored.cases import StoredCase, decode_case, find_problems
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Subject, reply_to
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.essence import take_essence
from evenkeel_engine.subjects.session import Limits
from evenkeel_engine.subjects.wire import observation_to_json

SHOWN: Final = 20
"""Of more cases only those that differ are printed."""


def replay(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="CASE...",
            help=f"Ids of stored cases, files with cases, folders; or trials of a run: {NAMED}.",
        ),
    ],
    subject: options.SubjectOption = "reference",
    edition: options.EditionOption = PROMISED.name,
    strict: options.StrictOption = False,
    full: Annotated[bool, typer.Option("--full", help="Fold nothing, cut nothing.")] = False,
    trial_timeout: options.TrialTimeoutOption = 30.0,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Replay cases: is each as stored? Judge a subject on them.

    A case is compared with the reference and the judge. If a subject is given, the case's trial is
    also put to it, and its answer is judged by all clauses of the case's edition. A file may be no
    more than {"question": ..., "trial": ...}, with "edition" or without (then --edition counts).
    A trial of a run is made again, and the subject's answer judged; several are put to one process,
    in this order.
    """
    places = [match for path in paths if (match := PLACE.fullmatch(path))]
    for path in paths:
        if "@" in path and not PLACE.fullmatch(path) and not os.path.exists(path):
            raise Unusable(f"{path}: a trial of a run is named {NAMED}.")
    if places and len(places) != len(paths):
        raise Unusable(f"Give either cases or {NAMED}, not both.")
    of, limits = EDITIONS[edition], Limits(trial_seconds=trial_timeout)
    if places:
        # One process for all: its state shows in the later ones.
        with closing(open_subject(subject, of, limits)) as opened:
            statuses = []
            for match in places:
                result = judge_reply(match[0], *trial_at(match), opened, of)
                if format_ is Format.TEXT:
                    print_judged(result, full)
                complete = isinstance(result.reply, Observed) and not result.undecided
                status = 1 if result.is_wrong(strict) else 0 if complete else 2
                statuses.append(finish(format_, outcome_line(result), status, result.data))
        raise typer.Exit(max(statuses))
    if not (found := [case for path in paths for case in cases_at(path)]):
        raise Unusable(f"There are no cases under {', '.join(paths)}.")
    raise typer.Exit(replay_cases(found, subject, of, format_, strict, full, limits))


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """A trial, the reply, the verdicts, and which of a case's answers it is (`compared`)."""

    place: str
    subject: str
    trial: Any
    reply: Reply
    verdicts: Sequence[Verdict]
    question: AnyQuestion
    edition: Edition
    compared: str = ""

    @property
    def failed(self) -> list[Verdict]:
        """The clauses that are violated, or of which the check failed."""
        return [v for v in self.verdicts if v.failed]

    @property
    def undecided(self) -> int:
        """The number of undecided clauses."""
        return sum(verdict.status == "undecided" for verdict in self.verdicts)

    def is_wrong(self, strict: bool) -> bool:
        """Whether any of them is more than a departure."""
        severity = Severity(self.edition.name, strict)
        return any(v.status == "errored" or not severity.may(v.clause) for v in self.failed)

    @property
    def data(self) -> dict[str, Json]:
        """The same for programs."""
        trial = to_json(self.trial)
        if not isinstance(self.reply, Observed):
            return {"trial": trial, "reason": self.reply.reason}
        return {
            "trial": trial,
            "observed": observation_to_json(self.reply.observation),
            "verdicts": [[v.clause, v.status, v.sentence] for v in self.verdicts],
        }


def judge_reply(
    place: str, question: AnyQuestion, trial: Any, opened: Subject, edition: Edition
) -> JudgedReply:
    """Put a trial to a subject, and judge its answer by all clauses of the edition."""
    reply = reply_to(opened, question, trial)
    verdicts: tuple[Verdict, ...] = ()
    if isinstance(reply, Observed):
        checks = clauses_for(question.name, edition)
        verdicts = judge(question, checks, trial, reply.observation, edition)
    return JudgedReply(place, opened.name, trial, reply, verdicts, question, edition)


def print_judged(result: JudgedReply, full: bool) -> None:
    """A trial with the first breach and what is right there, or both answers; then the verdicts."""
    if not isinstance(result.reply, Observed):
        return
    paper, question, edition = Paper(full=full), result.question, result.edition
    observed = result.reply.observation
    print_line(f"{question.name}:")
    if failed := find_violations(question, result.trial, observed, edition):
        first = failed[0]
        found = Found(0, 0, question.name, 0, first.clause, first.kind, first.sentence)
        failure = failure_on(Shrunk(result.trial, observed, first, 1), found, 1, edition)
        print_lines(trial_lines(failure, paper, caption=GIVEN))
        print_lines(answer_lines(failure, edition, paper))
    else:
        print_lines(indent_lines(render(result.trial, paper.inside())))
        if story := narrate(question, result.trial, observed):
            print_lines(["  what happened:", *indent_lines(story, 4)])
        else:
            print_line(f"observed, next to what the reference of {edition.name} observes:")
            expected = question.observe(result.trial, edition)
            print_lines(indent_lines(format_comparison(observed, expected, paper.inside())))
    for verdict in result.verdicts:
        print_verdict(verdict, result.edition)


def print_verdict(verdict: Verdict, edition: Edition) -> None:
    """One clause's word on the answer."""
    said = f": {verdict.sentence}" if verdict.sentence else ""
    print_prose(f"{verdict.clause}: {verdict.status}{said}")
    if verdict.failed:
        entry = spec.find_clause(verdict.clause)
        print_prose(f"  {entry.id} · {entry.level_in(edition.name)} · {entry.title}")


def outcome_line(result: JudgedReply) -> str:
    """One trial in one line."""
    place, subject = result.place, result.subject
    if not isinstance(result.reply, Observed):
        return f"{place}: {subject} did not answer: {result.reply.reason}"
    checks = f"{len(result.failed)} of {len(result.verdicts)} checks violated"
    if result.undecided:
        checks += f", {result.undecided} undecided"
    if result.compared:
        return f"{place}: {subject} observes {result.compared}: {checks}"
    return f"{place}: {checks} by {subject}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """What replaying a case showed: `problems` is empty if all is as stored."""

    case: StoredCase
    problems: tuple[str, ...]


def replay_cases(
    found: Sequence[StoredCase],
    subject: str,
    edition: Edition,
    format_: Format,
    strict: bool,
    full: bool = False,
    limits: Limits | None = None,
) -> int:
    """Replay cases, and put their trials to the subject."""
    replayed: list[Replayed] = []
    results: list[JudgedReply] = []
    opened = None if subject == "reference" else open_subject(subject, PROMISED, limits)
    try:
        with show_progress("replay", len(found), "cases") as advance:
            for case in found:
                if case.answers:
                    replayed.append(Replayed(case, tuple(find_problems(case))))
                if opened is not None or not case.answers:
                    results.append(ask_case(case, opened, edition))
                advance(case.id, 1)
    finally:
        if opened is not None:
            opened.close()
    if format_ is Format.TEXT:
        print_cases(replayed, results, full)
    data = {
        "cases": [{"id": r.case.id, "problems": list(r.problems)} for r in replayed],
        "subject": [outcome_line(result) for result in results],
        "judged": [{"id": result.place, **result.data} for result in results],
    }
    status = status_of(replayed, results, strict)
    return finish(format_, format_summary(replayed, results), status, data)


def ask_case(case: StoredCase, opened: Subject | None, edition: Edition) -> JudgedReply:
    """Put a case's trial to the subject (none: the reference), and judge it by its edition."""
    of = EDITIONS[case.edition] if case.edition else edition
    trial, _ = decode_case(case)
    results = opened or open_subject("reference", of)
    result = judge_reply(case.id, QUESTIONS[case.question], trial, results, of)
    if case.answers and isinstance(result.reply, Observed):
        return replace(result, compared=compare_reply(case, result.reply))
    return result


def compare_reply(case: StoredCase, reply: Observed) -> str:
    """Which stored answer the subject observes; else what it observes."""
    got = observation_to_json(reply.observation)
    for answer in case.answers:
        if take_essence(got) == take_essence(answer.observed):
            observer = f"what {', '.join(answer.by)} did" if answer.by else "a stored answer"
            return f"{observer} ({answer.verdict})"
    return json.dumps(got, ensure_ascii=False)


def print_cases(replayed: list[Replayed], results: list[JudgedReply], full: bool) -> None:
    """Every case: in full if there are few, else what is wrong."""
    brief = max(len(replayed), len(results)) > 3
    for result in replayed:
        if result.problems or len(replayed) <= SHOWN:
            mark = "differs" if result.problems else "as stored"
            print_prose(f"{mark}: {result.case.id}: {format_title(result.case)}")
        for problem in result.problems:
            print_prose(f"  {problem}")
        if not brief:
            print_case(result.case, full)
    for one in results:
        if brief or one.compared:
            print_prose(outcome_line(one))
            for verdict in one.failed:
                print_verdict(verdict, one.edition)
        else:
            print_judged(one, full)
            print_prose(outcome_line(one))


def format_title(case: StoredCase) -> str:
    """A case's clause and title, as far as it has them."""
    return ": ".join(part for part in (case.clause, case.title or case.kind) if part)


def format_summary(replayed: list[Replayed], results: list[JudgedReply]) -> str:
    """The one line."""
    parts = []
    if replayed:
        good = sum(not result.problems for result in replayed)
        parts.append(f"{good} of {len(replayed)} cases are as stored")
    if results:
        broken = sum(bool(result.failed) for result in results)
        parts.append(f"{results[0].subject} violates clauses in {broken} of {len(results)} trials")
        if silent := sum(not isinstance(result.reply, Observed) for result in results):
            parts.append(f"{silent} not answered")
        if undecided := sum(result.undecided for result in results):
            parts.append(f"{undecided} verdicts undecided")
    return ", ".join(parts)


def status_of(replayed: list[Replayed], results: list[JudgedReply], strict: bool) -> int:
    """1: a case or a clause says no; 2: no answer, or one that is undecided; else 0."""
    if any(result.problems for result in replayed) or any(one.is_wrong(strict) for one in results):
        return 1
    replies = [result.reply for result in results]
    answered = any(isinstance(reply, Observed) for reply in replies)
    failed = any(isinstance(reply, Errored) for reply in replies)
    failed = failed or any(result.undecided for result in results)
    return 2 if failed or (replies and not answered) else 0


def print_case(case: StoredCase, full: bool) -> None:
    """A case's trial, what was observed next to what its edition expects, and its notes."""
    question = QUESTIONS[case.question]
    paper = Paper(full=full).inside(4)
    trial, seen = decode_case(case)
    print_line(f"  {question.name}, {case.edition}:")
    print_lines(indent_lines(render(trial, paper), 4))
    expected = question.observe(trial, EDITIONS[case.edition])
    for answer, observed in zip(case.answers, seen, strict=True):
        if answer.by or full:
            observer = ", ".join(answer.by) or "no subject"
            print_prose(f"  observed by {observer}, next to what the reference does:")
            print_lines(indent_lines(format_comparison(observed, expected, paper), 4))
            print_prose(f"  verdict: {answer.verdict}{answer.sentence and f': {answer.sentence}'}")
    for name, text in case.notes.items():
        print_prose(f"  {name}: {text}")
