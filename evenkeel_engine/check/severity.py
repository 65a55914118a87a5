"""Severity of a violation: an error, or a departure from mere practice of the release."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from evenkeel_engine import spec
from evenkeel_engine.check.tally import Tally


@dataclass(frozen=True, slots=True)
class Severity:
    """How violations are counted under an edition.

    A clause that is a SHOULD there rests on the practice of the release, where the documents are
    silent: a subject that differs departs from it, and is wrong only if `strict`, or if the
    clause's effect is one of `fail_on`. A check that failed is an error whatever it checked.
    """

    edition: str
    strict: bool = False
    fail_on: Collection[str] = ()

    def may(self, clause: str) -> bool:
        """Whether a violation of this clause is only a departure."""
        entry = spec.find_clause(clause)
        if self.strict or entry.effect in self.fail_on:
            return False
        return entry.level_in(self.edition) is spec.Level.SHOULD

    def departs(self, tally: Tally, signature: str) -> bool:
        """Whether a failure is a departure."""
        clause = tally.smallest[signature].clause
        return self.may(clause) and not tally.verdicts[clause, "errored"]

    def list_errors(self, tally: Tally) -> list[str]:
        """The failures that are errors."""
        return [one for one in tally.smallest if not self.departs(tally, one)]

    def list_departures(self, tally: Tally) -> list[str]:
        """The failures that are departures."""
        return [one for one in tally.smallest if self.departs(tally, one)]

    def conclude_verdict(self, tally: Tally, clause: str) -> str:
        """The verdict of all trials on a clause; `departed` if it is violated and need not hold."""
        verdict = tally.conclude_verdict(clause)
        return "departed" if verdict == "violated" and self.may(clause) else verdict
