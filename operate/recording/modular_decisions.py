"""Decisions of the modular manager's leader compared with what the reference decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, product
from typing import Any, Final

from evenkeel.operate.recording.attributes import in_older_form
from evenkeel.operate.recording.avg_decisions import describe_difference, describe_shed, predict_avg
from evenkeel.operate.recording.decisions import Match, Predicted
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.modular import Moment, cluster_of, follow, recently_unloaded
from evenkeel.operate.recording.modular_judging import BadTrial, judge_decision
from evenkeel.operate.recording.modularlog import LoggedModular, Term, rounds_of, terms_of
from evenkeel.operate.recording.views import rules_of
from evenkeel.properties.tolerance import tolerance_of
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
MOST_HISTORIES: Final = 100
"""At most this many are followed of one leader."""
MOST_LOST: Final = 5
"""Of at most this many brokers that were lost between two rounds the leader may have missed any;
of more, not every history is followed.
"""
BY_WEIGHT: Final = frozenset(f"SHD-{number}" for number in (12, 13, 22, 25, 84, 85, 86, 97))
"""What bundles' averages decide. In 4.0 every notification is a sample of them (LOA-22). By the
documents every report is one, and then they are not those of a leader of 4.0.
"""
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


def choose_decide(strategy: str, rules: Any, edition: Edition) -> Decide:
    """The strategy as a function of what it keeps and what it is given."""
    if strategy == "ThresholdShedder":
        return lambda history, cluster: threshold.shed(history, cluster, rules, edition)
    decide = uniform.decide if strategy == "UniformLoadShedder" else overload.decide
    return lambda history, cluster: (history, decide(cluster, rules, edition))


@dataclass(slots=True)
class Terms:
    """What the strategy of each leader keeps from round to round: one of these histories. One that
    leads again may have been restarted, and begin again, or not. Of brokers that were `lost`
    meanwhile, be it for a second, nothing is kept, if the leader looked in that time.
    """

    begun: Sequence[Term]
    lost: Sequence[tuple[int, str]] = ()
    histories: dict[str, tuple[History, ...]] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    crowded: set[str] = field(default_factory=set)
    """Leaders who may have more histories than are followed."""

    def enter(self, now: LoggedModular) -> None:
        """Before a round: is it the first one after its broker became the leader again, and who was
        lost since the last one?
        """
        number = sum(one.broker == now.broker and one.at <= now.at for one in self.begun)
        known = self.histories.get(now.broker)
        if known is not None and number != self.counted.get(now.broker):
            known = (*known, threshold.NO_HISTORY)
        self.counted[now.broker] = number
        since = self.before.get(now.broker, 0) - AROUND
        self.before[now.broker] = now.at
        removed = {broker for at, broker in self.lost if since < at <= now.at + AROUND}
        if known is None:
            return
        removed.intersection_update(*[chain.from_iterable(known)])
        if len(removed) > MOST_LOST:
            self.crowded.add(now.broker)
        left = [
            {broker: score for broker, score in history.items() if broker not in missed}
            for missed in some_of(removed)
            for history in known
        ]
        self.keep(now.broker, left)

    def keep(self, broker: str, histories: Sequence[History]) -> None:
        """After a round: what this leader may remember now."""
        different: list[History] = []
        for history in histories:
            different += [history] if history not in different else []
        if len(different) > MOST_HISTORIES:
            self.crowded.add(broker)
        self.histories[broker] = tuple(different[:MOST_HISTORIES])


def some_of(removed: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Which of them a leader may have missed: the most lost first. Of many, all or none; then what
    is remembered is not known (`Terms.crowded`).
    """
    names = sorted(removed)
    counts = range(len(names), -1, -1) if len(names) <= MOST_LOST else (len(names), 0)
    return chain.from_iterable(combinations(names, count) for count in counts)


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the leader was given, by the reading of a round from which its decision follows."""

    history: History
    cluster: Cluster


def predict_modular(
    entries: Iterable[Entry],
    settings: Mapping[str, str],
    edition: Edition,
    agreed: Callable[[int, Agreed], None] = lambda *_: None,
) -> list[Predicted]:
    """All rounds of a recording (log, load, session, average); `agreed` gets each explained one."""
    lines: list[tuple[str, str]] = []
    reports: list[Entry] = []
    end, stepped = 0, False
    for entry in entries:
        end = max(end, entry.time)
        if entry.source == "log" and entry.broker is not None:
            lines.append((entry.broker, in_older_form(entry.data)))
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
    if interval <= 0:  # rounds follow one another without a pause
        return []
    if isinstance(rules, AvgRules):
        return predict_avg(lines, follow(reports, edition), rules, edition, interval, AROUND)
    rounds = rounds_of(lines, interval, end)
    lost = [(e.time, str(e.broker)) for e in reports if e.source == "session" and e.data is None]
    follower, terms = follow(reports, edition), Terms(terms_of(lines), lost)
    decide = choose_decide(strategy, rules, edition)
    leader = Leader(strategy, rules, edition, agreed)
    found = []
    for one in rounds:
        moments = [at for at in follower.list_near(one.at, AROUND) if len(at.brokers) > 1]
        recently = recently_unloaded(rounds, one, rules.grace_minutes, interval)
        terms.enter(one)
        if moments:
            found.append(one_round(one, moments, recently, decide, terms, leader))
    return found


@dataclass(frozen=True, slots=True)
class Leader:
    """The strategy that decides."""

    strategy: str
    rules: Any
    edition: Edition
    agreed: Callable[[int, Agreed], None]

    def find_broken(
        self, ways: Sequence[tuple[Cluster, int]], history: History, made: Mapping[str, Any]
    ) -> dict[str, str]:
        """The clauses that a decision breaks by the likeliest reading, each with why; none if
        some reading breaks none.
        """
        histories = {str(name): score for name, score in history.items()}
        first: dict[str, str] = {}
        for cluster, at in ways:
            try:
                found = judge_decision(
                    self.strategy, self.rules, cluster, at, histories, made, self.edition
                )
            except BadTrial:  # two brokers reported a bundle that was on its way
                return {}
            if not found:
                return {}
            first = first or found
        return first


@dataclass(frozen=True, slots=True)
class Read:
    """What one way to read a round comes to: the decision by the latest reports, the histories that
    may be kept, and whether and why the decision is the one that was made.
    """

    shed: dict[str, tuple[str, ...]]
    kept: tuple[History, ...]
    match: Match
    why: str = ""
    given: Agreed | None = None


def read(
    before: History,
    moments: Sequence[Moment],
    recently: Sequence[tuple[str, Mapping[str, int]]],
    decide: Decide,
    made: Mapping[str, tuple[str, ...]],
) -> Read:
    """A round after this history, by what was known at its time, or a little earlier or later."""
    first: Read | None = None
    right: Read | None = None
    kept: list[History] = []
    for moment, (word, unloaded) in product(moments, recently):
        cluster = cluster_of(moment, unloaded)
        history, decision = decide(before, cluster)
        shed = {str(k): tuple(map(str, v)) for k, v in decision.items() if v}
        first = first or Read(shed, (history,), Match.DIFFERS)
        if shed != made:
            continue
        kept.append(history)
        if right is None:
            why = " and ".join(filter(None, (word, describe_difference(moment, moments[0]))))
            match = Match.EXPLAINED if why else Match.AGREED
            right = Read(first.shed, (), match, why, Agreed(before, cluster))
    assert first is not None
    return first if right is None else replace(right, kept=tuple(kept))


def one_round(
    now: LoggedModular,
    moments: Sequence[Moment],
    recently: Sequence[tuple[str, Mapping[str, int]]],
    decide: Decide,
    terms: Terms,
    leader: Leader,
) -> Predicted:
    """A round, after each of the histories that its leader may have."""
    histories = terms.histories.get(now.broker, (threshold.NO_HISTORY,))
    made = {broker: tuple(bundles) for broker, bundles in now.shed.items()}
    ways = [read(before, moments, recently, decide, made) for before in histories]
    right = [one for one in ways if one.match is not Match.DIFFERS]
    terms.keep(now.broker, [history for one in right or ways for history in one.kept])
    best = (right or ways)[0]
    reported = describe_shed(best.shed), describe_shed(made)

    def found(match: Match, why: str, clauses: tuple[str, ...] = ()) -> Predicted:
        return Predicted(now.broker, now.at, leader.strategy, *reported, match, why, clauses)

    if right:
        if best.given is not None:
            leader.agreed(now.at, best.given)
        return found(best.match, best.why)
    if not now.logged:
        why = "nothing was logged: policies may have kept it, or there was no round"
        return found(Match.UNKNOWN, why)
    if now.broker in terms.crowded:
        return found(Match.UNKNOWN, "what the strategy remembers is not known any more")
    clusters = [
        (cluster_of(moment, removed), now.at) for moment in moments for _, removed in recently
    ]
    every = [leader.find_broken(clusters, before, made) for before in histories]
    unsure = frozenset() if tolerance_of(leader.edition).exact else BY_WEIGHT
    if not all(broken.keys() - unsure for broken in every):
        why = "the averages of bundles are known from a recording to some samples only"
        return found(Match.UNKNOWN, why)
    return found(Match.DIFFERS, next(iter(every[0].values())), tuple(sorted(every[0])))
