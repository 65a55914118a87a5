"""The result of a check: one record, from which every output is made."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from evenkeel_engine import spec, version
from evenkeel_engine.check.failure import Failure
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import STATUSES, Tally
from evenkeel_engine.cli.failure_report import failure_lines, list_following
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.subjects.process import name_program
from evenkeel_engine.subjects.wire import observation_to_json

PAPER: Final = Paper()
FORMAT: Final = "evenkeel check 1"


@dataclass(frozen=True, slots=True)
class ShownFailure:
    """A failure with the file of its trial, and the command that replays it."""

    failure: Failure
    file: str | None
    replay: str

    def for_files(self) -> ShownFailure:
        """The same for files, which others read: of the subject's command its program alone."""
        words = shlex.split(self.replay)
        named = [name_program(w) if b == "--subject" else w for b, w in pairwise(["", *words])]
        return replace(self, replay=shlex.join(named))


@dataclass(frozen=True, slots=True)
class Location:
    """A line of the user's source, where failures are shown on a pull request."""

    path: Path
    line: int = 1


@dataclass(slots=True)
class Report:
    """A check: its clauses, its counts, and its failures.

    `known` are the signatures of the baseline that occurred, `removed` those that did not,
    `more_often` says which of them are new because they occurred too often; `new` are all others
    that are errors, `departures` those that are none, in order. `follows` has, by root, what
    follows from it. `failures` has the first roots or all; `unshrunk` has the files of others, with
    their trials as generated. `docs_url` is where the site was published, `location` where the
    subject is made.
    """

    subject: str
    edition: str
    seed: int
    clauses: list[str]
    tally: Tally
    strict: bool = False
    generator: Generator = Generator.OWN
    fail_on: Collection[str] = ()
    new: list[str] = field(default_factory=list)
    departures: list[str] = field(default_factory=list)
    follows: dict[str, list[str]] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    more_often: list[str] = field(default_factory=list)
    failures: list[ShownFailure] = field(default_factory=list)
    unshrunk: dict[str, str] = field(default_factory=dict)
    coverage_gaps: list[str] = field(default_factory=list)
    stopped: str = ""
    unusable: bool = False
    seconds: float = 0.0
    docs_url: str | None = None
    location: Location | None = None

    @property
    def severity(self) -> Severity:
        """How breaches count."""
        return Severity(self.edition, self.strict, self.fail_on)

    def level_of(self, clause: str) -> spec.Level:
        """The severity of a violated clause."""
        return spec.find_clause(clause).level_in(self.edition)

    @property
    def status(self) -> int:
        """The exit status. A departure is no error."""
        failed = self.new and not self.unusable
        return 1 if failed else 2 if self.coverage_gaps or self.stopped else 0

    @property
    def summary(self) -> str:
        """The one line."""
        known = f", {len(self.known)} of them known" if self.known else ""
        departures = self.severity.list_departures(self.tally)
        outcome = self.tally.conclude_outcome(self.clauses, departures)
        return f"{self.subject} against {self.edition}: {outcome}{known}{self.stopped}"


def clauses_in(tally: Tally) -> list[str]:
    """The clauses that a tally has verdicts of, in the order of the specification."""
    return sorted({id_ for id_, _ in tally.verdicts}, key=spec.signature_order)


def render_failure(shown: ShownFailure, report: Report, paper: Paper = PAPER) -> list[str]:
    """A failure as everybody sees it: a terminal, SARIF, JUnit, annotations, the site."""
    signature = shown.failure.signature
    edition, departs = EDITIONS[report.edition], signature in report.departures
    others = () if paper.full else report.follows.get(signature, ())
    tally, departures = report.tally, report.departures
    follows = list_following(others, shown.failure, tally, departures, edition, paper)
    return failure_lines(shown.failure, edition, shown.replay, paper, departs, follows)


def failure_data(shown: ShownFailure, report: Report) -> dict[str, Json]:
    """One failure for programs."""
    failure, shown = shown.failure, shown.for_files()
    entry = spec.find_clause(failure.found.clause)
    observed, expected = failure.observation, failure.expected
    return {
        "signature": failure.signature,
        "clause": entry.id,
        "level": report.level_of(entry.id).value,
        "effect": entry.effect,
        "basis": entry.basis.value,
        "departure": failure.signature in report.departures,
        "title": entry.title,
        "place": f"spec/{entry.chapter}.md",
        "question": failure.question.name,
        "trials": failure.trials,
        "sentence": failure.sentence,
        "shrunk": failure.again,
        "trial": to_json(failure.trial),
        "observed": observation_to_json(observed) if failure.again else None,
        "turns": turns_data(failure),
        "one_right_answer": observation_to_json(expected) if failure.again else None,
        "file": shown.file,
        "replay": shown.replay,
        "screen": list[Json](render_failure(shown, report)),
    }


def turns_data(failure: Failure) -> Json:
    """The messages of the trial, each with its answer; null where it is one message."""
    talk, observed = failure.question.talk, failure.observation
    if talk is None or not failure.again or isinstance(observed, Refused | Broke):
        return None
    turns = talk.turns(failure.trial, observed)
    return [{"turn": to_json(turn), "answer": to_json(reply)} for turn, reply in turns]


def report_data(report: Report) -> dict[str, Json]:
    """All of it for programs (check.schema.json)."""
    tally = report.tally
    return {
        "format": FORMAT,
        "evenkeel": version.find_version(),
        "subject": report.subject,
        "edition": report.edition,
        "strict": report.strict,
        "fail_on": sorted(report.fail_on),
        "seed": report.seed,
        "generator": report.generator,
        "seconds": round(report.seconds, 3),
        "failures": [failure_data(shown, report) for shown in report.failures],
        "new": report.new,
        "departures": report.departures,
        "known": report.known,
        "removed": report.removed,
        "more_often": report.more_often,
        "trials": dict(tally.trials),
        "commands": dict(tally.commands),
        "clauses": {
            id_: {s: tally.verdicts[id_, s] for s in STATUSES if tally.verdicts[id_, s]}
            for id_ in clauses_in(tally)
        },
        "titles": {id_: spec.find_clause(id_).title for id_ in report.clauses},
        "signatures": dict(tally.failures),
        "skipped": [[q, reason, n] for (q, reason), n in tally.skipped.items()],
        "no_answer": [[q, reason, n] for (q, reason), n in tally.errored.items()],
        "differing": [
            [question, kind, count, tally.least[question, kind].place]
            for (question, kind), count in sorted(tally.differing.items())
        ],
        "measured": tally.list_measured(),
        "unexercised": [
            id_ for id_ in report.clauses if tally.conclude_verdict(id_) == "unexercised"
        ],
        "coverage_gaps": report.coverage_gaps,
    }
