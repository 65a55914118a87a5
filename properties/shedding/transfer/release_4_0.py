"""The rounds of 4.0, exactly (SHD-68, SHD-70).

The order in which the store lists the reports is that of a hash map: it decides between equally
loaded brokers and about the last bits of sums, so both are open choices.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evenkeel.properties.shedding.transfer.pairs import in_short
from evenkeel.properties.shedding.transfer.rounds import (
    Exchange,
    Round,
    SkipReason,
    Spread,
    in_turn,
)
from evenkeel.reference.shedding.transfer import (
    SWAP_LIMIT,
    TopBundle,
    TransferDecision,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferReport,
)
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.run import Run

Flow = tuple[float, float]
"""The traffic of two brokers, giver and taker: bytes/s."""


def exchange(now: Round, giver: TransferReport, taker: TransferReport) -> Exchange:
    """The bundles of the giver in the order of the report, up to the first that moves too much and
    cannot be swapped; one bundle of the list stays.
    """
    moves: list[tuple[TransferReport, TopBundle, TransferReport]] = []
    going = coming = 0.0
    limit = now.half_gap(giver, taker).value if giver.load else math.inf  # 0 / 0 in 4.0
    left, top = giver.throughput, giver.top or ()
    keeps = len(top)
    candidates = (
        bundle
        for bundle in taker.top or ()
        if now.may_go(bundle, taker.broker, giver.broker) and not now.stays_idle(bundle)
    )
    for bundle in top if keeps > 1 else ():
        if not (now.is_free(bundle) and now.may_go(bundle, giver.broker, taker.broker)):
            continue
        if keeps <= 1:
            break
        if now.stays_idle(bundle):
            continue
        back: tuple[TopBundle, ...] = ()
        if going - coming + bundle.throughput > limit:
            after = (
                left - going + coming - bundle.throughput,
                taker.throughput + going - coming + bundle.throughput,
            )
            back = list_swaps(after, left, candidates) if now.rules.transfer else ()
            if not back:
                break
        moves += [(taker, item, giver) for item in back]
        moves.append((giver, bundle, taker))
        going += bundle.throughput
        coming += in_turn(item.throughput for item in back) if now.rules.debug else 0.0
        keeps -= 1
    return Exchange(tuple(moves), going, coming)


def list_swaps(after: Flow, most: float, candidates: Iterator[TopBundle]) -> tuple[TopBundle, ...]:
    """Bundles of the taker, in order, while both brokers stay below what the giver has now: until
    the giver has no less than the taker, and less than three quarters of it. None if that never
    holds.
    """
    back: list[TopBundle] = []
    giver, taker = after
    for bundle in candidates:
        if giver + bundle.throughput < most and taker - bundle.throughput < most:
            back.append(bundle)
            giver, taker = giver + bundle.throughput, taker - bundle.throughput
            if taker <= giver < most * SWAP_LIMIT:
                return tuple(back)
    return ()


class Pairing:
    """The pairs of one round: the most loaded remaining broker gives to the least loaded one.

    `taker`, `giver`: the current pair; `reason`: why load moves from one to the other. A single
    remaining broker is both. `clause` demands the moves of these pairs.
    """

    def __init__(
        self, run: Run, now: Round, spread: Spread, decision: TransferDecision, clause: str
    ) -> None:
        self.run, self.now, self.spread, self.decision, self.clause = (
            run,
            now,
            spread,
            decision,
            clause,
        )
        self.left = list(now.by_load)
        self.observed = frozenset(decision.moves)
        self.dealt = {(move.source, move.destination) for move in decision.moves}
        self.ends = {end for move in decision.moves for end in (move.source, move.destination)}
        self.taker = self.next_taker()
        self.giver = self.next_giver()
        self.reason = self.cause(self.giver)
        run.require(clause, self.reason is not None, f"{now.name}: these two are not out of line")

    def next_taker(self) -> TransferReport:
        """One of the least loaded remaining brokers. It stays until it receives something, so it is
        one of those that still have moves, if any has.

        With transfers off it is not known who receives: mostly none of those that give, and one
        that would have.
        """
        tied = [report for report in self.left if report.load == self.left[0].load]
        if len(tied) > 1 and self.now.rules.transfer:
            tied = [report for report in tied if report.broker in self.ends] or tied
        elif len(tied) > 1:
            others = (tied[1], *[tied[0]] * (len(tied) - 1))
            gives = {
                report.broker: bool(self.exchange_of(report, other).moves)
                for report, other in zip(tied, others, strict=True)
            }
            tied.sort(key=lambda report: (report.broker in self.ends, not gives[report.broker]))
        return tied[self.run.pick(len(tied))]

    def next_giver(self) -> TransferReport:
        """One of the most loaded remaining brokers.

        The order of equally loaded ones that have nothing for this taker does not matter, except
        for those that move something later, and for those with little traffic, which may end the
        round; so they come last. If nothing moves, the reason reveals whether a broker without
        bundles was among them, so one of either sort may come first.
        """
        others = [report for report in self.left if report is not self.taker] or [self.taker]
        tied = [report for report in others if report.load == others[-1].load]
        if len(tied) > 1:
            passed = self.passed_over(tied)
            names = {report.broker for report in passed}
            tied = [report for report in tied if report.broker not in names]
            for has_some in (True, False):
                sort = [report for report in passed if bool(report.top) is has_some]
                if sort:
                    last = min(sort, key=lambda r: (r.broker in self.ends, -r.throughput_average))
                    tied.append(last)
            # A broker that did give (to this taker, if that is known) comes first: so the first run
            # is mostly the right one.
            tied.sort(key=lambda report: not self.gave(report))
        return tied[self.run.pick(len(tied))]

    def gave(self, giver: TransferReport) -> bool:
        """Whether this broker gave something, to the taker where destinations are named."""
        return (giver.broker, self.taker.broker if self.now.rules.transfer else None) in self.dealt

    def passed_over(self, tied: Sequence[TransferReport]) -> list[TransferReport]:
        """The equally loaded brokers with a cause to give load, and nothing to give."""
        now, load = self.now, self.taker.load
        causes: dict[Ternary, Ternary] = {}
        found = []
        for giver in tied:
            if self.exchange_of(giver, self.taker).moves:
                continue
            idle = now.is_idle(self.taker, giver)
            if idle not in causes:
                causes[idle] = now.cause(self.spread, load, giver.load, idle)
            if causes[idle] is True:
                found.append(giver)
        return found

    def exchange_of(self, giver: TransferReport, taker: TransferReport) -> Exchange:
        """What one broker gives to another, computed once."""
        known, ends = self.now.exchanges, (giver.broker, taker.broker)
        if ends not in known:
            known[ends] = exchange(self.now, giver, taker)
        return known[ends]

    def cause(self, giver: TransferReport) -> TransferReason | None:
        """Why load moves from this broker to the taker: the first of the three conditions."""
        run, now, spread, taker = self.run, self.now, self.spread, self.taker
        if run.rule(now.is_spread(spread)):
            return TransferReason.OVERLOADED
        if run.rule(now.is_underloaded(spread, taker.load)) or now.is_idle(taker, giver):
            return TransferReason.UNDERLOADED
        return (
            TransferReason.OVERLOADED if run.rule(now.is_overloaded(spread, giver.load)) else None
        )

    def is_alternative(self) -> bool:
        """Whether a choice differs from the first run, which provides the sentences."""
        return any(chosen for chosen, _ in self.run.taken)

    def is_wrong(self, moves: frozenset[TransferMove], few: bool, unknown: bool) -> bool:
        """Whether the pairs so far exclude the decision: it lacks a move, or without any it names a
        reason that comes after what was met.
        """
        if self.observed or moves:
            return not moves <= self.observed
        reason = self.decision.reason
        if unknown:
            return reason is not TransferReason.NO_LOAD_DATA
        return few and reason is TransferReason.HIT_COUNT

    def carried_out(self) -> None:
        """Apply pair after pair, until there is no cause left."""
        now, moves, pairs = self.now, frozenset[TransferMove](), 0
        unknown = few = False
        while pairs < now.rules.max_pairs and len(self.left) > 1 and self.reason:
            giver, taker, reason = self.giver, self.taker, self.reason
            self.left = [report for report in self.left if report is not giver]
            dealt = self.exchange_of(giver, self.taker)
            moves |= name_moves(now, dealt, reason)
            if self.is_alternative() and self.is_wrong(moves, few, unknown):
                break
            if dealt.going > 0:
                self.left = [report for report in self.left if report is not taker]
                moved = dealt.going - dealt.coming
                throughput = giver.throughput
                moved = moved * giver.load / throughput if throughput else math.nan
                self.spread = self.spread.after(giver.load, taker.load, moved, moved)
                pairs += 1
            elif giver.top:
                few = True
            else:
                unknown = True
            if len(self.left) > 1:
                self.taker = self.next_taker() if dealt.going > 0 else taker
                self.giver = self.next_giver()
                self.reason = self.cause(self.giver)
        reason = TransferReason.NO_BUNDLES if few else TransferReason.HIT_COUNT
        skip = TransferLabel.SKIP, TransferReason.NO_LOAD_DATA if unknown else reason
        require_decision(self.run, now, self.decision, self.clause, moves, skip)


def name_moves(now: Round, dealt: Exchange, reason: TransferReason) -> frozenset[TransferMove]:
    """Moves in the answer's form; with transfers off, without destinations."""
    return frozenset(
        TransferMove(
            source.broker, bundle.bundle, to.broker if now.rules.transfer else None, reason
        )
        for source, bundle, to in dealt.moves
    )


def require_decision(
    run: Run,
    now: Round,
    decision: TransferDecision,
    clause: str,
    moves: frozenset[TransferMove],
    skip: SkipReason,
) -> None:
    """Require this decision; without moves, skipped for this reason."""
    label, reason = (TransferLabel.SUCCESS, None) if moves else skip
    same = decision.label is label and decision.reason is reason
    if same and len(decision.moves) == len(moves) and moves == set(decision.moves):
        run.require(clause, True)
        return
    right = replace(decision, label=label, reason=reason, moves=tuple(moves))
    kind = "moves" if same else f"not {label.value} {reason.value if reason else 'moves'}"
    run.require(
        clause,
        False,
        lambda: f"{now.name}: must be {in_short(right)}, not {in_short(decision)}",
        kind,
    )
