"""Decisions of the modular manager's leader held against what the reference decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from evenkeel.recording.avg_decisions import apart, predict_avg, words
from evenkeel.recording.decisions import Match, Predicted
from evenkeel.recording.entries import Entry
from evenkeel.recording.modular import Moment, cluster_of, follow, recently_unloaded
from evenkeel.recording.modular_judging import BadTrial, judged
from evenkeel.recording.modularlog import ModularRound, rounds_of
from evenkeel.recording.views import rules_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import overload, threshold, uniform
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import Cluster, Decision
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.settings import GraceRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.uniform import UniformRules

STRATEGY: Final = "loadBalancerLoadSheddingStrategy"
USUAL: Final = "ThresholdShedder"
INTERVAL: Final = "loadBalancerSheddingIntervalMinutes"
AROUND: Final = 10_000
"""Milliseconds by which the leader may have known more or less than was recorded."""
RULES: Final[Mapping[str, type[GraceRules]]] = {
    "ThresholdShedder": ThresholdRules,
    "UniformLoadShedder": UniformRules,
    "OverloadShedder": OverloadRules,
    "AvgShedder": AvgRules,
}
History = threshold.History
Decide = Callable[[History, Cluster], tuple[History, Decision]]


def strategy_of(settings: Mapping[str, str]) -> str:
    """The strategy that is set."""
    return settings.get(STRATEGY, USUAL).rpartition(".")[2]


def deciding(strategy: str, rules: Any, edition: Edition) -> Decide:
    """The strategy as a function of what it keeps and what it is given."""
    if strategy == "ThresholdShedder":
        return lambda history, cluster: threshold.shed(history, cluster, rules, edition)
    decide = uniform.decide if strategy == "UniformLoadShedder" else overload.decide
    return lambda history, cluster: (history, decide(cluster, rules, edition))


@dataclass(slots=True)
class Terms:
    """What the strategy of each leader keeps from round to round."""

    histories: dict[str, History] = field(default_factory=dict)


def predict_modular(
    entries: Iterable[Entry], settings: Mapping[str, str], edition: Edition
) -> list[Predicted]:
    """All rounds of a recording, of sources log, load, session, average."""
    lines: list[tuple[str, str]] = []
    reports: list[Entry] = []
    end, stepped = 0, False
    for entry in entries:
        end = max(end, entry.time)
        if entry.source == "log" and entry.broker is not None:
            lines.append((entry.broker, entry.data))
        elif entry.source == "fault":
            stepped = stepped or entry.data.get("do") == "clock"
        else:
            reports.append(entry)
    strategy = strategy_of(settings)
    if stepped or strategy not in RULES or not any(one.source == "load" for one in reports):
        return []
    try:
        rules = rules_of(RULES[strategy], settings)
        interval = int(settings.get(INTERVAL, 1)) * 60_000
    except ValueError:
        return []
    if isinstance(rules, AvgRules):
        return predict_avg(lines, follow(reports, edition), rules, edition, interval, AROUND)
    rounds = rounds_of(lines, interval, end)
    follower, terms = follow(reports, edition), Terms()
    decide, leader = deciding(strategy, rules, edition), Leader(strategy, rules, edition)
    found = []
    for one in rounds:
        moments = [at for at in follower.near(one.at, AROUND) if len(at.brokers) > 1]
        recently = recently_unloaded(rounds, one, rules.grace_minutes, interval)
        if moments:
            found.append(one_round(one, moments, recently, decide, terms, leader))
    return found


@dataclass(frozen=True, slots=True)
class Leader:
    """The strategy that decides."""

    strategy: str
    rules: Any
    edition: Edition

    def broken(
        self, ways: Sequence[tuple[Cluster, int]], history: History, made: Mapping[str, Any]
    ) -> dict[str, str]:
        """The clauses that a decision breaks by the likeliest reading, each with why; none if
        some reading breaks none.
        """
        histories = {str(name): score for name, score in history.items()}
        first: dict[str, str] = {}
        for cluster, at in ways:
            try:
                found = judged(
                    self.strategy, self.rules, cluster, at, histories, made, self.edition
                )
            except BadTrial:  # two brokers reported a bundle that was on its way
                return {}
            if not found:
                return {}
            first = first or found
        return first


def one_round(
    now: ModularRound,
    moments: Sequence[Moment],
    recently: Sequence[tuple[str, Mapping[str, int]]],
    decide: Decide,
    terms: Terms,
    leader: Leader,
) -> Predicted:
    """A round, by what was known at its time, or a little earlier or later."""
    before = terms.histories.get(now.broker, threshold.NO_HISTORY)
    first: dict[str, tuple[str, ...]] | None = None
    kept: History = before
    match, why = Match.DIFFERS, ""
    made = {broker: tuple(bundles) for broker, bundles in now.shed.items()}
    for moment, (word, unloaded) in product(moments, recently):
        history, decision = decide(before, cluster_of(moment, unloaded))
        shed = {str(k): tuple(map(str, v)) for k, v in decision.items() if v}
        if first is None:
            first, kept = shed, history
        if shed == made:
            kept = history
            why = " and ".join(filter(None, (word, apart(moment, moments[0]))))
            match = Match.EXPLAINED if why else Match.AGREED
            break
    terms.histories[now.broker] = kept
    told = words(first or {}), words(made)
    if match is not Match.DIFFERS:
        return Predicted(now.broker, now.at, leader.strategy, *told, match, why)
    if not now.logged:
        why = "nothing was logged: policies may have kept it, or there was no round"
        return Predicted(now.broker, now.at, leader.strategy, *told, Match.UNKNOWN, why)
    ways = [(cluster_of(moment, gone), now.at) for moment in moments for _, gone in recently]
    broken = leader.broken(ways, before, made)
    if not broken:
        why = "the averages of bundles are known from a recording to some samples only"
        return Predicted(now.broker, now.at, leader.strategy, *told, Match.UNKNOWN, why)
    why = next(iter(broken.values()))
    return Predicted(now.broker, now.at, leader.strategy, *told, match, why, tuple(sorted(broken)))
