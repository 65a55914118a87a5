"""Following TransferShedder's decisions round by round (SHD-50 to SHD-67).

Numbers are worked out here from the trial alone, and compared with a little room, so that a sum
taken in another order is no failure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.shedding.transfer_moves import judge_moves
from evenkeel.properties.shedding.transfer_orders import told
from evenkeel.properties.shedding.transfer_sight import Sight
from evenkeel.properties.shedding.trials_transfer import TransferAnswer, TransferTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.transfer_view import (
    TransferDecision,
    TransferLabel,
    TransferReason,
)


@dataclass(slots=True)
class Rounds:
    """How many rounds in a row there was a cause: at least, and at most."""

    edition: Edition
    least: int = 0
    most: int = 0
    findings: Findings = field(default_factory=Findings)

    def follow(self, place: int, sight: Sight, decision: TransferDecision) -> None:
        """One round and its decision."""
        well_formed(place, decision, self.findings)
        excuses = sight.excuses()
        if excuses:
            self.blocked(place, decision, excuses)
            return
        spread_is_right(place, sight, decision, self.findings)
        self.count(sight)
        self.acted(place, sight, decision)
        if max(report.load for report in sight.paired()) == 0 and self.most > 0:
            self.findings.add("SHD-65", None)
        if decision.moves:
            judge_moves(place, sight, decision, self.findings)
            self.least = self.most = 0

    def blocked(
        self,
        place: int,
        decision: TransferDecision,
        excuses: set[tuple[TransferLabel, TransferReason]],
    ) -> None:
        """Data are missing or too old, or brokers are cooling down."""
        words = ", ".join(f"{label.value}/{reason.value}" for label, reason in sorted_(excuses))
        self.findings.note(
            "SHD-50",
            not decision.moves,
            f"round {place}: {len(decision.moves)} moves, but {words}",
        )
        right = decision.reason is not None and (decision.label, decision.reason) in excuses
        self.findings.note("SHD-51", right, f"round {place}: told {name_of(decision)}, but {words}")
        self.least = 0

    def count(self, sight: Sight) -> None:
        """Whether there was a cause; where it hangs on the last bit, both are possible."""
        if sight.surely_has_cause():
            self.least, self.most = self.least + 1, self.most + 1
        elif sight.may_have_cause():
            self.least, self.most = 0, self.most + 1
        else:
            self.least = self.most = 0

    def acted(self, place: int, sight: Sight, decision: TransferDecision) -> None:
        """Moves come after enough rounds in a row, and not before."""
        threshold = max(sight.rules.hit_threshold, 0)
        if self.most <= threshold:
            self.findings.note(
                "SHD-55",
                not decision.moves,
                f"round {place}: {len(decision.moves)} moves, but at most {self.most} rounds in "
                f"a row had a cause, of which more than {threshold} are needed",
            )
            if not decision.moves:
                right = decision.reason is TransferReason.HIT_COUNT
                told_instead = decision.reason.value if decision.reason else "nothing"
                sentence = f"round {place}: too few rounds in a row, but told {told_instead}"
                self.findings.note("SHD-51", right, sentence, "hits")
        elif self.least > threshold and sight.first_fits():
            self.findings.note(
                "SHD-66",
                bool(decision.moves),
                f"round {place}: nothing is moved, although there was a cause in {self.least} "
                "rounds in a row and the first bundle of the most loaded broker fits",
            )


def name_of(decision: TransferDecision) -> str:
    """What became of the round and why, as on the wire."""
    return f"{decision.label.value}/{decision.reason.value if decision.reason else ''}"


def sorted_(
    excuses: set[tuple[TransferLabel, TransferReason]],
) -> list[tuple[TransferLabel, TransferReason]]:
    """Excuses in a fixed order, for sentences."""
    return sorted(excuses, key=lambda excuse: excuse[1].value)


def well_formed(place: int, decision: TransferDecision, findings: Findings) -> None:
    """A round moves something, or says why it does not."""
    moved = bool(decision.moves)
    right = (decision.label is TransferLabel.SUCCESS) == moved
    right &= (decision.reason is None) == moved
    findings.note(
        "SHD-51",
        right,
        lambda: f"round {place}: {name_of(decision)}, with {told(decision)}",
        "shape",
    )
    causes = (TransferReason.OVERLOADED, TransferReason.UNDERLOADED)
    for move in decision.moves:
        findings.note(
            "SHD-51",
            move.reason in causes,
            f"round {place}: moved for {move.reason.value}",
            "moves",
        )


def spread_is_right(
    place: int, sight: Sight, decision: TransferDecision, findings: Findings
) -> None:
    """Average and standard deviation of the loads that count."""
    average, deviation = decision.average, decision.deviation
    right = average is not None and math.isclose(
        average, sight.average, rel_tol=1e-9, abs_tol=1e-12
    )
    findings.note(
        "SHD-52", right, lambda: f"round {place}: the average is {sight.average}, not {average}"
    )
    if deviation is None:
        allowed = sight.deviation < sight.room and sight.edition.transfer_deviation_breaks
        findings.note("SHD-52", allowed, f"round {place}: no deviation", "none")
        return
    right = math.isclose(deviation, sight.deviation, rel_tol=1e-9, abs_tol=sight.room)
    findings.note(
        "SHD-52",
        right,
        lambda: f"round {place}: the deviation is {sight.deviation}, not {deviation}",
        "deviation",
    )


def walk_transfer(case: Case[TransferTrial, TransferAnswer]) -> Findings:
    """What the decisions say about every clause of the walk."""
    observed, rounds = case.observation, Rounds(case.edition)
    if isinstance(observed, Refused | Broke) or len(observed.rounds) != len(case.trial.rounds):
        rounds.findings.note("SHD-50", False, f"the subject {describe(observed)}", "shape")
        return rounds.findings
    rules = case.trial.config.rules
    for place, (view, decision) in enumerate(zip(case.trial.rounds, observed.rounds, strict=True)):
        rounds.follow(place, Sight(view, rules, case.edition), decision)
    return rounds.findings
