"""Decisions of the leader compared with what the reference decides from the same reports, and
against the clauses that judge the desk's question `shedding.transfer`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from evenkeel.operate.recording import views
from evenkeel.operate.recording.effective import Effective
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import IN_FLIGHT, Found
from evenkeel.operate.recording.leaderlog import Round, rounds_of
from evenkeel.properties.shedding.transfer.judge import judge_alone
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.transfer import (
    TransferDecision,
    TransferLabel,
    TransferReason,
    TransferRules,
    decide,
)
from evenkeel_engine.kit.clause import Findings, Violation

SHOWN: Final = 0.0051
"""The log shows two digits."""
GRACE: Final = "loadBalancerSheddingGracePeriodMinutes"
USUAL_GRACE: Final = 30
FORGOTTEN: Final = 300_000
"""Milliseconds after a loss of reports until others have come in their place."""
OPEN: Final = "the clauses leave it open, as the order of equal loads"
JUDGED: Final = 40
"""Readings of a round that are compared with the clauses at most."""


class Match(StrEnum):
    """How a decision that was made stands to the one that was predicted."""

    AGREED = "agreed"
    EXPLAINED = "explained"
    DIFFERS = "differs"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Predicted:
    """One round: what was predicted from the latest reports, what was made, and why both differ if
    they do. `clauses`: those that the decision broke, by every reading of the recording.
    """

    broker: str
    at: int
    strategy: str
    predicted: str
    made: str
    match: Match
    why: str = ""
    clauses: tuple[str, ...] = ()
    doubtful: bool = False
    """It differs from what the recording has, which is wrong or incomplete there."""

    @property
    def moves(self) -> bool:
        """Whether something was moved, or was to be."""
        return "->" in self.made or "->" in self.predicted


def predict(
    entries: Iterable[Entry], channel: Effective, settings: Mapping[str, str], edition: Edition
) -> list[Predicted]:
    """All whole rounds of TransferShedder in a recording, of the sources `DECIDING`."""
    reported = views.sort_heard(entries)
    rounds = reported.list_rounds()
    if reported.stepped:
        return [report_unknown(one, "clocks were stepped") for one in rounds]
    known = views.known_of(reported, channel)
    try:
        rules = views.rules_of(TransferRules, settings)
        grace = int(settings.get(GRACE, USUAL_GRACE))
    except ValueError as error:
        return [report_unknown(one, f"a setting is no number: {error}") for one in rounds]
    found = []
    for one in rounds:
        ways = list(views.list_readings(one, rounds, known, rules, grace))
        lost = any(at <= one.at <= at + FORGOTTEN for at in reported.losses)
        if (judged := one_round(one, ways, rules, edition, known, lost)).match is Match.DIFFERS:
            judged = unless_doubtful(
                judged, one, rounds, channel, max(reported.ahead, channel.ahead)
            )
        found.append(judged)
    return found


def unless_doubtful(
    judged: Predicted, now: Round, rounds: Sequence[Round], channel: Effective, ahead: int
) -> Predicted:
    """A decision that differs, or "unknown" where the recording cannot bear that out: which records
    had taken effect by then depends on clocks that are apart, or a record was lost.
    """
    why = next(doubt_owners(now, rounds, channel, ahead), None)
    return (
        judged
        if why is None
        else replace(judged, match=Match.UNKNOWN, why=why, clauses=(), doubtful=True)
    )


def doubt_owners(
    now: Round, rounds: Sequence[Round], channel: Effective, ahead: int
) -> Iterator[str]:
    """Why the leader may have known other owners than the recording has. The recorder's clock is
    behind a broker's if something was received before it was published.
    """
    if ahead > 0:
        yield f"a broker's clock is at least {ahead} ms ahead of the recorder's"
    for bundle, gaps in channel.gaps.items():
        if any(at <= now.at + views.AHEAD for at in gaps):
            yield f"a record of {bundle} was lost before it"
    for bundle, line in channel.holders.items():
        if any(abs(at - now.at) <= views.AHEAD for at, _ in line):
            yield f"a record of {bundle} came within {views.AHEAD} ms of it, and clocks may differ"
        before = [(at, holder) for at, holder in line if at <= now.at]
        if before and before[-1][1] is None and now.at - before[-1][0] > IN_FLIGHT * 1000:
            yield f"a record of {bundle} is missing: it stayed on its way"
    for move in (move for one in rounds if one.at < now.at for move in one.decided):
        line = channel.holders.get(move.bundle, [])
        if not any(at > now.at - FORGOTTEN for at, _ in line):
            continue
        if move.destination and all(holder != move.destination for _, holder in line):
            yield f"the record that gave {move.bundle} to {move.destination} is missing"


def one_round(
    now: Round,
    ways: Sequence[views.Reading],
    rules: TransferRules,
    edition: Edition,
    known: views.Known,
    lost: bool,
) -> Predicted:
    """One round compared with all the ways to read it."""
    if now.cut:
        return report_unknown(now, "the log's line is cut off")
    if not ways:
        return report_unknown(now, "no report was recorded before it")
    _, first = decide(ways[0].hits, ways[0].view, rules, edition)
    if is_logged(first, now):
        return report_round(now, first, Match.AGREED)
    for way in ways[1:]:
        if is_logged(decide(way.hits, way.view, rules, edition)[1], now):
            return report_round(
                now,
                first,
                Match.EXPLAINED,
                "the leader "
                + " and ".join(list(way.why) or [f"had counted {way.hits} rounds with a cause"]),
            )
    return not_predicted(now, ways, first, rules, edition, lost or not is_complete(now, known))


def not_predicted(
    now: Round,
    ways: Sequence[views.Reading],
    first: TransferDecision,
    rules: TransferRules,
    edition: Edition,
    incomplete: bool,
) -> Predicted:
    """A decision that the reference makes in no reading: do the clauses allow it in one?"""
    fitting = [way for way in ways if fits(way, now, rules, edition)][:JUDGED]
    broken: Counter[str] = Counter()
    least: Findings | None = None
    for way in fitting:
        _, mine = decide(way.hits, way.view, rules, edition)
        found = judge_alone(way.view, rules, decision_of(now, mine), way.hits, edition)
        if not found.is_violated:
            return report_round(now, first, Match.EXPLAINED, OPEN)
        broken.update(found.violated)
        least = least or found
    if incomplete or not fitting or least is None:
        why = "reports were lost, or are of before the recording"
        if not incomplete:
            why = "no reports that were recorded have the sum and the deviation that are logged"
        return report_round(now, first, Match.UNKNOWN, why)
    always = tuple(clause for clause, count in broken.items() if count == len(fitting))
    why = next((one.sentence for one in least.by_clause.values() if isinstance(one, Violation)), "")
    return replace(report_round(now, first, Match.DIFFERS, why), clauses=tuple(sorted(always)))


def is_complete(now: Round, known: views.Known) -> bool:
    """Whether a report and a list of every broker were recorded before the round."""
    return all(
        any(at <= now.at for at, _ in line.get(broker, ()))
        for broker in (now.there if now.there is not None else now.brokers)
        for line in (known.loads, known.tops)
    )


def close(one: float | None, logged: float) -> bool:
    """Whether a number is the one in the log, which has two digits; it says NaN for none."""
    if one is None or math.isnan(logged):
        return one is None and math.isnan(logged)
    return abs(one - logged) <= SHOWN


def is_logged(decision: TransferDecision, now: Round) -> bool:
    """Whether this is what the leader's log tells; it tells no reason for some rounds."""
    if now.skipped is not None:
        return decision.reason is now.skipped
    if not (close(decision.average, now.average) and close(decision.deviation, now.deviation)):
        return False
    counted = decision.reason is TransferReason.HIT_COUNT and not decision.moves
    if now.hits is not None and not counted:
        return False
    return set(decision.moves) == set(now.decided)


def fits(way: views.Reading, now: Round, rules: TransferRules, edition: Edition) -> bool:
    """Whether the loads of a reading are those in the log."""
    _, mine = decide(way.hits, way.view, rules, edition)
    if now.skipped is not None:
        return True
    return close(mine.average, now.average) and close(mine.deviation, now.deviation)


def decision_of(now: Round, mine: TransferDecision) -> TransferDecision:
    """The leader's decision; what its log does not tell, or to two digits, is the reference's."""
    if now.skipped is not None:
        return TransferDecision(TransferLabel.SKIP, now.skipped)
    if now.decided:
        return TransferDecision(
            TransferLabel.SUCCESS, None, now.decided, mine.average, mine.deviation
        )
    reason = mine.reason or TransferReason.NO_BUNDLES
    if now.hits is not None:
        reason = TransferReason.HIT_COUNT
    return TransferDecision(TransferLabel.SKIP, reason, (), mine.average, mine.deviation)


def report_round(
    now: Round, first: TransferDecision | None, match: Match, why: str = ""
) -> Predicted:
    """A line of the table."""
    ends = "" if first is None else describe_decision(first), describe_logged(now)
    return Predicted(now.broker, now.at, "TransferShedder", *ends, match, why)


def report_unknown(now: Round, why: str) -> Predicted:
    """A round of which nothing can be said."""
    return report_round(now, None, Match.UNKNOWN, why)


def describe_decision(decision: TransferDecision) -> str:
    """A decision in short."""
    if decision.moves:
        return moves_in_words(decision)
    return f"nothing: {decision.reason.value if decision.reason else 'no reason'}"


def moves_in_words(decision: TransferDecision | Round) -> str:
    """Moves in an order of their own."""
    moves = decision.decided if isinstance(decision, Round) else decision.moves
    reported = (
        f"{m.bundle}: {m.source} -> {m.destination or '?'} ({m.reason.value})" for m in moves
    )
    return "; ".join(sorted(reported))


def describe_logged(now: Round) -> str:
    """What the leader decided, in short."""
    if now.moves:
        return moves_in_words(now)
    if now.skipped is not None:
        return f"nothing: {now.skipped.value}"
    return f"nothing: {TransferReason.HIT_COUNT.value}" if now.hits is not None else "nothing"


def count_matches(found: Iterable[Match]) -> str:
    """How decisions that were made stand to those that were predicted."""
    counts = Counter(found)
    return ", ".join(f"{counts[match]} {match.value}" for match in Match)


def judge_counts(entries: Iterable[Entry], settings: Mapping[str, str]) -> Iterator[Found]:
    """How rounds with a cause are counted (SHD-55), which needs the log alone."""
    try:
        target = views.rules_of(TransferRules, settings).target_std
    except ValueError:  # `predict` says so
        target = math.inf
    before: dict[str, Round] = {}
    for one in rounds_of(views.sort_heard(entries).lines):
        if one.measured:  # without data the count stands still
            for why in explain_count(one, before.get(one.broker), target):
                yield Found("shedding", one.broker, why, one.at, one.at, "SHD-55")
            before[one.broker] = one


def explain_count(now: Round, earlier: Round | None, target: float) -> Iterator[str]:
    """What is wrong with a round's count after the one before. Nothing moves before enough."""
    if now.moves and now.hits is not None:
        yield f"bundles are moved after {now.hits} rounds with a cause"
    if now.hits is None or (earlier is None and not now.first):
        return
    known = 0 if earlier is None or now.first or earlier.moves else earlier.hits
    if known is None:
        return  # the round before was ended for want of something else
    if now.hits not in (0, known + 1):
        yield f"the count goes from {known} to {now.hits}"
    elif now.hits == 0 and now.deviation > target + SHOWN:
        yield f"the count begins again, with a deviation of {now.deviation} > {target}"


def findings_of(rounds: Iterable[Predicted]) -> list[Found]:
    """Decisions that the clauses of `shedding.transfer` do not allow; without a clause those of
    which the recording cannot tell.
    """
    return [
        Found(
            "decision",
            one.broker,
            f"{one.strategy} decided {one.made}, where {one.predicted} was to be expected"
            + (f": {one.why}" if one.why else ""),
            one.at,
            one.at,
            one.clauses[0] if one.clauses else None,
        )
        for one in rounds
        if one.match is Match.DIFFERS or one.doubtful
    ]
