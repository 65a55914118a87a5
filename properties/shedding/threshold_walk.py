"""Following ThresholdShedder's rounds by what a subject shed (SHD-80 to SHD-88).

Histories are worked out from the reports alone. Comparisons leave a little room: on which side of
a threshold rounding puts a score is no failure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from evenkeel.properties.clause import Case
from evenkeel.properties.findings import Findings
from evenkeel.properties.load.comparing import DOUBLE
from evenkeel.properties.shedding.common_walk import Usages, rounds_of
from evenkeel.properties.shedding.room import scale, to_the_last_bit, usage_precision
from evenkeel.properties.shedding.rounds import Shed, SheddingAnswer
from evenkeel.properties.shedding.trials_threshold import ThresholdTrial
from evenkeel.reference.adding import added
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleName,
    Cluster,
)
from evenkeel.reference.shedding.selecting import (
    has_several_bundles,
    heaviest_first,
    short_throughput,
)
from evenkeel.reference.shedding.threshold import LOWER_MARGIN, MARGIN, MEBIBYTE, ThresholdRules

ThresholdCase = Case[ThresholdTrial, SheddingAnswer]


@dataclass(frozen=True, slots=True)
class Seen:
    """One broker in one round: its history and its usage, and what it could and did shed."""

    place: str
    report: BrokerReport
    usage: float
    score: float
    several: bool
    weights: dict[BundleName, float]
    shed: tuple[BundleName, ...]

    @property
    def valid(self) -> bool:
        """Whether the broker may shed these bundles at all (SHD-1 to SHD-5)."""
        return len(set(self.shed)) == len(self.shed) and self.weights.keys() >= set(self.shed)

    @property
    def shed_weights(self) -> list[float]:
        """What the bundles weigh that it shed."""
        return [self.weights[bundle] for bundle in self.shed]


@dataclass(slots=True)
class ThresholdFindings(Findings):
    """What was found, and whether in some round it hung on rounding what had to be done."""

    undecided: bool = False


@dataclass(slots=True)
class Judge:
    """The judgement of one round of all brokers."""

    rules: ThresholdRules
    edition: Edition
    findings: ThresholdFindings
    brokers: list[Seen]
    average: float = field(init=False, default=0.0)
    """The average of the histories."""
    threshold: float = field(init=False)
    """The threshold as a fraction."""
    room: float = field(init=False)
    """What scores and averages may be off by, and what is worked out of them."""

    def __post_init__(self) -> None:
        if self.brokers:
            self.average = added(seen.score for seen in self.brokers) / len(self.brokers)
        self.threshold = self.rules.threshold_percentage / 100.0
        precision = max(usage_precision(self.edition), DOUBLE)
        self.room = precision * scale([seen.score for seen in self.brokers])

    def amount(self, seen: Seen) -> float:
        """What a broker above the threshold has to shed."""
        share = seen.score - self.average + MARGIN
        if self.edition.threshold_left_in_place:
            share -= self.threshold
        return seen.report.traffic.throughput * share

    @property
    def nothing_used(self) -> bool:
        """Whether the average may be 0."""
        return abs(self.average) <= self.room

    @property
    def stopped(self) -> bool:
        """Whether an average of 0 forbids to shed anything, as it does in 4.0 (SHD-90)."""
        return self.average == 0 and to_the_last_bit(self.edition)

    def side(self, value: float, boundary: float, unit: float = 1.0) -> int:
        """1 above, -1 below, 0 if nobody can tell. Shares of `unit` are compared."""
        if abs(value - boundary) <= max(self.room * unit, DOUBLE * abs(boundary)):
            return 0
        return 1 if value > boundary else -1

    def enough(self, seen: Seen, amount: float) -> int:
        """1: the amount is more than the least that is shed, -1: less, 0: nobody can tell."""
        least = self.rules.min_throughput * MEBIBYTE
        return self.side(amount, least, seen.report.traffic.throughput)

    def must_shed(self, seen: Seen) -> int:
        """1: the broker must shed for itself, -1: it must not, 0: either."""
        sides = (
            self.side(seen.score, self.average + self.threshold),
            self.enough(seen, self.amount(seen)),
        )
        if not (seen.several and seen.weights) or -1 in sides or self.stopped:
            return -1
        return 0 if 0 in sides or self.nothing_used else 1

    def judge(self) -> None:
        """All brokers of the round."""
        if not self.brokers:
            return
        verdicts = [self.must_shed(seen) for seen in self.brokers]
        self.findings.undecided |= 0 in verdicts
        for seen, verdict in zip(self.brokers, verdicts, strict=True):
            if verdict != -1 or seen.shed:
                self.judge_selection(seen, verdict)
            if verdict == 1:
                self.note_trigger("SHD-81", seen, bool(seen.shed), "sheds nothing")
            elif verdict == -1 and not self.rules.lower_boundary:
                self.judge_idle(seen)
        if self.rules.lower_boundary:
            self.judge_lower(verdicts)

    def judge_idle(self, seen: Seen) -> None:
        """A broker that must not shed for itself."""
        amount = self.amount(seen)
        above = self.side(seen.score, self.average + self.threshold)
        if above == -1:
            self.note_trigger("SHD-80", seen, not seen.shed, f"sheds {seen.shed}")
        elif above == 1 and self.enough(seen, amount) == -1:
            sentence = f"{seen.place} sheds {seen.shed}, although {amount} B/s are too little"
            self.findings.note("SHD-83", not seen.shed, sentence)

    def note_trigger(self, clause: str, seen: Seen, holds: bool, what: str) -> None:
        """Acting or not acting was right; where it hangs on the history, the history is too."""
        boundary = self.average + self.threshold

        def sentence() -> str:
            return f"{seen.place} {what}: its score is {seen.score}, the threshold {boundary}"

        self.findings.note(clause, holds, sentence)
        if self.side(seen.usage, boundary) != self.side(seen.score, boundary):
            self.findings.note("SHD-82", holds, lambda: f"{sentence()}, its usage {seen.usage}")

    def judge_selection(self, seen: Seen, verdict: int) -> None:
        """Which bundles a broker shed."""
        if not seen.shed or not seen.valid:
            return
        shed = seen.shed_weights
        falling = all(before >= after for before, after in pairwise(shed))
        left = max((w for b, w in seen.weights.items() if b not in seen.shed), default=0.0)
        if len(seen.weights) > 1:
            right = falling and left <= shed[-1]
            self.findings.note("SHD-84", right, lambda: f"{seen.place} sheds {shed}, keeps {left}")
        if verdict == 1:
            self.judge_amount(seen, self.amount(seen), "SHD-85", "SHD-86")

    def judge_amount(self, seen: Seen, amount: float, enough: str, spare: str) -> None:
        """At least the amount or everything, and not without need."""
        shed, traffic = seen.shed_weights, seen.report.traffic.throughput
        last, before = (self.side(added(part), amount, traffic) for part in (shed, shed[:-1]))
        self.findings.undecided |= 0 in (last, before)
        reached = last >= 0 or len(shed) == len(seen.weights)

        def sentence() -> str:
            return f"{seen.place} sheds {shed} for {amount} B/s"

        self.findings.note(enough, reached, lambda: f"{sentence()}: not enough", "amount")
        needed = len(shed) == 1 or before <= 0
        self.findings.note(spare, needed, lambda: f"{sentence()}: less would do", "amount")

    def judge_lower(self, verdicts: list[int]) -> None:
        """The lower boundary is switched on, and nobody must shed for itself."""
        if any(verdict != -1 for verdict in verdicts):
            for seen, verdict in zip(self.brokers, verdicts, strict=True):
                if verdict == -1 and 1 in verdicts:
                    what = f"sheds {seen.shed} although others are above the threshold"
                    self.note_trigger("SHD-80", seen, not seen.shed, what)
            return
        shedding = [seen for seen in self.brokers if seen.shed]
        boundary = self.average - self.threshold
        sides = [self.side(seen.score, boundary) for seen in self.brokers]
        drawn = 1 if -1 in sides else 0 if 0 in sides else -1
        highest = max((seen.score for seen in self.brokers if seen.several), default=boundary)
        able = self.side(highest, boundary)
        sources = [
            seen for seen in self.brokers if seen.several and self.side(seen.score, highest) == 0
        ]
        self.findings.undecided |= 0 in (drawn, able) or len(sources) > 1
        if drawn == -1 or able == -1 or not sources or self.stopped:
            self.findings.note(
                "SHD-87", not shedding, f"{named(shedding)} without a broker below {boundary}"
            )
            return
        right = len(shedding) <= 1 and all(seen in sources for seen in shedding)
        sentence = f"{named(shedding)}, but {' or '.join(s.place for s in sources)} is most loaded"
        self.findings.note("SHD-87", right, sentence, "source")
        if right:
            self.judge_drawn(sources, shedding, drawn == able == 1 and not self.nothing_used)

    def judge_drawn(self, sources: list[Seen], shedding: list[Seen], must: bool) -> None:
        """The most loaded broker sheds for one that is below the boundary."""
        share = self.threshold * LOWER_MARGIN
        for seen in sources if len(sources) == 1 else shedding:
            amount = seen.report.traffic.throughput * share
            enough = self.enough(seen, amount)
            self.findings.undecided |= enough == 0
            if enough == -1:
                sentence = f"{seen.place} sheds {seen.shed}, although {amount} B/s are too little"
                self.findings.note("SHD-83", not seen.shed, sentence)
            elif seen.shed and seen.valid:
                self.judge_amount(seen, amount, "SHD-88", "SHD-88")
            elif must and enough == 1 and seen.weights:
                sentence = f"{seen.place} sheds nothing for a broker below the boundary"
                self.findings.note("SHD-88", bool(seen.shed), sentence)


def named(shedding: list[Seen]) -> str:
    """Who sheds, for sentences."""
    return f"{', '.join(seen.place for seen in shedding) or 'nobody'} sheds"


def walk_threshold(case: ThresholdCase) -> ThresholdFindings:
    """What the answers say about every clause of the walk.

    Where an edition takes usages into the history a second time now and then, nobody can tell
    from the answers when it did: there the walk ends with the first round (SHD-90 goes on).
    """
    findings, rules = ThresholdFindings(), case.trial.config.rules
    history: dict[BrokerId, float] = {}
    usages = Usages(rules.weights)
    for number, cluster, shed in rounds_of(case):
        active = case.trial.active(number - 1)
        if active is not None:
            history = {broker: score for broker, score in history.items() if broker in active}
        brokers = see(number, cluster, shed, history, case, usages)
        Judge(rules, case.edition, findings, brokers).judge()
        if rules.lower_boundary and case.edition.threshold_steps_twice:
            break
    return findings


def see(
    number: int,
    cluster: Cluster,
    shed: tuple[Shed, ...],
    history: dict[BrokerId, float],
    case: ThresholdCase,
    usages: Usages,
) -> list[Seen]:
    """Every broker of a round; its usage enters its history."""
    rules = case.trial.config.rules
    chosen = {entry.broker: tuple(map(BundleName, entry.bundles)) for entry in shed}
    brokers = []
    for broker, report in cluster.brokers.items():
        usage = usages.of(report)
        before = history.get(broker)
        score = usage
        if before is not None:
            score = before * rules.history + usage * (1 - rules.history)
        history[broker] = score
        brokers.append(
            Seen(
                f"round {number}, {broker}",
                report,
                usage,
                score,
                has_several_bundles(report, case.edition),
                heaviest_first(cluster, report, short_throughput),
                chosen.get(broker, ()),
            )
        )
    return brokers
