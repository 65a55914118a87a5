"""AvgShedder's decisions compared with what the reference decides from the same reports, and
against its clauses.

Its log has every round's ranking and counts. So a reading of the recording must have that ranking
and those counts, or it is none; and how the counts continue from round to round is judged by the
log alone.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeAlias

from evenkeel.operate.recording.avglog import AvgRound, Offload, avg_rounds_of
from evenkeel.operate.recording.decisions import Match, Predicted
from evenkeel.operate.recording.modular import Follower, Moment, cluster_of, recently_unloaded
from evenkeel.operate.recording.modular_judging import list_broken, round_of
from evenkeel.operate.recording.modularlog import terms_of
from evenkeel.properties.shedding.avg.judge import judge_after
from evenkeel.properties.shedding.avg.trials import (
    AvgAnswer,
    AvgTrial,
    Planned,
    PlannedShed,
    answer_avg,
)
from evenkeel.properties.shedding.trial_parts import Unloaded
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import avg
from evenkeel.reference.shedding.avg import AvgRules, Gap, HitKey, Hits, Pair, State
from evenkeel.reference.shedding.cluster import BrokerId, Cluster
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.trial import BadTrial

STRATEGY: Final = "AvgShedder"
NEAR: Final = 1e-9
"""The log has all digits."""
Counts: TypeAlias = Mapping[HitKey, Hits]
Made: TypeAlias = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Given:
    """What the leader may have been given in a round, and what follows."""

    cluster: Cluster
    state: State
    """After the round."""
    decision: Made
    fits: bool
    """Ranking and counts are those in the log."""
    word: str
    """What is otherwise than the latest reports have it."""


@dataclass(slots=True)
class Leaders:
    """What every leader's counts were after its last round; None: not known."""

    rules: AvgRules
    edition: Edition
    counts: dict[str, Counts | None] = field(default_factory=dict)


def predict_avg(
    lines: Sequence[tuple[str, str]],
    follower: Follower,
    rules: AvgRules,
    edition: Edition,
    interval: int,
    around: int,
) -> list[Predicted]:
    """All rounds in the log."""
    rounds, leaders = avg_rounds_of(lines), Leaders(rules, edition)
    terms = terms_of(lines)
    begun: dict[str, int] = {}
    found = []
    for one in rounds:
        number = sum(term.broker == one.broker and term.at <= one.at for term in terms)
        if number != begun.get(one.broker):
            # A leader counts from nothing; one that leads again may have been restarted, or not.
            leaders.counts[one.broker] = {} if number == 1 else None
            begun[one.broker] = number
        recently = recently_unloaded(rounds, one, rules.grace_minutes, interval)
        moments = [at for at in follower.list_near(one.at, around) if len(at.brokers) > 1]
        found.append(one_round(one, moments, recently, leaders))
    return found


def one_round(
    now: AvgRound,
    moments: Sequence[Moment],
    recently: Sequence[tuple[str, Mapping[str, int]]],
    leaders: Leaders,
) -> Predicted:
    """A round by its log, then by what was reported around it."""
    before = leaders.counts[now.broker]
    per_broker = leaders.edition.avg_hits_per_broker
    # Whatever follows: 4.0 logs what it counts. By pairs it must be followed.
    leaders.counts[now.broker] = {BrokerId(name): one for name, one in now.left.items()}
    if now.hits is None:
        leaders.counts[now.broker] = None
        return report_avg_round(now, {}, Match.UNKNOWN, "the log's line of counts is missing")
    if per_broker and (fault := explain_miscount(now, before, leaders.rules)):
        return report_avg_round(now, {}, Match.DIFFERS, fault, ("SHD-38",))
    ways = [
        derive_hits(
            now,
            cluster_of(moment, removed),
            before,
            leaders,
            (word, describe_difference(moment, moments[0])),
        )
        for moment, (word, removed) in product(moments, recently)
    ]
    if not ways:
        leaders.counts[now.broker] = leaders.counts[now.broker] if per_broker else None
        return report_avg_round(
            now, {}, Match.UNKNOWN, "no reports of two brokers were recorded before it"
        )
    fitting = [way for way in ways if way.fits]
    likeliest = (fitting or ways)[0]
    if not per_broker:
        leaders.counts[now.broker] = likeliest.state.hits
    if not fitting:
        why = "no reports that were recorded have the ranking and the counts that are logged"
        return report_avg_round(now, likeliest.decision, Match.UNKNOWN, why)
    return compare_decision(now, fitting, before or {}, leaders)


def compare_decision(
    now: AvgRound, ways: Sequence[Given], before: Counts, leaders: Leaders
) -> Predicted:
    """The decision with what follows from the ways to read the round."""
    made = made_in(now)
    for way in ways:
        if way.decision == made:
            match = Match.EXPLAINED if way.word else Match.AGREED
            why = "; ".join(filter(None, (way.word, *find_astray(now))))
            return report_avg_round(now, ways[0].decision, match, why)
    broken: dict[str, str] = {}
    for way in ways:
        if not (found := clauses_broken(now, way.cluster, before, leaders)):
            why = "the averages of bundles are known from a recording to some samples only"
            return report_avg_round(now, ways[0].decision, Match.UNKNOWN, why)
        broken = broken or found
    why = next(iter(broken.values()))
    return report_avg_round(now, ways[0].decision, Match.DIFFERS, why, tuple(sorted(broken)))


def derive_hits(
    now: AvgRound, cluster: Cluster, before: Counts | None, leaders: Leaders, words: tuple[str, str]
) -> Given:
    """What follows if this is what the leader knew."""
    rules, edition = leaders.rules, leaders.edition
    scores = {broker: avg.score(report, rules) for broker, report in cluster.brokers.items()}
    ranked = tuple(map(BrokerId, now.ranked))
    same = ranked_by(scores, ranked) and all(as_logged(cluster, one, rules) for one in now.offloads)
    pairs = avg.pairs_of(ranked) if same else avg.pairs_of(avg.ranking(scores, edition))
    gaps = avg.gaps_of(scores, pairs, rules)
    counted: Counts = avg.count_round(before or {}, gaps, edition)
    logged: Counts = {BrokerId(name): one for name, one in (now.hits or {}).items()}
    if edition.avg_hits_per_broker:
        if before is None:
            same = same and same_pairs(gaps, logged)
            counted = logged
        else:
            same = same and clear_hits(counted) == clear_hits(
                logged if any((gap is not Gap.SMALL for _, gap in gaps)) else {}
            )
    large = [pair for pair, gap in gaps if gap is not Gap.SMALL]
    state, decision = avg.act(State(counted), cluster, large, rules, edition)
    return Given(
        cluster,
        state,
        {str(k): tuple(map(str, v)) for k, v in decision.items() if v},
        same,
        " and ".join(filter(None, words)),
    )


def as_logged(cluster: Cluster, one: Offload, rules: AvgRules) -> bool:
    """Whether both ends of a pair have the score and the traffic that are logged."""
    for broker, stats in zip((one.fuller, one.emptier), one.stats, strict=False):
        if (report := cluster.brokers.get(BrokerId(broker))) is None:
            return False
        mine = avg.score(report, rules), report.traffic.throughput, report.traffic.msg_rate
        if not all(math.isclose(a, b, rel_tol=NEAR) for a, b in zip(mine, stats, strict=True)):
            return False
    return True


def clear_hits(hits: Counts) -> dict[HitKey, Hits]:
    """Counts without those of nothing."""
    return {key: one for key, one in hits.items() if one != Hits()}


def same_pairs(gaps: Sequence[tuple[Pair, Gap]], logged: Counts) -> bool:
    """Whether those who are counted are those that differ, where no count before is known."""
    large = {
        end for pair, gap in gaps if gap is not Gap.SMALL for end in (pair.fuller, pair.emptier)
    }
    there = {end for pair, _ in gaps for end in (pair.fuller, pair.emptier)}
    return {end for end in there if end in logged} == large


def ranked_by(scores: Mapping[BrokerId, float], ranked: Sequence[BrokerId]) -> bool:
    """Whether this is an order of these scores."""
    if scores.keys() != set(ranked):
        return False
    reported_ = [scores[broker] for broker in ranked]
    return reported_ == sorted(reported_)


def explain_miscount(now: AvgRound, before: Counts | None, rules: AvgRules) -> str:
    """What is wrong with the counts, by the log alone; "" if nothing is.

    Those of a broker continue by one or begin again; and a pair acts where both are counted, and
    one of the counts is enough, and only there. A threshold of 0 or less counts the middle one
    twice.
    """
    hits = now.hits or {}
    if rules.low_threshold <= 0:
        return ""
    for broker in now.ranked if before is not None else ():
        earlier, later = (before or {}).get(BrokerId(broker), Hits()), hits.get(broker, Hits())
        if later.low not in (0, earlier.low + 1) or later.high not in (0, earlier.high + 1):
            return f"{broker} is counted {show_hits(later)}, after {show_hits(earlier)}"
    acted = {Pair(BrokerId(one.fuller), BrokerId(one.emptier)) for one in now.offloads}
    for pair in avg.pairs_of(tuple(map(BrokerId, now.ranked))):
        ends = [hits.get(end, Hits()) for end in (pair.fuller, pair.emptier)]
        large = all(one.low > 0 for one in ends)
        due = large and any(avg.enough(one, rules) for one in ends)
        if due is not (pair in acted):
            does = "is not to shed" if due else "is to shed"
            return f"{pair.fuller} {does} to {pair.emptier}, and is counted {show_hits(ends[0])}"
        acted.discard(pair)
    return f"{', '.join(sorted(one.fuller for one in acted))}: in no such pair" if acted else ""


def show_hits(hits: Hits) -> str:
    """Counts in words."""
    return f"{hits.low} for the low threshold and {hits.high} for the high one"


def find_astray(now: AvgRound) -> Iterator[str]:
    """Bundles that did not go to the partner for which they were planned. The plan is asked for a
    broker after the filters, and one that they dropped is replaced at random (PLC-29).
    """
    for broker, bundles in now.shed.items():
        requested = now.find_planned(broker)
        for bundle in bundles:
            if (to := now.taken_by.get(bundle)) != requested:
                went = f"went to {to}" if to else "stayed"
                planned = f"{bundle} was planned for {requested}"
                yield f"{planned}, and {went}: the filters had dropped it"


def clauses_broken(
    now: AvgRound, cluster: Cluster, before: Counts, leaders: Leaders
) -> dict[str, str]:
    """The clauses that the decision breaks, each with why; none if the reports make no trial."""
    made = made_in(now)
    unloaded = tuple(Unloaded(str(name), now.at) for name in cluster.recently_unloaded)
    observed = AvgAnswer(
        (
            tuple(
                PlannedShed(
                    broker,
                    tuple(Planned(bundle, now.find_planned(broker)) for bundle in made[broker]),
                )
                for broker in sorted(made)
            ),
        )
    )
    try:
        trial = AvgTrial(
            recently_unloaded=unloaded, rounds=(round_of(cluster, now.at),), config=leaders.rules
        )
        found = judge_after(Case(trial, observed, leaders.edition, answer_avg), plain_hits(before))
    except BadTrial:  # two brokers reported a bundle that was on its way
        return {}
    return list_broken(found)


def plain_hits(hits: Counts) -> dict[Hashable, tuple[int, int]]:
    """Counts as the judge takes them."""
    return {
        (str(one.fuller), str(one.emptier)) if isinstance(one, Pair) else str(one): (
            count.low,
            count.high,
        )
        for one, count in hits.items()
    }


def made_in(now: AvgRound) -> Made:
    """What was chosen, by the log."""
    return {broker: tuple(bundles) for broker, bundles in now.shed.items()}


def describe_difference(moment: Moment, latest: Moment) -> str:
    """How a moment is otherwise than the latest one."""
    if moment is latest:
        return ""
    return f"the leader knew what was reported {(moment.at - latest.at) / 1000:+.1f} s"


def report_avg_round(
    now: AvgRound, predicted: Made, match: Match, why: str, clauses: tuple[str, ...] = ()
) -> Predicted:
    """A line of the table."""
    ends = describe_shed(predicted), describe_shed(made_in(now))
    return Predicted(now.broker, now.at, STRATEGY, *ends, match, why, clauses)


def describe_shed(shed: Mapping[str, Sequence[str]]) -> str:
    """A decision in short."""
    reported_ = [f"{bundle}: {broker} -> ?" for broker in sorted(shed) for bundle in shed[broker]]
    return "; ".join(reported_) or "nothing"
