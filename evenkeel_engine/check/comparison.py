"""What `evenkeel compare` found, as data: clause by subject."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from evenkeel_engine import version
from evenkeel_engine.check.compare import Column, ComparedFailure, span_of
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import asked_clauses
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.defaults import trim_data
from evenkeel_engine.kit.draw import Generator

FORMAT: Final = "evenkeel compare 1"
NOT_OFFERED: Final = "not offered"


@dataclass(slots=True)
class Comparison:
    """Subjects on the same trials of an edition, and what any of them violates."""

    edition: str
    seed: int
    strict: bool
    columns: list[Column]
    findings: list[ComparedFailure]
    generator: Generator = Generator.OWN

    @property
    def names(self) -> list[str]:
        """The subjects, in their order."""
        return [column.name for column in self.columns]

    @property
    def severity(self) -> Severity:
        """How breaches count."""
        return Severity(self.edition, self.strict)

    @property
    def clauses(self) -> dict[str, list[str]]:
        """The verdicts of every clause that was asked, by subject."""
        edition = EDITIONS[self.edition]
        asked = asked_clauses({q for c in self.columns for q in c.tally.trials}, edition)
        offered = [set(asked_clauses(column.offers, edition)) for column in self.columns]
        return {
            id_: [
                self.severity.conclude_verdict(column.tally, id_) if id_ in own else NOT_OFFERED
                for column, own in zip(self.columns, offered, strict=True)
            ]
            for id_ in asked
        }

    @property
    def errors(self) -> list[ComparedFailure]:
        """The failures that are more than departures."""
        return [one for one in self.findings if not self.severity.may(one.clause)]

    @property
    def status(self) -> int:
        """The exit status."""
        unanswered = any(column.tally.errored for column in self.columns)
        return 1 if self.errors else 2 if unanswered else 0

    @property
    def summary(self) -> str:
        """The one line."""
        errors, clauses = len(self.errors), self.clauses
        who = f"{len(self.columns)} subjects against {self.edition}"
        found = f"{errors} failures, {len(self.findings) - errors} departures"
        if not clauses:
            return f"{who}, one trial: {found}"
        held = sum(map(holds_throughout, clauses.values()))
        trials = max(sum(column.tally.trials.values()) for column in self.columns)
        return (
            f"{who}: {held} of {len(clauses)} clauses hold wherever offered, {found} in {trials:,}"
            " trials of each"
        )


def holds_throughout(verdicts: Iterable[str]) -> bool:
    """Whether a clause holds in every subject that offers what it is about."""
    return {*verdicts} - {NOT_OFFERED} == {"holds"}


def comparison_data(found: Comparison) -> dict[str, Any]:
    """All of it for programs (compare.schema.json)."""
    return {
        "format": FORMAT,
        "evenkeel": version.find_version(),
        "edition": found.edition,
        "seed": found.seed,
        "generator": found.generator,
        "strict": found.strict,
        "subjects": [
            {
                "name": column.name,
                "trials": sum(column.tally.trials.values()),
                "no_answer": sum(column.tally.errored.values()),
                "questions": sorted(column.offers),
            }
            for column in found.columns
        ],
        "clauses": found.clauses,
        "findings": [finding_data(one, found) for one in found.findings],
    }


def finding_data(one: ComparedFailure, found: Comparison) -> dict[str, Any]:
    """One failure for programs; its trial without what has its default."""
    return {
        "signature": one.signature,
        "clause": one.clause,
        "departure": found.severity.may(one.clause),
        "sentence": one.sentence,
        "span": span_of(one.shown, found.names),
        "shown_by": [found.names[place] for place in one.on],
        "random": one.is_random,
        "failures": list(one.failures),
        "question": one.question.name,
        "trial": trim_data(one.question.trial_type, to_json(one.trial)),
    }
