"""Decisions of the modular manager's leader held against what the reference decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evenkeel.recording.decisions import Match, Predicted
from evenkeel.recording.entries import Entry
from evenkeel.recording.modular import Moment, cluster_of, follow, recently_unloaded
from evenkeel.recording.modularlog import ModularRound, rounds_of
from evenkeel.recording.views import rules_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import overload, threshold, uniform
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
    end = 0
    for entry in entries:
        end = max(end, entry.time)
        if entry.source == "log" and entry.broker is not None:
            lines.append((entry.broker, entry.data))
        else:
            reports.append(entry)
    strategy = strategy_of(settings)
    if strategy not in RULES or not any(one.source == "load" for one in reports):
        return []
    try:
        rules = rules_of(RULES[strategy], settings)
        interval = int(settings.get(INTERVAL, 1)) * 60_000
    except ValueError:
        return []
    rounds = rounds_of(lines, interval, end)
    follower, terms = follow(reports, edition), Terms()
    decide = deciding(strategy, rules, edition)
    found = []
    for one in rounds:
        moments = [at for at in follower.near(one.at, AROUND) if len(at.brokers) > 1]
        recently = recently_unloaded(rounds, one, rules.grace_minutes)
        if moments:
            found.append(one_round(one, moments, recently, decide, terms, strategy))
    return found


def one_round(
    now: ModularRound,
    moments: Sequence[Moment],
    recently: Mapping[str, int],
    decide: Decide,
    terms: Terms,
    strategy: str,
) -> Predicted:
    """A round, by what was known at its time, or a little earlier or later."""
    before = terms.histories.get(now.broker, threshold.NO_HISTORY)
    first: Decision | None = None
    matched: tuple[History, str] | None = None
    for moment in moments:
        history, decision = decide(before, cluster_of(moment, recently))
        if first is None:
            first, kept = decision, history
        if {str(k): tuple(map(str, v)) for k, v in decision.items() if v} == {
            k: tuple(v) for k, v in now.shed.items()
        }:
            apart = (moment.at - moments[0].at) / 1000
            matched = history, "" if moment is moments[0] else f"reports of {apart:+.1f} s"
            break
    terms.histories[now.broker] = matched[0] if matched else kept
    match, why = Match.DIFFERS, ""
    if matched is not None:
        match = Match.EXPLAINED if matched[1] else Match.AGREED
        why = f"the leader decided from {matched[1]}" if matched[1] else ""
    told = words({str(k): tuple(map(str, v)) for k, v in (first or {}).items()})
    return Predicted(now.broker, now.at, strategy, told, words(now.shed), match, why)


def words(shed: Mapping[str, Sequence[str]]) -> str:
    """A decision in short."""
    told = [f"{bundle}: {broker} -> ?" for broker in sorted(shed) for bundle in shed[broker]]
    return "; ".join(told) or "nothing"
